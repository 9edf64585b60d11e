/* SPDX-License-Identifier: MIT */
#include "src/runs/samples.h"

#include "src/runs/test_run.h"

enum { CELLS = 3, SAMPLES = 5 };
static const double times[SAMPLES] = { 12.5, 11.25, 13.0009765625, 11.5, 12 };

static struct row sampled_row(int number)
{
    struct row row = run_row(number);
    row.us.count = SAMPLES;
    row.us.min = 11.25;
    row.us.max = 13.0009765625;
    return row;
}

/* A run of three cells with their samples. */
static void make_sampled(void)
{
    struct results results;
    struct manifest manifest = run_manifest();
    remove_run();
    const struct ceiling line = run_ceiling(20, false);
    CHECK(results_open(&results, run_folder, &manifest));
    CHECK(results_ceiling(&results, &line));
    for (int k = 0; k < CELLS; ++k) {
        struct row row = sampled_row(k);
        CHECK(results_samples(&results, &row, times));
        CHECK(results_row(&results, &row));
    }
    CHECK(results_close(&results, true));
}

/* The number of cells with samples; checks the samples. */
static int found(void)
{
    struct run_folder run;
    struct run_samples samples;
    int count = 0;
    forget();
    CHECK(run_folder_read(&run, run_folder, &listener));
    run_samples_read(&samples, &run, &listener);
    for (int k = 0; k < CELLS; ++k) {
        const struct row row = sampled_row(k);
        struct row key = sampled_row(k);
        key.variant = row.variant;
        const struct cell_samples *cell = run_samples_of(&samples, &key);
        count += cell != NULL;
        for (int s = 0; cell && s < SAMPLES; ++s)
            CHECK_FOR(fabs(cell->us[s] - times[s]) < 1e-5, "%g", cell->us[s]);
        key.process = 1;
        CHECK(!run_samples_of(&samples, &key));
    }
    run_samples_free(&samples);
    run_folder_free(&run);
    return count;
}

static void check_round_trip(void)
{
    make_sampled();
    CHECK(found() == CELLS && heard_count == 0);
    CHECK(strstr(file_text(SAMPLES_FILE).bytes,
                 "\ncumsum,serial,f32,1,100,1,cold,0,12.5 11.25 13.00098 "
                 "11.5 12,\n"));
}

/* Resuming drops a torn line; damaged lines are left out. */
static void check_torn(void)
{
    struct results results;
    make_sampled();
    struct text whole = file_text(SAMPLES_FILE);
    put_text(SAMPLES_FILE, whole.bytes, whole.count - 7);
    CHECK(found() == CELLS - 1 && strstr(heard, "4: cut short"));
    listen();
    CHECK(resume_run(&results));
    const char *words = said();
    CHECK_FOR(strstr(words, "samples.csv: its last line was cut"), "%s", words);
    results_drop(&results);
    CHECK(found() == CELLS - 1 && heard_count == 0);
    whole.bytes[strlen("op,variant,dtype,outer,axis,inner,cache,process,us,"
                       "lines\ncumsum,serial,f32,1,100,1,cold,0,12.")] = 'x';
    put_text(SAMPLES_FILE, whole.bytes, whole.count);
    CHECK(found() == CELLS - 1 && strstr(heard, "2: a sample is no time"));
}

/* If a run was killed between samples and row, the later samples count. */
static void check_twice(void)
{
    struct results results;
    static const double other[] = { 20, 30 };
    const struct row row = sampled_row(1);
    struct row killed = row;
    killed.us.count = 2;
    make_sampled();
    CHECK(resume_run(&results));
    CHECK(results_samples(&results, &killed, other));
    CHECK(results_samples(&results, &row, times));
    results_drop(&results);
    CHECK(found() == CELLS && heard_count == 0);
}

static void check_refused(void)
{
    static const char *const lines[] = {
        "cumsum,serial,f32,1,100,1,cold,0,",
        "cumsum,serial,f32,1,100,1,cold,0,1  2",
        "cumsum,serial,f32,1,100,1,cold,0,1 -2",
        "cumsum,serial,f32,1,100,1,cold,0,1 inf",
        "cumsum,serial,f32,1,100,1,cold,,1",
        "cumsum,serial,f32,1,-1,1,cold,0,1",
        "cumsum,,f32,1,1,1,cold,0,1",
        "nobody,serial,f32,1,1,1,cold,0,1",
        "cumsum,serial,f32,1,1,1,cold,0",
        "cumsum,serial,f32,1,1,1,cold,0,1,2",
    };
    char text[8192];
    make_sampled();
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        const int bytes = snprintf(text, sizeof text,
                                   "op,variant,dtype,outer,"
                                   "axis,inner,cache,process,us\n%s\n",
                                   lines[k]);
        put_text(SAMPLES_FILE, text, (size_t)bytes);
        CHECK_FOR(found() == 0 && heard_count == 1, "%s", lines[k]);
    }
    int bytes = snprintf(text, sizeof text,
                         "op,variant,dtype,outer,axis,inner,cache,process,us\n"
                         "cumsum,serial,f32,1,100,1,cold,0,1");
    for (int k = 0; k < SAMPLES_MOST; ++k)
        bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, " 1");
    bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, "\n");
    put_text(SAMPLES_FILE, text, (size_t)bytes);
    CHECK(found() == 0 && strstr(heard, "more samples"));
}

int main(void)
{
    make_folder();
    check_round_trip();
    check_torn();
    check_twice();
    check_refused();
    remove_run();
    return test_end();
}
