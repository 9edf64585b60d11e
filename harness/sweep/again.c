/* SPDX-License-Identifier: MIT */
#include "harness/sweep/again.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void add(char text[AGAIN_BYTES],
                                                      const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, AGAIN_BYTES - used, format, arguments);
    va_end(arguments);
}

/* Quotes a word for the shell. */
static void add_word(char text[AGAIN_BYTES], const char *word)
{
    add(text, " '");
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
        add(text, "%.*s'\\''", (int)(quote - word), word);
    add(text, "%s'", word);
}

static void add_number(char text[AGAIN_BYTES], const char *option, int number)
{
    if (number)
        add(text, " --%s %d", option, number);
}

char *again_text(const struct options *options, enum device_kind kind,
                 const struct cell *cell, char text[AGAIN_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    text[0] = '\0';
    add(text, "scanbench %s", options_time(options) ? "run" : "check");
    if (kind == DEVICE_HOST)
        add(text, " --device host");
    else if (options->index)
        add(text, " --device cuda:%d", options->index);
    if (options->broken)
        add(text, " --broken");
    for (int k = 0; k < options->plugin_count; ++k) {
        add(text, " --plugin");
        add_word(text, options->plugin_paths[k]);
    }
    add(text, " --op %s --dtype %s --shape %s -f '/%s/'", op_name(cell->op),
        dtype_name(cell->dtype), shape_format(cell->shape, shape),
        cell->variant->name);
    add_number(text, "ranks", cell->ranks);
    const struct offsets by = cell->offset;
    if (by.out || by.mask)
        add(text, " --offset %d:%d:%d", by.all, by.out, by.mask);
    else
        add_number(text, "offset", by.all);
    if (options_time(options))
        return text;
    add_number(text, "repeat", options->repeats);
    add_number(text, "blocks", cell->stress.blocks);
    add_number(text, "room", cell->stress.room);
    add_number(text, "streams", cell->stress.streams);
    return text;
}
