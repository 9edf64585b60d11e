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
#include "src/runs/columns.h"

const struct manifest_key manifest_keys[MANIFEST_KEY_COUNT] = {
    { "schema", 0, "Version of this format" },
    { "complete", 0, "1 if the sweep came to its end, else 0" },
    { "utc", 0, "Start, as 20260131T120000Z" },
    { "utc_end", 0, "End, likewise; empty if it was killed" },
    { "resumed", 0, "How often the run was resumed" },
    { "commit", KEY_PROCESS,
      "The commit measured, with -dirty if the tree had changes; "
      "SCANBENCH_COMMIT in the environment overrides it" },
    { "dirty", 0, "1 if the tree had changes, 0 if not" },
    { "sources_hash", KEY_RESUMED,
      "Tells apart the sources that measure (src, harness, variants, "
      "build files), whatever the commit" },
    { "arguments", KEY_LONG,
      "The words after `scanbench`, as a shell takes them, but for -o, -q "
      "and --resume" },
    { "rules", KEY_LONG,
      "The file of rules that `best` followed; empty: none" },
    { "rules_hash", KEY_RESUMED | KEY_PROCESS,
      "Tells two files of rules apart" },
    { "plugins", KEY_LONG | KEY_RESUMED | KEY_PROCESS,
      "Of every plugin its name and its file's SHA-256, as name:hash; "
      "empty: none" },
    { "seed", 0, "Seed of the order that variants are sampled in" },
    { "secret", 0,
      "Seed of the verifier's random checks, written at the end; "
      "SCANBENCH_CHECK_SEED repeats it" },
    { "processes", 0, "Fresh processes that each ran the whole plan" },
    { "left_out", 0,
      "With --time-limit: problems (operation, type, shape) that were "
      "left out" },
    { "compiler", KEY_RESUMED, "Compiler of the host code" },
    { "flags", KEY_LONG | KEY_RESUMED, "How it was called" },
    { "nvcc", KEY_RESUMED, "Version of nvcc, and so of the toolkit" },
    { "nvcc_flags", KEY_LONG | KEY_RESUMED,
      "How it was called, the architectures apart" },
    { "architectures", KEY_LONG | KEY_RESUMED, "What nvcc built code for" },
    { "cub_version", KEY_RESUMED, "CUB_VERSION, 300001 for 3.0.1" },
    { "binary_hash", KEY_PROCESS, "Tells two builds of scanbench apart" },
    { "host_hash", KEY_RESUMED_HOST,
      "Tells two hosts apart: a hash of the machine id, which names "
      "nobody" },
    { "system", 0, "Kernel, its release and the processor's architecture" },
    { "together", 0,
      "Devices that ran at the same time, this one too: 1 alone, or one "
      "after the other" },
    { "device", 0, "The device's short name, which is the folder's" },
    { "device_name", KEY_RESUMED | KEY_PROCESS,
      "Its name as the driver (or /proc/cpuinfo) gives it" },
    { "pretend", KEY_RESUMED | KEY_PROCESS,
      "The architecture that its facts were lowered to, as sm_75; empty: "
      "none" },
    { "device_kind", KEY_RESUMED, "cuda or host" },
    { "sm_count", KEY_RESUMED, "Multiprocessors; on the host, threads" },
    { "l2_bytes", 0, "The last-level cache, bytes" },
    { "memory_bytes", 0, "Memory, bytes" },
    { "compute_capability", 0,
      "As 9.0 (this and all to cuda_runtime: cuda only)" },
    { "gpu_hash", KEY_PROCESS,
      "Tells two GPUs apart without giving their UUIDs" },
    { "sm_clock_max_mhz", 0, "Highest clock of the multiprocessors, MHz" },
    { "mem_clock_max_mhz", 0, "Highest clock of the memory, MHz" },
    { "clocks_locked", KEY_PROCESS,
      "1 if a setting holds the clocks of the multiprocessors, 0 if not "
      "as far as NVML tells" },
    { "power_limit_w", 0, "Power limit in force, watts" },
    { "mem_bus_bits", 0, "Width of the memory bus, bits" },
    { "attribute_peak_gbps", 0,
      "What it and the memory's clock multiply to, 1e9 bytes a second; it "
      "is no ceiling" },
    { "ecc", 0, "1 if the memory corrects errors" },
    { "mig", KEY_RESUMED, "1 if the GPU is in MIG mode" },
    { "pcie_link", 0, "Generation and lanes of its link to the host, as 5x16" },
    { "driver", KEY_RESUMED | KEY_PROCESS, "The driver's version" },
    { "cuda_driver", 0,
      "The newest CUDA that the driver knows, 13000 for 13.0" },
    { "cuda_runtime", 0, "The runtime's version, likewise" },
    { "empty_us", 0, "An empty kernel timed as a cold cell, microseconds" },
    { "empty_hot_us", 0, "The same as a hot cell, microseconds" },
    { "ceiling_drift_pct", 0,
      "How far the largest probes had moved by the end, per cent, the "
      "worst of them" },
    { "host_busy_pct", 0,
      "Share of the host's processors that other processes took "
      "meanwhile, per cent" },
    { "wall_s", 0,
      "Duration of the sweep, seconds; of a resumed run, the last part's" },
    { "verify_s", 0, "Of that, verifying, seconds" },
    { "sample_s", 0, "Of that, sampling, flushing included, seconds" },
    { "timed_s", 0, "Of that, what the samples add up to, seconds" },
    { "look_s", 0, "Of sampling, canaries and output checks, seconds" },
    { "edition_s", 0, "Of verifying, launches on changed input, seconds" },
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

static bool print(const struct manifest *manifest, FILE *file)
{
    bool ok = fputs("key,value\n", file) >= 0;
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        const char *value = manifest->value[k];
        ok &= csv_write_field(file, true, manifest_keys[k].name);
        ok &= csv_write_field(file, false, value ? value : "");
        ok &= csv_write_end(file);
    }
    return ok;
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
    enum { PATH_BYTES = 1200 };
    char path[PATH_BYTES], new_path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, folder);
    snprintf(new_path, sizeof new_path, "%s/" MANIFEST_FILE ".new", folder);
    FILE *file = fopen(new_path, "w");
    const bool ok = file && print(manifest, file) && fflush(file) == 0 &&
                    fsync(fileno(file)) == 0;
    int error = errno;
    if (file)
        fclose(file);
    if (ok && rename(new_path, path) == 0)
        return sync_folder(folder);
    error = ok ? errno : error;
    unlink(new_path);
    errno = error;
    return false;
}

/* ----------------------------------------------------------------- reading */

struct line {
    struct manifest *manifest;
    const char *key, *value;
};

static const struct csv_column columns[] = {
    COLUMN(line, key, key, TEXT, NEEDED, ""),
    COLUMN(line, value, value, LONG_TEXT, NEEDED, ""),
};

/* Messages and pages repeat values, so most are short. Unknown keys are
 * ignored. */
static const char *take_line(void *context, int64_t number, char *problem)
{
    (void)number, (void)problem;
    const struct line *line = context;
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
                                                     .context = &line,
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
