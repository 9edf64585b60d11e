/* SPDX-License-Identifier: MIT */
#include "src/runs/row.h"

#include <string.h>

static const struct csv_column columns[] = {
    COLUMN(row, variant, variant, TEXT, NEEDED,
           "Variant: one kernel design at one tuning point"),
    COLUMN(row, dtype, dtype, DTYPE, NEEDED, "Element type"),
    COLUMN(row, outer, shape.outer, INTEGER, NEEDED,
           "Extent before the axis, elements"),
    COLUMN(row, axis, shape.axis, INTEGER, NEEDED,
           "Extent of the axis worked along, elements"),
    COLUMN(row, inner, shape.inner, INTEGER, NEEDED,
           "Extent after the axis (a line's stride), elements"),
    COLUMN(row, cache, cache, CACHE, NEEDED,
           "State of the last-level cache before each sample: cold, hot"),
    COLUMN(row, process, process, INTEGER, NEEDED,
           "Which of the run's fresh processes, from 0"),
    COLUMN(row, status, status, STATUS, NEEDED,
           "How measuring it ended: a status of docs/method.md"),
    COLUMN(row, reason, reason, TEXT, EXPECTED, "Why the status is not ok"),
    COLUMN(row, marks, marks, MARKS, EXPECTED,
           "Notes on a timed row, words joined by +"),
    COLUMN(row, samples, us.count, COUNT, EXPECTED, "Timed samples kept"),
    COLUMN(row, discarded, discarded, INTEGER, EXPECTED,
           "Samples discarded because the clocks were throttled"),
    COLUMN(row, launch_us, launch_us, REAL, EXPECTED,
           "The shorter of the two verified launches, microseconds"),
    COLUMN(row, min_us, us.min, REAL, EXPECTED,
           "Shortest sample, microseconds"),
    COLUMN(row, q1_us, us.q1, REAL, EXPECTED,
           "Lower quartile of the samples, microseconds"),
    COLUMN(row, median_us, us.median, REAL, NEEDED,
           "Median of the samples, microseconds"),
    COLUMN(row, q3_us, us.q3, REAL, EXPECTED,
           "Upper quartile of the samples, microseconds"),
    COLUMN(row, max_us, us.max, REAL, EXPECTED, "Longest sample, microseconds"),
    COLUMN(row, ci_low_us, us.ci_low, REAL, EXPECTED,
           "Lower end of the median's 95 % confidence interval, microseconds"),
    COLUMN(row, ci_high_us, us.ci_high, REAL, EXPECTED,
           "Upper end of the same, microseconds"),
    COLUMN(row, host_us, host_us, REAL, EXPECTED,
           "Median by the host's clock, launch to end, microseconds"),
    COLUMN(row, gbps, gbps, REAL, EXPECTED,
           "Compulsory traffic (inputs once, outputs once) / median_us, in 1e9 "
           "bytes a second"),
    COLUMN(row, pct_ceiling, pct_ceiling, REAL, EXPECTED,
           "gbps as a share of the ceiling, which is the same of the traffic "
           "twin's best variant in this run, per cent"),
    COLUMN(row, passes, passes, REAL, EXPECTED,
           "Traffic by design, as a multiple of the compulsory traffic"),
    COLUMN(row, max_err, max_err, REAL, EXPECTED,
           "Largest error beyond the final rounding, in units of u times the "
           "sum of "
           "magnitudes"),
    COLUMN(row, err_bound, err_bound, REAL, EXPECTED,
           "Upper bound of max_err: additions on the longest path"),
    COLUMN(row, sm_mhz, sm_mhz, REAL, EXPECTED,
           "Clock of the multiprocessors as NVML reports it, MHz"),
    COLUMN(row, sm_counted_mhz, sm_counted_mhz, REAL, EXPECTED,
           "The same by the device's own counters over the samples, MHz"),
    COLUMN(row, mem_mhz, mem_mhz, REAL, EXPECTED, "Clock of the memory, MHz"),
    COLUMN(row, temp_c, temp_c, REAL, EXPECTED,
           "Temperature of the device, degrees Celsius"),
    COLUMN(row, power_w, power_w, REAL, EXPECTED, "Power drawn, watts"),
    COLUMN(row, throttle, throttle, TEXT, EXPECTED,
           "NVML's reasons for a lowered clock, words joined by +"),
    COLUMN(row, ranks, ranks, INTEGER, OPTIONAL,
           "Parts that the tensor was split into; empty: whole"),
    COLUMN(row, gpus, gpus, INTEGER, OPTIONAL,
           "GPUs that held those parts; 1: streams of one GPU stood in; 0: the "
           "host"),
    COLUMN(row, exchange_us, exchange_us, REAL, OPTIONAL,
           "Median of the exchange between the ranks alone, microseconds"),
    COLUMN(row, card, card, TEXT, OPTIONAL,
           "`gpu_hash` of the card, where another card than the manifest's "
           "went on with the run; else empty"),
};

const struct columns row_columns = COLUMNS_OF(columns);

struct row row_unknown(void)
{
    struct row row = { .family = "", .line = -1 };
    columns_clear(&row_columns, &row);
    row.status = STATUS_ERROR;
    return row;
}

void row_set_ceiling(struct row *row, double ceiling_gbps)
{
    if (row->gbps > 0 && ceiling_gbps > 0)
        row->pct_ceiling = 100 * row->gbps / ceiling_gbps;
}

/* -------------------------------------------------------------- families */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The place where the digits before `end` begin. */
static size_t digits_from(const char *name, size_t end)
{
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    return end;
}

/* The length of the name without its last tuning point. */
static size_t without_last(const char *name, size_t end)
{
    const size_t number = digits_from(name, end);
    if (number == end || number < 3)
        return end;
    if (is_letter(name[number - 1]) && name[number - 2] == '_')
        return number - 2;
    if (name[number - 1] != 'x')
        return end;
    const size_t kilo = number - 1 - (name[number - 2] == 'k');
    const size_t first = digits_from(name, kilo);
    return first < kilo && first > 1 && name[first - 1] == '_' ? first - 1
                                                               : end;
}

char *variant_family(const char *variant, char *family, size_t bytes)
{
    size_t chars = strlen(variant);
    for (size_t left; (left = without_last(variant, chars)) < chars;)
        chars = left;
    snprintf(family, bytes, "%.*s", (int)chars, variant);
    return family;
}
