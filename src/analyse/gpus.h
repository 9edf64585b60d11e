/* SPDX-License-Identifier: MIT
 *
 * Runs of several GPUs side by side: for each operation and class of shapes how
 * fast the winners are on each, and who wins. Only problems (operation, type,
 * shape; cold) that every GPU has timed count, so that all figures of a row of
 * GPUs are of the same ones.
 */
#ifndef SRC_ANALYSE_GPUS_H
#define SRC_ANALYSE_GPUS_H

#include "src/model/shape.h"
#include "src/runs/run_folder.h"

/* One GPU at one operation and class. */
struct gpu_figure {
    double gbps, pct_ceiling; /* of each problem's winner, geometric means;
                                 NaN: unknown */
    const char *winner;       /* the family that wins most problems */
    size_t wins;
};

/* An operation and class that have problems in common. */
struct gpu_row {
    enum op op;
    enum shape_class class;
    size_t problems;
    struct gpu_figure *figure; /* [gpu] */
    bool differ;               /* the winners are not the same on all */
};

/* What runs are told apart by, in the order of the runs. */
struct gpu {
    const char *name;
    const char *hash;     /* of cards alone, else NULL */
    const char *together; /* devices that ran at the same time; likewise */
};

struct gpus {
    struct gpu *gpu;
    size_t count;
    struct gpu_row *row;
    size_t row_count;
};

/* A run, and the GPU that it counts for: usually its device_name; two builds on
 * one card are two by their names. */
struct gpu_run {
    const struct run_folder *run;
    const char *name;
};

/* Of a problem that several runs of a GPU have, the newest run's counts. Texts
 * are the runs', which stay. By name, or by card: then two cards of one
 * name are two, and so is a card by itself and together with others. */
void gpus_compare(struct gpus *gpus, const struct gpu_run *runs, size_t count,
                  bool by_card);

/* What a GPU is called: a card has the beginning of its hash, too, and how many
 * ran beside it. The text lives until the next call. */
const char *gpus_label(const struct gpus *gpus, size_t gpu);

/* How far two compared GPUs lie apart: the geometric mean over the rows of
 * right's GB/s over left's. */
double gpus_ratio(const struct gpus *gpus, size_t left, size_t right);

/* What two of those compared by card are to each other; each pair once. */
enum gpu_pair {
    GPUS_APART,    /* nothing that a ratio would say */
    GPUS_SPREAD,   /* two cards of one name, run in the same way */
    GPUS_TOGETHER, /* one card alone, and with others at work */
};
enum gpu_pair gpus_pair(const struct gpus *gpus, size_t left, size_t right);

void gpus_free(struct gpus *gpus);

#endif
