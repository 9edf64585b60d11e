/* SPDX-License-Identifier: MIT */
#include "cli/common/arguments.h"

#include "cli/common/options_parts.h"
#include "src/base/memory.h"
#include "src/base/plain_text.h"
#include "src/runs/manifest.h"

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

/* Puts the value of a long option as of a short one. */
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

/* Moves a word to `to`, without its quotes; returns what is behind it. */
static const char *take_word(const char *from, char **to)
{
    bool quoted = false;
    for (; *from && (quoted || *from != ' '); ++from) {
        if (*from == '\'')
            quoted = !quoted;
        else if (!quoted && *from == '\\' && from[1])
            *(*to)++ = *++from;
        else
            *(*to)++ = *from;
    }
    *(*to)++ = '\0';
    return from;
}

char **resume_split(const char *program, const char *arguments, int *argc)
{
    const size_t chars = strlen(arguments), most = chars / 2 + 3;
    char **argv = memory_for(1, most * sizeof *argv + chars + 1);
    char *text = (char *)(argv + most);
    *argc = 0;
    argv[(*argc)++] = (char *)program;
    while (*(arguments += strspn(arguments, " "))) {
        argv[(*argc)++] = text;
        arguments = take_word(arguments, &text);
    }
    argv[*argc] = NULL;
    return argv;
}

static bool has_word(char *const *argv, const char *word)
{
    for (int k = 1; argv[k]; ++k)
        if (strcmp(argv[k], word) == 0)
            return true;
    return false;
}

/* The run was begun with all the given words. */
static bool agree(const char *folder, const char *begun, char *const *given,
                  char *const *had)
{
    for (int k = 1; given[k]; ++k) {
        if (has_word(had, given[k]))
            continue;
        fprintf(stderr,
                "scanbench: %s was begun with '%s', and not with '%s': its "
                "arguments need not be repeated\n",
                folder, begun, given[k]);
        return false;
    }
    return true;
}

/* The words in the folder's manifest, if they are of a run. */
static char **words_of(const char *program, const char *folder, int *argc,
                       char **begun)
{
    struct manifest manifest = { 0 };
    char **words = NULL;
    manifest_read(&manifest, folder, NULL);
    *begun = memory_copy(manifest_get(&manifest, "arguments"));
    if (plain_text(*begun))
        words = resume_split(program, *begun, argc);
    if (words && (!words[1] || strcmp(words[1], "run") != 0)) {
        free(words);
        words = NULL;
    }
    manifest_free(&manifest);
    return words;
}

/* The words as the run's own command line, with what is not one of a run's
 * arguments as it was given now. */
static bool parse(int argc, char **argv, const char *folder,
                  struct options *options)
{
    struct options own;
    if (!options_parse(argc, argv, &own, NULL) || own.dry_run || own.profile ||
        own.plugin_count) { /* no run's manifest has these three */
        fprintf(stderr,
                "scanbench: %s cannot be resumed: its arguments are none of "
                "this scanbench\n",
                folder);
        options_free(&own);
        return false;
    }
    own.resume = folder;
    own.quiet = options->quiet;
    memcpy(own.plugin_paths, options->plugin_paths, sizeof own.plugin_paths);
    own.plugin_count = options->plugin_count;
    options_free(options);
    *options = own;
    return true;
}

bool resume_options(int *argc, char ***argv, struct options *options)
{
    static char **volatile words; /* the program's from now on, to its end */
    const char *folder = options->resume;
    char *now = arguments_that_matter(*argc, *argv), *begun = NULL;
    int had_count, given_count;
    char **had = words_of((*argv)[0], folder, &had_count, &begun);
    char **given = resume_split((*argv)[0], now, &given_count);
    bool ok = true;
    if (had) {
        ok = agree(folder, begun, given, had) &&
             parse(had_count, had, folder, options);
        *argc = had_count;
        *argv = words = had;
    }
    free(given);
    free(begun);
    free(now);
    return ok;
}
