/* SPDX-License-Identifier: MIT */
#include "src/base/hash.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 8, ROUNDS = 64 };

static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t rotated(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static void take_block(uint32_t hash[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    for (int t = 0; t < 16; ++t)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; ++t)
        w[t] =
            (rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10) +
            w[t - 7] +
            (rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3) +
            w[t - 16];
    memcpy(s, hash, sizeof s);
    for (int t = 0; t < ROUNDS; ++t) {
        const uint32_t first =
            s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
            ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[t] + w[t];
        const uint32_t second =
            (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int k = 0; k < WORDS; ++k)
        hash[k] += s[k];
}

void sha256(const void *data, size_t bytes, unsigned char digest[SHA256_BYTES])
{
    const unsigned char *text = data;
    uint32_t hash[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    unsigned char last[2 * BLOCK] = { 0 };
    const size_t left = bytes % BLOCK;
    const size_t end = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
    for (size_t at = 0; at + BLOCK <= bytes; at += BLOCK)
        take_block(hash, text + at);
    memcpy(last, text + bytes - left, left);
    last[left] = 0x80;
    for (int k = 0; k < 8; ++k)
        last[end - 1 - k] = (unsigned char)((uint64_t)bytes * 8 >> 8 * k);
    for (size_t at = 0; at < end; at += BLOCK)
        take_block(hash, last + at);
    for (int k = 0; k < SHA256_BYTES; ++k)
        digest[k] = (unsigned char)(hash[k / 4] >> (24 - k % 4 * 8));
}

char *sha256_text(const void *data, size_t bytes, char text[SHA256_TEXT_BYTES])
{
    unsigned char digest[SHA256_BYTES];
    sha256(data, bytes, digest);
    for (int k = 0; k < SHA256_BYTES; ++k)
        snprintf(text + 2 * k, 3, "%02x", digest[k]);
    return text;
}
