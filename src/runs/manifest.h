/* SPDX-License-Identifier: MIT
 *
 * manifest.csv: what a run was made with, key by key, so that it can be
 * repeated, and doubted. MANIFEST_KEYS is the one list: every manifest has all
 * of these, in this order, an unknown one empty; results/README.md is checked
 * against it.
 */
#ifndef SRC_RUNS_MANIFEST_H
#define SRC_RUNS_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "src/runs/listener.h"

/* The version of the format that this scanbench writes, and the only one that
 * it reads. */
enum { RUN_SCHEMA = 4 };

/* X(key, meaning) */
#define MANIFEST_KEYS(X)                                                       \
    X(schema, "Version of this format")                                        \
    X(complete, "1 if the sweep came to its end, else 0")                      \
    X(utc, "Start, as 20260131T120000Z")                                       \
    X(utc_end, "End, likewise; empty if it was killed")                        \
    X(resumed, "How often the run was resumed")                                \
    X(commit, "The commit measured, with -dirty if the tree had changes; "     \
              "SCANBENCH_COMMIT in the environment overrides it")              \
    X(dirty, "1 if the tree had changes, 0 if not")                            \
    X(sources_hash, "Tells apart the sources that measure (src, harness, "     \
                    "variants, build files), whatever the commit")             \
    X(arguments,                                                               \
      "The words after `scanbench`, as a shell takes them, but for "           \
      "-o, -q and --resume")                                                   \
    X(rules, "The file of rules that `best` followed; empty: none")            \
    X(rules_hash, "Tells two files of rules apart")                            \
    X(plugins, "Of every plugin its name and its file's SHA-256, as "          \
               "name:hash; empty: none")                                       \
    X(seed, "Seed of the order that variants are sampled in")                  \
    X(secret, "Seed of what the verifier drew, written at the end; "           \
              "SCANBENCH_SECRET repeats it")                                   \
    X(processes, "Fresh processes that each ran the whole plan")               \
    X(left_out, "With --time-limit: problems (operation, type, shape) that "   \
                "were left out")                                               \
    X(compiler, "Compiler of the host code")                                   \
    X(flags, "How it was called")                                              \
    X(nvcc, "Version of nvcc, and so of the toolkit")                          \
    X(nvcc_flags, "How it was called, the architectures apart")                \
    X(architectures, "What nvcc built code for")                               \
    X(cub_version, "CUB_VERSION, 300001 for 3.0.1")                            \
    X(binary_hash, "Tells two builds of scanbench apart")                      \
    X(host_hash, "Tells two hosts apart: a hash of the machine id, which "     \
                 "names nobody")                                               \
    X(system, "Kernel, its release and the processor's architecture")          \
    X(together, "Devices that ran at the same time, this one too: 1 alone, "   \
                "or one after the other")                                      \
    X(device, "The device's short name, which is the folder's")                \
    X(device_name, "Its name as the driver (or /proc/cpuinfo) gives it")       \
    X(pretend, "The architecture that its facts were lowered to, as sm_75; "   \
               "empty: none")                                                  \
    X(device_kind, "cuda or host")                                             \
    X(sm_count, "Multiprocessors; on the host, threads")                       \
    X(l2_bytes, "The last-level cache, bytes")                                 \
    X(memory_bytes, "Memory, bytes")                                           \
    X(compute_capability, "As 9.0 (this and all to cuda_runtime: cuda only)")  \
    X(gpu_hash, "Tells two GPUs apart without giving their UUIDs")             \
    X(sm_clock_max_mhz, "Highest clock of the multiprocessors, MHz")           \
    X(mem_clock_max_mhz, "Highest clock of the memory, MHz")                   \
    X(clocks_locked,                                                           \
      "1 if a setting holds the clocks of the multiprocessors, "               \
      "0 if not as far as NVML tells")                                         \
    X(power_limit_w, "Power limit in force, watts")                            \
    X(mem_bus_bits, "Width of the memory bus, bits")                           \
    X(attribute_peak_gbps, "What it and the memory's clock multiply to, 1e9 "  \
                           "bytes a second; it is no ceiling")                 \
    X(ecc, "1 if the memory corrects errors")                                  \
    X(mig, "1 if the GPU is in MIG mode")                                      \
    X(pcie_link, "Generation and lanes of its link to the host, as 5x16")      \
    X(driver, "The driver's version")                                          \
    X(cuda_driver, "The newest CUDA that the driver knows, 13000 for 13.0")    \
    X(cuda_runtime, "The runtime's version, likewise")                         \
    X(empty_us, "An empty kernel timed as a cold cell, microseconds")          \
    X(empty_hot_us, "The same as a hot cell, microseconds")                    \
    X(ceiling_drift_pct, "How far the largest probes had moved by the end, "   \
                         "per cent, the worst of them")                        \
    X(host_busy_pct, "Share of the host's processors that other processes "    \
                     "took meanwhile, per cent")                               \
    X(wall_s, "Duration of the sweep, seconds; of a resumed run, the last "    \
              "part's")                                                        \
    X(verify_s, "Of that, verifying, seconds")                                 \
    X(sample_s, "Of that, sampling, flushing included, seconds")               \
    X(timed_s, "Of that, what the samples add up to, seconds")                 \
    X(look_s, "Of sampling, looking at what timed launches left, seconds")     \
    X(edition_s, "Of verifying, launches on another edition of the input, "    \
                 "seconds")

struct manifest_entry {
    char *key, *value;
};

struct manifest {
    struct manifest_entry *entries;
    size_t count;
};

extern const struct manifest_key {
    const char *name, *meaning;
} manifest_keys[];

enum {
#define MANIFEST_ONE(key, meaning) +1
    MANIFEST_KEY_COUNT = MANIFEST_KEYS(MANIFEST_ONE)
#undef MANIFEST_ONE
};

/* All keys, all empty. */
void manifest_init(struct manifest *manifest);
void manifest_free(struct manifest *manifest);

/* A key that is not in the list is added at the end. */
void manifest_set(struct manifest *manifest, const char *key,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Its value, or "". */
const char *manifest_get(const struct manifest *manifest, const char *key);

/* Writes its lines. False if the file did not take them. */
bool manifest_print(const struct manifest *manifest, FILE *file);

/* Writes folder/manifest.csv whole, or not at all: to a new file, which is then
 * renamed. False with errno. */
bool manifest_write(const struct manifest *manifest, const char *folder);

/* The same as a number; NaN if it is missing, or none. */
double manifest_number(const struct manifest *manifest, const char *key);

/* Reads a folder's manifest.csv. Damage, such as a second value of a key, is
 * reported and left out; returns how much that was, 1 for a file that cannot be
 * read. */
size_t manifest_read(struct manifest *manifest, const char *folder,
                     const struct listener *listener);

/* False, after saying so, if the run is of another schema. */
bool manifest_is_known(const struct manifest *manifest, const char *folder,
                       const struct listener *listener);

#endif
