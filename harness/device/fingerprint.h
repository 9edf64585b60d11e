/* SPDX-License-Identifier: MIT
 *
 * A number that stands for the bits of an output: the sum of a hash of every
 * 16 bytes and their place, so that it can be taken in any order. Where memory
 * is not aligned so, and at its end, every 2 bytes are hashed.
 */
#ifndef HARNESS_DEVICE_FINGERPRINT_H
#define HARNESS_DEVICE_FINGERPRINT_H

#include "src/verify/input.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FINGERPRINT_VECTOR = 16 };

/* One vector: a bit that changes in it changes the hash. */
static inline HOST_DEVICE uint64_t fingerprint_vector(uint64_t low,
                                                      uint64_t high, int64_t at)
{
    return split_mix_hash(low * 0x9e3779b97f4a7c15u +
                          high * 0xd1342543de82ef95u +
                          (uint64_t)at * 0xaf251af3b0f025b5u);
}

/* How many bytes are taken as whole vectors. */
static inline int64_t fingerprint_vector_bytes(const void *memory,
                                               int64_t bytes)
{
    return (uintptr_t)memory % FINGERPRINT_VECTOR
               ? 0
               : bytes / FINGERPRINT_VECTOR * FINGERPRINT_VECTOR;
}

/* Of a GPU's memory; `bytes` is even. Works on the default stream, waits for
 * it, and returns a cudaError_t as int. */
int fingerprint_of(const void *memory, int64_t bytes, uint64_t *fingerprint);

#ifdef __cplusplus
}
#endif
#endif
