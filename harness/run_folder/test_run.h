/* SPDX-License-Identifier: MIT
 *
 * A small run's folder for the tests of results.h, and what was said on
 * stderr meanwhile.
 */
#ifndef HARNESS_RUN_FOLDER_TEST_RUN_H
#define HARNESS_RUN_FOLDER_TEST_RUN_H

#include "harness/run_folder/results_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"

enum { RUN_ROWS = 24, TEXT_BYTES = 65536 };

static char run_folder[64];
static char *run_argv[] = { "scanbench", "run", "--quick", "-o", "x", NULL };
enum { RUN_ARGC = 5 };

/* In memory where that is possible: a row is synced, and there are many. */
static void make_folder(void)
{
    strcpy(run_folder, "/dev/shm/scanbench-XXXXXX");
    if (mkdtemp(run_folder))
        return;
    strcpy(run_folder, "run-XXXXXX");
    CHECK(mkdtemp(run_folder) != NULL);
}

static struct device_facts run_facts(void)
{
    struct device_facts facts = { .kind = DEVICE_CUDA,
                                  .name = "NVIDIA H200",
                                  .sm_count = 132,
                                  .compute_capability = 90,
                                  .memory_bytes = 1 << 30 };
    facts.driver.uuid_hash = 0x1234;
    strcpy(facts.driver.version, "580.1");
    return facts;
}

static struct row run_row(int number)
{
    struct row row = row_unknown();
    strcpy(row.device, "h200");
    row.op = OP_CUMSUM;
    row.dtype = DTYPE_F32;
    row.outer = 1;
    row.axis = 100 + number;
    row.inner = 1;
    row.launch = 0;
    row.status = STATUS_OK;
    row.median_us = 1.5;
    row.gbps = 10 + number;
    strcpy(row.variant, "serial");
    strcpy(row.reason, "with, a comma");
    strcpy(row.throttle, "sw_power_cap");
    return row;
}

static struct ceiling run_ceiling(int number, const char *phase)
{
    return (struct ceiling){ .twin = OP_COPY,
                             .dtype = DTYPE_F32,
                             .elems = (int64_t)1 << number,
                             .bytes = (int64_t)8 << number,
                             .gbps = 1000 + number,
                             .variant = "copy_b256",
                             .launch = 1,
                             .phase = phase };
}

static void run_hear(void *context, const char *path, int64_t line,
                     const char *problem, const char *remedy)
{
    (void)context;
    CHECK_FOR(false, "%s:%lld: %s %s", path, (long long)line, problem, remedy);
}

static const struct listener run_listener = { run_hear, NULL };

static const struct finished *run_find(const struct results *results,
                                       int number)
{
    const struct row row = run_row(number);
    const struct finished_key key = { .op = row.op,
                                      .variant = row.variant,
                                      .shape = { row.outer, row.axis,
                                                 row.inner } };
    return results_finished(results, &key);
}

/* ------------------------------------------------------------------- stderr */

static FILE *said_file;
static int real_stderr;

static void listen(void)
{
    said_file = tmpfile();
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    dup2(fileno(said_file), STDERR_FILENO);
}

/* What was said since listen(). */
static const char *said(void)
{
    static char text[TEXT_BYTES];
    fflush(stderr);
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    rewind(said_file);
    text[fread(text, 1, sizeof text - 1, said_file)] = '\0';
    fclose(said_file);
    return text;
}

/* -------------------------------------------------------------------- files */

static const char *run_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", run_folder, name);
    return path;
}

struct text {
    char bytes[TEXT_BYTES];
    size_t count;
};

static struct text file_text(const char *name)
{
    static struct text text;
    FILE *file = fopen(run_path(name), "r");
    text.count = file ? fread(text.bytes, 1, TEXT_BYTES - 1, file) : 0;
    text.bytes[text.count] = '\0';
    if (file)
        fclose(file);
    return text;
}

static void remove_run(void)
{
    DIR *folder = opendir(run_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            unlink(run_path(entry->d_name));
    if (folder)
        closedir(folder);
    rmdir(run_folder);
}

/* A run with all rows and two ceilings, killed before its end. */
static void make_run(void)
{
    struct results results;
    const struct device_facts facts = run_facts();
    remove_run();
    CHECK(results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
    const struct ceiling start = run_ceiling(20, "start"),
                         end = run_ceiling(20, "end");
    CHECK(results_ceiling(&results, &start));
    CHECK(results_ceiling(&results, &end));
    for (int k = 0; k < RUN_ROWS; ++k) {
        const struct row row = run_row(k);
        CHECK(results_row(&results, &row));
    }
    CHECK(results_drop(&results));
}

static enum resume resume_run(struct results *results)
{
    const struct device_facts facts = run_facts();
    return results_resume(results, run_folder, &facts, RUN_ARGC, run_argv);
}

#endif
