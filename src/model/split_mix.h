/* SPDX-License-Identifier: MIT
 *
 * SplitMix64 (G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number
 * Generators, 2014): a seed gives the same numbers on every machine.
 */
#pragma once

#include "src/model/dtype.h"

/* SplitMix64's finaliser: S. Vigna, public domain (prng.di.unimi.it). */
static inline HOST_DEVICE uint64_t split_mix_hash(uint64_t key)
{
    key += 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 27) * 0x94d049bb133111ebu;
    return key ^ key >> 31;
}

/* The state starts at the seed. */
static inline uint64_t split_mix_draw(uint64_t *state)
{
    const uint64_t number = split_mix_hash(*state);
    *state += 0x9e3779b97f4a7c15u;
    return number;
}

/* A random permutation of 0 to count - 1. */
static inline void split_mix_shuffle(size_t *order, size_t count,
                                     uint64_t *state)
{
    for (size_t k = 0; k < count; ++k)
        order[k] = k;
    for (size_t left = count; left > 1; --left) {
        const size_t pick = split_mix_draw(state) % left;
        const size_t last = order[left - 1];
        order[left - 1] = order[pick];
        order[pick] = last;
    }
}
