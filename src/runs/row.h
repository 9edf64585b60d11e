/* SPDX-License-Identifier: MIT
 *
 * A row: one measurement of a cell by one process. The harness fills it in, a
 * line of a CSV holds it, and the analysis reads it back into the same struct.
 */
#ifndef SRC_RUNS_ROW_H
#define SRC_RUNS_ROW_H

#include "src/base/stats.h"
#include "src/model/op.h"
#include "src/runs/columns.h"
#include "src/runs/status.h"

/* Unknown integers are negative, unknown reals NaN; texts are never NULL. */
struct row {
    const char *variant;
    const char *family; /* the variant without its tuning points */
    enum op op;
    enum dtype dtype;
    enum cache cache;
    enum status status;
    struct shape shape;
    int64_t process;
    const char *reason;
    unsigned marks;
    struct stats us; /* count 0 if it was not timed */
    int64_t discarded;
    double launch_us, host_us, exchange_us;
    double gbps, pct_ceiling, passes;
    double max_err, err_bound;
    double sm_mhz, sm_counted_mhz, mem_mhz, temp_c, power_w;
    const char *throttle, *card;
    int64_t ranks, gpus;
    int64_t line; /* in its CSV */
};

/* The columns of an operation's CSV. The operation is the file's name, and a
 * variant's family follows from the variant. */
extern const struct columns row_columns;

/* A row with unknown values only, and the status error. */
struct row row_unknown(void);

/* Copies the name of a variant's family, cut to that many bytes, and returns
 * it. Tuning points stand at the end of the variant's name: a letter and a
 * number
 * (_b256, _i8), or two numbers (_128x4, _64kx3). */
char *variant_family(const char *variant, char *family, size_t bytes);

/* Sets the share of a ceiling, unless either rate is unknown. */
void row_set_ceiling(struct row *row, double ceiling_gbps);

#endif
