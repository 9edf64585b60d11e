/* SPDX-License-Identifier: MIT
 *
 * ceilings.csv: the rate of plain traffic at every size.
 */
#ifndef SRC_RUNS_CEILING_H
#define SRC_RUNS_CEILING_H

#include "src/runs/row.h"

#define CEILINGS_FILE "ceilings.csv"

/* One line: a twin's best probe, or (twin < 0) the flat roof of additions. */
struct ceiling {
    int twin; /* enum op, or -1 */
    enum dtype dtype;
    enum cache cache;
    int64_t elems, bytes; /* of a probe */
    double gbps;          /* of a probe */
    double gflops;        /* of the roof */
    const char *variant;  /* of a probe */
    int64_t process;
    const char *phase; /* "start" or "end" */
};

extern const struct columns ceiling_columns;

void ceiling_write(FILE *file, const struct ceiling *ceiling);

/* Gives each line of FOLDER/ceilings.csv to take(), whose texts live until it
 * returns. Reports and leaves out what is damaged; returns how much that was. A
 * missing file has no lines. */
size_t ceilings_read(const char *folder,
                     void (*take)(void *context, const struct ceiling *),
                     void *context, const struct listener *listener);

/* ------------------------------------------------- the ceiling of a cell */

/* A reduction along an axis of at most this extent writes so much that it is
 * held to a mixture of read and copy. */
enum { CEILING_SHORT_AXIS = 8 };
bool ceiling_mixes(enum op op, struct shape shape);

/* Sorts by twin, type, cache state, process and bytes. */
void ceiling_sort(struct ceiling *probes, size_t count);

/* The rate at which an operation's twin moves as many bytes, GB/s; 0 if it is
 * unknown. A probe's time is a fixed part and one that grows with the bytes, so
 * times are interpolated along the bytes between the two neighbouring sizes,
 * and continued beyond the ends. `like` has the type, cache state and process.
 */
double ceiling_gbps(const struct ceiling *sorted, size_t count,
                    const struct ceiling *like, enum op op, struct shape shape);

/* ----------------------------------------------------------- for comparing */

struct run_ceilings {
    double roof_gflops[DTYPE_COUNT][CACHE_COUNT]; /* additions; 0 if unknown */
    struct ceiling *probe; /* of the start, sorted; texts are NULL */
    size_t count;
    size_t damaged; /* as ceilings_read() returns it */
};

/* Free them in any case. */
void run_ceilings_read(struct run_ceilings *ceilings, const char *folder,
                       const struct listener *listener);

/* Adds the probes of another process, which are not sorted in. Its roof stays
 * there. */
void run_ceilings_add(struct run_ceilings *ceilings,
                      const struct run_ceilings *more);
void run_ceilings_free(struct run_ceilings *ceilings);

/* The best of a twin's largest probes; NULL if there is none. If those of two
 * runs differ, the machine was not in the same state. */
const struct ceiling *run_ceilings_best(const struct run_ceilings *ceilings,
                                        enum op twin, enum dtype dtype,
                                        enum cache cache);

#endif
