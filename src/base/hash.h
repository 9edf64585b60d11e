/* SPDX-License-Identifier: MIT
 *
 * FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): tells hosts, boards and builds
 * apart in what is published without naming them, and spreads keys over a
 * table.
 */
#ifndef SRC_BASE_HASH_H
#define SRC_BASE_HASH_H

#include <stddef.h>

/* Starts as HASH_START, and takes bytes in as many parts as one likes. */
#define HASH_START 0xcbf29ce484222325u
static inline unsigned long long hash_bytes(unsigned long long hash,
                                            const void *data, size_t bytes)
{
    const unsigned char *from = data;
    for (size_t k = 0; k < bytes; ++k)
        hash = (hash ^ from[k]) * 0x100000001b3u;
    return hash;
}

static inline unsigned long long hash_text(const char *text)
{
    unsigned long long hash = HASH_START;
    for (; *text; ++text)
        hash = hash_bytes(hash, text, 1);
    return hash;
}

#endif
