/* SPDX-License-Identifier: MIT
 *
 * ceilings.csv: what plain traffic reached, at every size. CEILING_COLUMNS is
 * the one definition of its columns; results/README.md is checked against it.
 */
#ifndef SRC_RUNS_CEILING_H
#define SRC_RUNS_CEILING_H

#include <stdio.h>

#include "src/runs/listener.h"
#include "src/runs/row.h"

/* X(name, meaning), in order. */
#define CEILING_COLUMNS(X)                                                     \
    X(kind, "traffic or add")                                                  \
    X(twin, "The twin: copy, masked_copy, read, write; empty for add")         \
    X(dtype, "Element type; for add f32 and f64")                              \
    X(cache, "State of the last-level cache before each sample: cold, hot")    \
    X(elems, "Elements of the tensor, a power of two")                         \
    X(bytes, "Compulsory traffic, bytes")                                      \
    X(gbps, "bytes / median time, in 1e9 bytes a second")                      \
    X(gflops, "1e9 additions a second (kind add only)")                        \
    X(variant, "The variant that was best")                                    \
    X(process, "Which of the run's fresh processes, from 0")                   \
    X(phase, "start: before the other cells, and what they are held to; "      \
             "end: the probes of the largest size again")

enum {
#define CEILING_ONE(name, meaning) +1
    CEILING_COLUMN_COUNT = CEILING_COLUMNS(CEILING_ONE)
#undef CEILING_ONE
};

/* One line of it: a twin's best probe, or (twin < 0) the flat roof. */
struct ceiling {
    int twin; /* enum op, or -1 */
    enum dtype dtype;
    enum cache cache;
    int64_t elems, bytes; /* -1: none */
    double gbps, gflops;  /* NaN: none */
    const char *variant;  /* or NULL */
    int process;
    const char *phase; /* "start", "end" */
};

bool ceiling_write_header(FILE *file);
bool ceiling_write(FILE *file, const struct ceiling *ceiling);

/* The columns must be all, in order. */
bool ceiling_is_header(char *const *fields, size_t count);

/* False if the line is no ceiling. Texts point into the fields. */
bool ceiling_read(struct ceiling *ceiling, char *const *fields, size_t count);

/* --------------------------------------------------- what a cell is held to */

/* The best probe of a twin at one size. */
struct ceiling_probe {
    enum op twin;
    enum dtype dtype;
    enum cache cache;
    int64_t process, bytes;
    double us;
};

/* A reduction along an axis of at most this many writes so much that reading
 * alone is no twin of it: it is held to a mixture of read and copy. */
enum { CEILING_SHORT_AXIS = 8 };
bool ceiling_mixes(enum op op, struct shape shape);

/* By twin, type, cache state, process and bytes. */
void ceiling_sort(struct ceiling_probe *probes, size_t count);

/* How fast an operation's twin moves as many bytes, GB/s; 0: unknown. A
 * probe's time is a fixed part and one that grows with the bytes, so it is
 * interpolated along the bytes between the two sizes beside them, and
 * continued beyond the ends. `like` has the type, cache state and process. */
double ceiling_gbps(const struct ceiling_probe *sorted, size_t count,
                    const struct ceiling_probe *like, enum op op,
                    struct shape shape);

/* ------------------------------------------------------------ for comparing */

/* The best of the largest probes that stand at a run's start. Two runs whose
 * ceilings differ were not measured on a machine in the same state. */
struct run_ceiling {
    int64_t elems; /* 0: none was measured */
    double gbps;
};

struct run_ceilings {
    struct run_ceiling of[OP_COUNT][DTYPE_COUNT][CACHE_COUNT]; /* [twin] */
    double roof_gflops[DTYPE_COUNT][CACHE_COUNT]; /* additions; 0: unknown */
    struct ceiling_probe *probe;                  /* those at a start, sorted */
    size_t count, room;
    size_t damaged; /* lines that were left out, or 1 for all of the file */
};

/* A file that is not there leaves them empty; what is damaged is reported
 * and left out. Free them in either case. */
void run_ceilings_read(struct run_ceilings *ceilings, const char *path,
                       const struct listener *listener);
void run_ceilings_free(struct run_ceilings *ceilings);

#endif
