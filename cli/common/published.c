/* SPDX-License-Identifier: MIT */
#include "cli/common/published.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/read_run.h"
#include "src/base/memory.h"

static char *joined(const char *folder, const char *name)
{
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = memory_for(bytes, 1);
    snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

static bool is_run(const char *folder)
{
    char *manifest = joined(folder, "manifest.csv");
    const bool is = access(manifest, F_OK) == 0;
    free(manifest);
    return is;
}

/* Takes the path, which run_folder keeps. */
static bool add(struct published *set, char *path)
{
    if (set->count == set->room) {
        set->room = set->room ? 2 * set->room : 16;
        set->run = memory_grown(set->run, set->room, sizeof *set->run);
    }
    return read_run(&set->run[set->count++], path);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool add_below(struct published *set, const char *folder)
{
    struct dirent **entries;
    const size_t before = set->count;
    const int count = scandir(folder, &entries, visible, alphasort);
    bool ok = count >= 0;
    if (!ok)
        fprintf(stderr, "scanbench: %s: %s (name a run, or a folder of runs)\n",
                folder, strerror(errno));
    for (int k = 0; k < count; ++k) {
        char *path = joined(folder, entries[k]->d_name);
        if (ok && is_run(path))
            ok = add(set, path);
        else
            free(path);
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
    if (ok && set->count == before) {
        fprintf(stderr,
                "scanbench: %s: neither a run nor a folder of runs (no "
                "manifest.csv)\n",
                folder);
        ok = false;
    }
    return ok;
}

static int newest_first(const void *left, const void *right)
{
    const struct run_folder *l = left, *r = right;
    const int order = strcmp(run_fact(r, "utc"), run_fact(l, "utc"));
    return order ? order : strcmp(l->path, r->path);
}

bool published_read(struct published *set, char *const *folders, int count)
{
    bool ok = true;
    *set = (struct published){ 0 };
    for (int k = 0; k < count && ok; ++k)
        ok = is_run(folders[k]) ? add(set, memory_copy(folders[k]))
                                : add_below(set, folders[k]);
    if (set->count)
        qsort(set->run, set->count, sizeof *set->run, newest_first);
    return ok;
}

bool published_of_gpu(const struct published *set)
{
    for (size_t k = 0; k < set->count; ++k)
        if (strcmp(run_fact(&set->run[k], "device_kind"), "host") != 0)
            return true;
    fputs("scanbench: only runs of a host, and rules and ladders are of GPU "
          "variants: `scanbench show RUN` has the host's fastest\n",
          stderr);
    return false;
}

void published_free(struct published *set)
{
    for (size_t k = 0; k < set->count; ++k) {
        char *path = (char *)set->run[k].path;
        run_folder_free(&set->run[k]);
        free(path);
    }
    free(set->run);
    *set = (struct published){ 0 };
}

const char *published_name(const struct run_folder *run)
{
    const char *slash = strrchr(run->path, '/');
    return slash && slash[1] ? slash + 1 : run->path;
}
