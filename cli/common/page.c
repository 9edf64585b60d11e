/* SPDX-License-Identifier: MIT */
#include "cli/common/page.h"

#include "cli/common/options_parts.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"
#include "src/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool page_parse(enum command command, int argc, char **argv,
                struct page_options *options, int *status)
{
    struct words words;
    *options = (struct page_options){ 0 };
    if (!command_parse(command, argc, argv, options, &words, status))
        return false;
    options->runs = words.word;
    options->run_count = words.count;
    if (!!options->write + !!options->check + options->held_out <= 1)
        return true;
    misused(argv[1], "%s takes one of its options", argv[1]);
    *status = EXIT_BAD;
    return false;
}

char *page_read(const char *path)
{
    char *text = NULL;
    size_t bytes = 0, room = 0, got = 0;
    FILE *file = fopen(path, "r");
    while (file) {
        room += 1 << 16;
        text = memory_grown(text, room + 1, 1);
        got = fread(text + bytes, 1, room - bytes, file);
        bytes += got;
        if (bytes < room)
            break;
    }
    if (file && !ferror(file)) {
        fclose(file);
        text[bytes] = '\0';
        return text;
    }
    fprintf(stderr, "scanbench: cannot read %s: %s\n", path, strerror(errno));
    if (file)
        fclose(file);
    free(text);
    return NULL;
}

bool page_read_rules(const char *path, struct rules *rules)
{
    char why[RULES_WHY_BYTES];
    char *text = page_read(path);
    const bool ok =
        text && rules_parse(rules, path, text, strlen(text), NULL, why);
    if (text && !ok)
        fprintf(stderr, "scanbench: rules %s: %s\n", path, why);
    free(text);
    return ok;
}

bool page_write(const char *path, const char *text)
{
    struct whole_file whole;
    bool ok = whole_file_open(&whole, path);
    if (ok) {
        fputs(text, whole.file);
        ok = whole_file_close(&whole);
    }
    return ok || cannot_write(path);
}

/* The line that begins at the text, cut for a terminal. */
static int line_chars(const char *text)
{
    const size_t chars = strcspn(text, "\n");
    return (int)(chars < 200 ? chars : 200);
}

int page_check(const char *path, const char *text, const char *how)
{
    char *there = page_read(path);
    if (!there)
        return EXIT_BAD;
    const bool same = strcmp(there, text) == 0;
    if (!same) {
        const char *is = there, *wanted = text;
        int line = 1;
        for (; *is && line_chars(is) == line_chars(wanted) &&
               strncmp(is, wanted, strcspn(is, "\n") + 1) == 0;
             ++line) {
            is += strcspn(is, "\n") + 1;
            wanted += strcspn(wanted, "\n") + 1;
        }
        fprintf(stderr,
                "scanbench: %s:%d is not what the runs say; it has\n"
                "  %.*s\nand they say\n  %.*s\nto mend it: %s\n",
                path, line, line_chars(is), is, line_chars(wanted), wanted,
                how);
    }
    free(there);
    return same ? EXIT_OK : EXIT_WRONG;
}

bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX])
{
    char program[PATH_MAX / 2] = "", file[PATH_MAX];
    const ssize_t chars =
        readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = chars > 0 ? strrchr(program, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    snprintf(file, sizeof file, "%s/%.512s", program, installed);
    if (realpath(file, path))
        return true;
    snprintf(file, sizeof file, "%s/%.512s", program, built);
    return realpath(file, path);
}
