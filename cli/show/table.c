/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/escape.h"
#include "cli/common/options_parts.h"
#include "cli/common/page.h"
#include "cli/common/runs.h"
#include "cli/show/table_parts.h"
#include "src/base/csv.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"
#include "src/analyse/regrets.h"

/* -------------------------------------------------------------------- csv */

static void real(const char *text_format, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, text_format, value);
    csv_write_field(stdout, false, text);
}

static void whole(long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    csv_write_field(stdout, false, text);
}

static double largest_error(const struct run_cell *cell)
{
    double error = NAN;
    for (size_t r = 0; r < cell->rows; ++r)
        error = fmax(error, cell->row[r].max_err);
    return error;
}

static void print_csv_row(const struct run_cell *own)
{
    const struct run_cell *cell = own;
    const struct row *row = cell->row;
    const double arm = standing_timed(cell) ? standing_arm(cell) : NAN;
    csv_write_field(stdout, true, op_name(row->op));
    put_csv(false, row->family);
    put_csv(false, row->variant);
    csv_write_field(stdout, false, dtype_name(row->dtype));
    whole(row->shape.outer);
    whole(row->shape.axis);
    whole(row->shape.inner);
    csv_write_field(stdout, false, cache_name(row->cache));
    whole((long long)cell->rows);
    csv_write_field(stdout, false, status_name(cell->status));
    put_csv(false, cell->reason);
    put_csv(false, marks_text(cell->marks));
    real("%.6g", cell->us);
    real("%.6g", cell->us * exp(-arm));
    real("%.6g", cell->us * exp(arm));
    real("%.6g", cell->gbps);
    real("%.6g", cell->ceiling_gbps);
    real("%.6g", cell->pct_ceiling);
    real("%.6g", row->passes);
    real("%.6g", largest_error(cell));
    if (own->rank)
        whole(own->rank);
    else
        csv_write_field(stdout, false, "");
    csv_write_field(stdout, false, own->tied ? "1" : "");
    csv_write_end(stdout);
}

static void print_csv_header(void)
{
    puts("op,family,variant,dtype,outer,axis,inner,cache,processes,status,"
         "reason,marks,us,low_us,high_us,gbps,ceiling_gbps,pct_ceiling,passes,"
         "max_err,rank,tied");
}

/* ------------------------------------------------------------------- text */

static void print_group(const struct row *row)
{
    char shape[SHAPE_TEXT_BYTES];
    printf("\n%s %s %s, %s cache\n", op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_name(row->cache));
    printf("  %4s %-40s %12s %9s %7s %7s\n", "", "variant", "us", "GB/s", "%",
           "error");
}

static void print_name(const char *name)
{
    put_plain(name);
    for (size_t chars = strlen(name); chars < 40; ++chars)
        putchar(' ');
}

static void print_text_row(const struct run_cell *own)
{
    const struct run_cell *cell = own;
    const double error = largest_error(cell);
    if (own->rank)
        printf("  %2d%c%c ", own->rank, own->tied && own->rank > 1 ? '=' : ' ',
               standing_firm(cell) ? ' ' : '?');
    else
        printf("     %c ",
               standing_timed(cell) && !standing_firm(cell) ? '?' : ' ');
    print_name(cell->row->variant);
    if (!standing_timed(cell)) {
        printf(" %12s\n", status_name(cell->status));
        return;
    }
    printf(" %12.2f %9.1f", cell->us, cell->gbps);
    if (cell->marks & MARK_ABOVE_CEILING)
        printf(" %7s", ">120");
    else if (cell->pct_ceiling > 0)
        printf(" %7.1f", cell->pct_ceiling);
    else
        printf(" %7s", "");
    if (isfinite(error))
        printf(" %7.3g", error);
    putchar('\n');
}

/* Timed before untimed, then as ranked. */
static int text_order(const void *left, const void *right)
{
    const struct run_cell *l = *(const struct run_cell *const *)left;
    const struct run_cell *r = *(const struct run_cell *const *)right;
    const int timed = standing_timed(r) - standing_timed(l);
    int order = run_group_order(l->row, r->row);
    order = order ? order : timed;
    order = order || !standing_timed(l) ? order : standing_order(l, r);
    return order ? order : run_cell_order(l->row, r->row);
}

static void print_text(const struct run_cell **rows, size_t count, bool all)
{
    const struct row *group = NULL;
    qsort(rows, count, sizeof *rows, text_order);
    for (size_t k = 0; k < count; ++k) {
        const struct row *row = rows[k]->row;
        if (!all && !rows[k]->rank &&
            !(standing_calls_others(row) && standing_timed(rows[k])))
            continue;
        if (!group || run_group_order(group, row))
            print_group(row);
        group = row;
        print_text_row(rows[k]);
    }
    if (group)
        puts("\n%: of the ceiling (>120: above_ceiling, it means nothing); "
             "error: the largest beyond\nrounding, in units of u * sum |x|; =: "
             "within noise of the first; ?: doubtful");
}

/* ------------------------------------------------------------ the command */

static int print(const struct table_options *options,
                 const struct run_folder *run, const struct run_cell *all,
                 size_t count)
{
    const struct run_cell **wanted = memory_for(count, sizeof *wanted);
    size_t found = 0;
    bool timed = true;
    for (size_t k = 0; k < count; ++k)
        if (select_wants(&options->filter, all[k].row))
            wanted[found++] = &all[k];
    switch ((enum table_format)options->format) {
    case TABLE_TEXT:
        print_text(wanted, found, options->all);
        break;
    case TABLE_CSV:
        print_csv_header();
        for (size_t k = 0; k < found; ++k)
            print_csv_row(wanted[k]);
        break;
    case TABLE_GOOGLE:
        timed = table_google(run, wanted, found);
        break;
    }
    free(wanted);
    if (!found || !timed)
        fprintf(stderr, "scanbench: %s has no such cell%s\n", options->run,
                found ? " with a time" : "");
    return found && timed ? EXIT_OK : EXIT_NOTHING;
}

/* Every chart of the run; with rules, `best` is what they lead to. */
static int draw(const struct table_options *options,
                const struct run_folder *run)
{
    struct rules rules = { 0 };
    struct run_folder shown = *run;
    size_t count;
    if (options->rules) {
        if (!page_read_rules(options->rules, &rules))
            return EXIT_BAD;
        shown.rows = ruled_rows(run, &rules);
    }
    struct run_cell *all = standing_make(&shown, &count);
    const int charts =
        table_charts(options, run, options->rules ? &rules : NULL, all, count);
    free(all);
    if (options->rules)
        free(shown.rows.row);
    rules_free(&rules);
    return charts > 0 ? EXIT_OK : charts ? EXIT_BAD : EXIT_NOTHING;
}

/* Every cell of the run, or those that are wanted. */
static int list(const struct table_options *options,
                const struct run_folder *run)
{
    size_t count;
    struct run_cell *all = standing_make(run, &count);
    const int status = print(options, run, all, count);
    free(all);
    return status;
}

int table_command(int argc, char **argv)
{
    static struct table_options options; /* its patterns stay until the end */
    struct run_folder run = { 0 };
    struct words words;
    int status;
    options = (struct table_options){ .run = NULL };
    if (!command_parse(COMMAND_TABLE, argc, argv, &options, &words, &status))
        return status;
    options.run = words.word[0];
    status = EXIT_BAD;
    if (options.rules && !options.charts) {
        complain("rules", options.rules,
                 "they are for charts: add --charts DIR");
        return status;
    }
    if (read_run(&run, options.run))
        status = options.charts ? draw(&options, &run) : list(&options, &run);
    run_folder_free(&run);
    return status;
}
