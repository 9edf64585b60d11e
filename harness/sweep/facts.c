/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep.h"

#include "harness/build.h"
#include "harness/sources.h"
#include "harness/version.h"
#include "src/base/clock.h"
#include "src/base/hash.h"
#include "src/choose/rules.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The build's version, or SCANBENCH_COMMIT for a tree without git. */
static const char *commit(void)
{
    const char *named = getenv("SCANBENCH_COMMIT");
    return named && *named ? named : SCANBENCH_VERSION;
}

/* "NVIDIA H200" -> "h200". */
static void slug_of(const char *name, char *slug, size_t bytes)
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

/* "0", "1", or empty for a release, which has no commit. */
static const char *dirty(const char *measured)
{
    const size_t chars = strlen(measured);
    if (strcmp(measured, SCANBENCH_RELEASE) == 0)
        return "";
    return chars >= 6 && strcmp(measured + chars - 6, "-dirty") == 0 ? "1"
                                                                     : "0";
}

static void set_text(struct manifest *m, const char *key, const char *text)
{
    manifest_set(m, key, "%s", text);
}

/* A negative value is unknown. */
static void set_number(struct manifest *m, const char *key, double value)
{
    if (value >= 0)
        manifest_set(m, key, "%.10g", value);
}

/* A hash of 0 is unknown. */
static void set_hash(struct manifest *m, const char *key,
                     unsigned long long hash)
{
    if (hash != 0)
        manifest_set(m, key, "%016llx", hash);
}

/* Hashes the random machine id, with a salt of scanbench's own. */
static unsigned long long host_hash(void)
{
    char id[64] = "";
    FILE *file = fopen("/etc/machine-id", "r");
    if (!file)
        return 0;
    const size_t chars = fread(id, 1, sizeof id - 1, file);
    fclose(file);
    return chars < 32 ? 0 : hash_bytes(hash_text("scanbench"), id, 32);
}

static void fill_operations(struct manifest *m)
{
    char text[OPS_MOST * (OP_NAME_BYTES + 8)] = "";
    size_t chars = 0;
    for (int o = OPS_BUILT_IN; o < op_count(); ++o)
        chars += (size_t)snprintf(text + chars, sizeof text - chars, "%s%s=%d",
                                  chars ? " " : "", op_name(op_at(o)),
                                  (int)op_at(o));
    set_text(m, "operations", text);
}

static void fill_gpu(struct manifest *m, const struct device_facts *f,
                     const struct driver_facts *driver)
{
    const int sm_max_mhz = driver->sm_max_mhz;
    manifest_set(m, "compute_capability", "%d.%d", f->compute_capability / 10,
                 f->compute_capability % 10);
    set_number(m, "sm_clock_max_mhz",
               sm_max_mhz > 0 ? sm_max_mhz : driver->sm_clock_khz / 1e3);
    set_number(m, "mem_clock_max_mhz", driver->memory_clock_khz / 1e3);
    set_number(m, "mem_bus_bits", driver->memory_bus_bits);
    manifest_set(m, "attribute_peak_gbps", "%.1f", driver_bus_gbps(driver));
    set_number(m, "ecc", driver->ecc);
    set_number(m, "cuda_driver", driver->cuda_driver);
    set_number(m, "cuda_runtime", driver->cuda_runtime);
    set_text(m, "driver", driver->version);
    set_hash(m, "gpu_hash", driver->uuid_hash);
    set_number(m, "clocks_locked", driver->clocks_locked);
    set_number(m, "power_limit_w", driver->power_limit_mw / 1e3);
    set_number(m, "mig", driver->mig);
    if (driver->pcie_generation > 0 && driver->pcie_lanes > 0)
        manifest_set(m, "pcie_link", "%dx%d", driver->pcie_generation,
                     driver->pcie_lanes);
}

static void fill_device(struct manifest *m, const struct device_facts *f,
                        const struct driver_facts *driver)
{
    char slug[128];
    slug_of(driver->name, slug, sizeof slug);
    set_text(m, "device", slug);
    set_text(m, "device_name", driver->name);
    set_text(m, "pretend", driver->pretend ? driver->pretend : "");
    set_text(m, "device_kind", f->kind == DEVICE_HOST ? "host" : "cuda");
    set_number(m, "sm_count", f->sm_count);
    manifest_set(m, "l2_bytes", "%lld", (long long)f->l2_bytes);
    manifest_set(m, "memory_bytes", "%lld", (long long)f->memory_bytes);
    if (f->kind != DEVICE_HOST)
        fill_gpu(m, f, driver);
}

void facts_fill(struct manifest *m, const struct device_facts *facts,
                const struct driver_facts *driver, const char *arguments)
{
    const struct rules *rules = facts->rules;
    struct utsname host;
    char utc[UTC_BYTES];
    unsigned long long hash; /* two builds of one dirty tree may differ */
    *m = (struct manifest){ 0 };
    manifest_set(m, "schema", "%d", RUN_SCHEMA);
    set_text(m, "complete", "0");
    set_text(m, "utc", clock_utc(utc));
    set_text(m, "resumed", "0");
    set_text(m, "commit", commit());
    set_text(m, "dirty", dirty(commit()));
    set_text(m, "sources_hash", SCANBENCH_SOURCES);
    set_text(m, "arguments", arguments);
    fill_operations(m);
    set_text(m, "rules", rules ? rules->name : "");
    set_hash(m, "rules_hash", rules ? rules->hash : 0);

    set_text(m, "compiler", SCANBENCH_COMPILER);
    set_text(m, "flags", SCANBENCH_FLAGS);
    set_text(m, "nvcc", SCANBENCH_NVCC);
    set_text(m, "nvcc_flags", SCANBENCH_NVCC_FLAGS);
    set_text(m, "architectures", SCANBENCH_ARCHITECTURES);
    set_text(m, "cub_version", SCANBENCH_CUB);
    if (hash_file("/proc/self/exe", &hash))
        set_hash(m, "binary_hash", hash);

    uname(&host);
    /* The suffix is the builder's, and may name people and places. */
    host.release[strcspn(host.release, "-+ ")] = '\0';
    set_hash(m, "host_hash", host_hash());
    manifest_set(m, "system", "%s %s %s", host.sysname, host.release,
                 host.machine);
    fill_device(m, facts, driver);
}

/* -------------------------------------------------------------- host load */

static double clock_of(clockid_t clock)
{
    struct timespec used;
    return clock_gettime(clock, &used)
               ? 0
               : (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

struct host_load host_load_now(pid_t child)
{
    /* user nice system idle iowait irq softirq steal */
    double ticks[8], all = 0;
    struct host_load load = { NAN, NAN, clock_of(CLOCK_PROCESS_CPUTIME_ID) };
    struct rusage ended;
    clockid_t clock;
    FILE *file = fopen("/proc/stat", "r");
    if (file && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &ticks[0],
                       &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5],
                       &ticks[6], &ticks[7]) == 8) {
        const double per_s = (double)sysconf(_SC_CLK_TCK);
        for (int k = 0; k < 8; ++k)
            all += ticks[k];
        load.all_s = all / per_s;
        load.busy_s = (all - ticks[3] - ticks[4]) / per_s;
    }
    if (file)
        fclose(file);
    if (getrusage(RUSAGE_CHILDREN, &ended) == 0)
        load.own_s +=
            (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
            1e-6 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
    if (child > 0 && clock_getcpuclockid(child, &clock) == 0)
        load.own_s += clock_of(clock);
    return load;
}

double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to)
{
    const double all = to->all_s - from->all_s;
    const double others = to->busy_s - from->busy_s - (to->own_s - from->own_s);
    return all > 0 ? 100 * fmin(fmax(others / all, 0), 1) : NAN;
}
