/* SPDX-License-Identifier: MIT
 *
 * Writes a run's folder: manifest.csv, ceilings.csv, one CSV per operation, and
 * samples.csv if samples are kept. A row is on disk when its function returns,
 * and a run that was cut short can be resumed. Functions return false after a
 * message on stderr.
 */
#pragma once

#include <sys/types.h>

#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/row.h"

/* A CSV that grows by whole lines. */
struct results_file {
    char name[OP_FILE_BYTES];
    int fd; /* -1 until its first line */
    off_t bytes;
};

enum { RESULTS_CEILINGS = OPS_MOST, RESULTS_SAMPLES, RESULTS_FILES };

struct results {
    char folder[1024];
    struct manifest manifest;
    struct results_file file[RESULTS_FILES]; /* of the operations first */
    struct run_rows rows;     /* those from before it was resumed */
    struct ceilings ceilings; /* old and new */
    char card[32];            /* gpu_hash of the card that continues, else "" */
};

/* Makes the run's folder. If `out` is NULL, it is <device>/<utc>-<commit>/ by
 * the manifest, in SCANBENCH_RESULTS or "results". A folder that holds a run is
 * refused. Takes the manifest over in any case. */
bool results_open(struct results *results, const char *out,
                  const struct manifest *manifest);

/* Opens a folder to continue its run: drops torn lines, reads rows and
 * ceilings. Refuses a damaged run, and one of another device, driver, build or
 * rules than `now`. Leaves the manifest to results_go_on(). */
bool results_resume(struct results *results, const char *folder,
                    const struct manifest *now);

/* Marks the manifest as resumed and incomplete. */
bool results_go_on(struct results *results);

/* The row of that cell and process from before, or NULL. Errors do not count,
 * as their cause may have been outside: they are measured again. */
const struct row *results_finished(const struct results *results,
                                   const struct row *like);

/* Sets a manifest entry and writes it; results_close() reports a failure. */
bool results_fact(struct results *results, const char *key, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

bool results_row(struct results *results, const struct row *row);

/* Writes the samples of a cell, before its row, so that no row lacks them. */
bool results_samples(struct results *results, const struct row *row,
                     const double *us);

/* Writes a line, unless this card has already written it. */
bool results_ceiling(struct results *results, const struct ceiling *ceiling);

/* Marks the manifest complete or not, and closes all files. */
bool results_close(struct results *results, bool complete);

/* Closes all files and writes nothing. */
bool results_drop(struct results *results);
