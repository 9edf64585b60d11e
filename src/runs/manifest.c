/* SPDX-License-Identifier: MIT */
#include "src/runs/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/memory.h"

const struct manifest_key manifest_keys[] = {
#define KEY(key, meaning) { #key, meaning },
    MANIFEST_KEYS(KEY)
#undef KEY
};

enum { PATH_BYTES = 1200, VALUE_BYTES = 16384 };

static struct manifest_entry *find(const struct manifest *manifest,
                                   const char *key)
{
    for (size_t k = 0; k < manifest->count; ++k)
        if (strcmp(manifest->entries[k].key, key) == 0)
            return &manifest->entries[k];
    return NULL;
}

/* Takes the value over. */
static void put(struct manifest *manifest, const char *key, char *value)
{
    struct manifest_entry *entry = find(manifest, key);
    if (entry) {
        free(entry->value);
        entry->value = value;
        return;
    }
    manifest->entries = memory_grown(manifest->entries, manifest->count + 1,
                                     sizeof *manifest->entries);
    manifest->entries[manifest->count++] =
        (struct manifest_entry){ memory_copy(key), value };
}

void manifest_init(struct manifest *manifest)
{
    *manifest = (struct manifest){ 0 };
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k)
        put(manifest, manifest_keys[k].name, memory_copy(""));
}

void manifest_free(struct manifest *manifest)
{
    for (size_t k = 0; k < manifest->count; ++k) {
        free(manifest->entries[k].key);
        free(manifest->entries[k].value);
    }
    free(manifest->entries);
    *manifest = (struct manifest){ 0 };
}

void manifest_set(struct manifest *manifest, const char *key,
                  const char *format, ...)
{
    char value[VALUE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    put(manifest, key, memory_copy(value));
}

const char *manifest_get(const struct manifest *manifest, const char *key)
{
    const struct manifest_entry *entry = find(manifest, key);
    return entry ? entry->value : "";
}

/* A rename is on disk when its folder is. */
static bool sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return false;
    const bool ok = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return ok;
}

bool manifest_print(const struct manifest *manifest, FILE *file)
{
    bool ok = fputs("key,value\n", file) >= 0;
    for (size_t k = 0; k < manifest->count; ++k) {
        ok &= csv_write_field(file, true, manifest->entries[k].key);
        ok &= csv_write_field(file, false, manifest->entries[k].value);
        ok &= csv_write_end(file);
    }
    return ok;
}

bool manifest_write(const struct manifest *manifest, const char *folder)
{
    char path[PATH_BYTES], new_path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/manifest.csv", folder);
    snprintf(new_path, sizeof new_path, "%s/manifest.csv.new", folder);
    FILE *file = fopen(new_path, "w");
    if (!file)
        return false;
    bool ok = manifest_print(manifest, file) && fflush(file) == 0 &&
              fsync(fileno(file)) == 0;
    int error = errno;
    if (fclose(file) && ok) {
        error = errno;
        ok = false;
    }
    if (ok && rename(new_path, path) == 0)
        return sync_folder(folder);
    if (ok)
        error = errno;
    unlink(new_path);
    errno = error;
    return false;
}

double manifest_number(const struct manifest *manifest, const char *key)
{
    const char *text = manifest_get(manifest, key);
    char *end;
    const double number = strtod(text, &end);
    return *text && !*end && isfinite(number) ? number : NAN;
}

/* ----------------------------------------------------------------- reading */

/* Messages and pages repeat values. */
static size_t most_bytes(const char *key)
{
    static const char *const lists[] = { "arguments",  "rules",
                                         "plugins",    "flags",
                                         "nvcc_flags", "architectures" };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k)
        if (strcmp(key, lists[k]) == 0)
            return VALUE_BYTES;
    return 1024;
}

/* Why the line is no key and value, or NULL. The first one is key,value. */
static const char *take_line(struct manifest *manifest,
                             const struct csv_reader *reader,
                             char *const *fields, size_t count)
{
    if (reader->problem)
        return reader->problem;
    if (count != 2)
        return "not a key and a value";
    if (reader->torn)
        return "cut short: no line break at its end";
    if (reader->line == 1)
        return strcmp(fields[0], "key") || strcmp(fields[1], "value")
                   ? "it does not begin with key,value"
                   : NULL;
    if (strlen(fields[1]) >= most_bytes(fields[0]))
        return "a value that no run has: too long";
    if (*manifest_get(manifest, fields[0]))
        return "a key that has a value already";
    put(manifest, fields[0], memory_copy(fields[1]));
    return NULL;
}

size_t manifest_read(struct manifest *manifest, const char *folder,
                     const struct listener *listener)
{
    static const char copy[] = "what was measured on what is unknown: copy the "
                               "whole folder of the run";
    char path[PATH_BYTES], *fields[2];
    size_t damaged = 0, count;
    snprintf(path, sizeof path, "%s/manifest.csv", folder);
    struct csv_reader reader = { .file = fopen(path, "r") };
    if (!reader.file) {
        listener->hear(listener->context, path, 0, strerror(errno), copy);
        return 1;
    }
    while ((count = csv_read(&reader, fields, 2)) || reader.problem) {
        const char *wrong = take_line(manifest, &reader, fields, count);
        damaged += wrong != NULL;
        if (wrong)
            listener->hear(listener->context, path, reader.line, wrong,
                           reader.unreadable ? "the rest is left out"
                                             : "the line is left out");
    }
    if (reader.line == 0 && ++damaged)
        listener->hear(listener->context, path, 0, "empty", copy);
    csv_read_end(&reader);
    fclose(reader.file);
    return damaged;
}

bool manifest_is_known(const struct manifest *manifest, const char *folder,
                       const struct listener *listener)
{
    char path[PATH_BYTES], remedy[96];
    const char *schema = manifest_get(manifest, "schema");
    if (manifest_number(manifest, "schema") == RUN_SCHEMA)
        return true;
    snprintf(path, sizeof path, "%s/manifest.csv", folder);
    snprintf(remedy, sizeof remedy,
             "schema %.20s, this one reads %d: measure again",
             *schema ? schema : "unknown", RUN_SCHEMA);
    listener->hear(listener->context, path, 0,
                   "measured by another version of scanbench", remedy);
    return false;
}
