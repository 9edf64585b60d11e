/* SPDX-License-Identifier: MIT
 *
 * A small run's folder for the tests of results.h, and the messages on stderr.
 */
#pragma once

#include "src/runs/results.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"

enum { RUN_ROWS = 24, TEXT_BYTES = 65536 };

static char run_folder[64];
static struct results results; /* of the run there, until another begins */

/* In memory if possible, as every row is synced. */
static inline void make_folder(void)
{
    strcpy(run_folder, "/dev/shm/scanbench-XXXXXX");
    if (mkdtemp(run_folder))
        return;
    strcpy(run_folder, "run-XXXXXX");
    CHECK(mkdtemp(run_folder) != NULL);
}

/* The facts at the start of a run; results_open() takes the manifest over. */
static inline struct manifest run_manifest(void)
{
    static const char *const facts[][2] = {
        { "complete", "0" },
        { "utc", "20260131T120000Z" },
        { "resumed", "0" },
        { "commit", "0123456789ab" },
        { "sources_hash", "00000000000000cc" },
        { "device", "h200" },
        { "device_name", "NVIDIA H200" },
        { "device_kind", "cuda" },
        { "gpu_hash", "0000000000001234" },
        { "host_hash", "0000000000005678" },
        { "driver", "580.1" },
    };
    struct manifest manifest = { 0 };
    manifest_set(&manifest, "schema", "%d", RUN_SCHEMA);
    for (size_t k = 0; k < sizeof facts / sizeof *facts; ++k)
        manifest_set(&manifest, facts[k][0], "%s", facts[k][1]);
    return manifest;
}

static inline struct row run_row(int number)
{
    struct row row = row_unknown();
    row.op = OP_CUMSUM;
    row.dtype = DTYPE_F32;
    row.shape = (struct shape){ 1, 100 + number, 1 };
    row.process = 0;
    row.status = STATUS_OK;
    row.us.median = 1.5;
    row.gbps = 10 + number;
    row.variant = "serial";
    row.family = "serial";
    row.reason = "with, a comma";
    row.throttle = "sw_power_cap";
    return row;
}

static inline struct ceiling run_ceiling(int number, bool at_end)
{
    return (struct ceiling){ .twin = OP_COPY,
                             .dtype = DTYPE_F32,
                             .elems = (int64_t)1 << number,
                             .bytes = (int64_t)8 << number,
                             .gbps = 1000 + number,
                             .gflops = NAN,
                             .variant = "copy_b256",
                             .process = 1,
                             .at_end = at_end };
}

/* Reports, one per line; $ stands for the folder. */
static char heard[4096];
static int heard_count;

static inline void hear(void *context, const char *path, int64_t line,
                        const char *problem, const char *remedy)
{
    const size_t used = strlen(heard);
    const char *name = strrchr(path, '/');
    (void)context;
    CHECK(*remedy);
    name = strcmp(path, run_folder) == 0 ? "$" : name ? name + 1 : path;
    snprintf(heard + used, sizeof heard - used, "%s:%lld: %s\n", name,
             (long long)line, problem);
    ++heard_count;
}

static const struct listener listener = { hear, NULL };

static inline void forget(void)
{
    heard[0] = '\0';
    heard_count = 0;
}

/* Files take at most so many bytes; 0: any number. */
static inline void limit_files(size_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static inline const struct row *run_find(int number)
{
    const struct row like = run_row(number);
    return results_finished(&results, &like);
}

/* ------------------------------------------------------------------- stderr */

static FILE *said_file;
static int real_stderr;

static inline void listen(void)
{
    said_file = tmpfile();
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    dup2(fileno(said_file), STDERR_FILENO);
}

/* The messages since listen(). */
static inline const char *said(void)
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

/* Checks that these words are in the messages. */
static inline void check_said(const char *wanted)
{
    const char *words = said();
    CHECK_FOR(strstr(words, wanted), "%s", words);
}

/* -------------------------------------------------------------------- files */

static inline const char *run_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", run_folder, name);
    return path;
}

struct text {
    char bytes[TEXT_BYTES];
    size_t count;
};

static inline struct text file_text(const char *name)
{
    static struct text text;
    FILE *file = fopen(run_path(name), "r");
    text.count = file ? fread(text.bytes, 1, TEXT_BYTES - 1, file) : 0;
    text.bytes[text.count] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* Lets the last run go. */
static inline void let_go(void)
{
    if (*results.folder)
        results_drop(&results);
}

static inline void remove_run(void)
{
    let_go();
    DIR *folder = opendir(run_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            unlink(run_path(entry->d_name));
    if (folder)
        closedir(folder);
    rmdir(run_folder);
}

static inline bool begin_run(const char *folder)
{
    const struct manifest manifest = run_manifest();
    let_go();
    return results_open(&results, folder, &manifest);
}

/* A run with all rows and two ceilings, killed before its end. */
static inline void make_run(void)
{
    remove_run();
    CHECK(begin_run(run_folder));
    const struct ceiling start = run_ceiling(20, false),
                         end = run_ceiling(20, true);
    CHECK(results_ceiling(&results, &start));
    CHECK(results_ceiling(&results, &end));
    for (int k = 0; k < RUN_ROWS; ++k) {
        const struct row row = run_row(k);
        CHECK(results_row(&results, &row));
    }
    CHECK(results_drop(&results));
}

/* Resumes with the run's own manifest, except for one value. */
static inline bool resume_with(const char *key, const char *value)
{
    struct manifest now = run_manifest();
    let_go();
    manifest_set(&now, key, "%s", value);
    const bool begun = results_resume(&results, run_folder, &now);
    manifest_free(&now);
    CHECK(!begun || results_go_on(&results));
    return begun;
}

static inline bool resume_run(void)
{
    return resume_with("complete", "0");
}

static inline void put_text(const char *name, const char *bytes, size_t count)
{
    FILE *file = fopen(run_path(name), "w");
    CHECK(file && fwrite(bytes, 1, count, file) == count);
    if (file)
        fclose(file);
}

static inline bool is_file(const char *name)
{
    return access(run_path(name), F_OK) == 0;
}
