/* SPDX-License-Identifier: MIT
 *
 * Taking a run up again.
 */
#include "src/runs/results_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/own_file.h"
#include "src/runs/samples.h"

/* What is read of one file. */
struct reading {
    struct results *results;
    enum op op;
    struct row_header header;
    char problem[ROW_PROBLEM_BYTES];
    bool no_memory;
};

/* ---------------------------------------------------------------- <op>.csv */

/* Rows are appended by place, so the columns must be today's, in order. */
static const char *take_header(struct reading *reading, char *const *fields,
                               size_t count)
{
    bool same = count == ROW_COLUMN_COUNT;
    for (size_t c = 0; same && c < count; ++c)
        same = strcmp(fields[c], row_columns[c].name) == 0;
    if (!same)
        return "other columns than this scanbench writes";
    return row_read_header(&reading->header, fields, count, reading->problem)
               ? NULL
               : reading->problem;
}

static const char *take_row(void *context, char *const *fields, size_t count,
                            int64_t line)
{
    struct reading *reading = context;
    struct row row;
    if (line == 1)
        return take_header(reading, fields, count);
    if (!row_read(&reading->header, fields, count, &row, reading->problem))
        return reading->problem;
    if (row.op != reading->op)
        return "a row of another operation";
    const char *device = manifest_get(&reading->results->manifest, "device");
    if (device && strcmp(row.device, device) != 0)
        return "a row of another device";
    if (!row.variant[0] || row.outer < 0 || row.axis < 0 || row.inner < 0 ||
        row.process < 0)
        return "a row that does not say which cell it is of";
    if (row.status == STATUS_ERROR)
        return "an error, which may have come from outside";
    if (!finished_add(&reading->results->finished, &row))
        reading->no_memory = true;
    return NULL;
}

/* ------------------------------------------------------------- ceilings.csv */

static const char *take_ceiling(void *context, char *const *fields,
                                size_t count, int64_t line)
{
    struct reading *reading = context;
    struct ceiling ceiling;
    if (line == 1)
        return ceiling_is_header(fields, count)
                   ? NULL
                   : "other columns than this scanbench writes";
    if (!ceiling_read(&ceiling, fields, count))
        return "no ceiling that can be read";
    if (!results_ceiling_line(reading->results, &ceiling))
        results_keep_ceiling(reading->results, &ceiling);
    return NULL;
}

/* -------------------------------------------------------------- samples.csv */

static const char *take_samples(void *context, char *const *fields,
                                size_t count, int64_t line)
{
    double us[SAMPLES_MOST];
    struct run_row of;
    size_t us_count;
    (void)context;
    if (line == 1)
        return samples_is_header(fields, count)
                   ? NULL
                   : "other columns than this scanbench writes";
    return samples_read(&of, us, &us_count, fields, count);
}

/* ------------------------------------------------------------ resuming */

static bool read_file(struct reading *reading, const char *name,
                      const char *(*take)(void *, char *const *, size_t,
                                          int64_t))
{
    char path[RESULTS_PATH_BYTES];
    const struct journal_reader reader = { take, reading,
                                           strcmp(name, SAMPLES_FILE) == 0
                                               ? "its cell's samples are gone"
                                               : "its cell counts as missing" };
    if (!journal_mend(results_path(reading->results, name, path), &reader))
        return false;
    if (reading->no_memory)
        fprintf(stderr, "scanbench: no memory for the rows of %s\n", path);
    return !reading->no_memory;
}

static bool is_there(const struct results *results, const char *name)
{
    char path[RESULTS_PATH_BYTES];
    struct stat stat;
    return lstat(results_path(results, name, path), &stat) == 0;
}

static bool read_op(struct results *results, enum op op)
{
    char name[RESULTS_NAME_BYTES], path[RESULTS_PATH_BYTES];
    struct reading reading = { .results = results, .op = op };
    if (!is_there(results, results_op_file(op, name)))
        return true;
    return read_file(&reading, name, take_row) &&
           (journal_reopen(&results->op[op],
                           results_path(results, name, path)) ||
            results_complain(results, name));
}

static bool read_samples(struct results *results)
{
    char path[RESULTS_PATH_BYTES];
    struct reading reading = { .results = results };
    if (!is_there(results, SAMPLES_FILE))
        return true;
    return read_file(&reading, SAMPLES_FILE, take_samples) &&
           (journal_reopen(&results->samples,
                           results_path(results, SAMPLES_FILE, path)) ||
            results_complain(results, SAMPLES_FILE));
}

/* The lock first: a run that is under way is not to be mended. (Mending may
 * put a new file in its place, so it is opened twice.) */
static bool read_all(struct results *results)
{
    struct reading reading = { .results = results };
    const bool there = is_there(results, "ceilings.csv");
    if (!results_open_ceilings(results, there))
        return false;
    if (there && (!read_file(&reading, "ceilings.csv", take_ceiling) ||
                  !journal_close(&results->ceilings) ||
                  !results_open_ceilings(results, true)))
        return false;
    for (int o = 0; o < OP_COUNT; ++o)
        if (!read_op(results, (enum op)o))
            return false;
    return read_samples(results);
}

/* Who hears of the manifest's damage. */
struct refusal {
    const char *folder;
    int heard;
};

static void refuse(void *context, const char *path, int64_t line,
                   const char *problem, const char *remedy)
{
    struct refusal *refusal = context;
    (void)path;
    if (++refusal->heard > LISTENER_SAYS)
        return;
    fprintf(stderr, "scanbench: %s cannot be resumed: ", refusal->folder);
    if (access(refusal->folder, F_OK)) {
        fprintf(stderr, "there is no such folder: name the one that the run "
                        "printed\n");
        return;
    }
    fputs("manifest.csv", stderr);
    if (line)
        fprintf(stderr, ":%lld", (long long)line);
    fprintf(stderr, ": %s (%s)\n", problem, remedy);
}

static bool read_manifest(struct manifest *manifest, const char *folder)
{
    struct refusal refusal = { .folder = folder };
    const struct listener listener = { refuse, &refusal };
    const bool ok = manifest_read(manifest, folder, &listener) == 0 &&
                    manifest_is_known(manifest, folder, &listener);
    listener_say_rest(folder, refusal.heard);
    return ok;
}

/* ---------------------------------------------------------------- matching */

static bool matches(const struct manifest *old, const struct manifest *now,
                    const char *key, const char *folder)
{
    const char *was = manifest_get(old, key), *is = manifest_get(now, key);
    if (strcmp(was, is) == 0)
        return true;
    const bool many = key[strlen(key) - 1] == 's';
    fprintf(stderr,
            "scanbench: %s cannot be resumed: its %s %s '%s', and here %s "
            "'%s'%s\n",
            folder, key, many ? "are" : "is", was, many ? "they are" : "it is",
            is,
            strcmp(key, "plugins") ? "" : ": give each again by --plugin FILE");
    return false;
}

/* What is unknown on either side says nothing. */
static bool may_match(const struct manifest *old, const struct manifest *now,
                      const char *key, const char *folder)
{
    return !*manifest_get(old, key) || !*manifest_get(now, key) ||
           matches(old, now, key, folder);
}

static bool manifests_match(const struct manifest *old,
                            const struct manifest *now, const char *folder)
{
    static const char *const keys[] = { "device_kind",  "device_name",
                                        "pretend",      "sm_count",
                                        "memory_bytes", "compute_capability",
                                        "commit",       "arguments",
                                        "plugins" };
    bool same = true;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        same &= matches(old, now, keys[k], folder);
    same &= may_match(old, now, "gpu_hash", folder);
    same &= may_match(old, now, "rules_hash", folder);
    same &= may_match(old, now, "driver", folder);
    same &= may_match(old, now, "mig", folder);
    static const char *const build[] = { "compiler",      "flags",
                                         "nvcc",          "nvcc_flags",
                                         "architectures", "cub_version" };
    for (size_t k = 0; k < sizeof build / sizeof *build; ++k)
        same &= may_match(old, now, build[k], folder);
    /* Hosts of one name of processor differ; a GPU has its own hash. A
     * stranger's run, which cannot know this host's, may lack it. */
    if (strcmp(manifest_get(now, "device_kind"), "host") == 0)
        same &= matches(old, now, "host_hash", folder);
    /* One commit, but two trees. */
    if (strcmp(manifest_get(now, "dirty"), "0") != 0)
        same &= may_match(old, now, "binary_hash", folder);
    return same;
}

/* It would be another run's manifest, and its host_hash, too. */
static bool is_linked(const struct results *results, const char *name)
{
    char path[RESULTS_PATH_BYTES];
    const int fd = own_file_open(results_path(results, name, path), O_RDONLY);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == EMLINK && !results_complain(results, name);
}

/* Which run is it? The manifest that is there stays, and is the run's. */
static enum resume judge(struct results *results, const struct manifest *now)
{
    struct manifest *old = &results->manifest;
    manifest_init(old);
    if (is_linked(results, "manifest.csv") ||
        !read_manifest(old, results->folder) ||
        !manifests_match(old, now, results->folder))
        return RESUME_REFUSED;
    return strcmp(manifest_get(old, "complete"), "1") == 0 ? RESUME_COMPLETE
                                                           : RESUME_READY;
}

bool results_go_on(struct results *results)
{
    const double before = manifest_number(&results->manifest, "resumed");
    manifest_set(&results->manifest, "resumed", "%.10g",
                 before > 0 ? before + 1 : 1);
    manifest_set(&results->manifest, "complete", "%d", 0);
    manifest_set(&results->manifest, "utc_end", "%s", "");
    return manifest_write(&results->manifest, results->folder) ||
           results_complain(results, "manifest.csv");
}

enum resume results_resume(struct results *results, const char *folder,
                           const struct manifest *now)
{
    signal(SIGXFSZ, SIG_IGN);
    *results = (struct results){ 0 };
    const int chars =
        snprintf(results->folder, sizeof results->folder, "%s", folder);
    if ((size_t)chars >= sizeof results->folder) {
        errno = ENAMETOOLONG;
        results_complain(results, "");
        return RESUME_REFUSED;
    }
    enum resume resume = judge(results, now);
    if (resume != RESUME_REFUSED && !read_all(results))
        resume = RESUME_REFUSED;
    if (resume == RESUME_REFUSED)
        results_drop(results);
    return resume;
}
