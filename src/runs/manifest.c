/* SPDX-License-Identifier: MIT */
#include "src/runs/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/base/whole_file.h"

const struct manifest_key manifest_keys[MANIFEST_KEY_COUNT] = {
    { "schema", 0 },
    { "complete", 0 },
    { "utc", 0 },
    { "utc_end", 0 },
    { "resumed", 0 },
    { "commit", KEY_PROCESS },
    { "dirty", 0 },
    { "sources_hash", KEY_RESUMED },
    { "arguments", KEY_LONG },
    { "rules", KEY_LONG },
    { "rules_hash", KEY_RESUMED | KEY_PROCESS },
    { "plugins", KEY_LONG | KEY_RESUMED | KEY_PROCESS },
    { "operations", KEY_LONG },
    { "seed", 0 },
    { "check_seed", 0 },
    { "processes", 0 },
    { "left_out", 0 },
    { "compiler", KEY_RESUMED },
    { "flags", KEY_LONG | KEY_RESUMED },
    { "nvcc", KEY_RESUMED },
    { "nvcc_flags", KEY_LONG | KEY_RESUMED },
    { "architectures", KEY_LONG | KEY_RESUMED },
    { "cub_version", KEY_RESUMED },
    { "binary_hash", KEY_PROCESS },
    { "host_hash", KEY_RESUMED_HOST },
    { "system", 0 },
    { "together", 0 },
    { "device", 0 },
    { "device_name", KEY_RESUMED | KEY_PROCESS },
    { "pretend", KEY_RESUMED | KEY_PROCESS },
    { "device_kind", KEY_RESUMED },
    { "sm_count", KEY_RESUMED },
    { "l2_bytes", 0 },
    { "memory_bytes", 0 },
    { "compute_capability", 0 },
    { "gpu_hash", KEY_PROCESS },
    { "sm_clock_max_mhz", 0 },
    { "mem_clock_max_mhz", 0 },
    { "clocks_locked", KEY_PROCESS },
    { "power_limit_w", 0 },
    { "mem_bus_bits", 0 },
    { "attribute_peak_gbps", 0 },
    { "ecc", 0 },
    { "mig", KEY_RESUMED },
    { "pcie_link", 0 },
    { "driver", KEY_RESUMED | KEY_PROCESS },
    { "cuda_driver", 0 },
    { "cuda_runtime", 0 },
    { "empty_us", 0 },
    { "empty_hot_us", 0 },
    { "empty_graph_us", 0 },
    { "ceiling_drift_pct", 0 },
    { "host_busy_pct", 0 },
    { "wall_s", 0 },
    { "verify_s", 0 },
    { "sample_s", 0 },
    { "timed_s", 0 },
    { "check_s", 0 },
    { "changed_input_s", 0 },
};

static int key_index(const char *key)
{
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k)
        if (strcmp(manifest_keys[k].name, key) == 0)
            return k;
    return -1;
}

void manifest_free(struct manifest *manifest)
{
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k)
        free(manifest->value[k]);
    *manifest = (struct manifest){ 0 };
}

void manifest_set_list(struct manifest *manifest, const char *key,
                       const char *format, va_list arguments)
{
    char text[MANIFEST_VALUE_BYTES];
    char **value = &manifest->value[key_index(key)];
    vsnprintf(text, sizeof text, format, arguments);
    free(*value);
    *value = memory_copy(text);
}

void manifest_set(struct manifest *manifest, const char *key,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    manifest_set_list(manifest, key, format, arguments);
    va_end(arguments);
}

const char *manifest_get(const struct manifest *manifest, const char *key)
{
    const int k = key_index(key);
    return k >= 0 && manifest->value[k] ? manifest->value[k] : "";
}

double manifest_number(const struct manifest *manifest, const char *key)
{
    const char *text = manifest_get(manifest, key);
    char *end;
    const double number = strtod(text, &end);
    return *text && !*end && isfinite(number) ? number : NAN;
}

const struct manifest_key *manifest_difference(const struct manifest *left,
                                               const struct manifest *right,
                                               unsigned property)
{
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        const struct manifest_key *key = &manifest_keys[k];
        if (key->properties & property &&
            strcmp(manifest_get(left, key->name),
                   manifest_get(right, key->name)) != 0)
            return key;
    }
    return NULL;
}

/* ----------------------------------------------------------------- writing */

static void print(const struct manifest *manifest, FILE *file)
{
    fputs("key,value\n", file);
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        const char *value = manifest->value[k];
        csv_write_field(file, true, manifest_keys[k].name);
        csv_write_field(file, false, value ? value : "");
        fputc('\n', file);
    }
}

/* A renamed file is on disk when its folder is. */
static bool sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return false;
    const bool ok = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return ok;
}

bool manifest_write(const struct manifest *manifest, const char *folder)
{
    char path[1200];
    char *text;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    print(manifest, file);
    memory_close(file, &text);
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, folder);
    const bool ok = whole_file_write(path, text, bytes);
    free(text);
    return ok && sync_folder(folder);
}

/* ----------------------------------------------------------------- reading */

struct line {
    struct manifest *manifest;
    const char *key, *value;
};

static const struct csv_column columns[] = {
    COLUMN(line, key, key, TEXT, NEEDED),
    COLUMN(line, value, value, LONG_TEXT, NEEDED),
};

/* Most values are short, as messages repeat them. Ignores unknown keys. */
static const char *take_line(void *record, int64_t number, char *problem)
{
    (void)number, (void)problem;
    const struct line *line = record;
    const int k = key_index(line->key);
    if (k < 0)
        return NULL;
    const bool is_long = manifest_keys[k].properties & KEY_LONG;
    if (strlen(line->value) >= (is_long ? MANIFEST_VALUE_BYTES : 1024))
        return "a value that no run has: too long";
    if (line->manifest->value[k])
        return "a key that has a value already";
    line->manifest->value[k] = memory_copy(line->value);
    return NULL;
}

size_t manifest_read(struct manifest *manifest, const char *folder,
                     const struct listener *listener)
{
    static const struct columns key_and_value = COLUMNS_OF(columns);
    struct line line = { .manifest = manifest };
    return columns_read_file(&(struct columns_file){ .columns = &key_and_value,
                                                     .folder = folder,
                                                     .name = MANIFEST_FILE,
                                                     .record = &line,
                                                     .take = take_line,
                                                     .listener = listener });
}

bool manifest_is_known(const struct manifest *manifest, const char *folder,
                       const struct listener *listener)
{
    char path[1200], remedy[96];
    const char *schema = manifest_get(manifest, "schema");
    if (manifest_number(manifest, "schema") == RUN_SCHEMA)
        return true;
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, folder);
    snprintf(remedy, sizeof remedy,
             "schema %.20s, this one reads %d: measure again",
             *schema ? schema : "unknown", RUN_SCHEMA);
    listener_tell(listener, path, 0, "measured by another version of scanbench",
                  remedy);
    return false;
}
