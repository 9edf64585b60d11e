/* SPDX-License-Identifier: MIT */
#include "src/choose/catalogue.h"

#include <string.h>

const char *catalogue_folder(enum op op)
{
    if (op_is_scan(op))
        return "scan";
    return op_is_reduction(op) ? "reduce" : op == OP_FLIP ? "flip" : "stream";
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

/* ----------------------------------------------------------- kernel headers */

/* A field's name follows " * "; its text begins in this column. */
enum { TEXT_COLUMN = 12 };

static void append(char text[KERNEL_FIELD_BYTES], const char *more,
                   size_t bytes)
{
    if (strlen(text) + bytes + 2 > KERNEL_FIELD_BYTES)
        return;
    if (*text)
        strcat(text, " ");
    strncat(text, more, bytes);
}

bool kernel_header_field(const char *source, const char *field,
                         char text[KERNEL_FIELD_BYTES])
{
    const char *end = strstr(source, "*/");
    bool inside = false;
    *text = '\0';
    for (const char *line = source; end && line < end;) {
        const size_t bytes = strcspn(line, "\n");
        const bool named = strncmp(line, " * ", 3) == 0 && line[3] != ' ';
        const size_t chars = named ? strcspn(line + 3, " \n") : 0;
        if (chars || bytes < TEXT_COLUMN)
            inside =
                chars == strlen(field) && strncmp(line + 3, field, chars) == 0;
        if (inside && bytes >= TEXT_COLUMN)
            append(text, line + TEXT_COLUMN, bytes - TEXT_COLUMN);
        line += bytes + (line[bytes] == '\n');
    }
    return *text != '\0';
}
