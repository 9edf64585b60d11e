/* SPDX-License-Identifier: MIT */
#include "harness/plugins.h"

#include "harness/child.h"
#include "harness/plugin_file.h"
#include "src/verify/float_mode.h"
#include "src/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child's description of a file, in shared memory. */
struct described {
    char family[64], name[80], idea[160];
    struct variant traits; /* with pointers of the child */
};
struct description {
    bool whole;
    char why[PLUGIN_WHY_BYTES];
    char name[PLUGIN_NAME_BYTES];
    size_t count;
    struct described variant[PLUGIN_MOST_VARIANTS];
};

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "scanbench: plugin %s: %s\n", path, why);
    return false;
}

static const char *describe_one(void *context, const struct plugin_variant *one)
{
    struct description *description = context;
    struct described *d = &description->variant[description->count++];
    snprintf(d->family, sizeof d->family, "%s", one->family);
    snprintf(d->name, sizeof d->name, "%s", one->variant.name);
    snprintf(d->idea, sizeof d->idea, "%s", one->variant.idea);
    d->traits = one->variant;
    return NULL;
}

/* A plugin must not write to stdout, which is data. */
static void describe(const char *path, struct description *description)
{
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const char *why =
        plugin_file_open(path, description->name, description, describe_one);
    snprintf(description->why, sizeof description->why, "%s", why ? why : "");
    description->whole = true;
    fflush(stdout);
    _exit(0);
}

static const char *ask(const char *path, double timeout_s,
                       struct description *description)
{
    static char why[128];
    int status = 0;
    struct child child;
    if (!child_fork(&child)) {
        snprintf(why, sizeof why, "no process to load it: %s", strerror(errno));
        return why;
    }
    if (child.pid == 0)
        describe(path, description);
    if (!child_end(&child, timeout_s, &status))
        snprintf(why, sizeof why,
                 "it was not loaded after %g s: what it does in the meantime, "
                 "in a constructor or scanbench_plugin(), does not end",
                 timeout_s);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why,
                 "it crashed while it was loaded: signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!description->whole)
        snprintf(why, sizeof why,
                 "it ended the process that loaded it, with status %d",
                 WEXITSTATUS(status));
    else
        return *description->why ? description->why : NULL;
    return why;
}

/* Adds the described families to the registry. */
static void keep(struct plugins *plugins, struct plugin_file *file,
                 const struct description *from)
{
    struct described *texts = memory_for(from->count, sizeof *texts);
    struct variant *to = memory_for(2 * from->count, sizeof *to);
    memcpy(texts, from->variant, from->count * sizeof *texts);
    snprintf(file->name, sizeof file->name, "%s", from->name);
    file->variants = to;
    for (size_t k = 0; k < from->count; ++k) {
        if (k == 0 || strcmp(texts[k].family, texts[k - 1].family) != 0) {
            to += k > 0;
            plugins->families =
                memory_grown(plugins->families, plugins->family_count + 2,
                             sizeof *plugins->families);
            plugins->families[plugins->family_count++] =
                (struct family){ .id = texts[k].family,
                                 .variants = to,
                                 .ops = OPS_ALL,
                                 .dtypes = DTYPES_ALL };
            plugins->families[plugins->family_count] = (struct family){ 0 };
        }
        *to = texts[k].traits;
        to->name = texts[k].name;
        to->idea = texts[k].idea;
        to->refuses = NULL;
        to->workspace_bytes = NULL;
        to->output = NULL;
        to++->launch = NULL;
    }
    file->count = (size_t)(to + 1 - file->variants);
}

static bool clash(const struct variant *left, const struct variant *right)
{
    return left != right && left->runs_on == right->runs_on &&
           left->ops & right->ops && strcmp(left->name, right->name) == 0;
}

/* Checks the id of family `at` and the names of its variants against all
 * families before it, and its own. */
static bool is_new(const struct plugins *plugins, size_t at, const char *path,
                   const struct plugins_known *known)
{
    char why[256];
    const struct family *family = &plugins->families[at];
    for (const struct variant *v = family->variants; v->name; ++v) {
        bool taken = known->variant(v->ops, v->name);
        for (size_t k = 0; k <= at && !taken; ++k) {
            const struct variant *other = plugins->families[k].variants;
            while (other->name && !clash(other, v))
                ++other;
            taken = other->name;
        }
        snprintf(why, sizeof why,
                 "there is a variant %s already: ids need another name",
                 v->name);
        if (taken)
            return complain(path, why);
    }
    bool taken = known->family(family->id);
    for (size_t k = 0; k < at && !taken; ++k)
        taken = strcmp(plugins->families[k].id, family->id) == 0;
    snprintf(why, sizeof why,
             "there is a family %s already: give it another id", family->id);
    return !taken || complain(path, why);
}

static bool read_file(struct plugins *plugins, const char *path,
                      double timeout_s, const struct plugins_known *known)
{
    struct plugin_file *file = &plugins->file[plugins->count++];
    struct description *description =
        mmap(NULL, sizeof *description, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (description == MAP_FAILED)
        memory_out();
    size_t k = plugins->family_count;
    *file = (struct plugin_file){ .path = path };
    const char *why = plugin_file_sha256(path, file->sha256);
    why = why ? why : ask(path, timeout_s, description);
    for (int other = 0; !why && other + 1 < plugins->count; ++other)
        if (strcmp(plugins->file[other].name, description->name) == 0)
            why = "another plugin has its name";
    bool ok = !why || complain(path, why);
    if (ok)
        keep(plugins, file, description);
    munmap(description, sizeof *description);
    for (; ok && k < plugins->family_count; ++k)
        ok = is_new(plugins, k, path, known);
    return ok;
}

bool plugins_read(struct plugins *plugins, const char *const *paths, int count,
                  double timeout_s, const struct plugins_known *known)
{
    size_t built_in = 0;
    while (registry[built_in].id)
        ++built_in;
    *plugins = (struct plugins){ .family_count = built_in };
    plugins->families = memory_for(built_in + 1, sizeof *plugins->families);
    memcpy(plugins->families, registry, built_in * sizeof *registry);
    bool ok = true;
    for (int k = 0; ok && k < count; ++k)
        ok = read_file(plugins, paths[k], timeout_s, known);
    return ok;
}

struct opening {
    struct variant *next, *end;
};

static const char *bind_one(void *context, const struct plugin_variant *one)
{
    struct opening *opening = context;
    while (opening->next < opening->end && !opening->next->name)
        ++opening->next;
    struct variant *to = opening->next++;
    if (to >= opening->end || strcmp(to->name, one->variant.name) != 0)
        return "it does not describe the same variants twice";
    to->refuses = one->variant.refuses;
    to->workspace_bytes = one->variant.workspace_bytes;
    to->launch = one->variant.launch;
    to->output = one->variant.output;
    return NULL;
}

const char *plugins_open(const struct plugins *plugins)
{
    static char why[PLUGIN_WHY_BYTES + 300];
    char sha256[SHA256_TEXT_BYTES], name[PLUGIN_NAME_BYTES];
    for (int k = 0; plugins && k < plugins->count; ++k) {
        const struct plugin_file *file = &plugins->file[k];
        struct opening opening = { file->variants,
                                   file->variants + file->count };
        const char *wrong = plugin_file_sha256(file->path, sha256);
        if (!wrong && strcmp(sha256, file->sha256) != 0)
            wrong = "the file is another one now: begin again";
        if (!wrong)
            wrong = plugin_file_open(file->path, name, &opening, bind_one);
        if (!wrong && opening.next + 1 != opening.end)
            wrong = "it does not describe the same variants twice";
        snprintf(why, sizeof why, "plugin %.250s: %s", file->path,
                 wrong ? wrong : "");
        if (wrong)
            return why;
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
                                 "%s%s:%s", k ? " " : "", plugins->file[k].name,
                                 plugins->file[k].sha256);
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
