/* SPDX-License-Identifier: MIT
 *
 * Going on with a run: what has a row is not measured again.
 */
#include "src/runs/results_files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/runs/samples.h"

/* Hears of damage, which ends it. */
struct refusal {
    const char *folder;
    int heard;
};

static void refuse(void *context, const char *path, int64_t line,
                   const char *problem, const char *remedy)
{
    struct refusal *refusal = context;
    const char *name = strrchr(path, '/');
    if (++refusal->heard > LISTENER_SAYS)
        return;
    fprintf(stderr, "scanbench: %s cannot be resumed: ", refusal->folder);
    if (access(refusal->folder, F_OK)) {
        fprintf(stderr, "there is no such folder: name the one that the run "
                        "printed\n");
        return;
    }
    fputs(name ? name + 1 : path, stderr);
    if (line)
        fprintf(stderr, ":%lld", (long long)line);
    fprintf(stderr, ": %s (%s)\n", problem, remedy);
}

/* ------------------------------------------------------------------- files */

static const char begin_new[] = "begin another run with -o";

/* Opens a file and drops what was torn; its name is the folder's. A file that
 * is not there is created with its first line. The lock comes first: the last
 * line of a run that is under way is not torn. */
static bool reopen(struct results *results, struct append *file,
                   const char *name, const struct listener *listener)
{
    char path[RESULTS_PATH_BYTES];
    bool torn = false;
    if (access(results_path(results, name, path), F_OK) != 0)
        return true;
    bool ok = append_open(file, path);
    if (ok && file == &results->ceilings && !results_lock(results))
        return false;
    if (!ok || !append_drop_torn(file, &torn)) {
        listener->hear(listener->context, path, 0, strerror(errno), begin_new);
        return false;
    }
    if (torn)
        fprintf(stderr,
                "scanbench: %s: its last line was cut short while it was "
                "written, and is dropped\n",
                path);
    return true;
}

static bool read_ceilings(struct results *results,
                          const struct listener *listener)
{
    char path[RESULTS_PATH_BYTES], *fields[CEILING_COLUMN_COUNT];
    struct csv_reader csv = {
        .file = fopen(results_path(results, "ceilings.csv", path), "r")
    };
    struct ceiling ceiling;
    bool ok = csv.file != NULL;
    size_t count;
    while (ok && ((count = csv_read(&csv, fields, CEILING_COLUMN_COUNT)) ||
                  csv.problem)) {
        ok = csv.line == 1 ? ceiling_is_header(fields, count)
                           : ceiling_read(&ceiling, fields, count);
        if (ok && csv.line > 1)
            results_keep_ceiling(results, &ceiling);
    }
    if (!ok)
        listener->hear(listener->context, path, csv.line,
                       csv.file ? "no ceiling that can be read"
                                : strerror(errno),
                       begin_new);
    csv_read_end(&csv);
    if (csv.file)
        fclose(csv.file);
    return ok;
}

static bool open_ceilings(struct results *results,
                          const struct listener *listener)
{
    char path[RESULTS_PATH_BYTES];
    struct append *file = &results->ceilings;
    if (!reopen(results, file, "ceilings.csv", listener))
        return false;
    if (!file->is_open &&
        !append_create(file, results_path(results, "ceilings.csv", path)))
        return results_complain(results, "ceilings.csv");
    /* A file that is closed gives up the locks of all its descriptors. */
    return (file->bytes == 0 || read_ceilings(results, listener)) &&
           results_lock(results);
}

static bool open_rows(struct results *results, enum op op,
                      const struct listener *listener)
{
    char name[RESULTS_NAME_BYTES];
    struct append *file = &results->op[op];
    if (!reopen(results, file, results_op_file(op, name), listener))
        return false;
    if (file->bytes > 0)
        run_rows_read(&results->rows, op, results->folder, listener);
    return true;
}

static bool open_all(struct results *results, struct refusal *refusal)
{
    const struct listener listener = { refuse, refusal };
    bool ok = open_ceilings(results, &listener) &&
              reopen(results, &results->samples, SAMPLES_FILE, &listener);
    for (int o = 0; o < OP_COUNT && ok; ++o)
        ok = open_rows(results, (enum op)o, &listener);
    run_rows_sort(&results->rows);
    listener_say_rest(results->folder, refusal->heard);
    return ok && !refusal->heard;
}

const struct row *results_finished(const struct results *results,
                                   const struct row *like)
{
    const struct row *rows = results->rows.row, *found = NULL;
    size_t low = 0, high = results->rows.count;
    while (low < high) { /* the last one that is not behind it */
        const size_t middle = low + (high - low) / 2;
        const int order = run_row_order(&rows[middle], like);
        found = order == 0 ? &rows[middle] : found;
        if (order <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return found && found->status != STATUS_ERROR ? found : NULL;
}

/* ---------------------------------------------------------------- matching */

static bool matches(const struct manifest *old, const struct manifest *now,
                    const char *key, const char *folder)
{
    const char *was = manifest_get(old, key), *is = manifest_get(now, key);
    if (strcmp(was, is) == 0)
        return true;
    fprintf(stderr,
            "scanbench: %s cannot be resumed: it began with %s '%s', not "
            "'%s'%s\n",
            folder, key, was, is,
            strcmp(key, "plugins") ? "" : ": give each again by --plugin FILE");
    return false;
}

/* The commit may be another: sources_hash is of what measures. Another card of
 * the name is told apart row by row; hosts of one name differ too much. */
static bool manifests_match(const struct manifest *old,
                            const struct manifest *now, const char *folder)
{
    static const char *const keys[] = {
        "device_kind",  "device_name",   "pretend",    "sm_count",
        "driver",       "mig",           "plugins",    "rules_hash",
        "sources_hash", "compiler",      "flags",      "nvcc",
        "nvcc_flags",   "architectures", "cub_version"
    };
    bool same = true;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        same &= matches(old, now, keys[k], folder);
    if (strcmp(manifest_get(now, "device_kind"), "host") == 0)
        same &= matches(old, now, "host_hash", folder);
    return same;
}

static bool read_manifest(struct results *results, const struct manifest *now,
                          struct refusal *refusal)
{
    const struct listener listener = { refuse, refusal };
    struct manifest *old = &results->manifest;
    const char *card = manifest_get(now, "gpu_hash");
    manifest_init(old);
    const bool ok = manifest_read(old, results->folder, &listener) == 0 &&
                    manifest_is_known(old, results->folder, &listener);
    listener_say_rest(results->folder, refusal->heard);
    if (!ok || !manifests_match(old, now, results->folder))
        return false;
    if (strcmp(manifest_get(old, "gpu_hash"), card) != 0)
        snprintf(results->card, sizeof results->card, "%s",
                 *card ? card : "unknown");
    return true;
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

bool results_resume(struct results *results, const char *folder,
                    const struct manifest *now)
{
    signal(SIGXFSZ, SIG_IGN);
    *results = (struct results){ 0 };
    struct refusal refusal = { .folder = folder };
    const size_t bytes = sizeof results->folder;
    if ((size_t)snprintf(results->folder, bytes, "%s", folder) >= bytes) {
        errno = ENAMETOOLONG;
        return results_complain(results, "");
    }
    if (read_manifest(results, now, &refusal) && open_all(results, &refusal))
        return true;
    results_drop(results);
    return false;
}
