/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

enum { MOST = 16 };

/* Words up to the NULL, after the program's name. */
static void check_words(char *const *words, const char *expected)
{
    char *argv[MOST + 1] = { "scanbench" };
    int argc = 1;
    for (; words[argc - 1]; ++argc)
        argv[argc] = words[argc - 1];
    char *kept = arguments_that_matter(COMMAND_RUN, argc, argv);
    CHECK_FOR(kept && strcmp(kept, expected) == 0, "%s: %s", expected, kept);
    free(kept);
}

#define CHECK_WORDS(expected, ...)                                             \
    check_words((char *const[]){ __VA_ARGS__, NULL }, expected)

static void check_what_matters(void)
{
    CHECK_WORDS("run --grid default", "run", "--grid", "default");
    CHECK_WORDS("run --quick", "run", "-o", "x", "--quick", "-q");
    CHECK_WORDS("run", "run", "--out=x", "--quie");
    CHECK_WORDS("run", "run", "--resume", "x", "--plugin", "y");
    CHECK_WORDS("run --op sum", "run", "--resu", "-x", "--op", "sum");
    CHECK_WORDS("run --dry-run", "run", "-qn");
    CHECK_WORDS("run --filter qo --quick", "run", "-f", "qo", "--quick");
    CHECK_WORDS("run --filter -q", "run", "-f", "-q");
    CHECK_WORDS("run -q", "run", "--", "-q");
    CHECK_WORDS("run a --op sum", "run", "--op", "sum", "a");
}

static void check_quotes(void)
{
    CHECK_WORDS("run --filter '^cumsum/(a|b)$'", "run", "-f", "^cumsum/(a|b)$");
    CHECK_WORDS("run 'a b' ''", "run", "a b", "");
    CHECK_WORDS("run 'it'\\''s'", "run", "it's");
    CHECK_WORDS("run --shape 3x4:1,5x6x7", "run", "--shape", "3x4:1,5x6x7");
}

int main(void)
{
    check_what_matters();
    check_quotes();
    return test_end();
}
