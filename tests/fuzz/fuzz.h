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

#endif
