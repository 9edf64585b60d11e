/* SPDX-License-Identifier: MIT */
#include "src/runs/row.h"

#include <ctype.h>
#include <string.h>

static const struct csv_column columns[] = {
    COLUMN(row, variant, variant, TEXT, NEEDED,
           "Kernel design at one tuning point"),
    COLUMN(row, dtype, dtype, DTYPE, NEEDED, "Element type"),
    COLUMN(row, outer, shape.outer, INTEGER, NEEDED,
           "Extent before the axis, elements"),
    COLUMN(row, axis, shape.axis, INTEGER, NEEDED,
           "Extent along the axis, elements"),
    COLUMN(row, inner, shape.inner, INTEGER, NEEDED,
           "Extent after the axis (the stride of a line), elements"),
    COLUMN(row, cache, cache, CACHE, NEEDED,
           "State of the last-level cache before each sample: cold or hot"),
    COLUMN(row, process, process, INTEGER, NEEDED,
           "Number of the fresh process, from 0"),
    COLUMN(row, status, status, STATUS, NEEDED,
           "Outcome: a status of docs/method.md"),
    COLUMN(row, reason, reason, TEXT, EXPECTED,
           "Reason for a status other than ok"),
    COLUMN(row, marks, marks, MARKS, EXPECTED,
           "Marks of docs/method.md, joined by +"),
    COLUMN(row, samples, us.count, COUNT, EXPECTED, "Timed samples kept"),
    COLUMN(row, discarded, discarded, INTEGER, EXPECTED,
           "Samples discarded because the clocks were throttled"),
    COLUMN(row, launch_us, launch_us, REAL, EXPECTED,
           "Shorter of the two verified launches"),
    COLUMN(row, min_us, us.min, REAL, EXPECTED, "Shortest sample"),
    COLUMN(row, q1_us, us.q1, REAL, EXPECTED, "Lower quartile of the samples"),
    COLUMN(row, median_us, us.median, REAL, NEEDED, "Median of the samples"),
    COLUMN(row, q3_us, us.q3, REAL, EXPECTED, "Upper quartile of the samples"),
    COLUMN(row, max_us, us.max, REAL, EXPECTED, "Longest sample"),
    COLUMN(row, ci_low_us, us.ci_low, REAL, EXPECTED,
           "Lower end of the median's 95 % confidence interval"),
    COLUMN(row, ci_high_us, us.ci_high, REAL, EXPECTED,
           "Upper end of that interval"),
    COLUMN(row, host_us, host_us, REAL, EXPECTED,
           "Median by the host's clock, from launch to end"),
    COLUMN(row, gbps, gbps, REAL, EXPECTED,
           "Compulsory traffic (inputs and outputs once) / median_us"),
    COLUMN(row, pct_ceiling, pct_ceiling, REAL, EXPECTED,
           "gbps as a percentage of the ceiling, the gbps of the twin's best "
           "variant in this run"),
    COLUMN(row, passes, passes, REAL, EXPECTED,
           "Memory traffic by design / compulsory traffic"),
    COLUMN(row, max_err, max_err, REAL, EXPECTED,
           "Largest error beyond the final rounding, in units of u times the "
           "sum of magnitudes"),
    COLUMN(row, err_bound, err_bound, REAL, EXPECTED,
           "Upper bound of max_err: additions on the longest path"),
    COLUMN(row, sm_mhz, sm_mhz, REAL, EXPECTED,
           "Clock of the multiprocessors, by NVML"),
    COLUMN(row, sm_counted_mhz, sm_counted_mhz, REAL, EXPECTED,
           "The same, by the device's counters over the samples"),
    COLUMN(row, mem_mhz, mem_mhz, REAL, EXPECTED, "Clock of the memory"),
    COLUMN(row, temp_c, temp_c, REAL, EXPECTED, "Temperature of the device"),
    COLUMN(row, power_w, power_w, REAL, EXPECTED, "Power drawn"),
    COLUMN(row, throttle, throttle, TEXT, EXPECTED,
           "NVML's reasons for a lowered clock, joined by +"),
    COLUMN(row, ranks, ranks, INTEGER, OPTIONAL,
           "Parts that the tensor was split into; empty: not split"),
    COLUMN(row, gpus, gpus, INTEGER, OPTIONAL,
           "GPUs that held the parts; 1: streams of one GPU; 0: the host"),
    COLUMN(row, exchange_us, exchange_us, REAL, OPTIONAL,
           "Median of the exchange between ranks alone"),
    COLUMN(row, card, card, TEXT, OPTIONAL,
           "gpu_hash of the card, if another than the manifest's continued "
           "the run"),
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

/* The place where the digits before `end` begin. */
static size_t digits_from(const char *name, size_t end)
{
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        --end;
    return end;
}

/* The length of the name without its last tuning point. */
static size_t without_last(const char *name, size_t end)
{
    const size_t number = digits_from(name, end);
    if (number == end || number < 3)
        return end;
    if (isalpha((unsigned char)name[number - 1]) && name[number - 2] == '_')
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
