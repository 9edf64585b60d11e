/* SPDX-License-Identifier: MIT */
#include "harness/cli/compare_parts.h"

#include <math.h>

static void write_run(const char *name, const struct run_folder *run)
{
    const char *utc = run_fact(run, "utc");
    printf("%-5s %s: %s, commit %s%s%s\n", name, run->path,
           *run_fact(run, "device_name") ? run_fact(run, "device_name")
                                         : "unknown device",
           *run_fact(run, "commit") ? run_fact(run, "commit") : "unknown",
           *utc ? ", " : "", utc);
}

static void write_head(const struct compare_report *report)
{
    char text[COUNTS_BYTES];
    write_run("BASE", report->base);
    write_run("NEW", report->now);
    for (int n = 0; n < report->notes->count; ++n)
        printf("note: %s\n", report->notes->text[n]);
    if (report->judged)
        puts(compare_limits(report, text));
    printf("\n%s\n", compare_counts(report, text));
}

static void write_ceiling(const struct pair *pair)
{
    if (isfinite(pair->base.pct_ceiling) && isfinite(pair->now.pct_ceiling))
        printf("  %.1f -> %.1f %% of ceiling", pair->base.pct_ceiling,
               pair->now.pct_ceiling);
}

static void write_marks(const struct pair *pair)
{
    if (pair->base.status != pair->now.status)
        printf("  %s -> %s", status_name(pair->base.status),
               status_name(pair->now.status));
    if (*pair->base.marks || *pair->now.marks)
        printf("  (%s -> %s)", run_cell_marks(&pair->base),
               run_cell_marks(&pair->now));
}

static void write_change(const struct pair *pair)
{
    const struct change *change = &pair->change;
    printf("%+7.1f %%  ", 100 * (change->ratio - 1));
    if (isfinite(change->high))
        printf("[%+.1f, %+.1f]", 100 * (change->low - 1),
               100 * (change->high - 1));
    else
        fputs("[no interval]", stdout);
    printf("  %.2f -> %.2f us", timing_us(&pair->base.timing),
           timing_us(&pair->now.timing));
    write_ceiling(pair);
    write_marks(pair);
}

static void write_statuses(const struct pair *pair)
{
    const char *why =
        run_cell_timed(&pair->now) ? pair->base.reason : pair->now.reason;
    printf("%s -> %s%s%s", status_name(pair->base.status),
           status_name(pair->now.status), *why ? ": " : "", why);
}

static void write_pair(const struct pair *pair, int id_chars)
{
    char id[PAIR_TEXT_BYTES];
    printf("%-10s  %-*s  ", change_verdict_name(pair->change.verdict), id_chars,
           compare_id(pair->base.row, id));
    if (pair_timed(pair))
        write_change(pair);
    else
        write_statuses(pair);
    putchar('\n');
}

/* The listed pairs up to --top; `id_chars` 0 writes nothing and returns how
 * wide their ids are. */
static int write_pairs(const struct compare_report *report, int id_chars)
{
    const struct comparison *c = report->comparison;
    size_t top = report->options->top, listed = 0;
    int widest = 0;
    for (size_t p = 0; p < c->count && (!top || listed < top); ++p) {
        char id[PAIR_TEXT_BYTES];
        if (!compare_listed(report, &c->pairs[p]))
            continue;
        ++listed;
        int chars = (int)strlen(compare_id(c->pairs[p].base.row, id));
        widest = chars > widest ? chars : widest;
        if (id_chars)
            write_pair(&c->pairs[p], id_chars);
    }
    if (id_chars && listed < compare_listed_count(report))
        printf("and %zu more (--top 0 lists all)\n",
               compare_listed_count(report) - listed);
    return widest;
}

static void write_geomeans(const struct compare_report *report)
{
    puts("\nnew / base, geometric mean");
    for (int o = 0; o < OP_COUNT; ++o) {
        size_t cells;
        double mean = compare_geomean(report->comparison, (enum op)o, &cells);
        if (cells)
            printf("%-16s  %.4f  (%+.2f %%) of %zu cells\n",
                   op_name((enum op)o), mean, 100 * (mean - 1), cells);
    }
}

void compare_write_text(const struct compare_report *report)
{
    write_head(report);
    if (compare_listed_count(report)) {
        putchar('\n');
        write_pairs(report, write_pairs(report, 0));
    }
    write_geomeans(report);
}
