/* SPDX-License-Identifier: MIT */
#include "cli/common/arguments.h"

#include "cli/common/options_parts.h"
#include "src/base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_quoted(FILE *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+,./:@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, text);
        return;
    }
    putc('\'', text);
    for (; *word; ++word)
        if (*word == '\'')
            fputs("'\\''", text);
        else
            putc(*word, text);
    putc('\'', text);
}

static void put_word(FILE *text, const char *word, bool *first)
{
    if (!*first)
        putc(' ', text);
    *first = false;
    put_quoted(text, word);
}

/* The option of `run` of that name, or of that beginning of it, as getopt takes
 * it, which has refused the ambiguous; NULL: none. */
static const struct option_row *long_option(const char *name, size_t chars)
{
    const struct option_row *found = NULL;
    for (const struct option_row *row = option_rows; row->name; ++row)
        if (chars && (row->commands & 1u << COMMAND_RUN) &&
            strncmp(row->name, name, chars) == 0) {
            if (strlen(row->name) == chars)
                return row;
            found = row;
        }
    return found;
}

static bool is_named(const struct option_row *row, const char *name)
{
    return row && strcmp(row->name, name) == 0;
}

enum next { NEXT_OWN, NEXT_KEEP, NEXT_DROP }; /* what the next word is */

/* Of a long option, as of short ones, puts what matters. */
static enum next take_long(FILE *text, const char *word, bool *first)
{
    const size_t chars = strcspn(word + 2, "=");
    const struct option_row *option = long_option(word + 2, chars);
    const bool valued = option && option->argument && !word[2 + chars];
    if (is_named(option, "quiet"))
        return NEXT_OWN;
    if (is_named(option, "out") || is_named(option, "resume") ||
        is_named(option, "plugin"))
        return valued ? NEXT_DROP : NEXT_OWN;
    put_word(text, word, first);
    return valued ? NEXT_KEEP : NEXT_OWN;
}

/* One or several short options: -q, -qn, -oDIR, -fREGEX. */
static enum next take_short(FILE *text, const char *word, bool *first)
{
    char kept[4096] = "-";
    size_t used = 1;
    enum next next = NEXT_OWN;
    for (++word; *word && used + 1 < sizeof kept; ++word) {
        if (*word == 'o') {
            next = word[1] ? NEXT_OWN : NEXT_DROP;
            break;
        }
        if (*word == 'f') { /* what follows is its pattern */
            next = word[1] ? NEXT_OWN : NEXT_KEEP;
            snprintf(kept + used, sizeof kept - used, "%s", word);
            break;
        }
        if (*word != 'q')
            kept[used++] = *word;
    }
    if (kept[1])
        put_word(text, kept, first);
    return next;
}

char *arguments_that_matter(int argc, char *const *argv)
{
    char *words = NULL;
    size_t bytes;
    bool first = true, options = true;
    enum next next = NEXT_OWN;
    FILE *text = memory_open(&words, &bytes);
    for (int k = 1; k < argc; ++k) {
        const char *word = argv[k];
        const bool dashed = next == NEXT_OWN && options && word[0] == '-';
        options = options && !(dashed && strcmp(word, "--") == 0);
        if (dashed && word[1] == '-')
            next = take_long(text, word, &first);
        else if (dashed && word[1])
            next = take_short(text, word, &first);
        else {
            if (next != NEXT_DROP)
                put_word(text, word, &first);
            next = NEXT_OWN;
        }
    }
    memory_close(text, &words);
    return words;
}
