/* SPDX-License-Identifier: MIT */
#include "src/analyse/ruled.h"

#include "src/base/memory.h"
#include "src/analyse/regrets.h"

static const char best[] = "best";

/* The cell's rows, under the name of what would have called its variant. */
static void add_led(struct run_rows *rows, const struct run_cell *cell)
{
    for (size_t r = 0; r < cell->rows; ++r) {
        struct row *row = &rows->row[rows->count++];
        *row = cell->row[r];
        row->variant = row->family = best;
    }
}

struct run_rows ruled_rows(const struct run_folder *run,
                           const struct rules *rules)
{
    const struct regret_scope scope = { .variant = best, .rules = rules };
    const struct run_rows *from = &run->rows;
    struct regret regret = { 0 };
    regret_add(&regret, run);
    regret_judge(&regret, &scope);
    struct run_rows rows = { .room = from->count };
    for (size_t k = 0; k < regret.count; ++k)
        rows.room += regret.cells[k].own.rows;
    rows.row = memory_for(rows.room, sizeof *rows.row);
    for (size_t r = 0; r < from->count; ++r)
        if (!standing_calls_others(&from->row[r]))
            rows.row[rows.count++] = from->row[r];
    for (size_t k = 0; k < regret.count; ++k)
        add_led(&rows, &regret.cells[k].own);
    regret_free(&regret);
    run_rows_sort(&rows);
    return rows;
}
