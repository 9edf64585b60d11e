/* SPDX-License-Identifier: MIT
 *
 * Rows as lines of a CSV.
 */
#include "src/runs/row.h"

#include <math.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/test.h"

/* Users' scripts and charts know these names: they are part of the format. */
static const char header_line[] =
    "variant,dtype,outer,axis,inner,cache,process,status,"
    "reason,marks,samples,discarded,launch_us,min_us,q1_us,median_us,q3_us,"
    "max_us,ci_low_us,ci_high_us,host_us,gbps,"
    "pct_ceiling,passes,max_err,err_bound,sm_mhz,sm_counted_mhz,"
    "mem_mhz,temp_c,power_w,throttle,ranks,gpus,exchange_us,card,lines\n";

enum { MAX_FIELDS = 64, TEXT_BYTES = 4096 };

static struct row example(void)
{
    const struct ragged_lines lines = { 9, 3, LINES_ZIPF, 4 };
    const struct stats us = { 31,   12.3456789, 12.4,    1234567.89,
                              1e-3, 3e9,        1234000, 1235000.5 };
    return (struct row){ .variant = "block_per_line_b256_i16",
                         .family = "",
                         .dtype = DTYPE_BF16,
                         .shape = { 3, INT64_C(1) << 40, 7, lines },
                         .cache = CACHE_HOT,
                         .process = 2,
                         .status = STATUS_SUSPECT,
                         .reason = "the clock moved, twice",
                         .marks = MARK_NEAR_EMPTY | MARK_CACHE_ASSISTED,
                         .us = us,
                         .discarded = 2,
                         .launch_us = 250000.5,
                         .host_us = 1234570,
                         .gbps = 4270.125,
                         .pct_ceiling = 99.3,
                         .passes = 1.5,
                         .max_err = 0,
                         .err_bound = 84.5,
                         .sm_mhz = 1980,
                         .sm_counted_mhz = 1978.25,
                         .mem_mhz = 3201,
                         .temp_c = 41,
                         .power_w = 512.25,
                         .throttle = "sw_power_cap",
                         .ranks = 4,
                         .gpus = 1,
                         .exchange_us = 17.25,
                         .card = "0123456789abcdef" };
}

/* The line of a row, or the header if there is no row. */
static const char *written(const struct row *row)
{
    static char text[TEXT_BYTES];
    FILE *file = tmpfile();
    if (row)
        columns_write(file, &row_columns, row);
    else
        columns_write_names(file, &row_columns);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Reads a header line and one line under it. */
static bool read_back(const char *header, const char *line, struct row *row,
                      char problem[PROBLEM_BYTES])
{
    static char text[TEXT_BYTES];
    char *fields[MAX_FIELDS];
    const char *damage;
    struct header found;
    problem[0] = '\0';
    strcpy(text, header);
    size_t count = csv_split(text, fields, MAX_FIELDS, &damage);
    if (!columns_find(&row_columns, &found, fields, count, problem))
        return false;
    strcpy(text, line);
    count = csv_split(text, fields, MAX_FIELDS, &damage);
    return columns_read(&row_columns, &found, fields, count, row, problem);
}

/* Equal to the nine digits that are written. */
static bool same_number(double left, double right)
{
    return isnan(left) ? isnan(right)
                       : fabs(left - right) <= 5e-9 * fabs(right);
}

static void check_same(const struct row *left, const struct row *right)
{
    for (int c = 0; c < row_columns.count; ++c) {
        const void *l = (const char *)left + row_columns.column[c].offset;
        const void *r = (const char *)right + row_columns.column[c].offset;
        bool same = false;
        switch (row_columns.column[c].kind) {
        case COLUMN_TEXT:
            same =
                strcmp(*(const char *const *)l, *(const char *const *)r) == 0;
            break;
        case COLUMN_COUNT:
        case COLUMN_INTEGER:
            same = memcmp(l, r, sizeof(int64_t)) == 0;
            break;
        case COLUMN_REAL:
            same = same_number(*(const double *)l, *(const double *)r);
            break;
        default:
            same = memcmp(l, r, sizeof(int)) == 0;
        }
        CHECK_FOR(same, "%s", row_columns.column[c].name);
    }
}

static void check_statuses(void)
{
    for (int s = 0; s < STATUS_COUNT; ++s) {
        const enum status status = (enum status)s;
        CHECK(!status_is_timed(status) || status_is_sampled(status));
        CHECK(!status_is_sampled(status) || !status_is_failed(status));
    }
    CHECK(status_is_timed(STATUS_SUSPECT) && !status_is_timed(STATUS_UNSTABLE));
    CHECK(status_is_sampled(STATUS_UNSTABLE) &&
          !status_is_sampled(STATUS_SLOW));
    CHECK(status_is_failed(STATUS_TIMEOUT) && !status_is_failed(STATUS_SKIP));
}

static void check_marks(void)
{
    unsigned marks = 0;
    CHECK(strcmp(marks_text(MARK_CONTRACTS | MARK_NEAR_EMPTY),
                 "near_empty+deterministic") == 0);
    CHECK(!*marks_text(0) && marks_parse("", &marks) && marks == 0);
    for (unsigned all = 0; all < 256; ++all)
        CHECK(marks_parse(marks_text(all), &marks) && marks == all);
    CHECK(marks_parse("above_ceiling+ungated", &marks) &&
          marks == (MARK_ABOVE_CEILING | MARK_UNGATED));
    CHECK(!marks_parse("near", &marks) && !marks_parse("ungated+x", &marks));
}

static void check_written_row(void)
{
    const struct row row = example();
    const char *expected =
        "block_per_line_b256_i16,bf16,3,1099511627776,7,hot,2,suspect,\"the "
        "clock moved, twice\",near_empty+cache_assisted,31,2,250000.5,"
        "12.3456789,12.4,1234567.89,0.001,3e+09,1234000,1235000.5,1234570,"
        "4270.125,99.3,1.5,0,84.5,1980,1978.25,3201,41,512.25,sw_power_cap,4,"
        "1,17.25,0123456789abcdef,9:zipf:3:i32\n";
    CHECK_FOR(strcmp(written(&row), expected) == 0, "%s", written(&row));
}

/* Unknown numbers are empty fields, and infinite ones too. */
static void check_unknown(void)
{
    struct row row = row_unknown(), back;
    char problem[PROBLEM_BYTES];
    const char *expected = ",f32,,,,cold,,error,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n";
    CHECK_FOR(strcmp(written(&row), expected) == 0, "%s", written(&row));
    row.max_err = INFINITY;
    row.gbps = -INFINITY;
    row.power_w = -(double)NAN;
    row.discarded = -7;
    CHECK_FOR(strcmp(written(&row), expected) == 0, "%s", written(&row));
    CHECK(read_back(header_line, expected, &back, problem));
    row = row_unknown();
    check_same(&back, &row);
}

static void check_round_trip(void)
{
    struct row rows[2] = { example(), example() }, back;
    char problem[PROBLEM_BYTES], reason[ROW_TEXT_BYTES] = "";
    memset(reason, 'r', ROW_TEXT_BYTES - 1);
    rows[1].reason = reason;
    for (int k = 0; k < 2; ++k) {
        CHECK_FOR(read_back(header_line, written(&rows[k]), &back, problem),
                  "%s", problem);
        check_same(&back, &rows[k]);
    }
}

static void check_family(const char *variant, const char *family)
{
    char own[64];
    CHECK_FOR(strcmp(variant_family(variant, own, sizeof own), family) == 0,
              "%s: %s", variant, own);
}

static void check_families(void)
{
    char small[4];
    check_family("block_2d_i16", "block_2d");
    check_family("row_tma_ring_64kx3", "row_tma_ring");
    check_family("slab_tiles_x1024_b1024_i16", "slab_tiles");
    /* Numbers that are no tuning points, and names that are nothing else. */
    check_family("block_2d", "block_2d");
    check_family("ends_in_f16", "ends_in");
    check_family("ends_in_bf16", "ends_in_bf16");
    check_family("two_kx3", "two_kx3");
    check_family("two__b3", "two_");
    check_family("_b256", "_b256");
    check_family("_4x4", "_4x4");
    check_family("a_4x4", "a");
    check_family("", "");
    CHECK(strcmp(variant_family("copy_b128", small, sizeof small), "cop") == 0);
}

int main(void)
{
    CHECK_FOR(strcmp(written(NULL), header_line) == 0, "%s", written(NULL));
    check_families();
    check_statuses();
    check_marks();
    check_written_row();
    check_unknown();
    check_round_trip();
    return test_end();
}
