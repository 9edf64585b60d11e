/* SPDX-License-Identifier: MIT
 *
 * The JSON of Google Benchmark, schema 1.
 */
#include <math.h>

#include "cli/common/escape.h"
#include "cli/common/rows.h"
#include "cli/show/show.h"

/* A repetition is a process of a cell. */
static void record_repetition(struct records *records,
                              const struct run_cell *cell, size_t process,
                              size_t index)
{
    const struct row *row = &cell->row[process];
    char id[ROW_ID_BYTES];
    record_text(records, "name", row_id(row, id));
    record_whole(records, "family_index", (int64_t)index);
    record_whole(records, "per_family_instance_index", 0);
    record_text(records, "run_name", id);
    record_text(records, "run_type", "iteration");
    record_whole(records, "repetitions", (int64_t)cell->rows);
    record_whole(records, "repetition_index", (int64_t)process);
    record_whole(records, "threads", 1);
    record_whole(records, "iterations", row->us.count ? row->us.count : 1);
    record_real(records, "real_time", row->us.median);
    record_real(records, "cpu_time", row->us.median);
    record_text(records, "time_unit", "us");
    record_real(records, "bytes_per_second", row->gbps * 1e9);
    record_end(records);
}

/* "20260131T120000Z" becomes 2026-01-31T12:00:00+00:00. */
static void put_date(const char *utc)
{
    int year, month, day, hour, minute, second;
    char date[64] = "";
    if (sscanf(utc, "%4d%2d%2dT%2d%2d%2dZ", &year, &month, &day, &hour, &minute,
               &second) == 6)
        snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02d+00:00", year,
                 month, day, hour, minute, second);
    write_json(stdout, date);
}

static void put_context(const struct run_folder *run)
{
    const double count = run_fact_number(run, "sm_count");
    fputs("\"context\": {\"date\": ", stdout);
    put_date(run_fact(run, "utc"));
    fputs(", \"host_name\": ", stdout);
    write_json(stdout, run_fact(run, "device_name"));
    printf(", \"executable\": \"scanbench\", \"num_cpus\": %.0f, "
           "\"mhz_per_cpu\": %.0f, \"cpu_scaling_enabled\": false, "
           "\"caches\": [], \"load_avg\": [], \"library_version\": ",
           count > 0 ? count : 1,
           fmax(0, run_fact_number(run, "sm_clock_max_mhz")));
    write_json(stdout, run_fact(run, "commit"));
    fputs(", \"library_build_type\": \"release\", \"json_schema_version\": 1}",
          stdout);
}

bool table_google(const struct run_folder *run, const struct run_cell *cells,
                  size_t count)
{
    struct records records = { .json = true };
    size_t index = 0;
    puts("{");
    put_context(run);
    fputs(",\n\"benchmarks\": [", stdout);
    for (size_t k = 0; k < count; ++k) {
        if (!run_cell_timed(&cells[k]))
            continue;
        for (size_t process = 0; process < cells[k].rows; ++process)
            if (run_row_timed(&cells[k].row[process]))
                record_repetition(&records, &cells[k], process, index);
        ++index;
    }
    puts("\n]\n}");
    return index > 0;
}
