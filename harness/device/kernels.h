/* SPDX-License-Identifier: MIT
 *
 * The instrument's own kernels: inputs, the float64 reference, the comparison,
 * the cache flush, the gate, the clocks and the flat roof. All work on the
 * default stream and return a cudaError_t as int.
 */
#ifndef HARNESS_DEVICE_KERNELS_H
#define HARNESS_DEVICE_KERNELS_H

#include "src/verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* verify_fill() on the device. */
int kernels_fill(const struct problem *problem, struct input input);

/* verify_change() on the device. */
int kernels_change(const struct problem *problem, uint64_t from, uint64_t to);

/* verify_host() on the device. The reference's prefix at every 256th element
 * is kept from call to call while op, dtype, shape and input stay the same, so
 * that a second variant's check costs one pass; and so does that of another
 * edition, whose prefixes are made from the totals of what it changes. */
int kernels_check(const struct problem *problem, const struct variant *variant,
                  struct input input, struct verification *result);

/* How often kernels_check() could not be sure at once that all was right, and
 * compared once more, slowly. */
int64_t kernels_second_looks(void);

/* A word of garbage: often one that a flag or a counter might be. */
static inline HOST_DEVICE uint32_t garbage_word(uint64_t seed, uint64_t index)
{
    const uint64_t hash = split_mix_hash(seed ^ split_mix_hash(index));
    return hash >> 63 ? (uint32_t)hash & 3 : (uint32_t)hash;
}

/* Fills memory, which is 4-aligned, with such words. */
int kernels_garbage(void *memory, size_t bytes, uint64_t seed);

/* Device memory that kernels_check() will keep for a problem, both kinds. */
int64_t kernels_reference_bytes(enum op op, struct shape shape);

/* Gives kernels_check()'s memory back. */
void kernels_release(void);

/* Reads `bytes` at `memory` (a multiple of 16): what lay in the L2 before is
 * evicted, and no dirty line is left to be written back under the next
 * kernel. */
int kernels_flush(const void *memory, size_t bytes);

/* A gate: holds the stream until the host opens it, so that what is queued
 * behind it starts without waiting for the host. All fields are in memory
 * that both sides see; tickets count up from 1. */
struct gate {
    volatile unsigned arrived; /* the ticket that the stream waits with */
    volatile unsigned opened;  /* the host's: tickets up to here may pass */
    volatile unsigned gave_up; /* the last ticket that waited too long */
};

/* Queues a wait of at most patience_us; the bound makes a deadlock (a launch
 * that waits for the stream) a late sample instead. */
int kernels_gate(struct gate *gate, unsigned ticket, double patience_us);

/* Blocks that each take a whole multiprocessor, until they are told to leave,
 * or patience_us are over. In memory that both sides see. */
struct crowd {
    volatile unsigned complete; /* all blocks are there */
    volatile unsigned leave;    /* the host's */
};

/* Queues a crowd; `arrivals` lies on the device, and is 0. */
int kernels_crowd(struct crowd *crowd, unsigned *arrivals, int blocks,
                  int shared_bytes, double patience_us, void *stream);

/* Queues a kernel that does nothing. */
int kernels_empty(void *stream);

/* One multiprocessor's clocks at one moment: cycles, and nanoseconds. */
struct stamp {
    long long cycles, ns;
};

/* Queues a stamp of each multiprocessor into stamps[0 … sm_count - 1]; one
 * that got no block keeps what it has. */
int kernels_stamp(struct stamp *stamps, int sm_count);

/* Runs `*adds` additions on all SMs, `rounds` times longer or shorter. */
int kernels_adds(bool is_double, int sm_count, int rounds, double *adds);

#ifdef __cplusplus
}
#endif
#endif
