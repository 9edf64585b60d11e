/* SPDX-License-Identifier: MIT */
#include "src/runs/convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/model/family.h"
#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/renames.h"
#include "src/runs/row.h"
#include "src/base/memory.h"

enum { PATH_BYTES = 4096, MAX_FIELDS = 64, MAX_FILES = 256 };

enum kind { KIND_OTHER, KIND_ROWS, KIND_CEILINGS };

/* A file on its way: its fields, in the order in which they are written. */
struct table {
    const char *path, *to;
    struct csv_reader in;
    FILE *out;
    enum kind kind;
    size_t in_count, count;
    const char *name[MAX_FIELDS], *field[MAX_FIELDS];
    int from[MAX_FIELDS]; /* which of the old fields, or -1 */
    char variant[ROW_TEXT_BYTES], family[ROW_TEXT_BYTES];
    char marks[ROW_TEXT_BYTES], launch_us[32], path_text[2 * ROW_TEXT_BYTES];
    const struct listener *listener;
    bool changed; /* a record is not as it was */
};

static bool complain(const struct listener *listener, const char *path,
                     int64_t line, const char *problem)
{
    listener->hear(listener->context, path, line, problem,
                   "nothing was converted");
    return false;
}

/* ----------------------------------------------------------------- columns */

static void take_columns(struct table *table)
{
    const char **name = table->name;
    if (table->kind == KIND_ROWS)
        for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
            name[table->count++] = row_columns[c].name;
#define NAME(column, meaning) name[table->count++] = #column;
    if (table->kind == KIND_CEILINGS) {
        CEILING_COLUMNS(NAME)
    }
#undef NAME
}

/* Where a column stands that is called so, or was; -1: nowhere. */
static int find(char *const *fields, size_t count, const char *name)
{
    for (size_t f = 0; f < count; ++f)
        if (strcmp(fields[f], name) == 0)
            return (int)f;
    return strcmp(name, "process") == 0 ? find(fields, count, "launch") : -1;
}

static bool read_header(struct table *table)
{
    char *fields[MAX_FIELDS];
    const size_t count = csv_read(&table->in, fields, MAX_FIELDS);
    size_t found = 0;
    if (!count)
        return complain(table->listener, table->path, table->in.line,
                        table->in.problem ? table->in.problem : "empty");
    table->in_count = count;
    take_columns(table);
    if (table->kind == KIND_OTHER)
        for (; table->count < count; ++table->count)
            table->name[table->count] = memory_copy(fields[table->count]);
    for (size_t c = 0; c < table->count; ++c) {
        table->from[c] = find(fields, count, table->name[c]);
        found += table->from[c] >= 0;
        table->changed |=
            table->from[c] != (int)c || strcmp(fields[c], table->name[c]) != 0;
    }
    if (found != count)
        return complain(table->listener, table->path, table->in.line,
                        "a column that is not known");
    for (size_t c = 0; c < table->count; ++c)
        csv_write_field(table->out, c == 0, table->name[c]);
    return csv_write_end(table->out);
}

/* ------------------------------------------------------------------ records */

/* The field of that name; of those there is one. */
static const char **field(struct table *table, const char *name)
{
    static const char *none;
    none = "";
    for (size_t c = 0; c < table->count; ++c)
        if (strcmp(table->name[c], name) == 0)
            return &table->field[c];
    return &none;
}

/* "right but slow: one launch took 0.00815 s (see --slow)" */
static void take_slow(struct table *table)
{
    static const char took[] = "but slow: one launch took ";
    const char **status = field(table, "status");
    const char *reason = *field(table, "reason");
    const char *told = strstr(reason, took);
    if (strcmp(*status, "skip") != 0)
        return;
    if (strncmp(reason, "not tried: ", 11) == 0)
        *status = status_name(STATUS_UNTRIED);
    if (!told)
        return;
    *status = status_name(STATUS_SLOW);
    snprintf(table->launch_us, sizeof table->launch_us, "%.9g",
             1e6 * atof(told + strlen(took)));
    *field(table, "launch_us") = table->launch_us;
}

/* What a cache still holds at the end was a doubt, and is a mark. */
static void take_cache_residue(struct table *table)
{
    const char **status = field(table, "status");
    const char **reason = field(table, "reason");
    const char **marks = field(table, "marks");
    if (strcmp(*status, status_name(STATUS_SUSPECT)) != 0 ||
        !strstr(*reason, "may still lie in the L2 cache"))
        return;
    snprintf(table->marks, sizeof table->marks, "%s%scache_assisted", *marks,
             **marks ? "+" : "");
    *status = status_name(STATUS_OK);
    *reason = "";
    *marks = table->marks;
}

static void take_names(struct table *table)
{
    const char **variant = field(table, "variant");
    const char **family = field(table, "family");
    const char **cell = field(table, "cell");
    *variant = renamed_variant(*variant, table->variant, sizeof table->variant);
    if (table->kind == KIND_ROWS)
        *family = variant_family(*variant, table->family, sizeof table->family);
    else
        *family = renamed_in_path(*family, table->family, sizeof table->family);
    *cell = renamed_in_path(*cell, table->path_text, sizeof table->path_text);
}

static bool write_record(struct table *table, char *const *fields)
{
    for (size_t c = 0; c < table->count; ++c)
        table->field[c] = table->from[c] < 0 ? "" : fields[table->from[c]];
    const char **process = field(table, "process");
    if (table->kind != KIND_OTHER && !**process)
        *process = "0";
    take_slow(table);
    if (table->kind == KIND_ROWS)
        take_cache_residue(table);
    take_names(table);
    for (size_t c = 0; c < table->count; ++c) {
        table->changed |= table->from[c] < 0 ||
                          strcmp(table->field[c], fields[table->from[c]]) != 0;
        csv_write_field(table->out, c == 0, table->field[c]);
    }
    return csv_write_end(table->out);
}

static bool write_records(struct table *table)
{
    char *fields[MAX_FIELDS];
    struct csv_reader *in = &table->in;
    size_t count;
    while ((count = csv_read(in, fields, MAX_FIELDS)) || in->problem) {
        const char *wrong = in->problem;
        if (!wrong && count != table->in_count)
            wrong = "not as many fields as columns";
        if (!wrong && in->torn)
            wrong = "cut short: no line break at its end";
        if (wrong)
            return complain(table->listener, table->path, in->line, wrong);
        if (!write_record(table, fields))
            return complain(table->listener, table->to, 0, strerror(errno));
    }
    return true;
}

/* -------------------------------------------------------------------- files */

/* What was written is on disk, or is taken away again. */
static bool finish(FILE *out, const char *path, bool ok,
                   const struct listener *listener)
{
    if (ok && (fflush(out) || fsync(fileno(out))))
        ok = complain(listener, path, 0, strerror(errno));
    if (fclose(out) && ok)
        ok = complain(listener, path, 0, strerror(errno));
    if (!ok)
        unlink(path);
    return ok;
}

/* *changed: a record, or which columns there are in which order. */
static bool convert_table(const char *from, const char *to, enum kind kind,
                          const struct listener *listener, bool *changed)
{
    struct table table = {
        .path = from, .to = to, .kind = kind, .listener = listener
    };
    table.in.file = fopen(from, "r");
    if (!table.in.file)
        return complain(listener, from, 0, strerror(errno));
    table.out = fopen(to, "w");
    bool ok = table.out || complain(listener, to, 0, strerror(errno));
    if (ok)
        ok = finish(table.out, to, read_header(&table) && write_records(&table),
                    listener);
    for (size_t c = 0; kind == KIND_OTHER && c < table.count; ++c)
        free((char *)table.name[c]);
    *changed = table.changed;
    csv_read_end(&table.in);
    fclose(table.in.file);
    return ok;
}

/* A current one stays as it is, whatever keys it has: *changed says so. */
static bool convert_manifest(const char *folder, const char *to,
                             const struct listener *listener, bool *changed)
{
    struct manifest manifest;
    manifest_init(&manifest);
    bool ok = manifest_read(&manifest, folder, listener) == 0;
    const double schema = manifest_number(&manifest, "schema");
    if (ok && !(schema >= 1 && schema <= RUN_SCHEMA))
        ok = complain(listener, folder, 0, "no schema that is known here");
    *changed = schema < RUN_SCHEMA;
    if (ok && *changed) {
        manifest_rename(&manifest, "launches", "processes");
        manifest_set(&manifest, "host_hash", "%s", "");
        manifest_set(&manifest, "schema", "%d", RUN_SCHEMA);
    }
    manifest_drop(&manifest, "aa_floor_pct"); /* nothing reads it any more */
    FILE *out = ok ? fopen(to, "w") : NULL;
    if (ok && !out)
        ok = complain(listener, to, 0, strerror(errno));
    ok = ok && finish(out, to, manifest_print(&manifest, out), listener);
    manifest_free(&manifest);
    return ok;
}

static enum kind kind_of(const char *name, bool run)
{
    char own[64];
    for (int o = 0; run && o < OP_COUNT; ++o) {
        snprintf(own, sizeof own, "%s.csv", op_name((enum op)o));
        if (strcmp(name, own) == 0)
            return KIND_ROWS;
    }
    return run && strcmp(name, "ceilings.csv") == 0 ? KIND_CEILINGS
                                                    : KIND_OTHER;
}

/* ------------------------------------------------------------------ folders */

/* A folder's CSVs; the manifest, if there is one, is the last of them. */
struct files {
    char *name[MAX_FILES];
    bool changed[MAX_FILES];
    size_t count;
    bool run;
};

static void find_files(struct files *files, DIR *folder)
{
    static const char manifest[] = "manifest.csv";
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".csv") != 0)
            continue;
        if (strcmp(entry->d_name, manifest) == 0)
            files->run = true;
        else if (files->count + 1 < MAX_FILES)
            files->name[files->count++] = memory_copy(entry->d_name);
    }
    if (files->run)
        files->name[files->count++] = memory_copy(manifest);
}

static char *join(char path[PATH_BYTES], const char *folder, const char *name,
                  const char *ending)
{
    snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, ending);
    return path;
}

static bool convert_one(struct files *files, size_t f, const char *from,
                        const char *to, const struct listener *listener)
{
    char old[PATH_BYTES], new[PATH_BYTES];
    const char *name = files->name[f];
    join(old, from, name, "");
    join(new, to, name, ".new");
    return files->run && f + 1 == files->count
               ? convert_manifest(from, new, listener, &files->changed[f])
               : convert_table(old, new, kind_of(name, files->run), listener,
                               &files->changed[f]);
}

/* All are there as NAME.new: puts them in place, or takes them away. What did
 * not change stays, byte for byte, where it lies in that place. */
static bool put_in_place(const struct files *files, size_t count,
                         const char *to, bool there, bool ok,
                         const struct listener *listener)
{
    char new[PATH_BYTES], path[PATH_BYTES];
    for (size_t f = 0; f < count; ++f) {
        join(new, to, files->name[f], ".new");
        join(path, to, files->name[f], "");
        if (!ok || (there && !files->changed[f]))
            unlink(new);
        else if (rename(new, path))
            ok = complain(listener, path, 0, strerror(errno));
    }
    return ok;
}

static bool any_changed(const struct files *files)
{
    bool changed = false;
    for (size_t f = 0; f < files->count; ++f)
        changed |= files->changed[f];
    return changed;
}

bool convert_folder(const char *from, const char *to,
                    const struct listener *listener, bool *changed)
{
    struct files files = { .count = 0 };
    DIR *folder = opendir(from);
    if (!folder)
        return complain(listener, from, 0, strerror(errno));
    find_files(&files, folder);
    closedir(folder);
    bool ok = files.count || complain(listener, from, 0, "no CSV in it");
    if (ok && to && mkdir(to, 0777))
        ok = complain(listener, to, 0, strerror(errno));
    to = to ? to : from;
    size_t done = 0;
    while (ok && done < files.count &&
           convert_one(&files, done, from, to, listener))
        ++done;
    if (ok || done)
        ok = put_in_place(&files, done, to, to == from,
                          ok && done == files.count, listener) &&
             ok && done == files.count;
    *changed = any_changed(&files) || to != from;
    if (!ok && to != from)
        rmdir(to); /* which is empty, if it is ours */
    for (size_t f = 0; f < files.count; ++f)
        free(files.name[f]);
    return ok;
}

bool convert_file(const char *path, const struct listener *listener,
                  bool *changed)
{
    char new[PATH_BYTES];
    snprintf(new, sizeof new, "%s.new", path);
    if (!convert_table(path, new, KIND_OTHER, listener, changed))
        return false;
    if (!*changed)
        return unlink(new) == 0;
    return rename(new, path) == 0 ||
           complain(listener, path, 0, strerror(errno));
}
