/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include "harness/device/kernels.h"
#include "src/base/clock.h"
#include "src/verify/float_mode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static struct {
    unsigned char *flush;
    size_t flush_bytes;
    char why[128];
} host;

/* "model name : …" of /proc/cpuinfo, or the machine's architecture. */
static void read_name(char *name, size_t bytes)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    snprintf(name, bytes, "CPU");
    while (info && fgets(line, sizeof line, info)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, bytes, "%s", colon + 2);
        break;
    }
    if (info)
        fclose(info);
}

/* A line like "32768K", "32M", "1G" or bytes; 0 for others. */
static int64_t size_bytes(const char *text)
{
    char *unit;
    const long long number = strtoll(text, &unit, 10);
    const int shift = *unit == 'K'   ? 10
                      : *unit == 'M' ? 20
                      : *unit == 'G' ? 30
                                     : 0;
    unit += shift > 0;
    return number > 0 && number < INT64_MAX >> 31 && strchr("\n", *unit)
               ? (int64_t)number << shift
               : 0;
}

/* Bytes of SCANBENCH_HOST_CACHE (0 if it is no size), or of the first core's
 * last cache (in a virtual machine the whole processor's), or 32 MiB. */
static int64_t cache_bytes(void)
{
    const char *given = getenv("SCANBENCH_HOST_CACHE");
    const bool named = given && *given;
    int64_t bytes = named ? size_bytes(given) : 0;
    for (int index = 7; index >= 0 && !named && !bytes; --index) {
        char path[64], text[32];
        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        FILE *file = fopen(path, "r");
        if (file && fgets(text, sizeof text, file))
            bytes = size_bytes(text);
        if (file)
            fclose(file);
    }
    return bytes || named ? bytes : (int64_t)32 << 20;
}

static const char *host_open(int index, struct device_facts *facts,
                             struct driver_facts *driver, bool *absent)
{
    *absent = index != 0;
    if (*absent)
        return "there is one host";
    *facts = (struct device_facts){ .kind = DEVICE_HOST, .sm_count = 1 };
    *driver = (struct driver_facts){ 0 };
    read_name(driver->name, sizeof driver->name);
#ifdef _OPENMP
    facts->sm_count = omp_get_max_threads();
    if (facts->sm_count > MOST_THREADS) {
        snprintf(host.why, sizeof host.why,
                 "OMP_NUM_THREADS is %d: set it to at most %d", facts->sm_count,
                 MOST_THREADS);
        return host.why;
    }
#endif
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const long free_pages = sysconf(_SC_AVPHYS_PAGES);
    facts->l2_bytes = cache_bytes();
    if (!facts->l2_bytes)
        return "SCANBENCH_HOST_CACHE must be a size, like 32M";
    facts->memory_bytes = (int64_t)pages * page;
    facts->memory_free_bytes = (int64_t)free_pages * page;
    host.flush_bytes = (size_t)facts->l2_bytes * 2;
    host.flush = malloc(host.flush_bytes);
    if (!host.flush)
        return "no memory for the cache flush";
    memset(host.flush, 1, host.flush_bytes);
    return NULL;
}

static const char *host_allocate(size_t bytes, void **memory)
{
    *memory = aligned_alloc(256, (bytes + 256) / 256 * 256);
    if (*memory)
        return NULL;
    snprintf(host.why, sizeof host.why, "no memory for %zu bytes", bytes);
    return host.why;
}

static const char *host_set(void *memory, int byte, size_t bytes)
{
    memset(memory, byte, bytes);
    return NULL;
}

static const char *host_garbage(void *memory, size_t bytes, uint64_t seed)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        const uint32_t word = garbage_word(seed, at / sizeof(uint32_t));
        memcpy((char *)memory + at, &word,
               bytes - at < sizeof word ? bytes - at : sizeof word);
    }
    return NULL;
}

static const char *host_write_guards(const struct guards *guards)
{
    for (int k = 0; k < guards->count; ++k)
        memset(guards->at[k].memory, guards->at[k].byte, GUARD_BYTES);
    return NULL;
}

static const char *host_check_guards(const struct guards *guards,
                                     const char **where)
{
    *where = NULL;
    for (int k = 0; k < guards->count && !*where; ++k) {
        const struct guard *guard = &guards->at[k];
        const unsigned char *memory = guard->memory;
        /* All bytes are equal if each equals its neighbour. */
        if (memory[0] != guard->byte ||
            memcmp(memory, memory + 1, GUARD_BYTES - 1) != 0)
            *where = guard->where;
    }
    return NULL;
}

static const char *host_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return NULL;
}

static const char *host_fingerprint(const void *memory, size_t bytes,
                                    uint64_t *fingerprint)
{
    const int64_t vectors = fingerprint_vectors(memory, bytes);
    const unsigned char *from = memory;
    const unsigned char *rest = from + vectors * FINGERPRINT_VECTOR;
    const int64_t more = from + bytes - rest;
    uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) if (vectors > 1 << 16)
    for (int64_t at = 0; at < vectors; ++at) {
        uint64_t words[2];
        memcpy(words, from + at * FINGERPRINT_VECTOR, sizeof words);
        sum += fingerprint_vector(words[0], words[1], at);
    }
    for (int64_t at = 0; at < more; ++at)
        sum += fingerprint_vector(rest[at], 0, vectors + at);
    *fingerprint = sum;
    return NULL;
}

static const char *host_fill(const struct problem *problem, struct input input)
{
    verify_fill(problem, input, (void *)problem->in, (uint8_t *)problem->mask);
    return NULL;
}

static const char *host_change(const struct problem *problem, uint64_t from,
                               uint64_t to)
{
    verify_change(
        problem, from, to,
        (void *)(op_inputs(problem->op) == 2 ? problem->in2 : problem->in));
    return NULL;
}

static const char other_mode[] = "it left another floating-point mode "
                                 "(rounding, or subnormals that count as 0)";

static const char *host_check(const struct problem *problem,
                              const struct variant *variant, struct input input,
                              struct verification *result)
{
    if (!float_mode_was_default()) /* after some launch of a sample */
        return other_mode;
    *result = verify_host(problem, variant, input);
    return NULL;
}

static const char *host_launch(const struct variant *variant,
                               const struct problem *problem)
{
    int error = launched_by(variant, problem, NULL);
    if (!error && float_mode_is_default())
        return NULL;
    if (!error) {
        float_mode_reset();
        return other_mode;
    }
    if (last_launch.why)
        return last_launch.why;
    snprintf(host.why, sizeof host.why, "the launch returned error %d", error);
    return host.why;
}

/* Reads twice as much as the last-level cache holds. */
static void flush(void)
{
    static volatile unsigned sink;
    unsigned sum = 0;
    for (size_t k = 0; k < host.flush_bytes; k += 64)
        sum += host.flush[k];
    sink = sum;
    (void)sink;
}

static const char *host_sample(const struct variant *variant,
                               const struct problem *problems, int count,
                               int warm, struct sample *sample)
{
    const char *why = NULL;
    if (warm != LEAVE_CACHE)
        flush();
    for (int k = 0; k < warm && !why; ++k)
        why = host_launch(variant, problems + k);
    const struct planting *plant = sample->plant;
    const int planted = plant ? (int)ceil(plant->after) : -1;
    double start = clock_us();
    for (int k = 0; k < count && !why; ++k) {
        if (k == planted && plant->place)
            memset(plant->place, POISON_BYTE, plant->bytes);
        why = host_launch(variant, problems + k);
        if (plant && !plant->place && last_launch.to && k < count - 1)
            memset((char *)last_launch.to + plant->offset, POISON_BYTE,
                   plant->bytes);
    }
    sample->us = (clock_us() - start) / count;
    sample->host_us = sample->us;
    sample->ungated = false;
    sample->waits = false;
    sample->exchange_us = NAN;
    return why;
}

static int launch_empty(const struct problem *problem, void *stream)
{
    (void)problem;
    (void)stream;
    return 0;
}
static const struct variant empty = { .name = "empty", .launch = launch_empty };

static const char *host_sense(struct sensors *sensors, double *counted_mhz)
{
    if (sensors) {
        *sensors = sensors_unknown();
        *counted_mhz = NAN;
    }
    return NULL;
}

/* Adds on every thread, in 64 independent chains. */
#define ADDS(type)                                                             \
    static double adds_##type(int rounds)                                      \
    {                                                                          \
        type all = 0;                                                          \
        _Pragma("omp parallel reduction(+ : all)")                             \
        {                                                                      \
            type sum[64];                                                      \
            volatile type step_source = 1;                                     \
            type step = step_source;                                           \
            for (int k = 0; k < 64; ++k)                                       \
                sum[k] = (type)k;                                              \
            for (int round = 0; round < rounds; ++round)                       \
                for (int k = 0; k < 64; ++k)                                   \
                    sum[k] += step;                                            \
            for (int k = 0; k < 64; ++k)                                       \
                all += sum[k];                                                 \
        }                                                                      \
        volatile type sink = all;                                              \
        (void)sink;                                                            \
        return 64.0 * rounds;                                                  \
    }
ADDS(float)
ADDS(double)

static const char *host_add_gflops(enum dtype dtype, double *gflops)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *gflops = 0;
    for (int run = 0; run < 5; ++run) {
        const int rounds = 1 << 20;
        double start = clock_us();
        double adds =
            dtype == DTYPE_F64 ? adds_double(rounds) : adds_float(rounds);
        double rate = adds * threads / ((clock_us() - start) * 1e3);
        if (rate > *gflops)
            *gflops = rate;
    }
    return NULL;
}

const struct device device_host = {
    .open = host_open,
    .allocate = host_allocate,
    .release = free,
    .set = host_set,
    .copy = host_copy,
    .garbage = host_garbage,
    .write_guards = host_write_guards,
    .check_guards = host_check_guards,
    .fingerprint = host_fingerprint,
    .fill = host_fill,
    .change = host_change,
    .check = host_check,
    .launch = host_launch,
    .sample = host_sample,
    .empty = &empty,
    .sense = host_sense,
    .add_gflops = host_add_gflops,
};

const struct device *device_of(enum device_kind kind)
{
    if (kind == DEVICE_HOST)
        return &device_host;
#ifdef SCANBENCH_CUDA
    return &device_cuda;
#else
    return NULL;
#endif
}
