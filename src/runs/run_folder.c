/* SPDX-License-Identifier: MIT */
#include "src/runs/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/csv.h"

enum { PATH_BYTES = 4096 };

static char *join(char path[PATH_BYTES], const char *folder, const char *name,
                  const char *ending)
{
    snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, ending);
    return path;
}

/* ---------------------------------------------------------------- manifest */

static void add_fact(struct run_folder *run, const char *key, const char *value)
{
    size_t bytes = (run->fact_count + 1) * sizeof *run->facts;
    run->facts = realloc(run->facts, bytes);
    struct run_fact fact = { strdup(key), strdup(value) };
    if (!run->facts || !fact.key || !fact.value)
        abort();
    run->facts[run->fact_count++] = fact;
}

const char *run_fact(const struct run_folder *run, const char *key)
{
    for (size_t f = run->fact_count; f-- > 0;)
        if (strcmp(run->facts[f].key, key) == 0 && *run->facts[f].value)
            return run->facts[f].value;
    return "";
}

double run_fact_number(const struct run_folder *run, const char *key)
{
    const char *text = run_fact(run, key);
    char *end;
    double number = strtod(text, &end);
    return *text && !*end && isfinite(number) ? number : NAN;
}

static void read_facts(struct run_folder *run, struct csv_reader *reader,
                       const char *path, const struct listener *listener)
{
    char *fields[8];
    size_t count;
    while ((count = csv_read(reader, fields, 8)) || reader->problem) {
        if (!count && ferror(reader->file))
            return;
        const char *wrong = reader->problem;
        if (!wrong && count != 2)
            wrong = "not a key and a value";
        if (!wrong && reader->torn)
            wrong = "cut short: no line break at its end";
        if (!wrong && strcmp(fields[0], "key") != 0)
            add_fact(run, fields[0], fields[1]);
        if (!wrong)
            continue;
        ++run->damaged;
        listener->hear(listener->context, path, reader->line, wrong,
                       "the line is left out");
    }
}

/* Its own first line is the least that a manifest has. */
static bool is_empty(FILE *manifest)
{
    const int first = getc(manifest);
    rewind(manifest);
    return first == EOF;
}

static void read_manifest(struct run_folder *run,
                          const struct listener *listener)
{
    char path[PATH_BYTES];
    join(path, run->path, "manifest.csv", "");
    struct csv_reader reader = { .file = fopen(path, "r") };
    if (!reader.file) {
        ++run->damaged;
        listener->hear(listener->context, path, 0, strerror(errno),
                       "what was measured on what is unknown: copy the whole "
                       "folder of the run");
        return;
    }
    const bool empty = is_empty(reader.file);
    read_facts(run, &reader, path, listener);
    csv_read_end(&reader);
    fclose(reader.file);
    if (empty) {
        ++run->damaged;
        listener->hear(listener->context, path, 0, "empty",
                       "what was measured on what is unknown: copy the whole "
                       "folder of the run");
        return;
    }
    const double schema = run_fact_number(run, "schema");
    if (!(schema >= 1 && schema <= RUN_SCHEMA_NEWEST))
        listener->hear(listener->context, path, 0,
                       isnan(schema) ? "no schema, the format's version"
                                     : "a schema that is not known here",
                       "columns are matched by their names; what is not known "
                       "here is passed over");
}

/* -------------------------------------------------------------------- rows */

static bool known_file(const char *name)
{
    static const char *const others[] = { "manifest.csv", "ceilings.csv" };
    char own[64];
    for (int o = 0; o < OP_COUNT; ++o) {
        snprintf(own, sizeof own, "%s.csv", op_name((enum op)o));
        if (strcmp(name, own) == 0)
            return true;
    }
    return strcmp(name, others[0]) == 0 || strcmp(name, others[1]) == 0;
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

/* The last of those that are the same launch stays. */
static void drop_repeated(struct run_folder *run,
                          const struct listener *listener)
{
    char path[PATH_BYTES];
    size_t kept = 0;
    for (size_t r = 0; r < run->rows.count; ++r) {
        struct run_row *row = &run->rows.row[r], *next = row + 1;
        if (r + 1 == run->rows.count || run_cell_order(row, next) ||
            row->launch != next->launch) {
            run->rows.row[kept++] = *row;
            continue;
        }
        listener->hear(listener->context,
                       join(path, run->path, op_name(row->op), ".csv"),
                       row->line, "the same cell and launch once more below",
                       "the last one counts: delete the others");
        run_row_free(row);
    }
    run->rows.count = kept;
}

bool run_folder_read(struct run_folder *run, const char *path,
                     const struct listener *listener)
{
    char file[PATH_BYTES];
    *run = (struct run_folder){ .path = path };
    DIR *folder = opendir(path);
    if (!folder) {
        listener->hear(listener->context, path, 0, strerror(errno),
                       "name the folder that a run printed");
        return false;
    }
    tell_strangers(run, folder, listener);
    closedir(folder);
    read_manifest(run, listener);
    join(file, path, "ceilings", ".csv");
    run_ceilings_read(&run->ceilings, file, listener);
    run->rows.newest = run_fact_number(run, "schema") == RUN_SCHEMA_NEWEST;
    if (run->rows.newest && access(file, F_OK) != 0)
        listener->hear(listener->context, file, 0, strerror(errno),
                       "whether the machine had changed is unknown: copy the "
                       "whole folder of the run");
    for (int o = 0; o < OP_COUNT; ++o)
        run_rows_read(&run->rows, join(file, path, op_name((enum op)o), ".csv"),
                      listener);
    run->damaged += run->rows.damaged + run->ceilings.damaged;
    run_rows_sort(&run->rows);
    drop_repeated(run, listener);
    if (!run->rows.count)
        listener->hear(listener->context, path, 0, "no rows",
                       "name the folder that a run printed");
    return run->rows.count > 0;
}

void run_folder_free(struct run_folder *run)
{
    for (size_t f = 0; f < run->fact_count; ++f) {
        free(run->facts[f].key);
        free(run->facts[f].value);
    }
    free(run->facts);
    run_rows_free(&run->rows);
    *run = (struct run_folder){ 0 };
}
