/* SPDX-License-Identifier: MIT */
#include "cli/common/arguments.h"

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
    char *kept = arguments_that_matter(argc, argv);
    CHECK_FOR(kept && strcmp(kept, expected) == 0, "%s: %s", expected, kept);
    free(kept);
}

#define CHECK_WORDS(expected, ...)                                             \
    check_words((char *const[]){ __VA_ARGS__, NULL }, expected)

static void check_what_matters(void)
{
    CHECK_WORDS("run --grid default", "run", "--grid", "default");
    CHECK_WORDS("run --quick", "run", "-o", "x", "--quick", "-q");
    CHECK_WORDS("run --quick", "run", "-ox", "--quick", "--quiet");
    CHECK_WORDS("run", "run", "--out", "x");
    CHECK_WORDS("run", "run", "--out=x", "--quie");
    CHECK_WORDS("run a", "run", "--ou=x", "a");
    CHECK_WORDS("run", "run", "--resume", "x");
    CHECK_WORDS("run a", "run", "--resume=x", "a");
    CHECK_WORDS("run --op sum", "run", "--resu", "-x", "--op", "sum");
    CHECK_WORDS("run -n", "run", "-qn");
    CHECK_WORDS("run -n --quick", "run", "-nqo", "x", "--quick");
    CHECK_WORDS("run -n --quick", "run", "-nqox", "--quick");
    CHECK_WORDS("run -f qo --quick", "run", "-f", "qo", "--quick");
    CHECK_WORDS("run -f -q", "run", "-f", "-q");
    CHECK_WORDS("run -fqo", "run", "-fqo");
    CHECK_WORDS("run -fx", "run", "-qfx");
    CHECK_WORDS("run -f x", "run", "-qf", "x");
    CHECK_WORDS("run --only-x --outer 3", "run", "--only-x", "--outer", "3");
    CHECK_WORDS("run", "run", "--ou", "x", "--resume=y", "--qui");
    CHECK_WORDS("run --filter -o x", "run", "--filter", "-o", "x");
    CHECK_WORDS("run --excl -q x", "run", "--excl", "-q", "x");
    CHECK_WORDS("run --filter=-o", "run", "--filter=-o", "-ox");
    CHECK_WORDS("run --quick --op x", "run", "--quick", "--op", "x");
    CHECK_WORDS("run -- -q", "run", "--", "-q");
    CHECK_WORDS("run -", "run", "-");
}

static void check_quotes(void)
{
    CHECK_WORDS("run -f '^cumsum/(a|b)$'", "run", "-f", "^cumsum/(a|b)$");
    CHECK_WORDS("run 'a b' ''", "run", "a b", "");
    CHECK_WORDS("run 'it'\\''s'", "run", "it's");
    CHECK_WORDS("run --shape 3x4:1,5x6x7", "run", "--shape", "3x4:1,5x6x7");
}

int main(void)
{
    check_what_matters();
    check_quotes();
    CHECK_WORDS("", "-q");
    return test_end();
}
