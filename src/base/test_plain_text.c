/* SPDX-License-Identifier: MIT */
#include "src/base/plain_text.h"

#include <string.h>

#include "src/base/test.h"

int main(void)
{
    static const char *const plain[] = {
        "", "a b~", "\xc2\xb5s", "\xe2\x86\x92", "\xf0\x9f\x98\x80", "\xc2\xa0",
    };
    static const char *const others[] = {
        "\t",           "a\n",          "\x1b[31m",     "\x7f",
        "\xc2\x9b",     "\x9b",         "\xc2",         "\xc2\xc2\x9b\x9b",
        "\xc0\x9b",     "\xe0\x82\x9b", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\xa8", "\xff",
    };
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k)
        CHECK_FOR(plain_text(plain[k]), "%zu", k);
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        CHECK_FOR(!plain_text(others[k]), "%zu", k);
    char made[] = "no\n\x1b[2J \xc2\xb5s\xff";
    plain_make(made);
    CHECK(strcmp(made, "no  [2J \xc2\xb5s ") == 0);
    CHECK(plain_char("") == 0 && plain_char("\xe2\x86\x92x") == 3);
    return test_end();
}
