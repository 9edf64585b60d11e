/* SPDX-License-Identifier: MIT
 *
 * A run's folder: manifest.csv, ceilings.csv, and one CSV an operation. Every
 * row is on disk when its function returns, and a run that was cut short, by
 * whatever, can be taken up again. Functions return false after saying on
 * stderr what cannot be written.
 */
#ifndef HARNESS_RUN_FOLDER_RESULTS_H
#define HARNESS_RUN_FOLDER_RESULTS_H

#include "src/runs/manifest.h"
#include "harness/run_folder/table.h"
#include "src/runs/finished.h"
#include "src/variant.h"

/* X(name, meaning) of ceilings.csv's columns, in order. */
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
    X(launch, "Which of the run's fresh processes, from 0")                    \
    X(phase, "start: before the other cells, and what they are held to; "      \
             "end: the probes of the largest size again")

/* One line of it: a twin's best probe, or (twin < 0) the flat roof. */
struct ceiling {
    int twin; /* enum op, or -1 */
    enum dtype dtype;
    enum cache cache;
    int64_t elems, bytes; /* -1: none */
    double gbps, gflops;  /* NaN: none */
    const char *variant;  /* or NULL */
    int launch;
    const char *phase; /* "start", "end" */
};

struct results {
    char folder[1024];
    char device[128]; /* the slug: "h200" */
    struct manifest manifest;
    struct table ceilings, op[OP_COUNT];
    struct finished_table finished; /* every row, old and new */
    struct ceiling *lines;          /* of ceilings.csv, old and new */
    size_t line_count;
};

/* Makes the folder (and its parents) and files it in `results`; `out` NULL
 * means results/<device>/<utc>-<commit>/ under SCANBENCH_RESULTS or
 * "results". A folder that holds a run already is refused. */
bool results_open(struct results *results, const char *out,
                  const struct device_facts *facts, int argc, char **argv);

/* Opens a folder to go on with: mends what was torn or damaged, and reads what
 * is there, for results_finished() and results_ceiling_line(). Refuses, saying
 * why, what another commit, device or command line began. COMPLETE is what its
 * manifest says: if something is missing all the same, results_go_on(). */
enum resume { RESUME_REFUSED, RESUME_READY, RESUME_COMPLETE };
enum resume results_resume(struct results *results, const char *folder,
                           const struct device_facts *facts, int argc,
                           char **argv);

/* Marks the manifest: taken up again, and not complete. READY is marked so. */
bool results_go_on(struct results *results);

/* The row that is there of a cell, or NULL: it is missing. Valid until the
 * next results_row(). */
const struct finished *results_finished(const struct results *results,
                                        const struct finished_key *key);

/* The line with that twin, dtype, cache, elems, launch and phase, or NULL. */
const struct ceiling *results_ceiling_line(const struct results *results,
                                           const struct ceiling *like);

/* Sets a manifest entry; manifest.csv is on disk with it, unless writing
 * fails, of which results_close() tells. */
bool results_fact(struct results *results, const char *key, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

bool results_row(struct results *results, const struct row *row);

/* Writes a line, unless there is one like it already. */
bool results_ceiling(struct results *results, const struct ceiling *ceiling);

/* Marks the manifest complete or not, and closes all; the folder's name
 * stays. */
bool results_close(struct results *results, bool complete);

/* Frees and closes all, and writes nothing. */
bool results_drop(struct results *results);

#endif
