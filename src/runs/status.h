/* SPDX-License-Identifier: MIT
 *
 * The words of a row: cache states, statuses and marks. docs/method.md explains
 * the statuses and the marks.
 */
#ifndef SRC_RUNS_STATUS_H
#define SRC_RUNS_STATUS_H

#include <stdbool.h>

enum cache { CACHE_COLD, CACHE_HOT, CACHE_COUNT };

/* X(constant, name, gravity). The gravest status of a cell's processes is the
 * cell's: one timed process makes a skipped cell timed, and one wrong process
 * makes it wrong. */
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
    MARK_ABOVE_CEILING = 8
};

bool status_is_timed(enum status status);   /* ok or suspect: its time counts */
bool status_is_sampled(enum status status); /* ok, suspect or unstable */
bool status_is_failed(enum status status);  /* wrong, error or timeout */
int status_gravity(enum status status);

const char *cache_name(enum cache cache);
bool cache_parse(const char *name, enum cache *cache);
const char *status_name(enum status status);
bool status_parse(const char *name, enum status *status);

/* The names joined by "+", in static storage; "" without a mark. */
const char *marks_text(unsigned marks);
bool marks_parse(const char *text, unsigned *marks);

#endif
