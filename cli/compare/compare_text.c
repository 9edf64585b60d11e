/* SPDX-License-Identifier: MIT
 *
 * For a terminal; and the words that all formats share.
 */
#include "cli/compare/compare_parts.h"

#include <math.h>
#include <stdarg.h>

#include "cli/common/escape.h"

/* ------------------------------------------------------- what formats share */

__attribute__((format(printf, 3, 4))) static void
append(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

char *compare_id(const struct row *row, char text[CELL_TEXT_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(text, CELL_TEXT_BYTES, "%s/%s/%s/%s/%s", op_name(row->op),
             row->variant, dtype_name(row->dtype),
             shape_format(row->shape, shape), cache_name(row->cache));
    return text;
}

bool compare_is_wide(const struct change *change)
{
    return !(change->high < COMPARE_WIDE * change->low);
}

/* Timed on neither side: nothing changed, and nothing can be said. */
static bool is_neither(const struct pair *pair)
{
    return !run_cell_timed(&pair->base) && !run_cell_timed(&pair->now);
}

bool compare_listed(const struct compare_report *report,
                    const struct judged *cell)
{
    if (report->options->all)
        return true;
    if (cell->verdict == VERDICT_UNCHANGED ||
        cell->verdict == VERDICT_TOO_SHORT)
        return false;
    return !is_neither(cell->pair) ||
           cell->pair->base.status != cell->pair->now.status;
}

size_t compare_listed_count(const struct compare_report *report)
{
    size_t count = 0;
    for (size_t k = 0; k < report->comparison->pairs.count; ++k)
        count += compare_listed(report, &report->comparison->cells[k]);
    return count;
}

/* Appends "N WHAT", unless there is none. */
static void count(char text[COUNTS_BYTES], size_t number, const char *what)
{
    if (number)
        append(text, COUNTS_BYTES, "%s%zu %s", *text ? ", " : "", number, what);
}

char *compare_counts(const struct compare_report *report,
                     char text[COUNTS_BYTES])
{
    const struct comparison *c = report->comparison;
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

char *compare_limits(const struct compare_report *report,
                     char text[COUNTS_BYTES])
{
    const struct noise *noise = &report->comparison->noise;
    snprintf(text, COUNTS_BYTES,
             "limit: the largest of %.4g %%, %.4g us, 4 standard errors of how "
             "processes of the same variant scatter",
             100 * noise->floors.relative, noise->floors.absolute_us);
    for (int c = 0; c < CACHE_COUNT; ++c) {
        const char *cache = cache_name((enum cache)c);
        const double moved =
            fmin(fabs(noise->moved_us[c]), NOISE_MOST_MOVED_US);
        if (noise->launch_us[c] > noise->floors.absolute_us)
            append(text, COUNTS_BYTES, ", %.2f us if near_empty and %s",
                   noise->launch_us[c], cache);
        if (!isnan(noise->moved_us[c]) && moved >= 0.005)
            append(text, COUNTS_BYTES, ", %.2f us a kernel launched %s", moved,
                   cache);
    }
    return text;
}

static const char *marks_or_none(unsigned marks)
{
    return marks ? marks_text(marks) : "none";
}

char *compare_remarks(const struct compare_report *report,
                      const struct judged *cell, const char *arrow,
                      char text[CELL_TEXT_BYTES])
{
    const struct run_cell *base = &cell->pair->base, *now = &cell->pair->now;
    text[0] = '\0';
    if (report->mode == COMPARE_SHARES)
        append(text, CELL_TEXT_BYTES, "  times %+.1f %%",
               100 * (cell->time_ratio - 1));
    if (base->status != now->status)
        append(text, CELL_TEXT_BYTES, "  %s %s %s", status_name(base->status),
               arrow, status_name(now->status));
    if (base->dropped || now->dropped)
        append(text, CELL_TEXT_BYTES, "  %zu of %zu %s %zu of %zu processes",
               base->timing.processes, base->rows, arrow, now->timing.processes,
               now->rows);
    if (base->marks | now->marks)
        append(text, CELL_TEXT_BYTES, "  (%s %s %s)",
               marks_or_none(base->marks), arrow, marks_or_none(now->marks));
    return text;
}

/* -------------------------------------------------------------------- text */

static void write_run(const char *name, const struct run_folder *run)
{
    const char *device = run_fact(run, "device_name");
    const char *commit = run_fact(run, "commit"), *utc = run_fact(run, "utc");
    printf("%-5s ", name);
    put_plain(run->path);
    fputs(": ", stdout);
    put_plain(*device ? device : "unknown device");
    fputs(", commit ", stdout);
    put_plain(*commit ? commit : "unknown");
    fputs(*utc ? ", " : "", stdout);
    put_plain(utc);
    putchar('\n');
}

static void write_head(const struct compare_report *report)
{
    char text[COUNTS_BYTES];
    write_run("BASE", report->base);
    write_run("NEW", report->now);
    for (int n = 0; n < report->notes->count; ++n) {
        fputs("note: ", stdout);
        put_plain(report->notes->text[n]);
        putchar('\n');
    }
    if (report->mode != COMPARE_RATIOS)
        puts(compare_limits(report, text));
    printf("\n%s\n", compare_counts(report, text));
}

static void write_change(const struct compare_report *report,
                         const struct judged *cell)
{
    const struct run_cell *base = &cell->pair->base, *now = &cell->pair->now;
    const struct change *change = &cell->change;
    char text[CELL_TEXT_BYTES];
    printf("%+7.1f %%  ", 100 * (change->ratio - 1));
    if (!compare_is_wide(change))
        printf("[%+.1f, %+.1f]", 100 * (change->low - 1),
               100 * (change->high - 1));
    else
        fputs(isfinite(change->high) ? "[too wide]" : "[no interval]", stdout);
    printf("  %.2f -> %.2f us", base->us, now->us);
    if (isfinite(base->pct_ceiling) && isfinite(now->pct_ceiling))
        printf("  %.1f -> %.1f %% of ceiling", base->pct_ceiling,
               now->pct_ceiling);
    put_plain(compare_remarks(report, cell, "->", text));
}

static void write_statuses(const struct pair *pair)
{
    const char *why =
        run_cell_timed(&pair->now) ? pair->base.reason : pair->now.reason;
    printf("%s -> %s%s", status_name(pair->base.status),
           status_name(pair->now.status), *why ? ": " : "");
    put_plain(why);
}

static void write_cell(const struct compare_report *report,
                       const struct judged *cell, int id_chars)
{
    char id[CELL_TEXT_BYTES];
    printf("%-10s  ", verdict_name(cell->verdict));
    put_plain(compare_id(cell->pair->base.row, id));
    printf("%*s  ", id_chars - (int)strlen(id), "");
    if (isnan(cell->time_ratio))
        write_statuses(cell->pair);
    else
        write_change(report, cell);
    putchar('\n');
}

/* The listed cells up to --top; `id_chars` 0 writes nothing and returns how
 * wide their ids are. */
static int write_cells(const struct compare_report *report, int id_chars)
{
    const struct comparison *c = report->comparison;
    const size_t top = (size_t)report->options->top;
    size_t listed = 0;
    int widest = 0;
    for (size_t k = 0; k < c->pairs.count && (!top || listed < top); ++k) {
        char id[CELL_TEXT_BYTES];
        if (!compare_listed(report, &c->cells[k]))
            continue;
        ++listed;
        int chars = (int)strlen(compare_id(c->cells[k].pair->base.row, id));
        widest = chars > widest ? chars : widest;
        if (id_chars)
            write_cell(report, &c->cells[k], id_chars);
    }
    if (id_chars && listed < compare_listed_count(report))
        printf("and %zu more (--top 0 lists all)\n",
               compare_listed_count(report) - listed);
    return widest;
}

static void write_means(const struct compare_report *report)
{
    bool any = false;
    for (int o = 0; o < OP_COUNT; ++o) {
        const struct mean mean =
            comparison_mean(report->comparison, (enum op)o);
        if (!mean.clear)
            continue;
        if (!any)
            puts("\nnew / base, geometric mean");
        any = true;
        printf("%-16s  %.4f  (%+.2f %%) of %zu cells\n", op_name((enum op)o),
               mean.ratio, 100 * (mean.ratio - 1), mean.cells);
    }
}

void compare_write_text(const struct compare_report *report)
{
    write_head(report);
    if (compare_listed_count(report)) {
        putchar('\n');
        write_cells(report, write_cells(report, 0));
    }
    write_means(report);
}
