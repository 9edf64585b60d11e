/* SPDX-License-Identifier: MIT */
#include "harness/plugin_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "src/base/plain_text.h"

static char why[PLUGIN_WHY_BYTES];

/* The plugin's texts may be in it. */
__attribute__((format(printf, 1, 2))) static const char *
because(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    for (char *c = why; *c; ++c)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return why;
}

const char *plugin_file_sha256(const char *path, char text[SHA256_TEXT_BYTES])
{
    struct stat status;
    FILE *file = fopen(path, "r");
    void *bytes = MAP_FAILED;
    if (file && fstat(fileno(file), &status) == 0) {
        errno = ENOEXEC;
        if (status.st_size > 0)
            bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
                         fileno(file), 0);
    }
    const int error = errno;
    if (file)
        fclose(file);
    if (bytes == MAP_FAILED)
        return because("%s",
                       error == ENOEXEC ? "it is empty" : strerror(error));
    sha256_text(bytes, (size_t)status.st_size, text);
    munmap(bytes, (size_t)status.st_size);
    return NULL;
}

/* Structs of the same version may be smaller than here, as members are added at
 * their ends. */
static const char *judge_version(const struct plugin *plugin)
{
    static const char remedy[] = "rebuild it with the headers of this "
                                 "scanbench (scanbench new --help)";
    const struct plugin here = { PLUGIN_SIZES, NULL, NULL };
    const struct {
        const char *name;
        uint32_t theirs, ours;
    } sizes[] = {
        { "plugin", plugin->bytes, here.bytes },
        { "variant", plugin->variant_bytes, here.variant_bytes },
        { "problem", plugin->problem_bytes, here.problem_bytes },
        { "device_facts", plugin->facts_bytes, here.facts_bytes },
    };
    if (plugin->version != PLUGIN_VERSION)
        return because("it was built for version %u of the contract "
                       "(src/plugin.h), and this scanbench has version %d: %s",
                       plugin->version, PLUGIN_VERSION, remedy);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        if (sizes[k].theirs > sizes[k].ours || sizes[k].theirs < 4 ||
            sizes[k].theirs % 4)
            return because("its struct %s has %u bytes, and that of this "
                           "scanbench %u: %s",
                           sizes[k].name, sizes[k].theirs, sizes[k].ours,
                           remedy);
    return NULL;
}

static bool is_name(const char *text, const char *letters, size_t most)
{
    const size_t chars = text ? strnlen(text, most + 1) : 0;
    return chars > 0 && chars <= most && strspn(text, letters) == chars;
}

#define SMALL "abcdefghijklmnopqrstuvwxyz0123456789_"
static const char any_letter[] = SMALL "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static const char *judge_id(const char *id)
{
    const char *slash = strchr(id, '/');
    if (strnlen(id, 64) < 64 && slash && slash > id && slash[1] &&
        strspn(id, SMALL) == (size_t)(slash - id) &&
        slash[1 + strspn(slash + 1, SMALL)] == '\0')
        return NULL;
    return because("a family's id is '%.64s', and not like scan/my_idea: "
                   "small letters, digits and _",
                   id);
}

static const char *wrong_field(const struct variant *v)
{
    enum { MOST_IDEA = 160 };
    if (!v->idea || !*v->idea || strnlen(v->idea, MOST_IDEA) == MOST_IDEA ||
        !plain_text(v->idea))
        return "idea is no line of text of less than 160 bytes";
    if (v->runs_on != DEVICE_HOST && v->runs_on != DEVICE_CUDA)
        return "runs_on is no device";
    if (!v->ops || v->ops & ~OPS_ALL)
        return "ops are none, or some that this scanbench does not know";
    if (!v->dtypes || v->dtypes & ~DTYPES_ALL)
        return "dtypes are none, or some that this scanbench does not know";
    if (!(v->passes > 0 && v->passes < 1e6) ||
        !(v->passes_masked >= 0 && v->passes_masked < 1e6))
        return "passes are none: 1 is all compulsory traffic once";
    if ((unsigned)v->error_growth > ERROR_CANCELLING)
        return "error_growth is none of the enum";
    if (v->error_growth == ERROR_TILED && v->error_tile < 1)
        return "error_tile is less than 1, with ERROR_TILED";
    return v->launch ? NULL : "launch is NULL";
}

static const char *judge_variant(const char *id, const struct variant *v)
{
    enum { MOST_NAME = 79 };
    if (!is_name(v->name, any_letter, MOST_NAME))
        return because("a variant of %s is called '%.80s': letters, digits "
                       "and _, at most %d",
                       id, v->name, MOST_NAME);
    const char *wrong = wrong_field(v);
    return wrong ? because("variant %s of %s: %s (src/variant.h says what it "
                           "is)",
                           v->name, id, wrong)
                 : NULL;
}

static const char *load(const char *path, const struct plugin **plugin)
{
    const struct plugin *(*offer)(void);
    char real[PATH_MAX]; /* or dlopen() looks for a bare name elsewhere */
    if (!realpath(path, real))
        return because("%s", strerror(errno));
    void *object = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        const char *said = dlerror();
        const size_t chars = strlen(real);
        if (strncmp(said, real, chars) == 0 && said[chars] == ':')
            said += chars + 1 + (said[chars + 1] == ' ');
        return because("it cannot be loaded: %s (a shared object of this "
                       "machine is wanted: scanbench new --help)",
                       said);
    }
    *(void **)&offer = dlsym(object, "scanbench_plugin");
    if (!offer)
        return because("it exports no scanbench_plugin(): PLUGIN() of "
                       "src/plugin.h defines it");
    *plugin = offer();
    return *plugin ? judge_version(*plugin)
                   : because("it offers nothing: scanbench_plugin() returned "
                             "NULL");
}

/* Takes a family, whose variants are variant_bytes apart. */
static const char *
take_family(const struct plugin *plugin, const struct plugin_family *family,
            size_t *count, void *context,
            const char *(*take)(void *, const struct plugin_variant *))
{
    const char *at = (const char *)family->variants;
    struct plugin_variant one = { .family = family->id };
    const char *wrong = judge_id(family->id);
    if (!wrong && !at)
        wrong = because("family %s: variants is NULL", family->id);
    for (const size_t before = *count; !wrong; at += plugin->variant_bytes) {
        memcpy(&one.variant, at, plugin->variant_bytes);
        if (!one.variant.name)
            return *count > before
                       ? NULL
                       : because("family %s has no variant", family->id);
        if (++*count > PLUGIN_MOST_VARIANTS)
            return because("it has more than %d variants, or a table without "
                           "a NULL name at its end",
                           PLUGIN_MOST_VARIANTS);
        wrong = judge_variant(family->id, &one.variant);
        wrong = wrong ? wrong : take(context, &one);
    }
    return wrong;
}

const char *plugin_file_open(const char *path, char name[64], void *context,
                             const char *(*take)(void *context,
                                                 const struct plugin_variant *))
{
    const struct plugin *plugin = NULL;
    size_t count = 0;
    const char *wrong = load(path, &plugin);
    if (wrong)
        return wrong;
    if (!is_name(plugin->name, any_letter, 63))
        return because("its name is '%.64s': letters, digits and _",
                       plugin->name ? plugin->name : "");
    snprintf(name, 64, "%s", plugin->name);
    const struct plugin_family *family = plugin->families;
    for (; !wrong && family && family->id; ++family)
        wrong = take_family(plugin, family, &count, context, take);
    return wrong || count ? wrong : because("it has no family of variants");
}
