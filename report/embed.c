/* SPDX-License-Identifier: MIT
 *
 * embed STYLE BODY SCRIPT...: writes the parts of the page of `scanbench
 * report` as C to stdout (cli/report/report_parts.h), all scripts as one. Each
 * part has its SHA-256 in base64 for the page's Content-Security-Policy.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/hash.h"

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
    unsigned char digest[SHA256_BYTES];
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
    puts("#include \"cli/report/report_parts.h\"");
    print_part("style", argv + 1, 1);
    print_part("body", argv + 2, 1);
    print_part("script", argv + 3, argc - 3);
    return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
