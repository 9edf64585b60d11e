/* SPDX-License-Identifier: MIT */
#include "src/choose/catalogue.h"

#include <string.h>

const char *catalogue_folder(enum op op)
{
    if (op_is_scan(op))
        return "scan";
    return op == OP_SUM ? "sum" : op == OP_FLIP ? "flip" : "stream";
}

int catalogue_find(const struct catalogue_point *points, enum op op,
                   const char *name)
{
    const char *folder = catalogue_folder(op);
    const size_t chars = strlen(folder);
    for (int k = 0; points[k].name; ++k)
        if (strcmp(points[k].name, name) == 0 &&
            strncmp(points[k].id, folder, chars) == 0 &&
            points[k].id[chars] == '/')
            return k;
    return -1;
}
