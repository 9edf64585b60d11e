/* SPDX-License-Identifier: MIT
 *
 * FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) identifies hosts, boards and builds
 * without naming them, and spreads keys over a table. SHA-256 (FIPS 180-4)
 * identifies the bytes of a file.
 */
#ifndef SRC_BASE_HASH_H
#define SRC_BASE_HASH_H

#include <stddef.h>

/* Starts as HASH_START, and takes bytes part by part. */
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

enum { SHA256_BYTES = 32, SHA256_TEXT_BYTES = 2 * SHA256_BYTES + 1 };

/* The digest in hexadecimal, as sha256sum prints it; returns `text`. */
char *sha256_text(const void *data, size_t bytes, char text[SHA256_TEXT_BYTES]);
void sha256(const void *data, size_t bytes, unsigned char digest[SHA256_BYTES]);

#endif
