/* SPDX-License-Identifier: MIT
 *
 * Runs of several GPUs side by side: the rates of the winners on each GPU, and
 * their families, for each operation and class of shapes. Only problems
 * (operation, type, shape; cold) that all GPUs have timed count, so the figures
 * of a row are comparable.
 */
#pragma once

#include "src/choose/catalogue.h"
#include "src/model/shape.h"
#include "src/runs/run_folder.h"

/* One GPU at one operation and class. */
struct gpu_figure {
    double gbps, pct_ceiling; /* the winners' geometric means, or NaN */
    const char *winner;       /* the family that wins most problems */
    size_t wins;
};

/* An operation and class with problems that all GPUs have. */
struct gpu_row {
    enum op op;
    enum shape_class class;
    size_t problems;
    struct gpu_figure *figure; /* [gpu] */
    bool differ;               /* the winners are not all the same */
};

struct gpu {
    const char *name;
    const char *hash;     /* of the card; "" if unknown, or not by card */
    const char *together; /* devices that ran at the same time, or "1" */
};

struct gpus {
    struct gpu *gpu; /* in the order of their first runs */
    size_t count;
    struct gpu_row *row;
    size_t row_count;
};

/* A run and its GPU's name; two builds on one card have different names. */
struct gpu_run {
    const struct run_folder *run;
    const char *name;
};

/* The newest run of a GPU that has a problem counts. GPUs differ by name or, by
 * card, also by hash and by the devices that ran together. For `points`, see
 * standing_make(). */
void gpus_compare(struct gpus *gpus, const struct gpu_run *runs, size_t count,
                  bool by_card, const struct catalogue_point *points);
void gpus_free(struct gpus *gpus);

/* The GPU's name, with the beginning of its hash if others have that name, and
 * the devices that ran together. The text lasts until the next call. */
const char *gpus_label(const struct gpus *gpus, size_t gpu);

/* Geometric mean over the rows of right's GB/s over left's. */
double gpus_ratio(const struct gpus *gpus, size_t left, size_t right);

/* The relation of two GPUs compared by card; GPUS_APART in one order. */
enum gpu_pair {
    GPUS_APART,    /* not worth a ratio */
    GPUS_SPREAD,   /* two cards of one name, run in the same way */
    GPUS_TOGETHER, /* one card, alone and together with others */
};
enum gpu_pair gpus_pair(const struct gpus *gpus, size_t left, size_t right);
