/* SPDX-License-Identifier: MIT
 *
 * Any files as a run's folder, for the targets that call commands on it: the
 * manifest, the ceilings, the rows of three operations and the samples, parted
 * by the byte 0x1e.
 */
#ifndef TESTS_FUZZ_FUZZ_RUN_H
#define TESTS_FUZZ_FUZZ_RUN_H

#include "tests/fuzz/fuzz.h"

#include <sys/stat.h>
#include <unistd.h>

#include "src/base/plain_text.h"

enum { PARTS = 6, SEPARATOR = 0x1e, PATH_BYTES = 64 };
static const char *const names[PARTS] = { "manifest", "ceilings", "cumsum",
                                          "sum",      "copy",     "samples" };

static inline char *path_of(const char *name, const char *ending)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "run/%s.csv%s", name, ending);
    return path;
}

static inline void make_run(const uint8_t *data, size_t size)
{
    mkdir("run", 0700);
    mkdir("charts", 0700);
    for (int k = 0; k < PARTS; ++k) {
        const uint8_t *end = memchr(data, SEPARATOR, size);
        const size_t bytes = end ? (size_t)(end - data) : size;
        unlink(path_of(names[k], ".damaged"));
        unlink(path_of(names[k], ".new"));
        FILE *file = fopen(path_of(names[k], ""), "w");
        REQUIRE(file && fwrite(data, 1, bytes, file) == bytes);
        REQUIRE(fclose(file) == 0);
        data += bytes + (end != NULL);
        size -= bytes + (end != NULL);
    }
}

/* Its status; its output, for free(), in *text, if that is not NULL. Whatever a
 * command says can be shown, line breaks apart. */
static inline int call(int (*command)(int, char **), char **words, char **text)
{
    struct fuzz_output output;
    int count = 0;
    while (words[count])
        ++count;
    fuzz_catch(&output);
    const int status = command(count, words);
    REQUIRE(status >= 0 && status < 256);
    char *said = fuzz_caught(&output);
    for (char *line = said; *line;) {
        char *end = line + strcspn(line, "\n");
        const char ended = *end;
        *end = '\0';
        REQUIRE(plain_text(line));
        *end = ended;
        line = end + (ended != '\0');
    }
    if (text)
        *text = said;
    else
        free(said);
    return status;
}

#define CALL(text, command, ...)                                               \
    call(command, (char *[]){ "scanbench", __VA_ARGS__, NULL }, text)
#define MAKE(command, ...) CALL(NULL, command, __VA_ARGS__)

#endif
