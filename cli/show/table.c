/* SPDX-License-Identifier: MIT
 *
 * scanbench table: every cell of a run as text or CSV.
 */
#include "cli/common/commands.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "cli/common/rows.h"
#include "cli/common/options_parts.h"
#include "cli/common/runs.h"
#include "src/analyse/standing.h"
#include "src/base/exit.h"

void record_figures(struct records *records, const struct run_cell *cell)
{
    const double arm = standing_timed(cell) ? standing_arm(cell) : NAN;
    record_whole(records, "processes", (int64_t)cell->rows);
    record_text(records, "status", status_names[cell->status]);
    record_text(records, "reason", cell->reason);
    record_text(records, "marks", marks_text(cell->marks | cell->row->marks));
    record_real(records, "us", cell->us);
    record_real(records, "low_us", cell->us * exp(-arm));
    record_real(records, "high_us", cell->us * exp(arm));
    record_real(records, "gbps", cell->gbps);
    record_real(records, "ceiling_gbps", cell->ceiling_gbps);
    record_real(records, "pct_ceiling", cell->pct_ceiling);
}

void record_run_cell(struct records *records, const struct run_cell *cell)
{
    const struct row *row = cell->row;
    record_text(records, "op", op_name(row->op));
    record_text(records, "family", row->family);
    record_text(records, "variant", row->variant);
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "cache", cache_names[row->cache]);
    record_figures(records, cell);
    record_real(records, "passes", row->passes);
    record_real(records, "max_err", cell->max_err);
    record_real(records, "err_bound", cell->err_bound);
    record_whole(records, "rank", cell->rank ? cell->rank : -1);
    record_whole(records, "tied", cell->tied ? 1 : -1);
    record_end(records);
}

static void add_line(struct text_table *table, const struct run_cell *cell)
{
    const bool timed = standing_timed(cell);
    const char *tied = cell->tied && cell->rank > 1 ? " =" : "";
    const char *doubt = timed && !standing_firm(cell) ? " ?" : "";
    if (cell->rank)
        text_table_add(table, "%d%s%s", cell->rank, tied, doubt);
    else
        text_table_add(table, "%s", doubt);
    text_table_add(table, "%s", cell->row->variant);
    if (cell->rank == 1)
        text_table_strong(table);
    if (timed)
        text_table_add(table, "%.2f", cell->us);
    else
        text_table_add(table, "%s", status_names[cell->status]);
    text_table_real(table, "%.1f", timed ? cell->gbps : NAN);
    if (timed && cell->marks & MARK_ABOVE_CEILING)
        text_table_add(table, ">120");
    else
        text_table_real(table, "%.1f", timed ? cell->pct_ceiling : NAN);
    text_table_real(table, "%.3g", timed ? cell->max_err : NAN);
}

/* In a group, timed cells come first, as ranked. */
static int text_order(const void *left, const void *right)
{
    const struct run_cell *l = left, *r = right;
    int order = run_group_order(l->row, r->row);
    order = order ? order : standing_timed(r) - standing_timed(l);
    order = order || !standing_timed(l) ? order : standing_order(l, r);
    return order ? order : run_cell_order(l->row, r->row);
}

static void print_tables(struct run_cell *cells, size_t count,
                         const struct show_options *options)
{
    static const char *const headings[] = { "",      "`variant", ">us",
                                            ">GB/s", ">%",       ">error" };
    const bool markdown = options->filter.format == FORMAT_MARKDOWN;
    struct text_table table = { .headings = headings, .columns = 6 };
    qsort(cells, count, sizeof *cells, text_order);
    for (size_t k = 0; k < count; ++k) {
        const struct row *row = cells[k].row;
        char shape[SHAPE_TEXT_BYTES];
        if (options->all || cells[k].rank ||
            (standing_calls_others(row) && standing_timed(&cells[k])))
            add_line(&table, &cells[k]);
        if (!table.count ||
            (k + 1 < count && !run_group_order(row, cells[k + 1].row)))
            continue;
        printf("\n%s %s %s, %s cache\n%s", op_name(row->op),
               dtype_name(row->dtype), shape_format(row->shape, shape),
               cache_names[row->cache], markdown ? "\n" : "");
        text_table_print(&table, options->filter.format, INT_MAX);
    }
    if (count && !markdown)
        puts("\n%: of the ceiling (>120: above_ceiling, it means nothing); "
             "error: the largest,\nin roundings of the magnitude; "
             "=: within noise of the first; ?: doubtful");
}

/* ---------------------------------- the JSON of Google Benchmark, schema 1 */

/* A repetition is a process of a cell. */
static void record_repetition(struct records *records,
                              const struct run_cell *cell, size_t process,
                              size_t index)
{
    const struct row *row = &cell->row[process];
    char id[ROW_ID_BYTES];
    record_text(records, "name", row_id(row, id));
    record_whole(records, "family_index", (int64_t)index);
    record_whole(records, "per_family_instance_index", 0);
    record_text(records, "run_name", id);
    record_text(records, "run_type", "iteration");
    record_whole(records, "repetitions", (int64_t)cell->rows);
    record_whole(records, "repetition_index", (int64_t)process);
    record_whole(records, "threads", 1);
    record_whole(records, "iterations", row->us.count ? row->us.count : 1);
    record_real(records, "real_time", row->us.median);
    record_real(records, "cpu_time", row->us.median);
    record_text(records, "time_unit", "us");
    record_real(records, "bytes_per_second", row->gbps * 1e9);
    record_end(records);
}

/* The date is like 2026-01-31T12:00:00+00:00. */
static void put_context(const struct run_folder *run)
{
    const double count = run_fact_number(run, "sm_count");
    int year, month, day, hour, minute, second;
    char date[64] = "";
    if (sscanf(run_fact(run, "utc"), "%4d%2d%2dT%2d%2d%2dZ", &year, &month,
               &day, &hour, &minute, &second) == 6)
        snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02d+00:00", year,
                 month, day, hour, minute, second);
    fputs("\"context\": {\"date\": ", stdout);
    write_json(stdout, date);
    fputs(", \"host_name\": ", stdout);
    write_json(stdout, run_fact(run, "device_name"));
    printf(", \"executable\": \"scanbench\", \"num_cpus\": %.0f, "
           "\"mhz_per_cpu\": %.0f, \"cpu_scaling_enabled\": false, "
           "\"caches\": [], \"load_avg\": [], \"library_version\": ",
           count > 0 ? count : 1,
           fmax(0, run_fact_number(run, "sm_clock_max_mhz")));
    write_json(stdout, run_fact(run, "commit"));
    fputs(", \"library_build_type\": \"release\", \"json_schema_version\": 1}",
          stdout);
}

/* False if no cell has a time. */
static bool print_google(const struct run_folder *run,
                         const struct run_cell *cells, size_t count)
{
    struct records records = { .json = true };
    size_t index = 0;
    puts("{");
    put_context(run);
    fputs(",\n\"benchmarks\": ", stdout);
    for (size_t k = 0; k < count; ++k) {
        if (!run_cell_timed(&cells[k]))
            continue;
        for (size_t process = 0; process < cells[k].rows; ++process)
            if (run_row_timed(&cells[k].row[process]))
                record_repetition(&records, &cells[k], process, index);
        ++index;
    }
    records_end(&records);
    puts("}");
    return index > 0;
}

/* ------------------------------------------------------------ the command */

/* Prints the selected cells. Ranks are among all with the contracts. */
static int list(const struct show_options *options, struct run_folder *run)
{
    const struct filter *filter = &options->filter;
    const struct filter kept = { .contracts = filter->contracts };
    const int format = filter->format;
    select_rows(&kept, &run->rows);
    size_t count, found = 0;
    struct run_cell *cells = standing_make(run, variant_points, &count);
    struct records records = { .json = format == FORMAT_JSON, .digits = 6 };
    bool timed = true;
    if (options->by)
        standing_by_error(cells, count, variant_points);
    for (size_t k = 0; k < count; ++k) {
        const int rank = cells[k].rank;
        if (select_wants(filter, cells[k].row) &&
            (!filter->top || (rank && rank <= filter->top)))
            cells[found++] = cells[k];
    }
    if (format == FORMAT_GOOGLE)
        timed = print_google(run, cells, found);
    else if (!format_is_records(format))
        print_tables(cells, found, options);
    for (size_t k = 0; format_is_records(format) && k < found; ++k)
        record_run_cell(&records, &cells[k]);
    records_end(&records);
    free(cells);
    if (!found || !timed)
        fprintf(stderr, "scanbench: %s has no such cell%s\n", run->path,
                found ? " with a time" : "");
    return found && timed ? EXIT_OK : EXIT_NOTHING;
}

int table_command(int argc, char **argv)
{
    static struct show_options options; /* its patterns stay until the end */
    struct run_folder run;
    int status;
    if (open_run(COMMAND_TABLE, argc, argv, &options, &run, &status))
        status = list(&options, &run);
    run_folder_free(&run);
    return status;
}
