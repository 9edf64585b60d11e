/* SPDX-License-Identifier: MIT
 *
 * The instrument's own kernels: inputs, the comparison, the cache flush, the
 * gate, the clocks and the flat roof. All work on the default stream. Those
 * that serve struct device return NULL or an error text, the others a
 * cudaError_t as int.
 */
#pragma once

#include "harness/device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- functions of struct device, documented there --- */

const char *kernels_write_guards(const struct guards *guards);
const char *kernels_check_guards(const struct guards *guards,
                                 const char **where);
const char *kernels_garbage(void *memory, size_t bytes, uint64_t seed);
const char *kernels_fingerprint(const void *memory, size_t bytes,
                                uint64_t *fingerprint);
const char *kernels_fill(const struct problem *problem, struct input input);
const char *kernels_change(const struct problem *problem, uint64_t from,
                           uint64_t to);

/* Keeps the prefix of every chunk from call to call while op, dtype, shape and
 * input stay, so that the check of a second variant costs one pass. */
const char *kernels_check(const struct problem *problem,
                          const struct variant *variant, struct input input,
                          struct verification *result);
int64_t kernels_reference_bytes(enum op op, struct shape shape);
void kernels_forget(void);

/* device_cuda.c: records the launches, with the poisoning between them if there
 * is one, on the stream. The caller destroys *graph unless it is NULL. */
struct CUgraph_st;
const char *record_launches(const struct variant *variant,
                            const struct problem *problems, int count,
                            const struct planting *plant, void *stream,
                            struct CUgraph_st **graph);

/* stress.c: records the launch as a graph, whose grids can be changed. */
const char *stress_launch(const struct variant *variant,
                          const struct problem *problems, int count,
                          const struct stress *stress, bool *unfit);

/* --- shared with the host --- */

/* A word of garbage: often a likely value of a flag or counter. */
static inline HOST_DEVICE uint32_t garbage_word(uint64_t seed, uint64_t index)
{
    const uint64_t hash = split_mix_hash(seed ^ split_mix_hash(index));
    return hash >> 63 ? (uint32_t)hash & 3 : (uint32_t)hash;
}

/* A fingerprint is the sum, in any order, of hashes of every 16 bytes and their
 * place; unaligned bytes, and those at the end, are hashed singly. */
enum { FINGERPRINT_VECTOR = 16 };

/* Every changed bit of the vector changes its hash. */
static inline HOST_DEVICE uint64_t fingerprint_vector(uint64_t low,
                                                      uint64_t high, int64_t at)
{
    return split_mix_hash(low * 0x9e3779b97f4a7c15u +
                          high * 0xd1342543de82ef95u +
                          (uint64_t)at * 0xaf251af3b0f025b5u);
}

/* Number of whole vectors that are hashed. */
static inline int64_t fingerprint_vectors(const void *memory, size_t bytes)
{
    return (uintptr_t)memory % FINGERPRINT_VECTOR
               ? 0
               : (int64_t)(bytes / FINGERPRINT_VECTOR);
}

/* --- timing --- */

/* Reads `bytes` (a multiple of 16) at `memory`, so that the L2 holds nothing
 * else, and no dirty line that would be written back during the next kernel. */
int kernels_flush(const void *memory, size_t bytes);

/* A gate, in shared memory, holds the stream until the host opens it, so that
 * queued launches do not wait for the host. Tickets count up from 1. */
struct gate {
    volatile unsigned arrived; /* ticket at which the stream waits */
    volatile unsigned opened;  /* by the host, up to this ticket */
    volatile unsigned gave_up; /* last ticket that waited too long */
};

/* Queues a wait of at most patience_us. Without the limit, a launch that waits
 * for the stream would be a deadlock. */
int kernels_gate(struct gate *gate, unsigned ticket, double patience_us);

/* A crowd of blocks, each of which occupies a multiprocessor until `leave` is
 * set or patience_us are over. Host and device share this memory. */
struct crowd {
    volatile unsigned complete; /* all blocks are resident */
    volatile unsigned leave;    /* set by the host */
};

/* Queues a crowd; `arrivals` lies on the device, and is 0. */
int kernels_crowd(struct crowd *crowd, unsigned *arrivals, int blocks,
                  int shared_bytes, double patience_us, void *stream);

/* Queues a kernel that does nothing. */
int kernels_empty(void *stream);

/* One multiprocessor's clocks at one moment. */
struct stamp {
    long long cycles, ns;
};

/* Queues a stamp of each multiprocessor into stamps[0 … sm_count - 1]. A
 * multiprocessor that got no block keeps its stamp. */
int kernels_stamp(struct stamp *stamps, int sm_count);

/* Queues *adds additions on all multiprocessors, in proportion to `rounds`. */
int kernels_adds(bool is_double, int sm_count, int rounds, double *adds);

#ifdef __cplusplus
}
#endif
