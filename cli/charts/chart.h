/* SPDX-License-Identifier: MIT
 *
 * What the charts of a run need, computed: plots/ only draws it. A chart is a
 * file of tab-separated blocks, which two empty lines part, as gnuplot counts
 * them (index 0, 1 …). Block 0 has a name and a value a line.
 */
#ifndef CLI_CHARTS_CHART_H
#define CLI_CHARTS_CHART_H

#include <stdio.h>

#include "src/analyse/standing.h"

/* A run, and what of it is drawn. */
struct chart_run {
    const struct run_folder *run;
    const struct run_cell *all;
    size_t count;
    enum dtype dtype;
    enum cache cache;
    const struct rules *rules; /* in place of `best`; or NULL */
};

/* One operation's cells: at every shape every family's best point. */
struct chart_square {
    const struct run_cell *best; /* firm before others, then the fastest */
    enum status sign;            /* without one: what is said instead */
    bool there;                  /* any point has a row */
    bool failed;                 /* any point failed */
};

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
/* The fastest family at a shape, without what only calls others; or -1. */
int chart_winner(const struct chart_grid *grid, int shape);
/* What is to be read with care: not firm, or marked as launching for the most
 * part, in the cache or above its ceiling. */
bool chart_doubtful(const struct run_cell *cell);
/* Within noise of it. */
bool chart_is_tied(const struct chart_grid *grid, int shape, int family);

/* ------------------------------------------------------------- one a kind */

/* Each writes a chart and returns true, or writes nothing that can be used. */
bool chart_ladder(const struct chart_grid *grid, bool strided, FILE *file);
bool chart_bandwidth(const struct chart_grid *grid, bool by_length, FILE *file);
bool chart_roofline(const struct chart_run *of, FILE *file);
/* Of operations that have `best`, or what rules lead to, at twenty shapes and
 * more. */
bool chart_distribution(const struct chart_run *of, FILE *file);

/* ---------------------------------------------------------------- writing */

enum { CHART_COLOURED = 7 }; /* curves that have a colour, as in style.gp */

/* Text that gnuplot can only draw: no quotes, tabs, backslashes, controls. */
void chart_text(FILE *file, const char *text);
/* A line of block 0. */
void chart_value(FILE *file, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void chart_block(FILE *file);                /* the next block begins */
void chart_number(FILE *file, double value); /* and a tab; NaN where unknown */

/* The family's colour and shape of point, and tabs. */
void chart_look(FILE *file, const char *family);

/* 4096 as 4Ki, where that is whole. */
char *chart_binary(double value, char text[32]);
/* "NVIDIA H200. Cold cache." */
void chart_where(const struct chart_run *of, char *text, size_t bytes);
/* What else it has to say of `best`: " best: what rules lead to.", or "". */
const char *chart_best_note(const struct chart_grid *grid);
/* The power of two nearest to it; INT_MIN for 0. */
int chart_power(double value);

#endif
