/* SPDX-License-Identifier: MIT
 *
 * The report on two runs: text for a terminal, Markdown for a comment on a pull
 * request, CSV for programs.
 */
#include "cli/compare/compare.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>

#include "cli/common/rows.h"

enum { WORDS_BYTES = 640 };

__attribute__((format(printf, 2, 3))) static void
append(char text[WORDS_BYTES], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, WORDS_BYTES - used, format, arguments);
    va_end(arguments);
}

bool compare_is_wide(const struct change *change)
{
    return !(change->high < COMPARE_WIDE * change->low);
}

static bool in_markdown(const struct compare_report *report)
{
    return report->options->filter.format == FORMAT_MARKDOWN;
}

/* Prints a text from a file. */
static void put(const struct compare_report *report, const char *text)
{
    (in_markdown(report) ? put_markdown : put_plain)(text);
}

/* -------------------------------------------------------------------- head */

/* Appends "N WHAT" unless N is 0. */
static void count(char text[WORDS_BYTES], size_t number, const char *what)
{
    if (number)
        append(text, "%s%zu %s", *text ? ", " : "", number, what);
}

static char *count_all(const struct comparison *c, char text[WORDS_BYTES])
{
    text[0] = '\0';
    count(text, c->counts[VERDICT_BROKEN], "broken");
    count(text, c->counts[VERDICT_SLOWER], "slower");
    count(text, c->counts[VERDICT_UNCLEAR], "unclear");
    count(text, c->counts[VERDICT_FASTER], "faster");
    count(text, c->counts[VERDICT_UNCHANGED], "unchanged");
    count(text, c->counts[VERDICT_TOO_SHORT], "too short to tell");
    count(text, c->counts[VERDICT_NONE], "without a verdict");
    count(text, c->counts[VERDICT_UNMEASURED] - c->neither,
          "timed on one side only");
    count(text, c->neither, "timed on neither side");
    count(text, c->pairs.only_base, "only in BASE");
    count(text, c->pairs.only_now, "only in NEW");
    return text;
}

static void print_run(const struct compare_report *report, const char *name,
                      const struct run_folder *run)
{
    const char *device = run_fact(run, "device_name");
    const char *commit = run_fact(run, "commit"), *utc = run_fact(run, "utc");
    printf("%s: ", name);
    (in_markdown(report) ? put_code : put_plain)(run->path);
    fputs(", ", stdout);
    put(report, *device ? device : "unknown device");
    fputs(", commit ", stdout);
    put(report, *commit ? commit : "unknown");
    fputs(*utc ? ", " : "", stdout);
    put(report, utc);
    puts(in_markdown(report) ? "  " : "");
}

static void print_head(const struct compare_report *report)
{
    const bool markdown = in_markdown(report);
    char counts[WORDS_BYTES];
    count_all(report->comparison, counts);
    if (markdown)
        printf("**%s**\n\n", counts);
    print_run(report, "BASE", report->base);
    print_run(report, "NEW", report->now);
    fputs(markdown ? "\n" : "", stdout);
    for (int n = 0; n < report->notes->count; ++n) {
        fputs(markdown ? "> " : "note: ", stdout);
        put(report, report->notes->text[n]);
        fputs(markdown ? "\n>\n" : "\n", stdout);
    }
    if (markdown)
        putchar('\n');
    else
        printf("\n%s\n", counts);
}

/* ------------------------------------------------------------------- cells */

static const char *marks_or_none(unsigned marks)
{
    return marks ? marks_text(marks) : "none";
}

/* Facts behind a cell's ratio: the change of its times if shares were judged,
 * "ok -> suspect", dropped processes, marks. Most cells have none. */
static void add_remarks(struct text_table *table,
                        const struct compare_report *report,
                        const struct judged *cell)
{
    const struct run_cell *base = &cell->pair->base, *now = &cell->pair->now;
    const char *why = run_cell_timed(now) ? base->reason : now->reason;
    char text[WORDS_BYTES] = "";
    if (report->mode == COMPARE_SHARES && isfinite(cell->time_ratio))
        append(text, "  times %+.1f %%", 100 * (cell->time_ratio - 1));
    if (base->status != now->status || isnan(cell->time_ratio))
        append(text, "  %s -> %s", status_names[base->status],
               status_names[now->status]);
    if (isnan(cell->time_ratio) && *why)
        append(text, ": %s", why);
    else if (base->dropped || now->dropped)
        append(text, "  %zu of %zu -> %zu of %zu processes",
               base->timing.processes, base->rows, now->timing.processes,
               now->rows);
    if (isfinite(cell->time_ratio) && base->marks | now->marks)
        append(text, "  (%s -> %s)", marks_or_none(base->marks),
               marks_or_none(now->marks));
    text_table_add(table, "%s", text + strspn(text, " "));
}

static void add_cell(struct text_table *table,
                     const struct compare_report *report,
                     const struct judged *cell)
{
    const struct run_cell *base = &cell->pair->base, *now = &cell->pair->now;
    const struct change *change = &cell->change;
    const bool timed = isfinite(cell->time_ratio);
    char id[ROW_ID_BYTES];
    text_table_add(table, "%s",
                   cell->verdict == VERDICT_NONE ? ""
                                                 : verdict_name(cell->verdict));
    text_table_add(table, "%s", row_id(base->row, id));
    text_table_real(table, "%.2f", timed ? base->us : NAN);
    text_table_real(table, "%.2f", timed ? now->us : NAN);
    text_table_real(table, "%+.1f %%", 100 * (change->ratio - 1));
    text_table_real(table, "%.1f %%", 100 * cell->limit);
    if (timed && compare_is_wide(change))
        text_table_add(table, "too wide");
    else if (timed)
        text_table_add(table, "%+.1f to %+.1f %%", 100 * (change->low - 1),
                       100 * (change->high - 1));
    else
        text_table_add(table, "%s", "");
    text_table_real(table, "%.1f %%", timed ? base->pct_ceiling : NAN);
    text_table_real(table, "%.1f %%", timed ? now->pct_ceiling : NAN);
    add_remarks(table, report, cell);
}

static bool is_listed(const struct compare_report *report,
                      const struct judged *cell)
{
    const struct run_cell *base = &cell->pair->base, *now = &cell->pair->now;
    if (report->options->all || report->mode == COMPARE_RATIOS)
        return report->options->all || cell->verdict == VERDICT_NONE;
    return cell->verdict != VERDICT_UNCHANGED &&
           cell->verdict != VERDICT_TOO_SHORT &&
           (run_cell_timed(base) || run_cell_timed(now) ||
            base->status != now->status);
}

static void print_cells(const struct compare_report *report)
{
    static const char *const headings[] = {
        "verdict",         "`cell",    ">base us",      ">new us",
        ">change",         ">limit",   "95 % interval", ">base of ceiling",
        ">new of ceiling", "what else"
    };
    struct text_table table = { .headings = headings, .columns = 10 };
    const struct comparison *c = report->comparison;
    size_t found = 0, top = (size_t)report->options->filter.top;
    for (size_t k = 0; k < c->pairs.count; ++k)
        if (is_listed(report, &c->cells[k]) && (++found <= top || !top))
            add_cell(&table, report, &c->cells[k]);
    if (!found)
        return;
    if (!in_markdown(report) || report->mode == COMPARE_RATIOS)
        putchar('\n');
    text_table_print(&table, report->options->filter.format, INT_MAX);
    if (top && found > top)
        printf("%sand %zu more (--top 0 lists all)\n",
               in_markdown(report) ? "\n" : "", found - top);
}

static void print_means(const struct compare_report *report)
{
    static const char *const headings[] = { "`operation", ">cells",
                                            ">new / base, geometric mean",
                                            ">change" };
    struct text_table table = { .headings = headings, .columns = 4 };
    for (int o = 0; o < op_count(); ++o) {
        const struct mean mean = comparison_mean(report->comparison, op_at(o));
        if (!mean.clear)
            continue;
        text_table_add(&table, "%s", op_name(op_at(o)));
        text_table_add(&table, "%zu", mean.cells);
        text_table_add(&table, "%.4f", mean.ratio);
        text_table_add(&table, "%+.2f %%", 100 * (mean.ratio - 1));
    }
    if (!table.count)
        return;
    putchar('\n');
    text_table_print(&table, report->options->filter.format, INT_MAX);
}

/* ----------------------------------------------------------------- records */

static void record_side(struct records *records, const char *prefix,
                        const struct run_cell *cell)
{
    records->prefix = prefix;
    record_text(records, "status", status_names[cell->status]);
    record_whole(records, "processes", (int64_t)cell->timing.processes);
    record_whole(records, "dropped", (int64_t)cell->dropped);
    record_real(records, "us", cell->us);
    record_real(records, "pct_ceiling", cell->pct_ceiling);
    record_text(records, "reason", cell->reason);
    record_text(records, "marks", marks_text(cell->marks));
    records->prefix = NULL;
}

static void record_cell(struct records *records, const struct judged *cell)
{
    const struct row *row = cell->pair->base.row;
    const struct change *change = &cell->change;
    record_text(records, "verdict", verdict_name(cell->verdict));
    record_text(records, "op", op_name(row->op));
    record_text(records, "variant", row->variant);
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "cache", cache_names[row->cache]);
    record_real(records, "ratio", change->ratio);
    record_real(records, "ratio_low", change->low > 0 ? change->low : NAN);
    record_real(records, "ratio_high", change->high);
    record_real(records, "limit_pct", 100 * cell->limit);
    record_real(records, "time_ratio", cell->time_ratio);
    record_side(records, "base_", &cell->pair->base);
    record_side(records, "new_", &cell->pair->now);
    record_end(records);
}

static void print_records(const struct compare_report *report)
{
    const struct comparison *c = report->comparison;
    struct records records = { .json = report->options->filter.format ==
                                       FORMAT_JSON };
    char text[WORDS_BYTES];
    for (size_t k = 0; k < c->pairs.count; ++k)
        record_cell(&records, &c->cells[k]);
    records_end(&records);
    for (int n = 0; n < report->notes->count; ++n)
        fprintf(stderr, "scanbench: %s\n", report->notes->text[n]);
    fprintf(stderr, "scanbench: %s\n", count_all(c, text));
    for (int o = 0; o < op_count(); ++o) {
        const struct mean mean = comparison_mean(c, op_at(o));
        if (mean.clear)
            fprintf(stderr, "scanbench: %s: geometric mean %.4f (cells: %zu)\n",
                    op_name(op_at(o)), mean.ratio, mean.cells);
    }
}

void compare_print(const struct compare_report *report)
{
    if (format_is_records(report->options->filter.format)) {
        print_records(report);
        return;
    }
    print_head(report);
    if (report->mode == COMPARE_RATIOS)
        compare_print_classes(report);
    print_cells(report);
    print_means(report);
}
