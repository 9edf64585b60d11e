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
    fprintf(stderr, "\nscanbench %s --help says how to use it\n", command);
    return false;
}

bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count)
{
    enum { FEW = 11 };
    const char *near[2];
    const size_t found = nearest_names(word, names, count, near, 2);
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s", k ? " or " : "; did you mean ", near[k]);
    fputs(found ? "?" : "", stderr);
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

/* The word that getopt could not take. Of one dash, it is still at it, unless
 * it has come to the end of it: of several letters in a word, the one. */
static const char *refused_word(char **argv, char letter[3])
{
    const char *last = argv[optind - 1], *word = argv[optind];
    snprintf(letter, 3, "-%c", (char)optopt);
    if (optopt <= 0 || optopt >= 256)
        return last;
    const bool ended = last[0] == '-' && last[strlen(last) - 1] == optopt;
    return !ended && word && strncmp(word, letter, 2) == 0 ? word : letter;
}

bool unknown_option(const char *command, char **argv, int code,
                    const struct option *known)
{
    enum { MOST = 64 };
    const char *names[MOST], *near[2], *last = argv[optind - 1];
    char letter[3];
    size_t count = 0, found = 0;
    bool valued = false;
    for (; known[count].name && count < MOST; ++count) {
        names[count] = known[count].name;
        valued |= known[count].val == optopt;
    }
    if (code == ':' || (valued && strncmp(last, "--", 2) == 0)) {
        fprintf(stderr, "scanbench: option '%s' %s\n", last,
                code == ':' ? "needs a value" : "takes no value");
    } else {
        const char *word = refused_word(argv, letter);
        fprintf(stderr, "scanbench: unknown option '%s'", word);
        if (word[1] && word[2])
            found =
                nearest_names(word + strspn(word, "-"), names, count, near, 2);
        for (size_t k = 0; k < found; ++k)
            fprintf(stderr, "%s--%s", k ? " or " : "; did you mean ", near[k]);
        fputs(found ? "?\n" : "\n", stderr);
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
