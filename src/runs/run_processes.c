/* SPDX-License-Identifier: MIT */
#include "src/runs/run_processes.h"

#include "src/base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static bool has_manifest(const char *path, const char *name)
{
    char file[PATH_BYTES];
    snprintf(file, sizeof file, "%s/%s/manifest.csv", path, name);
    return access(file, F_OK) == 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* 2 before 10. */
static int by_name(const struct dirent **left, const struct dirent **right)
{
    const char *l = (*left)->d_name, *r = (*right)->d_name;
    const long apart = strtol(l, NULL, 10) - strtol(r, NULL, 10);
    return apart ? (apart > 0) - (apart < 0) : strcmp(l, r);
}

/* The key in which the two differ, so that they are no processes of one run;
 * NULL: none. */
static const char *stranger(const struct run_folder *run,
                            const struct run_folder *process)
{
    static const char *const keys[] = {
        "commit",        "binary_hash", "device_name", "pretend", "gpu_hash",
        "clocks_locked", "driver",      "rules_hash",  "plugins"
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        if (strcmp(run_fact(run, keys[k]), run_fact(process, keys[k])) != 0)
            return keys[k];
    return NULL;
}

static void add_ceilings(struct run_ceilings *ceilings,
                         const struct run_ceilings *more)
{
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int c = 0; c < CACHE_COUNT; ++c) {
                struct run_ceiling *best = &ceilings->of[o][d][c];
                const struct run_ceiling *one = &more->of[o][d][c];
                if (one->elems > best->elems ||
                    (one->elems == best->elems && one->gbps > best->gbps))
                    *best = *one;
            }
}

/* Adds what one folder holds; the first one's manifest is taken over. */
static bool add_process(struct run_folder *run, struct run_folder *process,
                        int64_t *processes, const struct listener *listener)
{
    int64_t last = *processes - 1;
    if (!*processes) {
        run->manifest = process->manifest;
        process->manifest = (struct manifest){ .count = 0 };
    } else {
        const char *key = stranger(run, process);
        if (key) {
            char problem[160];
            snprintf(problem, sizeof problem,
                     "another %s than the first process has: not one run", key);
            listener->hear(listener->context, process->path, 0, problem,
                           "keep each build's processes in a folder");
            return false;
        }
        if (strcmp(run_fact(process, "complete"), "1") != 0)
            manifest_set(&run->manifest, "complete", "%s",
                         run_fact(process, "complete"));
    }
    run_folder_add_part(run, process->path, *processes);
    for (size_t r = 0; r < process->rows.count; ++r) {
        struct row *row = &process->rows.row[r];
        row->process += *processes;
        last = row->process > last ? row->process : last;
        run_rows_add(&run->rows, row);
    }
    add_ceilings(&run->ceilings, &process->ceilings);
    run->damaged += process->damaged;
    *processes = last + 1;
    return true;
}

static bool read_all(struct run_folder *run, struct dirent **entry, int count,
                     const struct listener *listener)
{
    int64_t processes = 0;
    bool ok = true;
    for (int e = 0; ok && e < count; ++e) {
        char path[PATH_BYTES];
        struct run_folder process;
        if (!has_manifest(run->path, entry[e]->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", run->path, entry[e]->d_name);
        ok = run_folder_read(&process, path, listener) &&
             add_process(run, &process, &processes, listener);
        run_folder_free(&process);
    }
    manifest_set(&run->manifest, "processes", "%lld", (long long)processes);
    run_rows_sort(&run->rows);
    return ok;
}

bool run_processes_read(struct run_folder *run, const char *path,
                        const struct listener *listener)
{
    struct dirent **entry;
    const int count = has_manifest(path, ".")
                          ? -1
                          : scandir(path, &entry, is_visible, by_name);
    bool many = false;
    for (int e = 0; e < count; ++e)
        many = many || has_manifest(path, entry[e]->d_name);
    *run = (struct run_folder){ .path = path };
    const bool ok = many ? read_all(run, entry, count, listener)
                         : run_folder_read(run, path, listener);
    for (int e = 0; e < count; ++e)
        free(entry[e]);
    if (count >= 0)
        free(entry);
    return ok;
}
