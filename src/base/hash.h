/* SPDX-License-Identifier: MIT
 *
 * FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): tells hosts and boards apart in
 * what is published without naming them, and spreads keys over a table.
 */
#ifndef SRC_BASE_HASH_H
#define SRC_BASE_HASH_H

static inline unsigned long long hash_text(const char *text)
{
    unsigned long long hash = 0xcbf29ce484222325u;
    for (; *text; ++text)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

#endif
