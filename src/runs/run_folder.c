/* SPDX-License-Identifier: MIT */
#include "src/runs/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/memory.h"

enum { PATH_BYTES = 4096 };

static char *join(char path[PATH_BYTES], const char *folder, const char *name)
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

const char *run_fact(const struct run_folder *run, const char *key)
{
    return manifest_get(&run->manifest, key);
}

double run_fact_number(const struct run_folder *run, const char *key)
{
    return manifest_number(&run->manifest, key);
}

/* ------------------------------------------------------------ a run's files */

static bool known_file(const char *name)
{
    char own[OP_FILE_BYTES];
    for (int o = 0; o < op_count(); ++o)
        if (strcmp(name, op_file(op_at(o), own)) == 0)
            return true;
    return strcmp(name, MANIFEST_FILE) == 0 ||
           strcmp(name, CEILINGS_FILE) == 0 || strcmp(name, SAMPLES_FILE) == 0;
}

static void tell_row(const struct run_folder *run, const struct row *row,
                     const struct listener *listener, const char *problem,
                     const char *remedy)
{
    char path[PATH_BYTES], name[OP_FILE_BYTES];
    listener_tell(listener, join(path, run->path, op_file(row->op, name)),
                  row->line, problem, remedy);
}

/* Keeps a process's last row of a cell: errors are measured again. */
static void drop_repeated(struct run_folder *run,
                          const struct listener *listener)
{
    size_t kept = 0;
    for (size_t r = 0; r < run->rows.count; ++r) {
        const struct row *row = &run->rows.row[r];
        if (r + 1 == run->rows.count || run_row_order(row, row + 1))
            run->rows.row[kept++] = *row;
        else if (row->status != STATUS_ERROR)
            tell_row(run, row, listener,
                     "the same cell and process once more below",
                     "the last one counts: delete the others");
    }
    run->rows.count = kept;
}

static void read_files(struct run_folder *run, const struct listener *listener)
{
    char path[PATH_BYTES];
    if (access(join(path, run->path, CEILINGS_FILE), F_OK) != 0)
        listener_tell(listener, path, 0, strerror(errno),
                      "changes of the machine cannot be seen: copy the whole "
                      "folder of the run");
    ceilings_read(&run->ceilings, run->path, listener);
    for (int o = 0; o < op_count(); ++o)
        run_rows_read(&run->rows, op_at(o), run->path, listener);
    run->damaged += run->rows.damaged + run->ceilings.damaged;
    run_rows_sort(&run->rows);
    drop_repeated(run, listener);
    const double processes = run_fact_number(run, "processes");
    bool foreign = false;
    for (size_t r = 0; r < run->rows.count; ++r) {
        struct row *row = &run->rows.row[r];
        if ((double)row->process >= processes && !foreign) {
            tell_row(run, row, listener, "more processes than in its manifest",
                     "copy the whole folder of one run");
            foreign = true;
        }
        /* A row keeps its own share if its twin has no probe. */
        const struct ceiling like = { .dtype = row->dtype,
                                      .cache = row->cache,
                                      .process = row->process };
        if (row->gbps > 0)
            row_set_ceiling(
                row, ceiling_gbps(&run->ceilings, &like, row->op, row->shape));
    }
    run->damaged += foreign;
}

/* Adds the operations of the run's plugins, if plugins may have them. */
static bool add_operations(struct run_folder *run,
                           const struct listener *listener)
{
    char name[OP_NAME_BYTES];
    int number, chars;
    for (const char *rest = run_fact(run, "operations"); *rest; rest += chars) {
        enum op known = OP_NONE;
        chars = 0;
        const bool right =
            sscanf(rest, "%63[a-z0-9_]=%5d%n", name, &number, &chars) == 2 &&
            chars && op_reducer((enum op)number) >= REDUCER_PLUGIN &&
            op_reducer((enum op)number) < REDUCER_LIMIT &&
            op_kind((enum op)number) <= KIND_REDUCE;
        chars += rest[chars] == ' ';
        if (right && op_parse(name, &known) && known == (enum op)number)
            continue;
        if (right && op_add((enum op)number, name))
            continue;
        listener_tell(listener, run->path, 0,
                      "operations that another plugin has, or that none can "
                      "have",
                      "read runs of one plugin at a time");
        return false;
    }
    return true;
}

static bool read_one(struct run_folder *run, const char *path,
                     const struct listener *listener)
{
    *run = (struct run_folder){ .path = path };
    DIR *folder = opendir(path);
    if (!folder) {
        listener_tell(listener, path, 0, strerror(errno),
                      "name the folder that a run printed");
        return false;
    }
    run->damaged = manifest_read(&run->manifest, path, listener);
    const bool lost = run->damaged && !*run_fact(run, "schema");
    const bool known = !lost &&
                       manifest_is_known(&run->manifest, path, listener) &&
                       add_operations(run, listener);
    /* Another version may have further operations. */
    for (struct dirent *entry; known && (entry = readdir(folder));) {
        char file[PATH_BYTES];
        const char *ending = strrchr(entry->d_name, '.');
        if (ending && strcmp(ending, ".csv") == 0 && !known_file(entry->d_name))
            listener_tell(listener, join(file, path, entry->d_name), 0,
                          "no operation that is known here",
                          "the file is left out");
    }
    if (known)
        read_files(run, listener);
    closedir(folder);
    if (known && !run->rows.count)
        listener_tell(listener, path, 0, "no rows",
                      strcmp(run_fact(run, "complete"), "0") == 0
                          ? "it was cut short before its first cell was done: "
                            "go on with it, scanbench run --resume"
                          : "name the folder that a run printed");
    return run->rows.count > 0;
}

void run_folder_free(struct run_folder *run)
{
    manifest_free(&run->manifest);
    run_rows_free(&run->rows);
    ceilings_free(&run->ceilings);
    *run = (struct run_folder){ 0 };
}

/* --------------------------------------------------- folders of processes */

bool run_folder_is(const char *path)
{
    char file[PATH_BYTES];
    return access(join(file, path, MANIFEST_FILE), F_OK) == 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* 2 comes before 10. */
static int by_name(const struct dirent **left, const struct dirent **right)
{
    const char *l = (*left)->d_name, *r = (*right)->d_name;
    const long apart = strtol(l, NULL, 10) - strtol(r, NULL, 10);
    return apart ? (apart > 0) - (apart < 0) : strcmp(l, r);
}

/* Takes over the first manifest; false, after a report, for other runs. */
static bool add_manifest(struct run_folder *run, struct run_folder *process,
                         const struct listener *listener)
{
    char problem[PROBLEM_BYTES];
    if (!run->rows.count) { /* it is the first */
        run->manifest = process->manifest;
        process->manifest = (struct manifest){ 0 };
        return true;
    }
    const struct manifest_key *key =
        manifest_difference(&run->manifest, &process->manifest, KEY_PROCESS);
    if (key) {
        snprintf(problem, sizeof problem,
                 "not the %s of the first process: these are separate runs",
                 key->name);
        listener_tell(listener, process->path, 0, problem,
                      "keep each build's processes in a folder");
        return false;
    }
    if (strcmp(run_fact(process, "complete"), "1") != 0)
        manifest_set(&run->manifest, "complete", "%s",
                     run_fact(process, "complete"));
    return true;
}

static void add_rows(struct run_folder *run, struct run_folder *process,
                     int64_t *processes)
{
    const int64_t first = *processes;
    for (size_t r = 0; r < process->rows.count; ++r) {
        struct row *row = &process->rows.row[r];
        row->process += first;
        if (row->process >= *processes)
            *processes = row->process + 1;
        run_rows_add(&run->rows, row);
    }
    for (size_t k = 0; k < process->ceilings.count; ++k) {
        process->ceilings.line[k].process += first;
        ceilings_add(&run->ceilings, &process->ceilings.line[k]);
    }
    run->damaged += process->damaged;
}

int run_folders_below(const char *folder, char ***paths)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, is_visible, by_name);
    int count = 0;
    if (entries < 0)
        return -1;
    *paths = memory_for((size_t)entries, sizeof **paths);
    for (int e = 0; e < entries; ++e) {
        char path[PATH_BYTES];
        if (run_folder_is(join(path, folder, entry[e]->d_name)))
            (*paths)[count++] = memory_copy(path);
        free(entry[e]);
    }
    free(entry);
    return count;
}

static bool read_all(struct run_folder *run, char *const *paths, int count,
                     const struct listener *listener)
{
    int64_t processes = 0;
    bool ok = true;
    for (int k = 0; ok && k < count; ++k) {
        struct run_folder process;
        ok = read_one(&process, paths[k], listener) &&
             add_manifest(run, &process, listener);
        if (ok)
            add_rows(run, &process, &processes);
        run_folder_free(&process);
    }
    manifest_set(&run->manifest, "processes", "%lld", (long long)processes);
    run_rows_sort(&run->rows);
    return ok;
}

bool run_folder_read(struct run_folder *run, const char *path,
                     const struct listener *listener)
{
    char **paths = NULL;
    const int count = run_folder_is(path) ? 0 : run_folders_below(path, &paths);
    *run = (struct run_folder){ .path = path };
    const bool ok = count > 0 ? read_all(run, paths, count, listener)
                              : read_one(run, path, listener);
    for (int k = 0; k < count; ++k)
        free(paths[k]);
    free(paths);
    return ok;
}
