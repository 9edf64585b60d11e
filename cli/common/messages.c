/* SPDX-License-Identifier: MIT */
#include "cli/common/messages.h"

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

enum { NEAR_CHARS = 63 }; /* of a longer name, the first ones count */

/* Levenshtein's distance: characters inserted, deleted or replaced. */
static size_t distance_of(const char *left, const char *right)
{
    size_t row[NEAR_CHARS + 1], rights = strnlen(right, NEAR_CHARS);
    for (size_t r = 0; r <= rights; ++r)
        row[r] = r;
    for (size_t l = 0; l < NEAR_CHARS && left[l]; ++l) {
        size_t diagonal = row[0]++;
        for (size_t r = 1; r <= rights; ++r) {
            const size_t replaced = diagonal + (left[l] != right[r - 1]);
            const size_t moved =
                (row[r] < row[r - 1] ? row[r] : row[r - 1]) + 1;
            diagonal = row[r];
            row[r] = replaced < moved ? replaced : moved;
        }
    }
    return row[rights];
}

bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count)
{
    enum { FEW = 11, SLIPS = 2 };
    const char *nearest = NULL;
    size_t least = strlen(word) > SLIPS ? SLIPS : 0;
    for (size_t k = count; k-- > 0;)
        if (distance_of(word, names[k]) <= least) {
            nearest = names[k];
            least = distance_of(word, nearest);
        }
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    if (nearest)
        fprintf(stderr, "; did you mean %s?", nearest);
    for (size_t k = 0; count <= FEW && k < count; ++k)
        fprintf(stderr, "%s%s",
                k         ? ", "
                : nearest ? " There are: "
                          : "; there are: ",
                names[k]);
    fputc('\n', stderr);
    if (count > FEW)
        fprintf(stderr, "scanbench %s lists what there is\n", lister);
    return false;
}
