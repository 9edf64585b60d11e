/* SPDX-License-Identifier: MIT
 *
 * The data of a run's charts, which plots/ only draws. A chart is a file of
 * tab-separated blocks with two empty lines between them, as gnuplot counts
 * them (index 0, 1 …). Each line of block 0 is a name and a value.
 */
#pragma once

#include <stdio.h>

#include "src/analyse/standing.h"

/* A run, and its cells to draw. */
struct chart_run {
    const struct run_folder *run;
    const struct run_cell *all;
    size_t count;
    enum dtype dtype;
    enum cache cache;
};

/* A family at a shape. */
struct chart_square {
    const struct run_cell *best; /* firm before others, then the fastest */
    enum status sign;            /* if no point has a time */
    bool there;                  /* any point has a row */
};

/* The cells of an operation. */
struct chart_grid {
    const struct chart_run *of;
    enum op op;
    struct shape *shapes;
    int shape_count;
    const char **families;
    int family_count;
    struct chart_square *squares; /* [shape * family_count + family] */
};

struct chart_grid chart_grid_make(const struct chart_run *of, enum op op);
void chart_grid_free(struct chart_grid *grid);
struct chart_square *chart_square(const struct chart_grid *grid, int shape,
                                  int family);
/* The square's best point, or NULL. */
const struct run_cell *chart_cell(const struct chart_grid *grid, int shape,
                                  int family);
/* Sorts numbers of shapes or families by their keys, keys[items[k]]; stable. */
void chart_sort(int *items, int count, const double *keys);

/* ------------------------------------------------------------------ charts */

/* Each writes a chart, and returns false if it has nothing to draw. */
bool chart_ladder(const struct chart_grid *grid, bool strided, FILE *file);
bool chart_bandwidth(const struct chart_grid *grid, bool by_length, FILE *file);
bool chart_roofline(const struct chart_run *of, FILE *file);
/* For operations with `best` at twenty shapes and more. */
bool chart_distribution(const struct chart_run *of, FILE *file);

/* ---------------------------------------------------------------- writing */

enum { CHART_COLOURED = 7 }; /* curves that have a colour, as in style.gp */

/* Writes text without quotes, tabs, backslashes and controls, so that gnuplot
 * can only draw it. */
void chart_text(FILE *file, const char *text);
/* Writes a line of block 0. */
void chart_value(FILE *file, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void chart_block(FILE *file);                /* begins the next block */
void chart_number(FILE *file, double value); /* and a tab; NaN if unknown */

/* A part that is written ahead of its place in the file. */
struct chart_part {
    FILE *file;
    char *text;
    size_t bytes;
};
FILE *chart_part(struct chart_part *part);
void chart_part_end(struct chart_part *part, FILE *file);

/* "NVIDIA H200. Cold cache.", until the next call. */
const char *chart_where(const struct chart_run *of);
