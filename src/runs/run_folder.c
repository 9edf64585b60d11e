/* SPDX-License-Identifier: MIT */
#include "src/runs/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/runs/samples.h"

enum { PATH_BYTES = 4096 };

static char *join(char path[PATH_BYTES], const char *folder, const char *name,
                  const char *ending)
{
    snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, ending);
    return path;
}

/* ---------------------------------------------------------------- manifest */

const char *run_fact(const struct run_folder *run, const char *key)
{
    return manifest_get(&run->manifest, key);
}

double run_fact_number(const struct run_folder *run, const char *key)
{
    return manifest_number(&run->manifest, key);
}

/* -------------------------------------------------------------------- rows */

static bool known_file(const char *name)
{
    static const char *const others[] = { "manifest.csv", "ceilings.csv",
                                          SAMPLES_FILE };
    char own[64];
    for (int o = 0; o < OP_COUNT; ++o) {
        snprintf(own, sizeof own, "%s.csv", op_name((enum op)o));
        if (strcmp(name, own) == 0)
            return true;
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (strcmp(name, others[k]) == 0)
            return true;
    return false;
}

/* A newer scanbench may know more operations. */
static void tell_strangers(const struct run_folder *run, DIR *folder,
                           const struct listener *listener)
{
    char path[PATH_BYTES];
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending && strcmp(ending, ".csv") == 0 && !known_file(entry->d_name))
            listener->hear(
                listener->context, join(path, run->path, entry->d_name, ""), 0,
                "no operation that is known here", "the file is left out");
    }
}

/* The last of those that are of the same process stays. Behind an error it is
 * what a resumed run measured in its second try. */
static void drop_repeated(struct run_folder *run,
                          const struct listener *listener)
{
    char path[PATH_BYTES];
    size_t kept = 0;
    for (size_t r = 0; r < run->rows.count; ++r) {
        struct row *row = &run->rows.row[r], *next = row + 1;
        if (r + 1 == run->rows.count || run_row_order(row, next)) {
            run->rows.row[kept++] = *row;
            continue;
        }
        if (row->status == STATUS_ERROR)
            continue;
        listener->hear(listener->context,
                       join(path, run->path, op_name(row->op), ".csv"),
                       row->line, "the same cell and process once more below",
                       "the last one counts: delete the others");
    }
    run->rows.count = kept;
}

/* One row speaks for all: manifest or rows are of another run. */
static void check_processes(struct run_folder *run,
                            const struct listener *listener)
{
    char path[PATH_BYTES];
    const double processes = run_fact_number(run, "processes");
    for (size_t r = 0; r < run->rows.count; ++r) {
        const struct row *row = &run->rows.row[r];
        if (!((double)row->process >= processes))
            continue;
        ++run->damaged;
        listener->hear(listener->context,
                       join(path, run->path, op_name(row->op), ".csv"),
                       row->line, "more processes than its manifest says",
                       "copy the whole folder of one run");
        return;
    }
}

/* Shares follow from ceilings.csv. A row keeps its own where that has no probe
 * of its twin. */
static void hold_to_ceilings(struct run_folder *run)
{
    const struct run_ceilings *ceilings = &run->ceilings;
    for (size_t r = 0; r < run->rows.count; ++r) {
        struct row *row = &run->rows.row[r];
        const struct ceiling_probe like = { .dtype = row->dtype,
                                            .cache = row->cache,
                                            .process = row->process };
        if (row->gbps > 0)
            row_set_ceiling(row, ceiling_gbps(ceilings->probe, ceilings->count,
                                              &like, row->op, row->shape));
    }
}

static void read_files(struct run_folder *run, const struct listener *listener)
{
    char file[PATH_BYTES];
    join(file, run->path, "ceilings", ".csv");
    run_ceilings_read(&run->ceilings, file, listener);
    if (access(file, F_OK) != 0)
        listener->hear(listener->context, file, 0, strerror(errno),
                       "whether the machine had changed is unknown: copy the "
                       "whole folder of the run");
    for (int o = 0; o < OP_COUNT; ++o)
        run_rows_read(&run->rows, (enum op)o, run->path, listener);
    run->damaged += run->rows.damaged + run->ceilings.damaged;
    run_rows_sort(&run->rows);
    drop_repeated(run, listener);
    check_processes(run, listener);
    hold_to_ceilings(run);
}

void run_folder_add_part(struct run_folder *run, const char *path,
                         int64_t first_process)
{
    run->parts =
        memory_grown(run->parts, run->part_count + 1, sizeof *run->parts);
    run->parts[run->part_count++] =
        (struct run_part){ memory_copy(path), first_process };
}

bool run_folder_read(struct run_folder *run, const char *path,
                     const struct listener *listener)
{
    *run = (struct run_folder){ .path = path };
    run_folder_add_part(run, path, 0);
    DIR *folder = opendir(path);
    if (!folder) {
        listener->hear(listener->context, path, 0, strerror(errno),
                       "name the folder that a run printed");
        return false;
    }
    run->damaged = manifest_read(&run->manifest, path, listener);
    const bool known = run->manifest.count > 0 &&
                       manifest_is_known(&run->manifest, path, listener);
    if (known) {
        tell_strangers(run, folder, listener);
        read_files(run, listener);
    }
    closedir(folder);
    if (known && !run->rows.count)
        listener->hear(listener->context, path, 0, "no rows",
                       strcmp(run_fact(run, "complete"), "0") == 0
                           ? "it was cut short before its first cell was "
                             "done: go on with it, scanbench run --resume"
                           : "name the folder that a run printed");
    return run->rows.count > 0;
}

void run_folder_free(struct run_folder *run)
{
    manifest_free(&run->manifest);
    run_rows_free(&run->rows);
    run_ceilings_free(&run->ceilings);
    while (run->part_count)
        free(run->parts[--run->part_count].path);
    free(run->parts);
    *run = (struct run_folder){ 0 };
}
