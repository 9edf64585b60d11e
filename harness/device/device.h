/* SPDX-License-Identifier: MIT
 *
 * A device, host or CUDA: memory, inputs, checking, timing. One is open at a
 * time, in the worker process. Functions that can fail return NULL, or an error
 * text that lives until the next call. After a failure the worker ends, as the
 * device may be beyond repair.
 */
#pragma once

#include "src/verify/verify.h"

#include <math.h>

/* Of a host: without memory for a thread, OpenMP ends the process. */
enum { MOST_THREADS = 4096 };

/* Outputs are poisoned with this byte: NaN in every dtype. */
enum { POISON_BYTE = 0xff };

/* The size of a guard is a multiple of every dtype's and of the alignment that
 * variants may rely on. One call takes at most MOST_GUARDS of them. */
enum { GUARD_BYTES = 65536, MOST_GUARDS = 10 };

/* The guards' byte; inputs' guards have POISON_BYTE. */
enum { GUARD_BYTE = 0xc3 };

/* Memory beside a buffer, full of one byte: variants may not write it. */
struct guard {
    unsigned char *memory; /* GUARD_BYTES of it, at any address */
    unsigned char byte;
    const char *where; /* "before the output", for a message */
};

struct guards {
    int count;
    struct guard at[MOST_GUARDS];
};

/* Facts that variants do not get, for the manifest, from nvml.c and
 * cuda_facts.c. An unknown one is an empty text, -1, or a hash of 0. */
struct driver_facts {
    char version[80];             /* "580.95.05" */
    unsigned long long uuid_hash; /* distinguishes boards, names none */
    int ecc, mig;                 /* 1 on, 0 off */
    int clocks_locked;            /* 1 if a setting holds the SM clock */
    int sm_max_mhz;
    int power_limit_mw;
    int pcie_generation, pcie_lanes;

    /* From the runtime; 0 without one. */
    char name[256];      /* "NVIDIA H200"; of a host, its processor's */
    const char *pretend; /* the pretended architecture, or NULL */
    int sm_clock_khz, memory_clock_khz, memory_bus_bits;
    int cuda_driver, cuda_runtime; /* 13000 for 13.0 */
    int code; /* architecture whose code of this program it runs: 900 for 9.0 */
};

/* The memory bus's bandwidth in 1e9 bytes per second, or 0 if unknown. */
static inline double driver_bus_gbps(const struct driver_facts *driver)
{
    return 2e-6 * driver->memory_clock_khz * driver->memory_bus_bits / 8;
}

/* Clocks and heat at one moment; NaN if unknown. */
struct sensors {
    double sm_mhz, mem_mhz, temp_c, power_w;
    unsigned long long throttle; /* NVML's reasons: harness/device/nvml.h */
};

static inline struct sensors sensors_unknown(void)
{
    const struct sensors unknown = { NAN, NAN, NAN, NAN, 0 };
    return unknown;
}

enum { LEAVE_CACHE = -1 };

/* An element to be poisoned while a sample's launches run. If the variant
 * chooses the place of its output, the element is poisoned after every launch
 * but the last, in the output of that launch. */
struct planting {
    char *place; /* on the device; NULL for `offset` in each launch's output */
    size_t offset, bytes;
    double after;     /* launches from the start of the first */
    double launch_us; /* approximate time of each */
    int behind;       /* launches that begin after the poisoning */
    bool late;        /* out: the launches in front had ended before
                         those behind were queued */
};

/* One timed sample. */
struct sample {
    struct planting *plant; /* in; may be NULL */
    bool in_graph;          /* in: the launches are one CUDA graph */
    double us;              /* of one launch, by the device's clock */
    double host_us;         /* by the host's clock, to the end; or NaN */
    bool ungated;       /* not held while queueing: us may include host time */
    bool waits;         /* ungated because the launch waited for the device */
    double exchange_us; /* of the exchange between ranks alone, or NaN */
};

/* Adverse conditions for a launch; 0 for none. */
struct stress {
    int blocks;  /* limit on the grid of a kernel */
    int room;    /* free multiprocessors, with one block each */
    int streams; /* concurrent launches, with buffers of their own */
};
enum { STRESS_MOST_STREAMS = 8 };

static inline bool stress_any(const struct stress *stress)
{
    return stress->blocks || stress->room || stress->streams;
}

struct device {
    /* Opens device `index`, and fills in the facts; variants get only
     * device_facts. Sets *absent if there is no such device. */
    const char *(*open)(int index, struct device_facts *facts,
                        struct driver_facts *driver, bool *absent);

    const char *(*allocate)(size_t bytes, void **memory); /* 256-aligned */
    void (*release)(void *memory);
    const char *(*set)(void *memory, int byte, size_t bytes);

    /* Either end may be the device's memory, or a small object on the host. */
    const char *(*copy)(void *to, const void *from, size_t bytes);

    /* Fills a 4-aligned workspace with random words, half of them small. */
    const char *(*garbage)(void *memory, size_t bytes, uint64_t seed);

    const char *(*write_guards)(const struct guards *guards);

    /* Sets *where to the first broken guard's `where`, or to NULL. */
    const char *(*check_guards)(const struct guards *guards,
                                const char **where);

    /* A hash of an even number of bytes, to compare equally aligned memory. */
    const char *(*fingerprint)(const void *memory, size_t bytes,
                               uint64_t *fingerprint);

    /* verify_fill(), verify_change() and verify_host() on this device. */
    const char *(*fill)(const struct problem *problem, struct input input);
    const char *(*change)(const struct problem *problem, uint64_t from,
                          uint64_t to);
    const char *(*check)(const struct problem *problem,
                         const struct variant *variant, struct input input,
                         struct verification *result);

    /* Size of the memory that check() keeps for a problem, and its release.
     * Both are NULL if it keeps none; the device need not be open. */
    int64_t (*reference_bytes)(enum op op, struct shape shape);
    void (*forget)(void);

    /* Work that must precede a launch and is not timed. May be NULL. */
    const char *(*prepare)(const struct variant *variant,
                           const struct problem *problem);

    /* Launches once and waits for the end. */
    const char *(*launch)(const struct variant *variant,
                          const struct problem *problem);

    /* Launches `count` problems with their own out and workspace at once, under
     * stress, and waits; the variant has been launched before. *unfit: the
     * stress is impossible for it. NULL for a device without blocks and
     * streams. */
    const char *(*stressed)(const struct variant *variant,
                            const struct problem *problems, int count,
                            const struct stress *stress, bool *unfit);

    /* Times the launches of `count` problems, which differ in their buffers, in
     * a row. First the last-level cache is flushed, and `warm` of them are
     * launched untimed; with LEAVE_CACHE, neither. */
    const char *(*sample)(const struct variant *variant,
                          const struct problem *problems, int count, int warm,
                          struct sample *sample);

    /* A variant without work, whose samples are the cost of launching. */
    const struct variant *empty;

    /* Starts and stops an attached profiler. May be NULL. */
    void (*profile)(bool on);

    /* With NULLs, starts to count the multiprocessors' clock. Otherwise reads
     * it (NaN if it cannot be counted) and the sensors. */
    const char *(*sense)(struct sensors *sensors, double *counted_mhz);

    /* Rate of additions in registers: the flat roof. */
    const char *(*add_gflops)(enum dtype dtype, double *gflops);
};

extern const struct device device_host;
#ifdef SCANBENCH_CUDA
extern const struct device device_cuda;
#endif

/* NULL if this build has no such device. */
const struct device *device_of(enum device_kind kind);

/* --- launched.c, for every device --- */

/* Launches; as part of it, a variant that allocates its output returns the
 * place. The problem's address, the stack's depth and the registers are always
 * the same, so that the variant cannot distinguish a timed launch from a
 * checked one. Returns the launch's value. Not for several threads. */
int launched_by(const struct variant *variant, const struct problem *problem,
                void *stream);

/* The last launch's output if the variant has `output`, and its failure's
 * reason if the variant has `error_text`; or NULL. */
extern struct last_launch {
    const void *to;
    const char *why;
} last_launch;
