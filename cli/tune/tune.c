/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/runs.h"
#include "cli/tune/tune_table.h"
#include "variants/registry.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"

static const char *family_of(const struct plugins *plugins,
                             const struct row *row, enum device_kind kind)
{
    for (const struct family *f = plugins_families(plugins); f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v->runs_on == kind && (v->ops & OP_BIT(row->op)) &&
                strcmp(v->name, row->variant) == 0)
                return f->id;
    return "";
}

static int fastest_first(const void *left, const void *right)
{
    const struct tuned *l = left, *r = right;
    const double l_us = l->side.us;
    const double r_us = r->side.us;
    if (isnan(l_us) || isnan(r_us))
        return isnan(l_us) - isnan(r_us);
    return (l_us > r_us) - (l_us < r_us);
}

/* Sorted by time, the first of a family is its best: brings the others up to
 * it, without changing their order. */
static void join_families(struct tune_table *table)
{
    for (size_t k = 0; k < table->count;) {
        const char *family = table->all[k].family;
        for (size_t other = ++k; other < table->count; ++other)
            if (strcmp(table->all[other].family, family) == 0) {
                const struct tuned one = table->all[other];
                memmove(&table->all[k + 1], &table->all[k],
                        (other - k) * sizeof one);
                table->all[k++] = one;
            }
    }
}

/* Ranks and margins of a family, which begins at `best`. */
static void rank(struct tuned *best, size_t size)
{
    for (size_t k = 0; k < size && run_cell_timed(&best[k].side); ++k) {
        best[k].rank = k + 1;
        if (k)
            best[k].behind =
                change_of(&best->side.timing, &best[k].side.timing);
    }
    if (size > 1)
        best->behind = best[1].behind;
}

/* Makes the table of the rows from `first` on; returns where the next cell
 * starts. */
static size_t make_table(struct tune_table *table, size_t first,
                         const struct plugins *plugins, enum device_kind kind)
{
    const struct run_rows *rows = &table->run->rows;
    size_t row = first;
    table->count = 0;
    while (row < rows->count &&
           run_group_order(&rows->row[first], &rows->row[row]) == 0) {
        size_t count = rows->count - row;
        struct tuned one = { .side = run_cell_of(&rows->row[row], &count) };
        if (!run_cell_timed(&one.side))
            one.side.us = NAN;
        one.family = family_of(plugins, &rows->row[row], kind);
        table->all[table->count++] = one;
        row += count;
    }
    qsort(table->all, table->count, sizeof *table->all, fastest_first);
    join_families(table);
    for (size_t k = 0; k < table->count; k += tune_family_size(table, k))
        rank(&table->all[k], tune_family_size(table, k));
    return row;
}

int tune_report(const struct options *options, enum device_kind kind)
{
    struct run_folder run = { 0 };
    struct tune_table table = { .run = &run };
    bool timed = false;
    if (!read_run(&run, options->folder)) {
        run_folder_free(&run);
        return EXIT_BAD;
    }
    table.all = memory_for(run.rows.count, sizeof *table.all);
    if (options->format)
        tune_write_csv_header();
    for (size_t row = 0; row < run.rows.count;) {
        const enum op op = run.rows.row[row].op;
        row = make_table(&table, row, options->plugins, kind);
        if (!(options->filter.ops & OP_BIT(op)))
            continue;
        timed |= table.all[0].rank > 0;
        if (options->format)
            tune_write_csv(&table);
        else
            tune_write_text(&table);
    }
    free(table.all);
    run_folder_free(&run);
    if (!timed)
        fputs("scanbench: nothing could be timed\n", stderr);
    return timed ? EXIT_OK : EXIT_BAD;
}
