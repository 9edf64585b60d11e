/* SPDX-License-Identifier: MIT
 *
 * `scanbench show --samples`: a line for each process of a cell, with how its
 * samples are spread (+: some lie beyond); for programs every sample.
 */
#include "cli/common/escape.h"
#include "cli/show/show_parts.h"
#include "cli/common/text_table.h"
#include "harness/sweep/progress.h"
#include "src/base/memory.h"
#include "src/base/stats.h"

static const char *const headings[] = { "cell",   ">process", ">samples", ">us",
                                        ">least", ">most",    "spread",   "" };

static void add_line(struct text_table *table, const struct row *row,
                     const struct cell_samples *cell)
{
    char shape[SHAPE_TEXT_BYTES], strip[HISTOGRAM_BINS + 1];
    double *us = memory_for(cell->count, sizeof *us);
    memcpy(us, cell->us, cell->count * sizeof *us);
    const struct histogram spread = histogram_of(us, cell->count);
    text_table_add(table, "%s/%s/%s/%s%s", op_name(row->op), row->variant,
                   dtype_name(row->dtype), shape_format(row->shape, shape),
                   row->cache == CACHE_HOT ? " hot" : "");
    text_table_add(table, "%lld", (long long)row->process);
    text_table_add(table, "%zu", cell->count);
    text_table_add(table, "%.4g", stats_quantile(us, cell->count, 0.5));
    text_table_add(table, "%.4g", spread.low);
    text_table_add(table, "%.4g", spread.most);
    text_table_add(table, "|%s|", histogram_strip(&spread, strip));
    text_table_add(table, "%s", spread.most > spread.high ? "+" : "");
    free(us);
}

/* What is in front of the samples; of a program's formats the one. */
static void put_key(const struct row *row, bool json)
{
    const struct shape shape = row->shape;
    printf(json ? "{\"op\": \"%s\", \"variant\": " : "%s", op_name(row->op));
    if (json)
        write_json(stdout, row->variant);
    else
        put_csv(false, row->variant);
    printf(json ? ", \"dtype\": \"%s\", \"outer\": %lld, \"axis\": %lld, "
                  "\"inner\": %lld, \"cache\": \"%s\", \"process\": %lld"
                : ",%s,%lld,%lld,%lld,%s,%lld",
           dtype_name(row->dtype), (long long)shape.outer,
           (long long)shape.axis, (long long)shape.inner,
           cache_name(row->cache), (long long)row->process);
}

static void put_csv_lines(const struct row *row,
                          const struct cell_samples *cell)
{
    for (size_t k = 0; k < cell->count; ++k) {
        put_key(row, false);
        printf(",%zu,%.7g\n", k, cell->us[k]);
    }
}

static void put_json_cell(const struct row *row,
                          const struct cell_samples *cell, bool first)
{
    fputs(first ? "\n" : ",\n", stdout);
    put_key(row, true);
    fputs(", \"us\": [", stdout);
    for (size_t k = 0; k < cell->count; ++k)
        printf("%s%.7g", k ? ", " : "", cell->us[k]);
    fputs("]}", stdout);
}

bool show_samples(const struct run_folder *run,
                  const struct run_samples *samples, enum show_format format)
{
    struct text_table table = { .headings = headings,
                                .columns = sizeof headings / sizeof *headings };
    size_t found = 0;
    if (format == SHOW_CSV)
        puts("op,variant,dtype,outer,axis,inner,cache,process,sample,us");
    if (format == SHOW_JSON)
        putchar('[');
    for (size_t r = 0; r < run->rows.count; ++r) {
        const struct row *row = &run->rows.row[r];
        const struct cell_samples *cell = run_samples_of(samples, row);
        if (!cell)
            continue;
        if (format == SHOW_CSV)
            put_csv_lines(row, cell);
        else if (format == SHOW_JSON)
            put_json_cell(row, cell, found == 0);
        else
            add_line(&table, row, cell);
        ++found;
    }
    if (format == SHOW_JSON)
        puts("\n]");
    if (format == SHOW_TEXT && found)
        text_table_write(&table, stdout, terminal_room(fileno(stdout)));
    if (format == SHOW_MARKDOWN && found)
        text_table_markdown(&table);
    text_table_free(&table);
    return found > 0;
}
