/* SPDX-License-Identifier: MIT
 *
 * The JSON of Google Benchmark, schema 1.
 */
#include <math.h>

#include "cli/common/escape.h"
#include "cli/show/show.h"

static void put_text(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    write_json(stdout, text);
}

static void put_real(const char *key, double value)
{
    printf("\"%s\": ", key);
    printf(isfinite(value) ? "%.9g" : "null", value);
}

/* A repetition is a process of a cell. */
static void put_repetition(const struct run_cell *cell, size_t process,
                           size_t index)
{
    const struct row *row = &cell->row[process];
    char id[ROW_ID_BYTES];
    putchar('{');
    put_text("name", row_id(row, id));
    printf(", \"family_index\": %zu, \"per_family_instance_index\": 0, ",
           index);
    put_text("run_name", id);
    printf(", \"run_type\": \"iteration\", \"repetitions\": %zu, "
           "\"repetition_index\": %zu, \"threads\": 1, \"iterations\": %lld, ",
           cell->rows, process, (long long)(row->us.count ? row->us.count : 1));
    put_real("real_time", row->us.median);
    fputs(", ", stdout);
    put_real("cpu_time", row->us.median);
    fputs(", \"time_unit\": \"us\", ", stdout);
    put_real("bytes_per_second", row->gbps * 1e9);
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
    put_text("date", date);
}

static void put_context(const struct run_folder *run)
{
    const double count = run_fact_number(run, "sm_count");
    fputs("\"context\": {", stdout);
    put_date(run_fact(run, "utc"));
    fputs(", ", stdout);
    put_text("host_name", run_fact(run, "device_name"));
    fputs(", \"executable\": \"scanbench\", ", stdout);
    printf("\"num_cpus\": %.0f, ", count > 0 ? count : 1);
    printf("\"mhz_per_cpu\": %.0f, ",
           fmax(0, run_fact_number(run, "sm_clock_max_mhz")));
    fputs("\"cpu_scaling_enabled\": false, \"caches\": [], \"load_avg\": [], ",
          stdout);
    put_text("library_version", run_fact(run, "commit"));
    fputs(", \"library_build_type\": \"release\", \"json_schema_version\": 1}",
          stdout);
}

bool table_google(const struct run_folder *run,
                  const struct run_cell *const *cells, size_t count)
{
    const char *comma = "\n";
    size_t index = 0;
    puts("{");
    put_context(run);
    fputs(",\n\"benchmarks\": [", stdout);
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *cell = cells[k];
        if (!run_cell_timed(cell))
            continue;
        for (size_t process = 0; process < cell->rows; ++process)
            if (run_row_timed(&cell->row[process])) {
                fputs(comma, stdout);
                put_repetition(cell, process, index);
                comma = ",\n";
            }
        ++index;
    }
    puts("\n]\n}");
    return index > 0;
}
