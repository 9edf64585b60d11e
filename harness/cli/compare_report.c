/* SPDX-License-Identifier: MIT */
#include "harness/cli/compare_parts.h"

#include <inttypes.h>
#include <math.h>

char *compare_id(const struct run_row *row, char text[PAIR_TEXT_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(text, PAIR_TEXT_BYTES, "%s/%s/%s/%s/%s", op_name(row->op),
             row->variant, dtype_name(row->dtype),
             shape_format(row->shape, shape), cache_name(row->cache));
    return text;
}

/* Timed on no side: nothing changed, and nothing can be said. */
static bool is_neither(const struct pair *pair)
{
    return !run_cell_timed(&pair->base) && !run_cell_timed(&pair->now);
}

bool compare_listed(const struct compare_report *report,
                    const struct pair *pair)
{
    if (pair->change.verdict == VERDICT_UNCHANGED)
        return report->options->all;
    return report->options->all || !is_neither(pair) ||
           pair->base.status != pair->now.status;
}

size_t compare_listed_count(const struct compare_report *report)
{
    size_t count = 0;
    for (size_t p = 0; p < report->comparison->count; ++p)
        count += compare_listed(report, &report->comparison->pairs[p]);
    return count;
}

/* Appends "N WHAT", unless there is none. */
static void append(char text[COUNTS_BYTES], size_t count, const char *what)
{
    size_t used = strlen(text);
    if (count)
        snprintf(text + used, COUNTS_BYTES - used, "%s%zu %s", used ? ", " : "",
                 count, what);
}

char *compare_counts(const struct compare_report *report,
                     char text[COUNTS_BYTES])
{
    const struct comparison *c = report->comparison;
    text[0] = '\0';
    append(text, c->counts[VERDICT_BROKEN], "broken");
    append(text, c->counts[VERDICT_SLOWER], "slower");
    append(text, c->counts[VERDICT_UNCLEAR], "unclear");
    append(text, c->counts[VERDICT_FASTER], "faster");
    append(text, c->counts[VERDICT_UNCHANGED], "unchanged");
    append(text, c->counts[VERDICT_NONE], "without a verdict");
    append(text, c->counts[VERDICT_UNMEASURED] - c->neither,
           "timed on one side only");
    append(text, c->neither, "timed on no side");
    append(text, c->only_base, "only in BASE");
    append(text, c->only_now, "only in NEW");
    return text;
}

char *compare_limits(const struct compare_report *report,
                     char text[COUNTS_BYTES])
{
    const struct limits *limits = &report->comparison->limits;
    int used = snprintf(text, COUNTS_BYTES, "limit: the largest of %.4g %%, ",
                        100 * limits->relative);
    if (isfinite(limits->aa))
        used += snprintf(text + used, COUNTS_BYTES - (size_t)used,
                         "3 x %.2g %% (A/A floor), ", 100 * limits->aa);
    if (isfinite(limits->drift))
        used += snprintf(text + used, COUNTS_BYTES - (size_t)used,
                         "3 standard errors of launches that scatter by %.2g "
                         "%%, 4 of launches of the same variant or, if short "
                         "and cold, of all as long, ",
                         100 * limits->drift);
    else if (!isfinite(limits->aa))
        used += snprintf(text + used, COUNTS_BYTES - (size_t)used,
                         "%.2g %% (one launch a side and no A/A floor), ",
                         100 * LIMIT_DRIFT_UNKNOWN);
    used += snprintf(text + used, COUNTS_BYTES - (size_t)used, "%.4g us",
                     limits->absolute_us);
    for (int c = 0; c < CACHE_COUNT; ++c) {
        const double us = report->comparison->launch_us[c];
        if (us > limits->absolute_us)
            used += snprintf(text + used, COUNTS_BYTES - (size_t)used,
                             ", %.2f us if near_empty and %s", us,
                             cache_name((enum cache)c));
        const double moved = report->comparison->moved_us[c];
        if (fabs(moved) >= 0.005) /* and not NaN: it would read 0.00 */
            used += snprintf(text + used, COUNTS_BYTES - (size_t)used,
                             ", %.2f us a kernel launched %s", fabs(moved),
                             cache_name((enum cache)c));
    }
    return text;
}

void compare_write(const struct compare_report *report)
{
    static void (*const writers[])(const struct compare_report *) = {
        [FORMAT_TEXT] = compare_write_text,
        [FORMAT_MARKDOWN] = compare_write_markdown,
        [FORMAT_CSV] = compare_write_csv,
    };
    writers[report->options->format](report);
}
