/* SPDX-License-Identifier: MIT */
#include "harness/cli/resume.h"

#include "harness/cli/arguments.h"
#include "src/base/memory.h"
#include "src/base/plain_text.h"
#include "src/runs/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Says which of the given words the run was not begun with. */
static bool agree(const char *folder, const char *begun, char *const *given,
                  char *const *had)
{
    bool first = true;
    for (int k = 1; given[k]; ++k) {
        if (has_word(had, given[k]))
            continue;
        if (first)
            fprintf(stderr, "scanbench: %s was begun with '%s', and not with",
                    folder, begun);
        const bool value = k > 2 && given[k][0] != '-' &&
                           given[k - 1][0] == '-' &&
                           has_word(had, given[k - 1]);
        fprintf(stderr, "%s%s%s '%s'", first ? "" : ",", value ? " " : "",
                value ? given[k - 1] : "", given[k]);
        first = false;
    }
    if (!first)
        fprintf(stderr,
                "\nits arguments need not be repeated: scanbench run --resume "
                "%s\n",
                folder);
    return first;
}

/* The words in the folder's manifest, if they are of a run. */
static char **words_of(const char *program, const char *folder, int *argc,
                       char **begun)
{
    const struct listener listener = { listener_silent, NULL };
    struct manifest manifest;
    char **words = NULL;
    manifest_init(&manifest);
    manifest_read(&manifest, folder, &listener);
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

/* A manifest may be a stranger's: what runs code, reads a file or drops the
 * worker is asked for on the command line, or not at all. */
static bool asked_again(const char *folder, const struct options *begun,
                        const struct options *given)
{
    const bool frameworks = begun->frameworks && !given->frameworks;
    const bool in_process = begun->in_process && !given->in_process;
    const bool rules =
        begun->rules && (!given->rules || strcmp(given->rules, begun->rules));
    if (!frameworks && !in_process && !rules)
        return true;
    fprintf(stderr,
            "scanbench: %s was begun with%s%s%s%s%s, which a manifest alone "
            "does not turn on: to go on, give that again\n",
            folder, frameworks ? " --frameworks" : "",
            in_process ? " --in-process" : "", rules ? " --rules '" : "",
            rules ? begun->rules : "", rules ? "'" : "");
    return false;
}

/* A dry run has no manifest: these words were changed, and would end at once
 * as if nothing were missing. */
static bool can_go_on(const char *folder, const struct options *begun)
{
    if (begun->dry_run)
        fprintf(stderr,
                "scanbench: %s cannot be resumed: manifest.csv: its arguments "
                "have --dry-run, which measures nothing: take that out\n",
                folder);
    return !begun->dry_run;
}

/* The words as the run's own command line; with what was given now that does
 * not count as one of its arguments. */
static bool parse(int argc, char **argv, const char *folder,
                  struct options *options)
{
    struct options own;
    if (!options_parse(argc, argv, &own, NULL) || own.profile ||
        own.plugin_count) { /* no run's manifest has these two */
        fprintf(stderr,
                "scanbench: %s cannot be resumed: its arguments are none of "
                "this scanbench\n",
                folder);
        options_free(&own);
        return false;
    }
    if (!can_go_on(folder, &own) || !asked_again(folder, &own, options)) {
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
