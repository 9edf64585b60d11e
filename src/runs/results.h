/* SPDX-License-Identifier: MIT
 *
 * A run's folder: manifest.csv, ceilings.csv, one CSV an operation, and, where
 * samples are kept, samples.csv. Every row is on disk when its function
 * returns, and a run that was cut short, by whatever, can be resumed. Functions
 * return false after saying on stderr what cannot be written.
 */
#ifndef SRC_RUNS_RESULTS_H
#define SRC_RUNS_RESULTS_H

#include "src/runs/append.h"
#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/run_rows.h"

struct results {
    char folder[1024];
    struct manifest manifest;
    struct append ceilings, samples, op[OP_COUNT];
    struct run_rows rows;  /* those that were there when it was resumed */
    struct ceiling *lines; /* of ceilings.csv, old and new */
    size_t line_count;
    struct texts texts; /* of the lines */
    char card[32];      /* gpu_hash of the card that goes on with another one's
                           run; else "" */
};

/* Makes a folder and its parents; *fresh: the last of them was not there. False
 * with errno where one cannot be made. */
bool results_make_folders(const char *folder, bool *fresh);

/* Makes the folder (and its parents) and files it in `results`; `out` NULL
 * means <device>/<utc>-<commit>/, as the manifest has them, under
 * SCANBENCH_RESULTS or "results". A folder that holds a run already is refused.
 * Takes the manifest over, whatever it returns. */
bool results_open(struct results *results, const char *out,
                  const struct manifest *manifest);

/* Opens a folder to go on with: drops torn lines, and reads what is there, for
 * results_finished() and results_ceiling_line(). Refuses, saying why, a run
 * that is damaged, or that was begun with another device, driver or other
 * measuring sources than `now` says. Before something is added:
 * results_go_on(). */
bool results_resume(struct results *results, const char *folder,
                    const struct manifest *now);

/* Marks the manifest: resumed, and not complete. */
bool results_go_on(struct results *results);

/* The row of that cell and process that was there, or NULL: it is missing, or
 * an error, which may have come from outside and has another try. */
const struct row *results_finished(const struct results *results,
                                   const struct row *like);

/* The line with that twin, dtype, cache, elems, process and phase, or NULL. */
const struct ceiling *results_ceiling_line(const struct results *results,
                                           const struct ceiling *like);

/* Sets a manifest entry; manifest.csv is on disk with it, unless writing
 * fails, of which results_close() tells. */
bool results_fact(struct results *results, const char *key, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

bool results_row(struct results *results, const struct row *row);

/* Keeps the samples of a cell; before its row, so that no row lacks them. */
bool results_samples(struct results *results, const struct row *row,
                     const double *us);

/* Writes a line, unless this card has written one like it already. */
bool results_ceiling(struct results *results, const struct ceiling *ceiling);

/* Marks the manifest complete or not, and closes all; the folder's name
 * stays. */
bool results_close(struct results *results, bool complete);

/* Frees and closes all, and writes nothing. */
bool results_drop(struct results *results);

#endif
