/* SPDX-License-Identifier: MIT
 *
 * A row: one measurement of a cell by one process. The harness fills it in, a
 * line of a CSV holds it, and the analysis reads it back into the same struct.
 * Damaged lines are reported and left out.
 */
#pragma once

#include "src/base/stats.h"
#include "src/model/op.h"
#include "src/runs/columns.h"

/* ----------------------------------------------------------- words of a row */

/* docs/method.md explains the statuses and the marks. */
enum cache { CACHE_COLD, CACHE_HOT, CACHE_GRAPH, CACHE_COUNT };

/* X(constant, name, gravity). The gravest status of a cell's processes counts:
 * timed makes a skipped cell timed, and wrong makes it wrong. */
#define STATUSES(X)                                                            \
    X(OK, "ok", 3)                                                             \
    X(SUSPECT, "suspect", 4)                                                   \
    X(UNSTABLE, "unstable", 5)                                                 \
    X(SLOW, "slow", 2)                                                         \
    X(UNTRIED, "untried", 1)                                                   \
    X(SKIP, "skip", 0)                                                         \
    X(WRONG, "wrong", 8)                                                       \
    X(ERROR, "error", 7)                                                       \
    X(TIMEOUT, "timeout", 6)

enum status {
#define STATUS(constant, name, gravity) STATUS_##constant,
    STATUSES(STATUS)
#undef STATUS
        STATUS_COUNT
};

/* Notes on a timed row, a set of bits. */
enum mark {
    MARK_NEAR_EMPTY = 1,
    MARK_UNGATED = 2,
    MARK_CACHE_ASSISTED = 4,
    MARK_ABOVE_CEILING = 8,
    MARK_CALLS_TORCH = 16,
    MARK_CONTRACTS = 32 /* times enum contract: those declared */
};

bool status_is_timed(enum status status);   /* ok or suspect: its time counts */
bool status_is_sampled(enum status status); /* ok, suspect or unstable */
bool status_is_failed(enum status status);  /* wrong, error or timeout */
extern const int status_gravities[STATUS_COUNT];

/* Both end with NULL. */
extern const char *const cache_names[CACHE_COUNT + 1];
extern const char *const status_names[STATUS_COUNT + 1];
/* Keys of an empty kernel's time in the manifest. */
extern const char *const cache_empty_keys[CACHE_COUNT];
const char *cache_suffix(enum cache cache); /* "", " hot", " graph" */

/* The names joined by "+", in static storage; "" without a mark. */
const char *marks_text(unsigned marks);
bool marks_parse(const char *text, unsigned *marks);

/* --------------------------------------------------------------------- rows */

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
 * number (_b256, _i8), or two numbers (_128x4, _64kx3). */
char *variant_family(const char *variant, char *family, size_t bytes);

/* Sets the share of a ceiling, unless either rate is unknown. */
void row_set_ceiling(struct row *row, double ceiling_gbps);

/* samples.csv (`run --samples`) has a line per cell and process, with all
 * samples in one field: SAMPLES_MOST at most, seven digits of each. */
#define SAMPLES_FILE "samples.csv"
enum { SAMPLES_MOST = 1000 };
extern const struct columns samples_columns;
void samples_write(FILE *file, const struct row *row, const double *us);

/* -------------------------------------------------------- the rows of a run */

/* Starts as { 0 }. */
struct run_rows {
    struct row *row;
    size_t count;
    size_t damaged; /* lines or files that were left out */
    void *texts;    /* of the rows, each once: the root of a tree */
};

/* "cumsum.csv" */
enum { OP_FILE_BYTES = 32 };
char *op_file(enum op op, char name[OP_FILE_BYTES]);

/* Appends the rows of an operation's CSV, if there is one. */
void run_rows_read(struct run_rows *rows, enum op op, const char *folder,
                   const struct listener *listener);

/* Appends a row with copies of its texts. */
void run_rows_add(struct run_rows *rows, const struct row *row);

/* Sorts by run_row_order(), and then by the lines in the file. */
void run_rows_sort(struct run_rows *rows);

void run_rows_free(struct run_rows *rows);

/* Variants compete in a group: one operation, type, shape and cache state. A
 * cell is one variant of a group. Equal rows compare as 0. */
int run_group_order(const struct row *left, const struct row *right);
int run_cell_order(const struct row *left, const struct row *right);
int run_row_order(const struct row *left, const struct row *right);

/* The last of the sorted rows that is equal to a row, or NULL. */
const struct row *run_rows_last(const struct run_rows *rows,
                                const struct row *like);

/* Verified and timed: ok or suspect, with a time. */
bool run_row_timed(const struct row *row);
