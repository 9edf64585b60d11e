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
#include "src/runs/columns.h"

const struct manifest_key manifest_keys[MANIFEST_KEY_COUNT] = {
    { "schema", 0, "Version of the format" },
    { "complete", 0, "1 if the sweep finished, else 0" },
    { "utc", 0, "Start, such as 20260131T120000Z" },
    { "utc_end", 0, "End; empty after a kill" },
    { "resumed", 0, "Number of resumptions" },
    { "commit", KEY_PROCESS,
      "Commit measured, with -dirty if the tree had changes; SCANBENCH_COMMIT "
      "overrides it" },
    { "dirty", 0, "1 if the tree had changes, else 0" },
    { "sources_hash", KEY_RESUMED,
      "Hash of the sources that measure (src, harness, variants, build "
      "files)" },
    { "arguments", KEY_LONG,
      "Arguments of scanbench, quoted for a shell, without -o, -q and "
      "--resume" },
    { "rules", KEY_LONG, "File of rules that best followed; empty: none" },
    { "rules_hash", KEY_RESUMED | KEY_PROCESS, "Hash of the rules" },
    { "plugins", KEY_LONG | KEY_RESUMED | KEY_PROCESS,
      "Each plugin as name:SHA-256; empty: none" },
    { "operations", KEY_LONG,
      "Operations of the plugins, each as name=number; empty: none" },
    { "seed", 0, "Seed of the order in which variants are sampled" },
    { "check_seed", 0,
      "Check seed of the verifier, written at the end; SCANBENCH_CHECK_SEED "
      "repeats it" },
    { "processes", 0, "Fresh processes that each ran the whole plan" },
    { "left_out", 0,
      "Problems (operation, type, shape) that --time-limit left out" },
    { "compiler", KEY_RESUMED, "Compiler of the host code" },
    { "flags", KEY_LONG | KEY_RESUMED, "Flags of that compiler" },
    { "nvcc", KEY_RESUMED, "Version of nvcc, which is the toolkit's" },
    { "nvcc_flags", KEY_LONG | KEY_RESUMED,
      "Flags of nvcc, without the architectures" },
    { "architectures", KEY_LONG | KEY_RESUMED,
      "Architectures that nvcc compiled for" },
    { "cub_version", KEY_RESUMED, "CUB_VERSION, such as 300001 for 3.0.1" },
    { "binary_hash", KEY_PROCESS, "Hash of the build" },
    { "host_hash", KEY_RESUMED_HOST, "Hash of the machine id" },
    { "system", 0, "Kernel, its release and the processor's architecture" },
    { "together", 0, "Devices that ran at the same time, this one included" },
    { "device", 0, "Short name of the device, which is its folder's" },
    { "device_name", KEY_RESUMED | KEY_PROCESS,
      "Name from the driver or /proc/cpuinfo" },
    { "pretend", KEY_RESUMED | KEY_PROCESS,
      "Architecture of --pretend, such as sm_75; empty: none" },
    { "device_kind", KEY_RESUMED, "cuda or host" },
    { "sm_count", KEY_RESUMED, "Multiprocessors, or threads of the host" },
    { "l2_bytes", 0, "Last-level cache" },
    { "memory_bytes", 0, "Memory" },
    { "compute_capability", 0,
      "Such as 9.0 (from here to cuda_runtime: cuda only)" },
    { "gpu_hash", KEY_PROCESS, "Hash of the GPU's UUID" },
    { "sm_clock_max_mhz", 0, "Highest clock of the multiprocessors" },
    { "mem_clock_max_mhz", 0, "Highest clock of the memory" },
    { "clocks_locked", KEY_PROCESS,
      "1 if a setting holds the multiprocessors' clocks, 0 if NVML reports "
      "none" },
    { "power_limit_w", 0, "Power limit in force" },
    { "mem_bus_bits", 0, "Width of the memory bus" },
    { "attribute_peak_gbps", 0, "Bus width times memory clock; not a ceiling" },
    { "ecc", 0, "1 if the memory corrects errors" },
    { "mig", KEY_RESUMED, "1 if the GPU is in MIG mode" },
    { "pcie_link", 0, "PCIe generation and lanes, such as 5x16" },
    { "driver", KEY_RESUMED | KEY_PROCESS, "Version of the driver" },
    { "cuda_driver", 0,
      "Newest CUDA that the driver supports, 13000 for 13.0" },
    { "cuda_runtime", 0, "Version of the CUDA runtime, likewise" },
    { "empty_us", 0, "Time of an empty kernel as a cold cell" },
    { "empty_hot_us", 0, "The same as a hot cell" },
    { "ceiling_drift_pct", 0,
      "Largest change of a ceiling's probe from start to end" },
    { "host_busy_pct", 0,
      "Share of the host's processors taken by other processes" },
    { "wall_s", 0,
      "Duration of the sweep; of a resumed run, of the last part" },
    { "verify_s", 0, "Verification, as a part of wall_s" },
    { "sample_s", 0, "Sampling, as a part of wall_s" },
    { "timed_s", 0, "Sum of the samples, as a part of sample_s" },
    { "check_s", 0, "Canaries and output checks, as a part of sample_s" },
    { "changed_input_s", 0,
      "Launches on a changed input, as a part of verify_s" },
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
    struct whole_file whole;
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, folder);
    if (!whole_file_open(&whole, path))
        return false;
    print(manifest, whole.file);
    return whole_file_close(&whole) && sync_folder(folder);
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

/* Messages and pages repeat values, so most are short. Unknown keys are
 * ignored. */
static const char *take_line(void *record, int64_t number, char *problem)
{
    (void)number, (void)problem;
    static const char *const renamed[][2] = { { "secret", "check_seed" },
                                              { "look_s", "check_s" },
                                              { "edition_s",
                                                "changed_input_s" } };
    const struct line *line = record;
    int k = key_index(line->key);
    for (size_t r = 0; r < sizeof renamed / sizeof *renamed; ++r)
        if (strcmp(line->key, renamed[r][0]) == 0)
            k = key_index(renamed[r][1]);
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
