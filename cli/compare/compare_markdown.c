/* SPDX-License-Identifier: MIT
 *
 * For a comment on a pull request: the verdict first, then what changed.
 */
#include "cli/compare/compare_parts.h"

#include <math.h>

#include "cli/common/escape.h"

static void write_run(const char *name, const struct run_folder *run)
{
    const char *device = run_fact(run, "device_name");
    const char *commit = run_fact(run, "commit");
    printf("%s: ", name);
    put_code(run->path);
    fputs(", ", stdout);
    put_markdown(*device ? device : "unknown device");
    fputs(", commit ", stdout);
    put_markdown(*commit ? commit : "unknown");
}

static void write_head(const struct compare_report *report)
{
    char text[COUNTS_BYTES];
    printf("**%s**\n\n", compare_counts(report, text));
    write_run("BASE", report->base);
    fputs("  \n", stdout);
    write_run("NEW", report->now);
    fputs("\n\n", stdout);
    for (int n = 0; n < report->notes->count; ++n) {
        fputs("> ", stdout);
        put_markdown(report->notes->text[n]);
        fputs("\n>\n", stdout);
    }
    if (report->mode != COMPARE_RATIOS)
        printf("> %s\n", compare_limits(report, text));
    putchar('\n');
}

static void write_ceiling(double pct)
{
    if (isfinite(pct))
        printf("%.1f %%", pct);
    fputs(" | ", stdout);
}

static void write_change(const struct compare_report *report,
                         const struct judged *cell)
{
    const struct change *change = &cell->change;
    char text[CELL_TEXT_BYTES];
    printf("%.2f | %.2f | %+.1f %% | ", cell->pair->base.us, cell->pair->now.us,
           100 * (change->ratio - 1));
    if (!compare_is_wide(change))
        printf("%+.1f … %+.1f %%", 100 * (change->low - 1),
               100 * (change->high - 1));
    else if (isfinite(change->high))
        fputs("too wide", stdout);
    fputs(" | ", stdout);
    write_ceiling(cell->pair->base.pct_ceiling);
    write_ceiling(cell->pair->now.pct_ceiling);
    const char *remarks = compare_remarks(report, cell, "→", text);
    put_markdown(remarks + strspn(remarks, " "));
    puts(" |");
}

static void write_statuses(const struct pair *pair)
{
    const char *why =
        run_cell_timed(&pair->now) ? pair->base.reason : pair->now.reason;
    printf("| | | | | | %s → %s%s", status_name(pair->base.status),
           status_name(pair->now.status), *why ? ": " : "");
    put_markdown(why);
    puts(" |");
}

static void write_table(const struct compare_report *report)
{
    const struct comparison *c = report->comparison;
    size_t top = (size_t)report->options->top, listed = 0;
    puts("| verdict | cell | base µs | new µs | change | 95 % interval "
         "| base of ceiling | new of ceiling | what else |\n"
         "| :-- | :-- | --: | --: | --: | --: | --: | --: | :-- |");
    for (size_t k = 0; k < c->pairs.count && (!top || listed < top); ++k) {
        const struct judged *cell = &c->cells[k];
        char id[CELL_TEXT_BYTES];
        if (!compare_listed(report, cell))
            continue;
        ++listed;
        printf("| %s | ", verdict_name(cell->verdict));
        put_code(compare_id(cell->pair->base.row, id));
        fputs(" | ", stdout);
        if (isnan(cell->time_ratio))
            write_statuses(cell->pair);
        else
            write_change(report, cell);
    }
    if (listed < compare_listed_count(report))
        printf("\nand %zu more\n", compare_listed_count(report) - listed);
    putchar('\n');
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
            puts("| operation | cells | new / base, geometric mean | change |\n"
                 "| :-- | --: | --: | --: |");
        any = true;
        printf("| `%s` | %zu | %.4f | %+.2f %% |\n", op_name((enum op)o),
               mean.cells, mean.ratio, 100 * (mean.ratio - 1));
    }
}

void compare_write_markdown(const struct compare_report *report)
{
    write_head(report);
    if (compare_listed_count(report))
        write_table(report);
    write_means(report);
}
