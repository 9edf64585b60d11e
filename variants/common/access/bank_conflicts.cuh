/* SPDX-License-Identifier: MIT
 *
 * The degree of bank conflicts in shared memory, on the host, to choose a
 * layout.
 */
#ifndef VARIANTS_COMMON_ACCESS_BANK_CONFLICTS_CUH
#define VARIANTS_COMMON_ACCESS_BANK_CONFLICTS_CUH

#include <stdint.h>

/* The most words of one bank that one of a block's first warps (half-warps for
 * 8-byte elements) accesses at once: 1 without conflicts. next() is the byte
 * that the next thread accesses, never a lower one; -1 past the last. As
 * launches call this, next() should not divide per thread. */
template <class Next>
int bank_conflicts(int elem_bytes, Next next)
{
    const int shift = elem_bytes == 8 ? 3 : 2, banks = 128 >> shift;
    int most = 1;
    int64_t byte = next();
    for (int first = 0; first < 64 && byte >= 0; first += banks) {
        uint8_t words[32] = { 0 }; /* in each bank */
        int64_t previous = -1;
        for (int i = 0; i < banks && byte >= 0; ++i, byte = next()) {
            const int64_t word = byte >> shift;
            const int bank = (int)(word & (banks - 1));
            if (word != previous && ++words[bank] > most)
                most = words[bank];
            previous = word;
        }
    }
    return most;
}

#endif
