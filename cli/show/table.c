/* SPDX-License-Identifier: MIT
 *
 * scanbench table: every cell of a run as text or CSV.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/escape.h"
#include "cli/common/options_parts.h"
#include "cli/common/page.h"
#include "cli/common/rows.h"
#include "cli/show/show.h"
#include "src/analyse/regrets.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"

static double largest_error(const struct run_cell *cell)
{
    double error = NAN;
    for (size_t r = 0; r < cell->rows; ++r)
        error = fmax(error, cell->row[r].max_err);
    return error;
}

static void record_cell(struct records *records, const struct run_cell *cell)
{
    const struct row *row = cell->row;
    const double arm = standing_timed(cell) ? standing_arm(cell) : NAN;
    record_text(records, "op", op_name(row->op));
    record_text(records, "family", row->family);
    record_text(records, "variant", row->variant);
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "cache", cache_name(row->cache));
    record_whole(records, "processes", (int64_t)cell->rows);
    record_text(records, "status", status_name(cell->status));
    record_text(records, "reason", cell->reason);
    record_text(records, "marks", marks_text(cell->marks));
    record_real(records, "us", cell->us);
    record_real(records, "low_us", cell->us * exp(-arm));
    record_real(records, "high_us", cell->us * exp(arm));
    record_real(records, "gbps", cell->gbps);
    record_real(records, "ceiling_gbps", cell->ceiling_gbps);
    record_real(records, "pct_ceiling", cell->pct_ceiling);
    record_real(records, "passes", row->passes);
    record_real(records, "max_err", largest_error(cell));
    record_whole(records, "rank", cell->rank ? cell->rank : -1);
    record_whole(records, "tied", cell->tied ? 1 : -1);
    record_end(records);
}

static void print_group(const struct row *row)
{
    char shape[SHAPE_TEXT_BYTES];
    printf("\n%s %s %s, %s cache\n", op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_name(row->cache));
    printf("  %4s %-40s %12s %9s %7s %7s\n", "", "variant", "us", "GB/s", "%",
           "error");
}

static void print_line(const struct run_cell *cell)
{
    const bool timed = standing_timed(cell);
    const char doubt = timed && !standing_firm(cell) ? '?' : ' ';
    if (cell->rank)
        printf("  %2d%c%c ", cell->rank,
               cell->tied && cell->rank > 1 ? '=' : ' ', doubt);
    else
        printf("     %c ", doubt);
    put_plain(cell->row->variant);
    printf("%*s", (int)fmax(0, 40 - (double)strlen(cell->row->variant)), "");
    if (!timed) {
        printf(" %12s\n", status_name(cell->status));
        return;
    }
    printf(" %12.2f %9.1f", cell->us, cell->gbps);
    if (cell->marks & MARK_ABOVE_CEILING)
        printf(" %7s", ">120");
    else
        put_real(" %7.1f", cell->pct_ceiling, "        ");
    put_real(" %7.3g", largest_error(cell), "");
    putchar('\n');
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

static void print_text(struct run_cell *cells, size_t count, bool all)
{
    const struct row *group = NULL;
    qsort(cells, count, sizeof *cells, text_order);
    for (size_t k = 0; k < count; ++k) {
        const struct row *row = cells[k].row;
        if (!all && !cells[k].rank &&
            !(standing_calls_others(row) && standing_timed(&cells[k])))
            continue;
        if (!group || run_group_order(group, row))
            print_group(row);
        group = row;
        print_line(&cells[k]);
    }
    if (group)
        puts("\n%: of the ceiling (>120: above_ceiling, it means nothing); "
             "error: the largest beyond\nrounding, in units of u * sum |x|; =: "
             "within noise of the first; ?: doubtful");
}

/* ------------------------------------------------------------ the command */

/* Prints the cells that the filter selects. */
static int list(const struct table_options *options,
                const struct run_folder *run)
{
    size_t count, found = 0;
    struct run_cell *cells = standing_make(run, &count);
    struct records records = { .digits = 6 };
    bool timed = true;
    for (size_t k = 0; k < count; ++k)
        if (select_wants(&options->filter, cells[k].row))
            cells[found++] = cells[k];
    if (options->format == TABLE_TEXT)
        print_text(cells, found, options->all);
    else if (options->format == TABLE_GOOGLE)
        timed = table_google(run, cells, found);
    for (size_t k = 0; options->format == TABLE_CSV && k < found; ++k)
        record_cell(&records, &cells[k]);
    free(cells);
    if (!found || !timed)
        fprintf(stderr, "scanbench: %s has no such cell%s\n", options->run,
                found ? " with a time" : "");
    return found && timed ? EXIT_OK : EXIT_NOTHING;
}

/* With rules, their choices replace `best`. */
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
    if (options.rules && !options.charts)
        complain("rules", options.rules,
                 "they are for charts: add --charts DIR");
    else if (read_run(&run, options.run))
        status = options.charts ? draw(&options, &run) : list(&options, &run);
    run_folder_free(&run);
    return status;
}
