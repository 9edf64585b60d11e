/* SPDX-License-Identifier: MIT
 *
 * ceilings.csv: the rate of plain traffic at every size.
 */
#pragma once

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
    const char *variant;  /* of a probe; "" in a line that was read */
    int64_t process;
    bool at_end; /* measured again after the other cells */
};

extern const struct columns ceiling_columns;

/* A line with unknown values only, of the roof. */
struct ceiling ceiling_unknown(void);

void ceiling_write(FILE *file, const struct ceiling *ceiling);

/* Lines of ceilings.csv. Starts as { 0 }. */
struct ceilings {
    struct ceiling *line;
    size_t count;
    size_t damaged; /* lines that were left out, or 1 for a whole file */
};

void ceilings_add(struct ceilings *ceilings, const struct ceiling *line);
void ceilings_free(struct ceilings *ceilings);

/* Adds the lines of FOLDER/ceilings.csv, and sorts them; a missing file has
 * none. Damage is reported and left out. */
void ceilings_read(struct ceilings *ceilings, const char *folder,
                   const struct listener *listener);

/* Sorts by start or end, twin, type, cache state, process and bytes. */
void ceilings_sort(struct ceilings *ceilings);

/* The line with that twin, dtype, cache, elems, process and end, or NULL. */
struct ceiling *ceilings_find(const struct ceilings *ceilings,
                              const struct ceiling *like);

/* The best of a twin's largest probes at the start; NULL if there is none. If
 * those of two runs differ, the machine was not in the same state. */
const struct ceiling *ceilings_best(const struct ceilings *ceilings,
                                    enum op twin, enum dtype dtype,
                                    enum cache cache);

/* ------------------------------------------------- the ceiling of a cell */

/* A reduction along an axis of at most this extent writes so much that it is
 * held to a mixture of read and copy. */
enum { CEILING_SHORT_AXIS = 8 };
bool ceiling_mixes(enum op op, struct shape shape);

/* The rate at which an operation's twin moves as many bytes, GB/s, or 0. A
 * probe's time has a fixed part, so times are interpolated by bytes, and
 * continued beyond the ends. `like` has the type, cache state and process. */
double ceiling_gbps(const struct ceilings *sorted, const struct ceiling *like,
                    enum op op, struct shape shape);
