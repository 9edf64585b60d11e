/* SPDX-License-Identifier: MIT
 *
 * For a comment on a pull request: the verdict first, then what changed.
 */
#include "harness/cli/compare_parts.h"

#include <math.h>

/* A bar would end the cell. */
static void write_cell(const char *text)
{
    for (; *text; ++text) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
}

static void write_run(const char *name, const struct run_folder *run)
{
    printf("%s: `%s`, %s, commit %s", name, run->path,
           *run_fact(run, "device_name") ? run_fact(run, "device_name")
                                         : "unknown device",
           *run_fact(run, "commit") ? run_fact(run, "commit") : "unknown");
}

static void write_head(const struct compare_report *report)
{
    char text[COUNTS_BYTES];
    printf("**%s**\n\n", compare_counts(report, text));
    write_run("BASE", report->base);
    fputs("  \n", stdout);
    write_run("NEW", report->now);
    fputs("\n\n", stdout);
    for (int n = 0; n < report->notes->count; ++n)
        printf("> %s\n>\n", report->notes->text[n]);
    if (report->judged)
        printf("> %s\n", compare_limits(report, text));
    putchar('\n');
}

static void write_ceiling(double pct)
{
    if (isfinite(pct))
        printf("%.1f %%", pct);
    fputs(" | ", stdout);
}

static void write_change(const struct pair *pair)
{
    const struct change *change = &pair->change;
    printf("%.2f | %.2f | %+.1f %% | ", timing_us(&pair->base.timing),
           timing_us(&pair->now.timing), 100 * (change->ratio - 1));
    if (isfinite(change->high))
        printf("%+.1f … %+.1f %%", 100 * (change->low - 1),
               100 * (change->high - 1));
    fputs(" | ", stdout);
    write_ceiling(pair->base.pct_ceiling);
    write_ceiling(pair->now.pct_ceiling);
    if (pair->base.status != pair->now.status)
        printf("%s → %s ", status_name(pair->base.status),
               status_name(pair->now.status));
    if (*pair->base.marks || *pair->now.marks)
        printf("(%s → %s) ", run_cell_marks(&pair->base),
               run_cell_marks(&pair->now));
    puts("|");
}

static void write_statuses(const struct pair *pair)
{
    printf("| | | | | | %s → %s", status_name(pair->base.status),
           status_name(pair->now.status));
    const char *why =
        run_cell_timed(&pair->now) ? pair->base.reason : pair->now.reason;
    if (*why) {
        fputs(": ", stdout);
        write_cell(why);
    }
    puts(" |");
}

static void write_table(const struct compare_report *report)
{
    const struct comparison *c = report->comparison;
    size_t top = report->options->top, listed = 0;
    puts("| verdict | cell | base µs | new µs | change | 95 % interval "
         "| base of ceiling | new of ceiling | what else |\n"
         "| :-- | :-- | --: | --: | --: | --: | --: | --: | :-- |");
    for (size_t p = 0; p < c->count && (!top || listed < top); ++p) {
        const struct pair *pair = &c->pairs[p];
        char id[PAIR_TEXT_BYTES];
        if (!compare_listed(report, pair))
            continue;
        ++listed;
        printf("| %s | `%s` | ", change_verdict_name(pair->change.verdict),
               compare_id(pair->base.row, id));
        if (pair_timed(pair))
            write_change(pair);
        else
            write_statuses(pair);
    }
    if (listed < compare_listed_count(report))
        printf("\nand %zu more\n", compare_listed_count(report) - listed);
    putchar('\n');
}

static void write_geomeans(const struct compare_report *report)
{
    puts("| operation | cells | new / base, geometric mean | change |\n"
         "| :-- | --: | --: | --: |");
    for (int o = 0; o < OP_COUNT; ++o) {
        size_t cells;
        double mean = compare_geomean(report->comparison, (enum op)o, &cells);
        if (cells)
            printf("| `%s` | %zu | %.4f | %+.2f %% |\n", op_name((enum op)o),
                   cells, mean, 100 * (mean - 1));
    }
}

void compare_write_markdown(const struct compare_report *report)
{
    write_head(report);
    if (compare_listed_count(report))
        write_table(report);
    write_geomeans(report);
}
