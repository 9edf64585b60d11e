/* SPDX-License-Identifier: MIT */
#include "harness/cli/usage_options.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_INDENT = 16 }; /* of a line that goes on with a text */

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

/* Adds the words of a line, with single blanks. */
static void add_words(char *meaning, size_t room, const char *line)
{
    const size_t used = strlen(meaning);
    const size_t chars = strcspn(line += indent_of(line), "\n");
    snprintf(meaning + used, room - used, "%s%.*s", used ? " " : "", (int)chars,
             line);
}

/* The option that a line begins to explain, and where its text begins; NULL: it
 * does not. */
static const char *begin(const char *line, struct usage_option *option)
{
    const char *at = line + indent_of(line);
    if (at - line < 2 || at - line >= LEAST_INDENT)
        return NULL;
    if (at[0] == '-' && at[1] != '-' && strncmp(at + 2, ", ", 2) == 0)
        at += 4;
    if (strncmp(at, "--", 2) != 0)
        return NULL;
    at += 2;
    const size_t chars = strcspn(at, " \n");
    if (chars >= sizeof option->name)
        return NULL;
    snprintf(option->name, sizeof option->name, "%.*s", (int)chars, at);
    const char *end = at + strcspn(at, "\n");
    const char *gap = strstr(at, "  ");
    const char *text = !gap || gap > end ? end : gap + indent_of(gap);
    return strncmp(text, "--", 2) == 0 ? NULL : text;
}

size_t usage_options(const char *command, const char *help,
                     struct usage_option *found, size_t most)
{
    size_t count = 0;
    for (const char *line = help; *line && count < most;) {
        struct usage_option *option = &found[count];
        const char *text = begin(line, option);
        line += strcspn(line, "\n") + 1;
        if (!text)
            continue;
        option->meaning[0] = '\0';
        add_words(option->meaning, sizeof option->meaning, text);
        for (; indent_of(line) >= LEAST_INDENT; line += strcspn(line, "\n") + 1)
            add_words(option->meaning, sizeof option->meaning, line);
        snprintf(option->kind, sizeof option->kind, "option of %s", command);
        count += option->meaning[0] != '\0';
    }
    return count;
}
