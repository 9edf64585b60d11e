/* SPDX-License-Identifier: MIT
 *
 * What the manifest keeps of a command line comes back as the same words.
 */
#include "harness/cli/arguments.h"
#include "harness/cli/resume.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static void check_round(int argc, char **argv)
{
    int count;
    char *text = arguments_that_matter(argc, argv);
    char **words = resume_split("scanbench", text, &count);
    CHECK_FOR(count == argc && !words[count], "%d words of %s", count, text);
    for (int k = 1; k < argc && k < count; ++k)
        CHECK_FOR(strcmp(words[k], argv[k]) == 0, "%s, not %s", words[k],
                  argv[k]);
    free(words);
    free(text);
}

int main(void)
{
    char *plain[] = { "scanbench", "run", "--quick", NULL };
    char *quoted[] = { "scanbench", "run", "-f", "^cumsum/.*'x y'|\\$",
                       "--op",      "",    "'",  "a  b",
                       NULL };
    char *none[] = { "scanbench", NULL };
    check_round(3, plain);
    check_round(8, quoted);
    check_round(1, none);
    return test_end();
}
