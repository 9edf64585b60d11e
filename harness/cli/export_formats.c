/* SPDX-License-Identifier: MIT
 *
 * github-action-benchmark   its custom format, customSmallerIsBetter
 * google-benchmark          Google Benchmark's JSON, schema 1: a repetition for
 *                           each process
 * bencher                   bencher.dev's Metric Format: latency in
 *                           nanoseconds, and bandwidth in bytes a second
 */
#include "harness/cli/export_parts.h"

#include <math.h>

#include "harness/cli/escape.h"

char *export_name(const struct run_row *row, char name[EXPORT_NAME_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(name, EXPORT_NAME_BYTES, "%s/%s/%s/%s/%s", op_name(row->op),
             row->variant, dtype_name(row->dtype),
             shape_format(row->shape, shape), cache_name(row->cache));
    return name;
}

size_t export_next(const struct exported *exported, size_t from)
{
    while (from < exported->count &&
           !run_cell_timed(&exported->cells[from].cell))
        ++from;
    return from;
}

void export_text(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    write_json(stdout, text);
}

void export_real(const char *key, double value)
{
    printf("\"%s\": ", key);
    printf(isfinite(value) ? "%.9g" : "null", value);
}

static void put_name(const char *key, const struct run_row *row)
{
    char name[EXPORT_NAME_BYTES];
    export_text(key, export_name(row, name));
}

static double low_us(const struct run_cell *cell)
{
    return cell->us * exp(-standing_arm(cell));
}

static double high_us(const struct run_cell *cell)
{
    return cell->us * exp(standing_arm(cell));
}

/* Of a share, for whoever reads the numbers. */
static void put_extra(const struct run_cell *cell)
{
    char text[128];
    if (cell->pct_ceiling > 0)
        snprintf(text, sizeof text, "%.4g GB/s, %.3g %% of the ceiling, %s",
                 cell->gbps, cell->pct_ceiling, status_name(cell->status));
    else
        snprintf(text, sizeof text, "%.4g GB/s, %s", cell->gbps,
                 status_name(cell->status));
    export_text("extra", text);
}

void export_action(const struct exported *exported)
{
    const char *comma = "\n";
    putchar('[');
    for (size_t k = export_next(exported, 0); k < exported->count;
         k = export_next(exported, k + 1)) {
        const struct run_cell *cell = &exported->cells[k].cell;
        const double arm = (high_us(cell) - low_us(cell)) / 2;
        char range[64];
        printf("%s{", comma);
        put_name("name", cell->row);
        fputs(", \"unit\": \"us\", ", stdout);
        export_real("value", cell->us);
        if (isfinite(arm)) {
            snprintf(range, sizeof range, "± %.3g", arm);
            fputs(", ", stdout);
            export_text("range", range);
        }
        fputs(", ", stdout);
        put_extra(cell);
        putchar('}');
        comma = ",\n";
    }
    puts("\n]");
}

/* A process of a cell: a repetition. */
static void put_repetition(const struct run_cell *cell, size_t process,
                           size_t index)
{
    const struct run_row *row = &cell->row[process];
    putchar('{');
    put_name("name", row);
    printf(", \"family_index\": %zu, \"per_family_instance_index\": 0, ",
           index);
    put_name("run_name", row);
    printf(", \"run_type\": \"iteration\", \"repetitions\": %zu, "
           "\"repetition_index\": %zu, \"threads\": 1, \"iterations\": %lld, ",
           cell->rows, process,
           (long long)(row->samples > 0 ? row->samples : 1));
    export_real("real_time", row->median_us);
    fputs(", ", stdout);
    export_real("cpu_time", row->median_us);
    fputs(", \"time_unit\": \"us\", ", stdout);
    export_real("bytes_per_second", row->gbps * 1e9);
    putchar('}');
}

/* "20260131T120000Z" as 2026-01-31T12:00:00+00:00 */
static void put_date(const char *utc)
{
    int year, month, day, hour, minute, second;
    char date[64] = "";
    if (sscanf(utc, "%4d%2d%2dT%2d%2d%2dZ", &year, &month, &day, &hour, &minute,
               &second) == 6)
        snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02d+00:00", year,
                 month, day, hour, minute, second);
    export_text("date", date);
}

static void put_google_context(const struct run_folder *run)
{
    const double count = run_fact_number(run, "sm_count");
    fputs("\"context\": {", stdout);
    put_date(run_fact(run, "utc"));
    fputs(", ", stdout);
    export_text("host_name", run_fact(run, "device_name"));
    fputs(", \"executable\": \"scanbench\", ", stdout);
    printf("\"num_cpus\": %.0f, ", count > 0 ? count : 1);
    printf("\"mhz_per_cpu\": %.0f, ",
           fmax(0, run_fact_number(run, "sm_clock_max_mhz")));
    fputs("\"cpu_scaling_enabled\": false, \"caches\": [], \"load_avg\": [], ",
          stdout);
    export_text("library_version", run_fact(run, "commit"));
    fputs(", \"library_build_type\": \"release\", \"json_schema_version\": 1}",
          stdout);
}

void export_google(const struct exported *exported)
{
    const char *comma = "\n";
    size_t index = 0;
    puts("{");
    put_google_context(exported->run);
    fputs(",\n\"benchmarks\": [", stdout);
    for (size_t k = export_next(exported, 0); k < exported->count;
         k = export_next(exported, k + 1), ++index) {
        const struct run_cell *cell = &exported->cells[k].cell;
        for (size_t process = 0; process < cell->rows; ++process)
            if (run_row_timed(&cell->row[process])) {
                fputs(comma, stdout);
                put_repetition(cell, process, index);
                comma = ",\n";
            }
    }
    puts("\n]\n}");
}

static void put_measure(const char *name, double value, double low, double high)
{
    printf("\"%s\": {", name);
    export_real("value", value);
    if (isfinite(low) && isfinite(high)) {
        fputs(", ", stdout);
        export_real("lower_value", low);
        fputs(", ", stdout);
        export_real("upper_value", high);
    }
    putchar('}');
}

void export_bencher(const struct exported *exported)
{
    const char *comma = "\n";
    putchar('{');
    for (size_t k = export_next(exported, 0); k < exported->count;
         k = export_next(exported, k + 1)) {
        const struct run_cell *cell = &exported->cells[k].cell;
        char name[EXPORT_NAME_BYTES];
        fputs(comma, stdout);
        write_json(stdout, export_name(cell->row, name));
        fputs(": {", stdout);
        put_measure("latency", 1e3 * cell->us, 1e3 * low_us(cell),
                    1e3 * high_us(cell));
        if (cell->gbps > 0) {
            fputs(", ", stdout);
            put_measure("bandwidth", 1e9 * cell->gbps, NAN, NAN);
        }
        putchar('}');
        comma = ",\n";
    }
    puts("\n}");
}
