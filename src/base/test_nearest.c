/* SPDX-License-Identifier: MIT */
#include "src/base/nearest.h"

#include <string.h>

#include "src/base/test.h"

static const char *const ops[] = { "cumsum",      "cumsum_exclusive",
                                   "sum",         "cumsum_reverse",
                                   "flip",        "copy",
                                   "masked_copy", "copy" };
enum { OPS = sizeof ops / sizeof *ops };

/* The names found, joined by spaces. */
static const char *found(const char *word, size_t n)
{
    static char text[256];
    const char *nearest[8];
    text[0] = '\0';
    const size_t count = nearest_names(word, ops, OPS, nearest, n);
    for (size_t k = 0; k < count; ++k) {
        strcat(text, k ? " " : "");
        strcat(text, nearest[k]);
    }
    return text;
}

static void check_found(const char *word, size_t n, const char *expected)
{
    CHECK_FOR(strcmp(found(word, n), expected) == 0, "%s: %s", word,
              found(word, n));
}

static void check_names(void)
{
    static const char *const parallel = "memcpy_parallel";
    static const char *const decoupled = "decoupled_lookback";
    static const char *const walls[] = { "wall_s", "all_of_it" };
    const char *near[1];
    check_found("cumsun", 1, "cumsum");
    check_found("cumsun", 2, "cumsum sum");
    check_found("CUMSUM", 1, "cumsum");
    check_found("smu", 1, "sum");
    check_found("flop", 3, "flip");
    check_found("cumsum_revers", 1, "cumsum_reverse");
    /* A part of a name stands for the name. */
    check_found("exclusive", 2, "cumsum_exclusive");
    check_found("REV", 2, "cumsum_reverse");
    check_found("masked", 1, "masked_copy");
    /* A repeated name is named once. */
    check_found("copy", 8, "copy masked_copy");
    check_found("zzzzzz", 8, "");
    /* A part from the middle of a word on is none. */
    CHECK(nearest_names("all", walls, 2, near, 1) == 1 &&
          strcmp(near[0], "all_of_it") == 0);
    /* Letters here and there are no likeness. */
    CHECK(nearest_names("decoupled", &parallel, 1, near, 1) == 0);
    CHECK(nearest_names("decouled", &decoupled, 1, near, 1) == 1);
    check_found("", 8, "");
    check_found("cumsun", 0, "");
    CHECK(nearest_names("sum", NULL, 0, NULL, 3) == 0);
}

/* Names of any length stay within the buffers. */
static void check_long_names(void)
{
    char a[1000];
    const char *const names[] = { "b", a };
    const char *near[2];
    memset(a, 'a', sizeof a - 1);
    a[sizeof a - 1] = '\0';
    CHECK(nearest_names(a, names, 2, near, 2) == 1 && near[0] == a);
}

int main(void)
{
    check_long_names();
    check_names();
    return test_end();
}
