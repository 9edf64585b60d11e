/* SPDX-License-Identifier: MIT */
#include "harness/plugin_describe.h"

#include "src/base/memory.h"
#include "src/verify/float_mode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool clash(const struct variant *left, const struct variant *right)
{
    bool same_ops = false;
    for (int d = 0; d < DTYPE_COUNT; ++d)
        same_ops |= (left->ops.reducers[d] & right->ops.reducers[d]) != 0;
    return left != right && left->runs_on == right->runs_on && same_ops &&
           left->ops.forms & right->ops.forms &&
           strcmp(left->name, right->name) == 0;
}

/* Checks the id of family `at` and the names of its variants against the
 * catalogue, the families before it, and each other. */
static const char *judge_names(const struct plugins *plugins, size_t at,
                               const struct catalogue_point *catalogue)
{
    const struct family *family = &plugins->families[at];
    bool taken = false;
    for (const struct catalogue_point *p = catalogue; p->name; ++p)
        taken |= strcmp(p->id, family->id) == 0;
    for (size_t k = 0; k < at; ++k)
        taken |= strcmp(plugins->families[k].id, family->id) == 0;
    if (taken)
        return plugin_error("there is a family %s already: give it another id",
                            family->id);
    for (const struct variant *v = family->variants; v->name; ++v) {
        for (const struct catalogue_point *p = catalogue; p->name; ++p)
            taken |= strcmp(p->name, v->name) == 0;
        for (size_t k = 0; k <= at; ++k)
            for (const struct variant *other = plugins->families[k].variants;
                 other->name; ++other)
                taken |= clash(other, v);
        if (taken)
            return plugin_error(
                "there is a variant %s already: ids need another name",
                v->name);
    }
    return NULL;
}

/* ----------------------------------------------------------- the registry */

/* Adds the described operations, whose functions only a worker has. */
static const char *add_ops(const struct description *from)
{
    static struct reducer kept[REDUCER_LIMIT];
    for (int k = 0; k < from->op_count; ++k)
        if (kept[from->op[k].reducer.id].id)
            return plugin_error("another plugin has a reducer %d",
                                from->op[k].reducer.id);
    for (int k = 0; k < from->op_count; ++k) {
        const struct described_op *d = &from->op[k];
        struct reducer *reducer = &kept[d->reducer.id];
        *reducer = (struct reducer){ .id = d->reducer.id,
                                     .dtypes = d->reducer.dtypes };
        if (!op_add(d->op, d->name))
            return plugin_error(
                "there is an operation %s, or one of its number, already",
                d->name);
        reducer_set(reducer);
    }
    return NULL;
}

/* Adds the described families. */
static void add_families(struct plugins *plugins, struct plugin_file *file,
                         const struct description *from)
{
    strcpy(file->name, from->name);
    if (!from->count) /* operators alone */
        return;
    struct described *texts = memory_for(from->count, sizeof *texts);
    struct variant *to = memory_for(2 * from->count, sizeof *to);
    memcpy(texts, from->variant, from->count * sizeof *texts);
    file->variants = to;
    for (size_t k = 0; k < from->count; ++k) {
        if (k == 0 || strcmp(texts[k].family, texts[k - 1].family) != 0) {
            to += k > 0;
            plugins->families =
                memory_grown(plugins->families, plugins->family_count + 2,
                             sizeof *plugins->families);
            plugins->families[plugins->family_count++] = (struct family){
                .id = texts[k].family, .variants = to, .dtypes = DTYPES_ALL
            };
            plugins->families[plugins->family_count] = (struct family){ 0 };
        }
        *to = texts[k].traits;
        to->name = texts[k].name;
        to->idea = texts[k].idea;
        to->refuses = NULL;
        to->workspace_bytes = NULL;
        to->output = NULL;
        to->idles = NULL;
        to->error_text = NULL;
        to->calls_torch = NULL;
        to++->launch = NULL;
    }
    file->count = (size_t)(to + 1 - file->variants);
}

static bool read_file(struct plugins *plugins, const char *path,
                      const char *frameworks, double timeout_s,
                      const struct catalogue_point *catalogue)
{
    struct plugin_file *file = &plugins->file[plugins->count++];
    struct description *description =
        mmap(NULL, sizeof *description, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (description == MAP_FAILED)
        memory_out();
    size_t k = plugins->family_count;
    const char *function = plugin_function(path);
    char *name = memory_copy(path);
    const char *suffix = strrchr(path, '.');
    const bool is_object = suffix && strcmp(suffix, ".so") == 0;
    if (function)
        name[function - path - 1] = '\0';
    *file = (struct plugin_file){ .path = name,
                                  .object = function ? frameworks : path,
                                  .function = function };
    const char *wrong =
        hash_file(file->path, &file->hash)
            ? plugin_describe_apart(file, timeout_s, description)
            : plugin_error("%s%s", strerror(errno),
                           function || is_object
                               ? ""
                               : " (a Python function is FILE.py:NAME)");
    for (int other = 0; !wrong && other + 1 < plugins->count; ++other)
        if (strcmp(plugins->file[other].name, description->name) == 0)
            wrong =
                "another plugin has its name (one Python function at a time)";
    if (!wrong)
        wrong = add_ops(description);
    if (!wrong)
        add_families(plugins, file, description);
    munmap(description, sizeof *description);
    for (; !wrong && k < plugins->family_count; ++k)
        wrong = judge_names(plugins, k, catalogue);
    if (wrong)
        fprintf(stderr, "scanbench: %s %s: %s\n",
                function ? "function" : "plugin", path, wrong);
    return !wrong;
}

bool plugins_read(struct plugins *plugins, const char *const *paths, int count,
                  const char *frameworks, double timeout_s,
                  const struct catalogue_point *catalogue)
{
    size_t built_in = 0;
    while (registry[built_in].id)
        ++built_in;
    *plugins = (struct plugins){ .family_count = built_in };
    plugins->families = memory_for(built_in + 1, sizeof *plugins->families);
    memcpy(plugins->families, registry, built_in * sizeof *registry);
    bool ok = true;
    for (int k = 0; ok && k < count; ++k)
        ok = read_file(plugins, paths[k], frameworks, timeout_s, catalogue);
    return ok;
}

/* Loads the file, and fills in the functions of its variants. */
static const char *bind(const struct plugin_file *file)
{
    unsigned long long hash;
    size_t k = 0;
    struct description *now = memory_for(1, sizeof *now);
    const char *wrong = hash_file(file->path, &hash) && hash == file->hash
                            ? plugin_describe(file, now)
                            : "the file is another one now: begin again";
    for (struct variant *to = file->variants;
         !wrong && to < file->variants + file->count; ++to) {
        const struct described *from = &now->variant[k];
        if (!to->name)
            continue;
        if (k++ == now->count || strcmp(to->name, from->name) != 0) {
            wrong = "its variants differ from those of its first loading";
            break;
        }
        *to = from->traits;
    }
    free(now);
    return wrong;
}

const char *plugins_open(const struct plugins *plugins)
{
    static char text[PLUGIN_WHY_BYTES + 300];
    for (int k = 0; plugins && k < plugins->count; ++k) {
        const char *wrong = bind(&plugins->file[k]);
        if (wrong) {
            snprintf(text, sizeof text, "plugin %.250s: %s",
                     plugins->file[k].path, wrong);
            return text;
        }
    }
    float_mode_reset(); /* -ffast-math links code that runs at loading */
    return NULL;
}

char *plugins_text(const struct plugins *plugins, char text[PLUGINS_TEXT_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; plugins && k < plugins->count; ++k)
        used += (size_t)snprintf(text + used, PLUGINS_TEXT_BYTES - used,
                                 "%s%s:%016llx", k ? " " : "",
                                 plugins->file[k].name, plugins->file[k].hash);
    return text;
}

const struct plugin_file *plugins_of(const struct plugins *plugins,
                                     const struct family *family)
{
    const struct variant *v = family->variants;
    for (int k = 0; plugins && k < plugins->count; ++k)
        if (v >= plugins->file[k].variants &&
            v < plugins->file[k].variants + plugins->file[k].count)
            return &plugins->file[k];
    return NULL;
}
