/* SPDX-License-Identifier: MIT */
#include "cli/common/messages.h"

#include "src/base/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool complain(const char *what, const char *word, const char *why)
{
    fprintf(stderr, "scanbench: %s '%s': %s\n", what, word, why);
    return false;
}

bool misused(const char *command, const char *format, ...)
{
    va_list arguments;
    fputs("scanbench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nsee scanbench %s --help\n", command);
    return false;
}

bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count)
{
    enum { FEW = 11 };
    const char *near[2];
    const size_t found = nearest_names(word, names, count, near, 2);
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s", k ? " or " : "; did you mean ", near[k]);
    fputs(found ? "?" : "", stderr);
    for (size_t k = 0; count <= FEW && k < count; ++k)
        fprintf(stderr, "%s%s",
                k       ? ", "
                : found ? " There are: "
                        : "; there are: ",
                names[k]);
    fputc('\n', stderr);
    if (count > FEW)
        fprintf(stderr, "scanbench %s lists what there is\n", lister);
    return false;
}
