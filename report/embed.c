/* SPDX-License-Identifier: MIT
 *
 * STYLE BODY SCRIPT...: the parts of `scanbench report`'s page as C, on stdout
 * (harness/cli/report_parts.h). Scripts become one. Beside each stands its
 * SHA-256 in base64, by which the page's Content-Security-Policy knows what may
 * run (FIPS 180-4; W3C, Content Security Policy Level 3).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- sha-256 */

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

static uint32_t turned(uint32_t word, int bits)
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
        w[t] = (turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> 10) +
               w[t - 7] +
               (turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> 3) +
               w[t - 16];
    memcpy(s, hash, sizeof s);
    for (int t = 0; t < ROUNDS; ++t) {
        const uint32_t first =
            s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
            ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[t] + w[t];
        const uint32_t second =
            (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int k = 0; k < WORDS; ++k)
        hash[k] += s[k];
}

static void sha256(const unsigned char *text, size_t bytes,
                   unsigned char digest[4 * WORDS])
{
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
    for (int k = 0; k < 4 * WORDS; ++k)
        digest[k] = (unsigned char)(hash[k / 4] >> (24 - k % 4 * 8));
}

static void print_base64(const unsigned char *bytes, int count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int k = 0; k < count; k += 3) {
        const uint32_t three = (uint32_t)bytes[k] << 16 |
                               (uint32_t)(k + 1 < count ? bytes[k + 1] : 0)
                                   << 8 |
                               (uint32_t)(k + 2 < count ? bytes[k + 2] : 0);
        for (int j = 0; j < 4; ++j)
            putchar(k + j > count ? '=' : letters[three >> (18 - 6 * j) & 63]);
    }
}

/* ------------------------------------------------------------------ parts */

struct text {
    unsigned char *bytes;
    size_t count;
};

static void append(struct text *text, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t got = 1;
    while (file && got) {
        text->bytes = realloc(text->bytes, text->count + 4096);
        if (!text->bytes)
            abort();
        got = fread(text->bytes + text->count, 1, 4096, file);
        text->count += got;
    }
    if (!file || ferror(file)) {
        perror(path);
        exit(2);
    }
    fclose(file);
}

static void print_part(const char *name, char *const *paths, int count)
{
    struct text text = { 0 };
    unsigned char digest[4 * WORDS];
    for (int k = 0; k < count; ++k)
        append(&text, paths[k]);
    sha256(text.bytes, text.count, digest);
    printf("static const unsigned char %s[] = {", name);
    for (size_t k = 0; k < text.count; ++k)
        printf("%s%u,", k % 20 ? "" : "\n", text.bytes[k]);
    printf("0 };\nconst struct report_part report_%s = {\n"
           "    (const char *)%s, %zu, \"",
           name, name, text.count);
    print_base64(digest, sizeof digest);
    puts("\"\n};");
    free(text.bytes);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: embed STYLE BODY SCRIPT...\n", stderr);
        return 2;
    }
    puts("#include \"harness/cli/report_parts.h\"");
    print_part("style", argv + 1, 1);
    print_part("body", argv + 2, 1);
    print_part("script", argv + 3, argc - 3);
    return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
