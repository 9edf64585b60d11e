/* SPDX-License-Identifier: MIT */
#include "src/choose/code_run.h"

#include <stdlib.h>
#include <string.h>

int code_built(const char *options, int *built, int most)
{
    static const char begin[] = "-gencode=arch=compute_";
    int count = 0;
    while (*options) {
        char *end;
        if (count == most || strncmp(options, begin, sizeof begin - 1) != 0)
            return 0;
        const long number = strtol(options + sizeof begin - 1, &end, 10);
        if (number < 10 || number > 999)
            return 0;
        end += *end == 'a' || *end == 'f'; /* 9.0a counts as 9.0 */
        if (*end != ',')
            return 0;
        built[count++] = (int)number * 10;
        options = end + strcspn(end, " ");
        options += strspn(options, " ");
    }
    return count;
}
