/* SPDX-License-Identifier: MIT
 *
 * Shared by the targets of libFuzzer. Each takes any bytes and checks them by
 * REQUIRE(). fuzz.sh builds and runs them.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(right)                                                         \
    do {                                                                       \
        if (!(right)) {                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,         \
                    #right);                                                   \
            abort();                                                           \
        }                                                                      \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a text that ends at the first NUL; for free(). */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    REQUIRE(text);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Catches stdout, which glibc lets be another stream. */
struct fuzz_output {
    FILE *real;
    char *text;
    size_t bytes;
};

static inline void fuzz_catch(struct fuzz_output *output)
{
    output->real = stdout;
    stdout = open_memstream(&output->text, &output->bytes);
    REQUIRE(stdout);
}

/* The text written since; for free(). */
static inline char *fuzz_caught(struct fuzz_output *output)
{
    REQUIRE(fclose(stdout) == 0);
    stdout = output->real;
    return output->text;
}

#endif
