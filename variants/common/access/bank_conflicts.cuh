/* SPDX-License-Identifier: MIT
 *
 * The degree of bank conflicts in shared memory, on the host: what a layout is
 * chosen by.
 */
#ifndef VARIANTS_COMMON_ACCESS_BANK_CONFLICTS_CUH
#define VARIANTS_COMMON_ACCESS_BANK_CONFLICTS_CUH

#include <stdint.h>

/* The most words of one bank that a block's first warps, or half-warps if
 * elements are of 8 bytes, access at once: 1 without conflicts. Thread i
 * accesses byte at(i), which does not decrease; -1: no access from there on. */
template <class At>
int bank_conflicts(int elem_bytes, At at)
{
    const int unit = elem_bytes == 8 ? 8 : 4, banks = 128 / unit;
    int most = 1;
    for (int first = 0; first < 64; first += banks) {
        int words[32] = { 0 }; /* in each bank */
        int64_t previous = -1;
        for (int i = first; i < first + banks; ++i) {
            const int64_t byte = at(i), word = byte / unit;
            if (byte < 0)
                return most;
            if (word != previous && ++words[word % banks] > most)
                most = words[word % banks];
            previous = word;
        }
    }
    return most;
}

#endif
