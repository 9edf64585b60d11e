/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/runs.h"
#include "cli/common/options_parts.h"
#include "src/base/exit.h"

static const char placeholder[] = "my_idea";

/* The folder of the contract's headers: the installed ones, or those of the
 * clone that this program was built in. */
static const char *headers(char path[PATH_MAX])
{
    static const char contract[] = "/src/plugin.h";
    if (!installed_file("../include/scanbench/src/plugin.h",
                        "../../src/plugin.h", path))
        return "FOLDER_OF_src/plugin.h";
    path[strlen(path) - strlen(contract)] = '\0';
    return path;
}

/* The folder's template, or NULL after a message that lists the folders. */
static const struct new_file *find(const char *id, size_t chars)
{
    enum { MOST = 16 };
    const char *names[MOST];
    char word[64];
    size_t count = 0;
    for (const struct new_file *f = new_files; f->folder; ++f) {
        if (strlen(f->folder) == chars && strncmp(f->folder, id, chars) == 0)
            return f;
        names[count++] = f->folder;
    }
    snprintf(word, sizeof word, "%.*s", (int)(chars < 60 ? chars : 60), id);
    unknown_name("new --help", "folder", word, names, count);
    return NULL;
}

/* True if the name is an identifier in C, fits a file, and is new. */
static bool is_usable(const char *id, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    enum { MOST = 40 };
    if (!*name || strlen(name) > MOST || strspn(name, letters) < strlen(name) ||
        (*name >= '0' && *name <= '9'))
        return complain("new", id,
                        "a name has lower-case letters, digits and _, at most "
                        "40, and begins with a letter");
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        if (strcmp(p->id, id) == 0 || strcmp(p->name, name) == 0)
            return complain("new", id, "is built in: choose another name");
    return true;
}

static bool write_file(const char *path, const char *text, const char *name)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return errno == EEXIST
                   ? complain("new", path,
                              "exists: remove it, or choose another name")
                   : cannot_write(path);
    for (const char *next; (next = strstr(text, placeholder));
         text = next + strlen(placeholder))
        fprintf(file, "%.*s%s", (int)(next - text), text, name);
    fputs(text, file);
    const bool ok = !ferror(file);
    return (fclose(file) == 0 && ok) || cannot_write(path);
}

int new_command(int argc, char **argv)
{
    char path[64], include[PATH_MAX];
    struct words words;
    int status;
    if (!command_parse(COMMAND_NEW, argc, argv, NULL, &words, &status))
        return status;
    const char *id = words.word[0], *slash = strchr(id, '/');
    if (!slash) {
        complain("new", id,
                 "one word of the form scan/my_idea (scanbench new --help)");
        return EXIT_BAD;
    }
    const struct new_file *from = find(id, (size_t)(slash - id));
    const char *name = slash + 1;
    if (!from || !is_usable(id, name))
        return EXIT_BAD;
    snprintf(path, sizeof path, "%s.%s", name, from->ending);
    if (!write_file(path, from->text, name))
        return EXIT_BAD;
    puts(path);
    const bool cuda = strcmp(from->ending, "cu") == 0;
    fprintf(stderr,
            "scanbench: to compile and check it:\n"
            "  %s \\\n    -I %s %s.%s -o %s.so\n"
            "  scanbench check --plugin ./%s.so --family %s/%s\n"
            "  scanbench run --plugin ./%s.so --family %s/%s %s\n",
            cuda ? "nvcc -std=c++20 -O3 -arch=native -shared -Xcompiler -fPIC"
                 : "cc -std=c11 -O3 -shared -fPIC",
            headers(include), name, from->ending, name, name, from->folder,
            name, name, from->folder, name,
            cuda ? "--grid headline" : "--quick");
    return EXIT_OK;
}
