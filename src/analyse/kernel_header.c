/* SPDX-License-Identifier: MIT */
#include "src/analyse/kernel_header.h"

#include <string.h>

/* A field is a word right behind " * ", its text begins in this column. */
enum { TEXT_COLUMN = 12 };

static size_t line_bytes(const char *line)
{
    return strcspn(line, "\n");
}

static void add(char text[KERNEL_FIELD_BYTES], const char *more, size_t bytes)
{
    const size_t used = strlen(text);
    if (used + bytes + 2 > KERNEL_FIELD_BYTES)
        return;
    if (used)
        text[used] = ' ';
    memcpy(text + used + (used > 0), more, bytes);
    text[used + (used > 0) + bytes] = '\0';
}

/* The line's word in the fields' place; 0 bytes: it goes on, or is none. */
static size_t word_bytes(const char *line)
{
    if (strncmp(line, " * ", 3) != 0 || line[3] == ' ')
        return 0;
    return strcspn(line + 3, " \n");
}

bool kernel_header_field(const char *source, const char *field,
                         char text[KERNEL_FIELD_BYTES])
{
    const char *end = strstr(source, "*/");
    bool inside = false;
    *text = '\0';
    for (const char *line = source; end && line < end;
         line += line_bytes(line) + (line[line_bytes(line)] == '\n')) {
        const size_t bytes = line_bytes(line), word = word_bytes(line);
        if (word || bytes < TEXT_COLUMN)
            inside =
                word == strlen(field) && strncmp(line + 3, field, word) == 0;
        if (inside && bytes >= TEXT_COLUMN)
            add(text, line + TEXT_COLUMN, bytes - TEXT_COLUMN);
    }
    return *text != '\0';
}
