/* SPDX-License-Identifier: MIT */
#include "harness/run_folder/facts.h"

#include "harness/run_folder/arguments.h"
#include "harness/build.h"
#include "harness/version.h"
#include "src/base/hash.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

char *facts_utc(char utc[UTC_BYTES])
{
    const time_t now = time(NULL);
    struct tm calendar;
    gmtime_r(&now, &calendar);
    strftime(utc, UTC_BYTES, "%Y%m%dT%H%M%SZ", &calendar);
    return utc;
}

const char *facts_commit(void)
{
    const char *named = getenv("SCANBENCH_COMMIT");
    return named && *named ? named : SCANBENCH_VERSION;
}

void facts_slug(const char *name, char *slug, size_t bytes)
{
    size_t length = 0;
    if (strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    for (; *name && length + 1 < bytes; ++name) {
        const unsigned char c = (unsigned char)*name;
        if (isalnum(c))
            slug[length++] = (char)tolower(c);
        else if (length && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length && slug[length - 1] == '-')
        --length;
    slug[length] = '\0';
}

/* ------------------------------------------------------------- filling */

/* "0", "1", or unknown: a tree without git has no commit, only a release. */
static const char *dirty(const char *commit)
{
    const size_t chars = strlen(commit);
    if (strcmp(commit, SCANBENCH_RELEASE) == 0)
        return "";
    return chars >= 6 && strcmp(commit + chars - 6, "-dirty") == 0 ? "1" : "0";
}

/* Of this program's own file; two builds of one dirty tree may differ. */
static unsigned long long binary_hash(void)
{
    static unsigned long long hash; /* made once: tens of megabytes */
    unsigned char part[65536];
    size_t bytes;
    FILE *file = hash ? NULL : fopen("/proc/self/exe", "r");
    if (!file)
        return hash;
    hash = 0xcbf29ce484222325u;
    while ((bytes = fread(part, 1, sizeof part, file)) > 0)
        for (size_t k = 0; k < bytes; ++k)
            hash = (hash ^ part[k]) * 0x100000001b3u;
    fclose(file);
    return hash;
}

static bool set_text(struct manifest *m, const char *key, const char *text)
{
    return manifest_set(m, key, "%s", text);
}

/* Negative is unknown. */
static bool set_number(struct manifest *m, const char *key, double value)
{
    return value < 0 || manifest_set(m, key, "%.10g", value);
}

/* 0 is unknown. */
static bool set_hash(struct manifest *m, const char *key,
                     unsigned long long hash)
{
    return hash == 0 || manifest_set(m, key, "%016llx", hash);
}

static bool fill_build(struct manifest *m)
{
    return set_text(m, "compiler", SCANBENCH_COMPILER) &&
           set_text(m, "flags", SCANBENCH_FLAGS) &&
           set_text(m, "nvcc", SCANBENCH_NVCC) &&
           set_text(m, "nvcc_flags", SCANBENCH_NVCC_FLAGS) &&
           set_text(m, "architectures", SCANBENCH_ARCHITECTURES) &&
           set_text(m, "cub_version", SCANBENCH_CUB) &&
           set_hash(m, "binary_hash", binary_hash());
}

static bool fill_host(struct manifest *m)
{
    struct utsname host;
    if (uname(&host))
        return true;
    /* What follows is the builder's, and may name people and places. */
    host.release[strcspn(host.release, "-+ ")] = '\0';
    return set_hash(m, "host_hash", hash_text(host.nodename)) &&
           manifest_set(m, "system", "%s %s %s", host.sysname, host.release,
                        host.machine);
}

static bool fill_command(struct manifest *m, int argc, char *const *argv)
{
    char utc[UTC_BYTES], *words = arguments_that_matter(argc, argv);
    const bool ok =
        words && set_text(m, "schema", "2") && set_text(m, "complete", "0") &&
        set_text(m, "utc", facts_utc(utc)) && set_text(m, "resumed", "0") &&
        set_text(m, "commit", facts_commit()) &&
        set_text(m, "dirty", dirty(facts_commit())) &&
        set_text(m, "arguments", words);
    free(words);
    return ok;
}

/* What the driver tells of a GPU, beyond the runtime's attributes. */
static bool fill_driver(struct manifest *m, const struct driver_facts *driver)
{
    bool ok = set_text(m, "driver", driver->version) &&
              set_hash(m, "gpu_hash", driver->uuid_hash) &&
              set_number(m, "clocks_locked", driver->clocks_locked) &&
              set_number(m, "power_limit_w", driver->power_limit_mw / 1e3) &&
              set_number(m, "mig", driver->mig);
    if (driver->pcie_generation > 0 && driver->pcie_lanes > 0)
        ok = ok && manifest_set(m, "pcie_link", "%dx%d",
                                driver->pcie_generation, driver->pcie_lanes);
    return ok;
}

static bool fill_gpu(struct manifest *m, const struct device_facts *f)
{
    const int sm_max_mhz = f->driver.sm_max_mhz;
    return manifest_set(m, "compute_capability", "%d.%d",
                        f->compute_capability / 10,
                        f->compute_capability % 10) &&
           set_number(m, "sm_clock_max_mhz",
                      sm_max_mhz > 0 ? sm_max_mhz : f->sm_clock_khz / 1e3) &&
           set_number(m, "mem_clock_max_mhz", f->memory_clock_khz / 1e3) &&
           set_number(m, "mem_bus_bits", f->memory_bus_bits) &&
           manifest_set(m, "attribute_peak_gbps", "%.1f",
                        2e-6 * f->memory_clock_khz * f->memory_bus_bits / 8) &&
           set_number(m, "ecc", f->driver.ecc >= 0 ? f->driver.ecc : f->ecc) &&
           set_number(m, "cuda_driver", f->driver_version) &&
           set_number(m, "cuda_runtime", f->runtime_version) &&
           fill_driver(m, &f->driver);
}

static bool fill_device(struct manifest *m, const struct device_facts *f)
{
    char slug[128];
    facts_slug(f->name, slug, sizeof slug);
    return set_text(m, "device", slug) && set_text(m, "device_name", f->name) &&
           set_text(m, "device_kind",
                    f->kind == DEVICE_HOST ? "host" : "cuda") &&
           set_number(m, "sm_count", f->sm_count) &&
           manifest_set(m, "l2_bytes", "%lld", (long long)f->l2_bytes) &&
           manifest_set(m, "memory_bytes", "%lld",
                        (long long)f->memory_bytes) &&
           (f->kind == DEVICE_HOST || fill_gpu(m, f));
}

bool facts_fill(struct manifest *manifest, const struct device_facts *facts,
                int argc, char *const *argv)
{
    return fill_command(manifest, argc, argv) && fill_build(manifest) &&
           fill_host(manifest) && fill_device(manifest, facts);
}

/* ------------------------------------------------------------ matching */

static bool matches(const struct manifest *old, const struct manifest *now,
                    const char *key, const char *folder)
{
    const char *was = manifest_get(old, key), *is = manifest_get(now, key);
    if (strcmp(was, is) == 0)
        return true;
    const bool many = key[strlen(key) - 1] == 's';
    fprintf(stderr,
            "scanbench: %s cannot be resumed: its %s %s '%s', and here %s "
            "'%s'\n",
            folder, key, many ? "are" : "is", was, many ? "they are" : "it is",
            is);
    return false;
}

/* What is unknown on either side says nothing. */
static bool may_match(const struct manifest *old, const struct manifest *now,
                      const char *key, const char *folder)
{
    return !*manifest_get(old, key) || !*manifest_get(now, key) ||
           matches(old, now, key, folder);
}

bool facts_match(const struct manifest *old, const struct manifest *now,
                 const char *folder)
{
    static const char *const keys[] = { "device_kind",        "device_name",
                                        "sm_count",           "memory_bytes",
                                        "compute_capability", "commit",
                                        "arguments" };
    if (!matches(old, now, "schema", folder))
        return false;
    bool same = true;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        same &= matches(old, now, keys[k], folder);
    same &= may_match(old, now, "gpu_hash", folder);
    same &= may_match(old, now, "driver", folder);
    same &= may_match(old, now, "mig", folder);
    static const char *const build[] = { "compiler",      "flags",
                                         "nvcc",          "nvcc_flags",
                                         "architectures", "cub_version" };
    for (size_t k = 0; k < sizeof build / sizeof *build; ++k)
        same &= may_match(old, now, build[k], folder);
    /* Hosts of one name of processor differ; a GPU has its own hash. */
    if (strcmp(manifest_get(now, "device_kind"), "host") == 0)
        same &= may_match(old, now, "host_hash", folder);
    /* One commit, but two trees. */
    if (strcmp(manifest_get(now, "dirty"), "0") != 0)
        same &= may_match(old, now, "binary_hash", folder);
    return same;
}
