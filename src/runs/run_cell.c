/* SPDX-License-Identifier: MIT */
#include "src/runs/run_cell.h"

#include <stdio.h>
#include <string.h>

/* How much a status says about its cell: one wrong launch makes it wrong,
 * one timed launch makes a skipped one timed. */
static int weight(enum status status)
{
    static const int weights[STATUS_COUNT] = {
        [STATUS_SKIP] = 0,     [STATUS_UNTRIED] = 1, [STATUS_SLOW] = 2,
        [STATUS_UNSTABLE] = 3, [STATUS_OK] = 4,      [STATUS_SUSPECT] = 5,
        [STATUS_TIMEOUT] = 6,  [STATUS_ERROR] = 7,   [STATUS_WRONG] = 8,
    };
    return weights[status];
}

static bool has_mark(const char *marks, const char *word, size_t chars)
{
    while (*marks) {
        const size_t own = strcspn(marks, "+");
        if (own == chars && strncmp(marks, word, chars) == 0)
            return true;
        marks += own + (marks[own] == '+');
    }
    return false;
}

/* What one launch is marked with, the cell is. */
static void add_marks(char marks[RUN_CELL_MARKS_BYTES], const char *more)
{
    while (*more) {
        const size_t chars = strcspn(more, "+"), used = strlen(marks);
        if (used + 1 + chars < RUN_CELL_MARKS_BYTES &&
            !has_mark(marks, more, chars))
            sprintf(marks + used, "%s%.*s", used ? "+" : "", (int)chars, more);
        more += chars + (more[chars] == '+');
    }
}

struct run_cell run_cell_of(const struct run_row *rows, size_t *count)
{
    struct run_cell side = { .row = rows,
                             .status = rows->status,
                             .reason = rows->reason,
                             .pct_ceiling = 0 };
    size_t left = *count;
    for (*count = 0; *count < left; ++*count) {
        const struct run_row *row = &rows[*count];
        if (run_cell_order(rows, row))
            break;
        if (weight(row->status) > weight(side.status)) {
            side.status = row->status;
            side.reason = row->reason;
        }
        add_marks(side.marks, row->marks);
        if (run_row_timed(row)) {
            timing_add(&side.timing, row->median_us, row->low_us, row->high_us);
            side.pct_ceiling += row->pct_ceiling;
        }
    }
    side.rows = *count;
    side.pct_ceiling /= (double)side.timing.launches; /* NaN of none */
    return side;
}

bool run_cell_timed(const struct run_cell *side)
{
    return side->status == STATUS_OK || side->status == STATUS_SUSPECT;
}

bool run_cell_near_empty(const struct run_cell *side)
{
    static const char word[] = "near_empty";
    return has_mark(side->marks, word, sizeof word - 1);
}

const char *run_cell_marks(const struct run_cell *side)
{
    return *side->marks ? side->marks : "none";
}

bool run_cell_failed(const struct run_cell *side)
{
    return weight(side->status) >= weight(STATUS_TIMEOUT);
}
