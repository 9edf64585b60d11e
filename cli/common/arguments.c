/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include "src/base/memory.h"
#include "src/base/csv.h"
#include "src/runs/manifest.h"

static void put_option(const struct option_row *row, const char *value,
                       void *text)
{
    static const char *const dropped[] = { "out", "plugin", "python", "quiet",
                                           "resume" };
    for (int k = 0; k < 5; ++k)
        if (strcmp(row->name, dropped[k]) == 0)
            return;
    fprintf(text, " --%s", row->name);
    if (value)
        write_word(text, value);
}

char *arguments_that_matter(enum command command, int argc, char *const *argv)
{
    char *words = NULL, *options = NULL;
    size_t bytes;
    char **copy = memory_for((size_t)argc + 1, sizeof *copy);
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    FILE *text = memory_open(&options, &bytes);
    int word = options_each(command, argc, copy, put_option, text);
    memory_close(text, &options);
    text = memory_open(&words, &bytes);
    write_word(text, copy[1]);
    for (; word < argc; ++word)
        write_word(text, copy[word]);
    fputs(options, text);
    memory_close(text, &words);
    free(options);
    free(copy);
    memmove(words, words + 1, strlen(words)); /* the first blank */
    return words;
}

/* Copies a word to *to, without its quotes; returns the text behind it. */
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

/* Splits the arguments: returns program and words as main() gets them, up to a
 * NULL; the array and its texts are one block for free(). */
static char **resume_split(const char *program, const char *arguments,
                           int *argc)
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

/* Returns the first given word that `had` lacks, or NULL. */
static const char *other_word(char *const *given, char *const *had)
{
    for (int k = 1; given[k]; ++k) {
        int same = 1;
        while (had[same] && strcmp(had[same], given[k]) != 0)
            ++same;
        if (!had[same])
            return given[k];
    }
    return NULL;
}

/* Parses the run's command line, and keeps given options that it lacks. */
static bool parse(int argc, char **argv, const char *folder,
                  struct options *options)
{
    struct options own;
    if (!options_parse(argc, argv, &own, NULL) || own.dry_run || own.profile ||
        own.plugin_count) { /* a manifest never has these three */
        fprintf(stderr,
                "scanbench: %s cannot be resumed: this scanbench has no such "
                "arguments\n",
                folder);
        options_free(&own);
        return false;
    }
    own.resume = folder;
    own.quiet = options->quiet;
    memcpy(own.plugin_paths, options->plugin_paths, sizeof own.plugin_paths);
    own.plugin_count = options->plugin_count;
    own.python = options->python;
    options_free(options);
    *options = own;
    return true;
}

bool resume_options(int *argc, char ***argv, struct options *options)
{
    static char **volatile words; /* used until the program ends */
    const char *folder = options->resume;
    struct manifest manifest = { 0 };
    int had_count = 0, given_count;
    manifest_read(&manifest, folder, NULL);
    const char *begun = manifest_get(&manifest, "arguments");
    char *now = arguments_that_matter(COMMAND_RUN, *argc, *argv);
    char **given = resume_split((*argv)[0], now, &given_count);
    char **had =
        plain_text(begun) ? resume_split((*argv)[0], begun, &had_count) : NULL;
    bool ok = true;
    if (had_count < 2 || strcmp(had[1], "run") != 0) {
        free(had);
    } else {
        const char *other = other_word(given, had);
        if (other)
            fprintf(stderr,
                    "scanbench: %s was begun with '%s', and not with '%s': its "
                    "arguments need not be repeated\n",
                    folder, begun, other);
        ok = !other && parse(had_count, had, folder, options);
        *argc = had_count;
        *argv = words = had;
    }
    manifest_free(&manifest);
    free(given);
    free(now);
    return ok;
}
