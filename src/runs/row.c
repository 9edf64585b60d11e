/* SPDX-License-Identifier: MIT */
#include "src/runs/row.h"

#include <math.h>
#include <string.h>

#include "src/base/csv.h"

/* An empty field is an unknown number, or no text. */
#define COLUMN(name, member, kind, need, meaning)                              \
    {                                                                          \
#name, ROW_##kind, ROW_##need, offsetof(struct row, member), meaning   \
    }
const struct row_column row_columns[ROW_COLUMN_COUNT] = {
    COLUMN(variant, variant, TEXT, NEEDED,
           "Variant: one kernel design at one tuning point"),
    COLUMN(dtype, dtype, DTYPE, NEEDED, "Element type"),
    COLUMN(outer, shape.outer, INTEGER, NEEDED,
           "Extent before the axis, elements"),
    COLUMN(axis, shape.axis, INTEGER, NEEDED,
           "Extent of the axis worked along, elements"),
    COLUMN(inner, shape.inner, INTEGER, NEEDED,
           "Extent after the axis (a line's stride), elements"),
    COLUMN(cache, cache, CACHE, NEEDED,
           "State of the last-level cache before each sample: cold, hot"),
    COLUMN(process, process, INTEGER, NEEDED,
           "Which of the run's fresh processes, from 0"),
    COLUMN(status, status, STATUS, NEEDED,
           "ok, suspect, unstable, slow, untried, skip, wrong, error or "
           "timeout"),
    COLUMN(reason, reason, TEXT, EXPECTED, "Why the status is not ok"),
    COLUMN(marks, marks, MARKS, EXPECTED,
           "Notes on a timed row, words joined by +"),
    COLUMN(samples, us.count, COUNT, EXPECTED, "Timed samples kept"),
    COLUMN(discarded, discarded, INTEGER, EXPECTED,
           "Samples thrown away: taken while throttled"),
    COLUMN(launch_us, launch_us, REAL, EXPECTED,
           "The shorter of the two verified launches, microseconds"),
    COLUMN(min_us, us.min, REAL, EXPECTED, "Shortest sample, microseconds"),
    COLUMN(q1_us, us.q1, REAL, EXPECTED,
           "Lower quartile of the samples, microseconds"),
    COLUMN(median_us, us.median, REAL, NEEDED,
           "Median of the samples, microseconds"),
    COLUMN(q3_us, us.q3, REAL, EXPECTED,
           "Upper quartile of the samples, microseconds"),
    COLUMN(max_us, us.max, REAL, EXPECTED, "Longest sample, microseconds"),
    COLUMN(ci_low_us, us.ci_low, REAL, EXPECTED,
           "Lower end of the median's 95 % confidence interval, microseconds"),
    COLUMN(ci_high_us, us.ci_high, REAL, EXPECTED,
           "Upper end of the same, microseconds"),
    COLUMN(host_us, host_us, REAL, EXPECTED,
           "Median by the host's clock, launch to end, microseconds"),
    COLUMN(gbps, gbps, REAL, EXPECTED,
           "Compulsory traffic (inputs once, outputs once) / median_us, in 1e9 "
           "bytes a second"),
    COLUMN(pct_ceiling, pct_ceiling, REAL, EXPECTED,
           "gbps as a share of the ceiling, which is the same of the traffic "
           "twin's best variant in this run, per cent"),
    COLUMN(passes, passes, REAL, EXPECTED,
           "Times the variant moves the compulsory traffic, by its design"),
    COLUMN(max_err, max_err, REAL, EXPECTED,
           "Largest error beyond the final rounding, in units of u * sum |x|"),
    COLUMN(err_bound, err_bound, REAL, EXPECTED,
           "What max_err may be: additions on the longest path"),
    COLUMN(sm_mhz, sm_mhz, REAL, EXPECTED,
           "Clock of the multiprocessors as NVML says, MHz"),
    COLUMN(sm_counted_mhz, sm_counted_mhz, REAL, EXPECTED,
           "The same by the device's own counters over the samples, MHz"),
    COLUMN(mem_mhz, mem_mhz, REAL, EXPECTED, "Clock of the memory, MHz"),
    COLUMN(temp_c, temp_c, REAL, EXPECTED,
           "Temperature of the device, degrees Celsius"),
    COLUMN(power_w, power_w, REAL, EXPECTED, "Power drawn, watts"),
    COLUMN(throttle, throttle, TEXT, EXPECTED,
           "NVML's reasons for a lowered clock, words joined by +"),
    COLUMN(ranks, ranks, INTEGER, OPTIONAL,
           "Parts that the tensor was split into; empty: whole"),
    COLUMN(gpus, gpus, INTEGER, OPTIONAL,
           "GPUs that held those parts; 1: streams of one GPU stood in; 0: the "
           "host"),
    COLUMN(exchange_us, exchange_us, REAL, OPTIONAL,
           "Median of the exchange between the ranks alone, microseconds"),
    COLUMN(card, card, TEXT, OPTIONAL,
           "`gpu_hash` of the card, where another card than the manifest's "
           "went on with the run; else empty"),
};
#undef COLUMN

/* ---------------------------------------------------------------- names */

static const char *const caches[CACHE_COUNT] = { "cold", "hot" };
static const char *const statuses[STATUS_COUNT] = {
    [STATUS_OK] = "ok",
    [STATUS_SUSPECT] = "suspect",
    [STATUS_UNSTABLE] = "unstable",
    [STATUS_SLOW] = "slow",
    [STATUS_UNTRIED] = "untried",
    [STATUS_SKIP] = "skip",
    [STATUS_WRONG] = "wrong",
    [STATUS_ERROR] = "error",
    [STATUS_TIMEOUT] = "timeout",
};

/* Index of the name, or -1. */
static int find(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

const char *cache_name(enum cache cache)
{
    return caches[cache];
}

bool cache_parse(const char *name, enum cache *cache)
{
    int found = find(caches, CACHE_COUNT, name);
    if (found >= 0)
        *cache = (enum cache)found;
    return found >= 0;
}

const char *status_name(enum status status)
{
    return statuses[status];
}

bool status_parse(const char *name, enum status *status)
{
    int found = find(statuses, STATUS_COUNT, name);
    if (found >= 0)
        *status = (enum status)found;
    return found >= 0;
}

bool status_is_timed(enum status status)
{
    return status == STATUS_OK || status == STATUS_SUSPECT;
}

bool status_is_sampled(enum status status)
{
    return status_is_timed(status) || status == STATUS_UNSTABLE;
}

bool status_is_passed(enum status status)
{
    return status_is_sampled(status) || status == STATUS_SLOW;
}

bool status_is_left_out(enum status status)
{
    return status == STATUS_SKIP || status == STATUS_UNTRIED;
}

bool status_is_failed(enum status status)
{
    return status == STATUS_WRONG || status == STATUS_ERROR ||
           status == STATUS_TIMEOUT;
}

/* In the order in which they are written. */
static const char *const mark_names[] = { "near_empty", "ungated",
                                          "cache_assisted", "above_ceiling" };
enum { MARK_COUNT = sizeof mark_names / sizeof *mark_names };

const char *marks_text(unsigned marks)
{
    enum { MARKS_BYTES = 64 };
    static char texts[1 << MARK_COUNT][MARKS_BYTES];
    char *text = texts[marks];
    size_t used = 0;
    if (*text)
        return text;
    for (int m = 0; m < MARK_COUNT; ++m)
        if (marks >> m & 1)
            used += (size_t)snprintf(text + used, MARKS_BYTES - used, "%s%s",
                                     used ? "+" : "", mark_names[m]);
    return text;
}

bool marks_parse(const char *text, unsigned *marks)
{
    *marks = 0;
    while (*text) {
        const size_t chars = strcspn(text, "+");
        int m = 0;
        while (m < MARK_COUNT && (strlen(mark_names[m]) != chars ||
                                  strncmp(mark_names[m], text, chars)))
            ++m;
        if (m == MARK_COUNT)
            return false;
        *marks |= 1u << m;
        text += chars + (text[chars] == '+');
    }
    return true;
}

/* --------------------------------------------------------------- writing */

struct row row_unknown(void)
{
    struct row row = { .status = STATUS_ERROR, .family = "", .line = -1 };
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        void *field = (char *)&row + row_columns[c].offset;
        if (row_columns[c].kind == ROW_TEXT)
            *(const char **)field = "";
        else if (row_columns[c].kind == ROW_INTEGER)
            *(int64_t *)field = -1;
        else if (row_columns[c].kind == ROW_REAL)
            *(double *)field = NAN;
    }
    return row;
}

int64_t row_bytes(const struct row *row)
{
    return op_bytes(row->op, row->dtype, row->shape);
}

void row_set_ceiling(struct row *row, double ceiling_gbps)
{
    if (row->gbps > 0 && ceiling_gbps > 0)
        row->pct_ceiling = 100 * row->gbps / ceiling_gbps;
}

bool row_write_header(FILE *file)
{
    bool ok = true;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        ok = csv_write_field(file, c == 0, row_columns[c].name) && ok;
    return csv_write_end(file) && ok;
}

static bool write_field(FILE *file, bool first, const struct row_column *column,
                        const struct row *row)
{
    const void *field = (const char *)row + column->offset;
    switch (column->kind) {
    case ROW_TEXT:
        return csv_write_field(file, first, *(const char *const *)field);
    case ROW_DTYPE:
        return csv_write_field(file, first, dtype_name(row->dtype));
    case ROW_CACHE:
        return csv_write_field(file, first, cache_name(row->cache));
    case ROW_STATUS:
        return csv_write_field(file, first, status_name(row->status));
    case ROW_MARKS:
        return csv_write_field(file, first, marks_text(row->marks));
    case ROW_COUNT:
        return csv_write_integer(file, first,
                                 row->us.count ? (int64_t)row->us.count : -1);
    case ROW_INTEGER:
        return csv_write_integer(file, first, *(const int64_t *)field);
    case ROW_REAL:
        return csv_write_real(file, first, *(const double *)field);
    }
    return false;
}

bool row_write(FILE *file, const struct row *row)
{
    bool ok = true;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        ok = write_field(file, c == 0, &row_columns[c], row) && ok;
    return csv_write_end(file) && ok;
}

/* --------------------------------------------------------------- reading */

bool row_read_header(struct row_header *header, char *const *fields,
                     size_t count, char problem[ROW_PROBLEM_BYTES])
{
    header->fields = count;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        header->field[c] = -1;
        for (size_t f = 0; f < count; ++f) {
            if (strcmp(fields[f], row_columns[c].name) != 0)
                continue;
            if (header->field[c] >= 0) {
                snprintf(problem, ROW_PROBLEM_BYTES, "column %s twice",
                         fields[f]);
                return false;
            }
            header->field[c] = (int)f;
        }
        if (header->field[c] < 0 && row_columns[c].need == ROW_NEEDED) {
            snprintf(problem, ROW_PROBLEM_BYTES, "no column %s",
                     row_columns[c].name);
            return false;
        }
    }
    return true;
}

static bool read_field(const struct row_column *column, const char *text,
                       struct row *row)
{
    void *field = (char *)row + column->offset;
    int64_t count = 0;
    switch (column->kind) {
    case ROW_TEXT:
        *(const char **)field = text;
        return strlen(text) < ROW_TEXT_BYTES;
    case ROW_DTYPE:
        return dtype_parse(text, &row->dtype);
    case ROW_CACHE:
        return cache_parse(text, &row->cache);
    case ROW_STATUS:
        return status_parse(text, &row->status);
    case ROW_MARKS:
        return marks_parse(text, &row->marks);
    case ROW_COUNT:
        if (!csv_read_integer(text, &count))
            return false;
        row->us.count = (size_t)count;
        return true;
    case ROW_INTEGER:
        return csv_read_integer(text, field);
    case ROW_REAL:
        return csv_read_real(text, field);
    }
    return false;
}

bool row_read(const struct row_header *header, char *const *fields,
              size_t count, struct row *row, char problem[ROW_PROBLEM_BYTES])
{
    *row = row_unknown();
    if (count != header->fields) {
        snprintf(problem, ROW_PROBLEM_BYTES, "%zu fields under %zu columns",
                 count, header->fields);
        return false;
    }
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        if (header->field[c] < 0)
            continue;
        const char *text = fields[header->field[c]];
        if (!read_field(&row_columns[c], text, row)) {
            snprintf(problem, ROW_PROBLEM_BYTES, "%s cannot be '%.60s'",
                     row_columns[c].name, text);
            return false;
        }
    }
    return true;
}
