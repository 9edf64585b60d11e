/* SPDX-License-Identifier: MIT
 *
 * What the instrument needs of a machine, host or CUDA: memory, inputs,
 * checking, timing. One device is open at a time, in the worker process.
 * Functions that can fail return NULL, or what went wrong (a text that lives
 * until the next call); after a failure the device may be beyond repair, and
 * the worker ends.
 */
#ifndef HARNESS_DEVICE_DEVICE_H
#define HARNESS_DEVICE_DEVICE_H

#include "harness/device/driver_facts.h"
#include "harness/device/guards.h"
#include "src/verify/verify.h"

#include <math.h>

/* The byte that outputs are poisoned with: NaN in every dtype. */
enum { POISON_BYTE = 0xff };

/* Clocks and heat at one moment; NaN where the machine does not tell. */
struct sensors {
    double sm_mhz, mem_mhz, temp_c, power_w;
    unsigned long long throttle; /* NVML's reasons: harness/device/nvml.h */
};

static inline struct sensors sensors_unknown(void)
{
    return (struct sensors){ NAN, NAN, NAN, NAN, 0 };
}

enum { LEAVE_CACHE = -1 };

/* An element that is poisoned in the midst of a sample's launches: between them
 * there is no more than ever. Where a variant puts its output itself, nobody
 * knows the place beforehand, and it may be another one each time: behind every
 * launch but the last one, the element is poisoned in what that launch left. */
struct planting {
    char *place; /* on the device; NULL: `offset` bytes into such outputs */
    size_t offset, bytes;
    double after;     /* so many launches from the first one's start on */
    double launch_us; /* of which each takes about that long */
    int behind; /* the last so many launches begin when it is there, surely */
    bool late;  /* out: the others had ended before they were queued */
};

/* One timed sample. */
struct sample {
    struct planting *plant; /* in; NULL: none */
    double us;              /* one launch, by the device's clock */
    double host_us; /* the same by the host's, the wait for the end included;
                       NaN where it means nothing */
    bool ungated;   /* nothing held the stream while the launch was queued, so
                       the host's launch time may be inside */
    bool waits;     /* for that the launch is to blame: it waited for the
                       device */
    double exchange_us; /* of several ranks: the exchange alone; else NaN */
};

/* Adverse conditions of a launch; 0: as ever. */
struct stress {
    int blocks;  /* the most that a kernel's grid may have */
    int room;    /* multiprocessors that it is left, a block on each */
    int streams; /* launches at once, each with buffers of its own */
};
enum { STRESS_MOST_STREAMS = 8 };

static inline bool stress_any(const struct stress *stress)
{
    return stress->blocks || stress->room || stress->streams;
}

struct device {
    /* Opens device `index` and fills in the facts, those of a GPU's driver
     * apart: no kernel sees them. *absent: there is no such device here, as
     * opposed to one that fails. */
    const char *(*open)(int index, struct device_facts *facts,
                        struct driver_facts *driver, bool *absent);

    const char *(*allocate)(size_t bytes, void **memory); /* 256-aligned */
    void (*release)(void *memory);
    const char *(*set)(void *memory, int byte, size_t bytes);

    /* What a workspace may hold: words small and large, in no order. */
    const char *(*garbage)(void *memory, size_t bytes, uint64_t seed);

    const char *(*write_guards)(const struct guard *guards, int count);

    /* *where: of the first guard that does not hold its byte, or NULL. */
    const char *(*look_at_guards)(const struct guard *guards, int count,
                                  const char **where);

    /* Either end may be the device's memory, or a small thing on the host. */
    const char *(*copy)(void *to, const void *from, size_t bytes);

    /* The first byte in which two ranges of memory differ, or -1. */
    const char *(*differs)(const void *left, const void *right, size_t bytes,
                           int64_t *first);

    /* Stands for the bits of memory (harness/device/fingerprint.h). */
    const char *(*fingerprint)(const void *memory, size_t bytes,
                               uint64_t *fingerprint);

    /* As verify_fill(), verify_change() and verify_host(), for this device's
     * memory. */
    const char *(*fill)(const struct problem *problem, struct input input);
    const char *(*change)(const struct problem *problem, uint64_t from,
                          uint64_t to);
    const char *(*check)(const struct problem *problem,
                         const struct variant *variant, struct input input,
                         struct verification *result);

    /* Memory that check() keeps; may be asked of a device not open. */
    int64_t (*reference_bytes)(enum op op, struct shape shape);

    /* Gives that memory back. */
    void (*forget)(void);

    /* Does beforehand what no launch does by itself; NULL: nothing. */
    const char *(*prepare)(const struct variant *variant,
                           const struct problem *problem);

    /* Launches once and waits for the end. */
    const char *(*launch)(const struct variant *variant,
                          const struct problem *problem);

    /* Launches `count` problems, alike but for out and workspace, at once,
     * under stress, and waits for the end; the variant has been launched
     * before. *unfit: it cannot be put under that stress, and nothing is amiss
     * but that. NULL, where the device has no blocks and streams. */
    const char *(*stressed)(const struct variant *variant,
                            const struct problem *problems, int count,
                            const struct stress *stress, bool *unfit);

    /* Launches `count` problems, alike but for their buffers, one behind the
     * other, and times them together. Before that nothing of them is left in
     * the last-level cache, and then the first `warm` of them are launched
     * untimed; with LEAVE_CACHE it is as it may be. */
    const char *(*sample)(const struct variant *variant,
                          const struct problem *problems, int count, int warm,
                          struct sample *sample);

    /* A launch of no work, for sample(): what launching costs. */
    const struct variant *empty;

    /* Starts and stops a profiler that waits for that. */
    void (*profile)(bool on);

    /* With NULLs, begins to count the multiprocessors' clock. Then, reads that
     * (NaN if it cannot be counted) and the sensors. */
    const char *(*sense)(struct sensors *sensors, double *counted_mhz);

    /* Additions a second (1e9) of the type, with no memory traffic: the flat
     * roof. */
    const char *(*add_gflops)(enum dtype dtype, double *gflops);
};

extern const struct device device_host;
#ifdef SCANBENCH_CUDA
extern const struct device device_cuda;
#endif

/* NULL if this build has none of that kind. */
const struct device *device_of(enum device_kind kind);

#endif
