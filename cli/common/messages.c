/* SPDX-License-Identifier: MIT */
#include "cli/common/messages.h"

#include "src/base/nearest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool complain(const char *what, const char *word, const char *why)
{
    fprintf(stderr, "scanbench: %s '%s': %s\n", what, word, why);
    return false;
}

bool misused(const char *command, const char *format, ...)
{
    va_list arguments;
    fputs("scanbench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nsee scanbench %s --help\n", command);
    return false;
}

/* Prints "; did you mean A or B?"; returns how many names are near. */
static size_t print_nearest(const char *word, const char *const *names,
                            size_t count, const char *dashes)
{
    const char *near[2];
    const size_t found = nearest_names(word, names, count, near, 2);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s%s", k ? " or " : "; did you mean ", dashes,
                near[k]);
    fputs(found ? "?" : "", stderr);
    return found;
}

bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count)
{
    enum { FEW = 11 };
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    const size_t found = print_nearest(word, names, count, "");
    for (size_t k = 0; count <= FEW && k < count; ++k)
        fprintf(stderr, "%s%s",
                k       ? ", "
                : found ? " There are: "
                        : "; there are: ",
                names[k]);
    fputc('\n', stderr);
    if (count > FEW)
        fprintf(stderr, "scanbench %s lists what there is\n", lister);
    return false;
}

/* Returns the word that getopt refused: of several letters behind one dash, the
 * letter alone. getopt stays at such a word until its last letter. */
static const char *refused_word(char **argv, char letter[3])
{
    const char *last = argv[optind - 1], *word = argv[optind];
    if (optopt <= 0 || optopt >= 256)
        return last;
    snprintf(letter, 3, "-%c", (char)optopt);
    const bool ended = last[0] == '-' && last[strlen(last) - 1] == optopt;
    return !ended && word && strncmp(word, letter, 2) == 0 ? word : letter;
}

bool unknown_option(const char *command, char **argv, int code,
                    const struct option *known)
{
    enum { MOST = 64 };
    const char *names[MOST], *last = argv[optind - 1];
    char letter[3];
    size_t count = 0;
    bool valued = false;
    for (; known[count].name && count < MOST; ++count) {
        names[count] = known[count].name;
        valued |= known[count].val == optopt;
    }
    if (code == ':') {
        fprintf(stderr, "scanbench: option '%s' needs a value\n", last);
    } else if (valued && strncmp(last, "--", 2) == 0) {
        fprintf(stderr, "scanbench: option '%s' takes no value\n", last);
    } else {
        const char *word = refused_word(argv, letter);
        fprintf(stderr, "scanbench: unknown option '%s'", word);
        if (strlen(word) > 2)
            print_nearest(word + strspn(word, "-"), names, count, "--");
        fputc('\n', stderr);
    }
    fprintf(stderr, "scanbench %s --help lists what there is\n", command);
    return false;
}

bool cannot_write(const char *path)
{
    const int error = errno;
    fprintf(stderr, "scanbench: cannot write %s: %s\n%s\n", path,
            strerror(error),
            error == ENOSPC || error == EDQUOT || error == EFBIG
                ? "free some space, or name another place"
            : error == ENOENT ? "make its folder first, or name another place"
                              : "name another place");
    return false;
}
