/* SPDX-License-Identifier: MIT
 *
 * SHA-256 (FIPS 180-4): which bytes a file held.
 */
#ifndef SRC_BASE_SHA256_H
#define SRC_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32, SHA256_TEXT_BYTES = 2 * SHA256_BYTES + 1 };

void sha256(const void *data, size_t bytes, unsigned char digest[SHA256_BYTES]);

/* The digest in hexadecimal, as sha256sum prints it; returns its last argument.
 */
char *sha256_text(const void *data, size_t bytes, char text[SHA256_TEXT_BYTES]);

#endif
