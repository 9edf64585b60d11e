/* SPDX-License-Identifier: MIT */
#include "harness/cli/unknown.h"

#include <stdio.h>

#include "src/base/nearest.h"

bool unknown_name(const char *what, const char *word, const char *const *names,
                  size_t count)
{
    enum { FEW = 10, NEAR = 3 };
    const char *near[NEAR];
    const size_t found = nearest_names(word, names, count, near, NEAR);
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s", k ? " or " : "; did you mean ", near[k]);
    for (size_t k = 0; !found && count <= FEW && k < count; ++k)
        fprintf(stderr, "%s%s", k ? ", " : "; there are: ", names[k]);
    fputs(found ? "?\n" : "\n", stderr);
    return false;
}
