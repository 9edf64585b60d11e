/* SPDX-License-Identifier: MIT */
#include "cli/common/page.h"

#include "cli/common/options_parts.h"
#include "src/base/memory.h"
#include "src/base/whole_file.h"

#include <errno.h>
#include <unistd.h>

bool page_begin(enum command command, int argc, char **argv,
                struct page_options *options, struct published *set,
                int *status)
{
    struct words words;
    *options = (struct page_options){ 0 };
    *set = (struct published){ 0 };
    if (!command_parse(command, argc, argv, options, &words, status))
        return false;
    *status = EXIT_BAD;
    if (!published_read(set, words.word, words.count))
        return false;
    *status = EXIT_NOTHING;
    return published_of_gpu(set);
}

char *page_read(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    const ssize_t bytes = file ? getdelim(&text, &room, '\0', file) : -1;
    if (!file || ferror(file) || (bytes < 0 && !feof(file))) {
        fprintf(stderr, "scanbench: cannot read %s: %s\n", path,
                strerror(errno));
        free(text);
        text = NULL;
    } else if (bytes < 0) {
        free(text);
        text = memory_copy("");
    }
    if (file)
        fclose(file);
    return text;
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

int page_write(const char *path, const char *text)
{
    struct whole_file whole;
    bool ok = whole_file_open(&whole, path);
    if (ok) {
        fputs(text, whole.file);
        ok = whole_file_close(&whole);
    }
    return ok || cannot_write(path) ? EXIT_OK : EXIT_BAD;
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
