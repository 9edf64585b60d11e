/* SPDX-License-Identifier: MIT
 *
 * scanbench show --samples: how the samples of each cell and process lie.
 */
#include "cli/common/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/rows.h"
#include "cli/common/runs.h"
#include "harness/sweep/progress.h"
#include "src/base/memory.h"
#include "src/base/stats.h"

static void add_line(struct text_table *table, const struct row *row,
                     const struct cell_samples *cell)
{
    char shape[SHAPE_TEXT_BYTES], strip[HISTOGRAM_BINS + 1];
    double *us = memory_for(cell->count, sizeof *us);
    memcpy(us, cell->us, cell->count * sizeof *us);
    const struct histogram spread = histogram_of(us, cell->count);
    text_table_add(table, "%s/%s/%s/%s%s", op_name(row->op), row->variant,
                   dtype_name(row->dtype), shape_format(row->shape, shape),
                   cache_suffix(row->cache));
    text_table_add(table, "%lld", (long long)row->process);
    text_table_add(table, "%zu", cell->count);
    text_table_add(table, "%.4g", stats_quantile(us, cell->count, 0.5));
    text_table_add(table, "%.4g", spread.low);
    text_table_add(table, "%.4g", spread.most);
    text_table_add(table, "|%s|", histogram_strip(&spread, strip));
    text_table_add(table, "%s", spread.most > spread.high ? "+" : "");
    free(us);
}

static void record_key(struct records *records, const struct row *row)
{
    record_text(records, "op", op_name(row->op));
    record_text(records, "variant", row->variant);
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "cache", cache_name(row->cache));
    record_whole(records, "process", row->process);
}

/* CSV has a record per sample, JSON one per process. */
static void record_samples(struct records *records, const struct row *row,
                           const struct cell_samples *cell)
{
    if (records->json) {
        record_key(records, row);
        fputs(", \"us\": [", stdout);
        for (size_t k = 0; k < cell->count; ++k)
            printf("%s%.7g", k ? ", " : "", cell->us[k]);
        putchar(']');
        record_end(records);
        return;
    }
    for (size_t k = 0; k < cell->count; ++k) {
        record_key(records, row);
        record_whole(records, "sample", (int64_t)k);
        record_real(records, "us", cell->us[k]);
        record_end(records);
    }
}

bool show_samples(const struct run_folder *run, int format)
{
    static const char *const headings[] = { "cell",   ">process", ">samples",
                                            ">us",    ">least",   ">most",
                                            "spread", "" };
    struct text_table table = { .headings = headings,
                                .columns = sizeof headings / sizeof *headings };
    struct records records = { .json = format == FORMAT_JSON, .digits = 7 };
    struct run_samples samples;
    read_samples(&samples, run);
    for (size_t r = 0; r < run->rows.count; ++r) {
        const struct row *row = &run->rows.row[r];
        const struct cell_samples *cell = run_samples_of(&samples, row);
        if (cell && format_is_records(format))
            record_samples(&records, row, cell);
        else if (cell)
            add_line(&table, row, cell);
    }
    records_end(&records);
    const bool some = table.count || records.count;
    if (table.count)
        text_table_print(&table, format, terminal_room(STDOUT_FILENO));
    run_samples_free(&samples);
    return some;
}
