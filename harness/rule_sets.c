/* SPDX-License-Identifier: MIT */
#include "harness/rule_sets.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/csv.h"
#include "src/base/whole_file.h"
#include "src/choose/code_run.h"
#include "variants/built_in_rules.h"

enum { PATH_BYTES = 1200 };

static bool refuse(struct rule_sets *sets, const char *path, const char *why)
{
    snprintf(sets->why, sizeof sets->why, "rules %.200s: %s", path, why);
    return false;
}

static bool add(struct rule_sets *sets, const char *path, const char *text,
                size_t bytes, rules_knows *knows)
{
    char why[RULES_WHY_BYTES];
    const char *slash = strrchr(path, '/');
    void *grown = realloc(sets->rules, (sets->count + 1) * sizeof *sets->rules);
    if (!grown)
        return refuse(sets, path, "no memory");
    sets->rules = grown;
    struct rules *rules = &sets->rules[sets->count];
    if (!rules_parse(rules, slash ? slash + 1 : path, text, bytes, knows, why))
        return refuse(sets, path, why);
    rules_bind(rules);
    ++sets->count;
    return true;
}

static bool add_file(struct rule_sets *sets, const char *path,
                     rules_knows *knows)
{
    size_t bytes;
    char *text = whole_file_read(path, &bytes);
    const bool ok = text ? add(sets, path, text, bytes, knows)
                         : refuse(sets, path, strerror(errno));
    free(text);
    return ok;
}

/* Skips names that cannot be printed. */
static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && plain_text(entry->d_name);
}

/* Adds every <root>/<gpu>/rules.csv. */
static bool add_found(struct rule_sets *sets, const char *root,
                      rules_knows *knows)
{
    struct dirent **entries;
    const int count = scandir(root, &entries, visible, alphasort);
    bool ok = true;
    for (int k = 0; k < count; ++k) {
        char path[PATH_BYTES];
        struct stat stat_of; /* reading a FIFO would block */
        snprintf(path, sizeof path, "%s/%s/rules.csv", root,
                 entries[k]->d_name);
        if (ok && stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode))
            ok = add_file(sets, path, knows);
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
    return ok;
}

bool rule_sets_read(struct rule_sets *sets, const char *path,
                    const char *const *roots, rules_knows *knows)
{
    const char *named = getenv("SCANBENCH_RULES");
    *sets = (struct rule_sets){ .named = path || (named && *named) };
    bool ok = !sets->named || add_file(sets, path ? path : named, knows);
    for (; ok && !sets->named && *roots; ++roots)
        ok = add_found(sets, *roots, knows);
    sets->built_in = sets->count;
    for (const struct rules_text *t = built_in_rules; ok && t->name; ++t)
        ok = add(sets, t->name, t->text, strlen(t->text), knows);
    return ok;
}

void rule_sets_pick(const struct rule_sets *sets, struct device_facts *facts,
                    const struct driver_facts *driver, double bus_gbps)
{
    const bool cuda = facts->kind == DEVICE_CUDA;
    facts->rules =
        sets->named ? &sets->rules[0]
        : cuda
            ? rules_nearest(sets->rules, sets->count, driver->name,
                            code_level(driver->code, facts->compute_capability),
                            facts->sm_count, bus_gbps)
            : NULL;
    facts->portable_rules = cuda ? rules_nearest(sets->rules + sets->built_in,
                                                 sets->count - sets->built_in,
                                                 "NVIDIA H200", 90, 132, 4800)
                                 : NULL;
}
