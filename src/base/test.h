/* SPDX-License-Identifier: MIT
 *
 * Test programs: CHECK() counts, and test_end() reports.
 */
#pragma once

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int test_passed, test_failed;

/* CHECK(condition) prints the place of a failure; CHECK_FOR(condition,
 * "format", …) also prints the case of a loop. */
#define CHECK(right) test_check(right, __FILE__, __LINE__, #right, "%s", "")
#define CHECK_FOR(right, ...)                                                  \
    test_check(right, __FILE__, __LINE__, #right, __VA_ARGS__)

__attribute__((format(printf, 5, 6))) static inline bool
test_check(bool right, const char *file, int line, const char *text,
           const char *format, ...)
{
    if (right) {
        ++test_passed;
        return true;
    }
    ++test_failed;
    printf("%s:%d: not so: %s ", file, line, text);
    va_list cases;
    va_start(cases, format);
    vprintf(format, cases);
    va_end(cases);
    putchar('\n');
    return false;
}

static inline bool is_near_to(double value, double wanted, double relative)
{
    return fabs(value - wanted) <= relative * fabs(wanted);
}

/* Allows for the rounding of a few operations. */
static inline bool is_near(double value, double wanted)
{
    return is_near_to(value, wanted, 1e-12);
}

/* main()'s last line: return test_end(); */
static inline int test_end(void)
{
    printf("%d passed, %d failed, 0 skipped\n", test_passed, test_failed);
    return test_failed > 0;
}
