/* SPDX-License-Identifier: MIT
 *
 * FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) identifies hosts, boards and files
 * without naming them, and spreads keys over a table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
    return hash_bytes(HASH_START, text, strlen(text));
}

/* Hashes the bytes of a file. False with errno. */
static inline bool hash_file(const char *path, unsigned long long *hash)
{
    unsigned char part[65536];
    size_t bytes;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    for (*hash = HASH_START; (bytes = fread(part, 1, sizeof part, file)) > 0;)
        *hash = hash_bytes(*hash, part, bytes);
    const bool ok = !ferror(file);
    fclose(file);
    return ok;
}
