/* SPDX-License-Identifier: MIT */
#include "harness/plugin_describe.h"

#include "harness/child.h"
#include "src/base/csv.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char why[PLUGIN_WHY_BYTES];

const char *plugin_error(const char *format, ...)
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

/* ------------------------------------------ functions that return an error */

/* The operators of the plugin, or NULL; the last member of struct plugin. */
static const struct reducer *reducers_of(const struct plugin *plugin)
{
    return plugin->bytes >= sizeof *plugin ? plugin->reducers : NULL;
}

/* Structs of the same version may be smaller than here, as members are added at
 * their ends. A reducer is used where it is, and has the same size. */
static const char *judge_version(const struct plugin *plugin)
{
    static const char remedy[] =
        "rebuild it with the headers of this scanbench (scanbench new --help)";
    const struct plugin here = { PLUGIN_SIZES, NULL, NULL, NULL };
    const struct {
        const char *name;
        uint32_t theirs, ours, least;
    } sizes[] = {
        { "plugin", plugin->bytes, here.bytes, 4 },
        { "variant", plugin->variant_bytes, here.variant_bytes, 4 },
        { "problem", plugin->problem_bytes, here.problem_bytes, 4 },
        { "device_facts", plugin->facts_bytes, here.facts_bytes, 4 },
        { "reducer",
          reducers_of(plugin) ? plugin->reducer_bytes : here.reducer_bytes,
          here.reducer_bytes, here.reducer_bytes },
    };
    if (plugin->version != PLUGIN_VERSION)
        return plugin_error(
            "it was built for version %u of the contract (src/plugin.h), and "
            "this scanbench has version %d: %s",
            plugin->version, PLUGIN_VERSION, remedy);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        if (sizes[k].theirs > sizes[k].ours ||
            sizes[k].theirs < sizes[k].least || sizes[k].theirs % 4)
            return plugin_error(
                "its struct %s has %u bytes, and that of this scanbench %u: %s",
                sizes[k].name, sizes[k].theirs, sizes[k].ours, remedy);
    return NULL;
}

#define SMALL "abcdefghijklmnopqrstuvwxyz0123456789_"

static bool is_name(const char *text, size_t bytes)
{
    static const char letters[] = SMALL "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t chars = text ? strnlen(text, bytes) : 0;
    return chars > 0 && chars < bytes && strspn(text, letters) >= chars;
}

static bool is_id(const char *id)
{
    const size_t folder = strspn(id, SMALL);
    const char *file = id + folder + 1;
    return folder && id[folder] == '/' && *file && !file[strspn(file, SMALL)] &&
           strlen(id) < sizeof(((struct described *)NULL)->family);
}

static bool has_some_op(const struct variant *v)
{
    for (int d = 0; d < DTYPE_COUNT; ++d)
        for (int o = 0; o < op_count(); ++o)
            if (variant_has(v, op_at(o), (enum dtype)d))
                return true;
    return false;
}

static const char *wrong_field(const struct variant *v)
{
    const size_t most_idea = sizeof(((struct described *)NULL)->idea);
    if (!v->idea || !*v->idea || strnlen(v->idea, most_idea) == most_idea ||
        !plain_text(v->idea))
        return "idea is no line of text of less than 160 bytes";
    if (v->runs_on != DEVICE_HOST && v->runs_on != DEVICE_CUDA)
        return "runs_on is no device";
    if (!has_some_op(v))
        return "ops has no operation and dtype of this scanbench";
    if (!(v->passes > 0 && v->passes < 1e6) ||
        !(v->passes_masked >= 0 && v->passes_masked < 1e6))
        return "passes are none: 1 is all compulsory traffic once";
    if ((unsigned)v->error_growth > ERROR_CANCELLING)
        return "error_growth is none of the enum";
    if (v->error_growth == ERROR_TILED && v->error_tile < 1)
        return "error_tile is less than 1, with ERROR_TILED";
    return v->launch ? NULL : "launch is NULL";
}

/* Adds a family of variants variant_bytes apart. Newer members are 0. */
static const char *add_family(struct description *to,
                              const struct plugin *plugin,
                              const struct plugin_family *family)
{
    const char *at = (const char *)family->variants, *id = family->id;
    const size_t before = to->count;
    if (!is_id(id))
        return plugin_error("a family's id is '%.64s', and not like "
                            "scan/my_idea: small letters, digits and _",
                            id);
    if (!at)
        return plugin_error("family %s: variants is NULL", id);
    for (;; at += plugin->variant_bytes) {
        struct variant one = { 0 };
        memcpy(&one, at, plugin->variant_bytes);
        if (!one.name)
            break;
        if (to->count == PLUGIN_MOST_VARIANTS)
            return plugin_error("it has more than %d variants, or a table "
                                "without a NULL name at its end",
                                PLUGIN_MOST_VARIANTS);
        struct described *d = &to->variant[to->count++];
        if (!is_name(one.name, sizeof d->name))
            return plugin_error("a variant of %s is called '%.80s': letters, "
                                "digits and _, at most %zu",
                                id, one.name, sizeof d->name - 1);
        const char *wrong = wrong_field(&one);
        if (wrong)
            return plugin_error(
                "variant %s of %s: %s (src/variant.h explains it)", one.name,
                id, wrong);
        strcpy(d->family, id);
        strcpy(d->name, one.name);
        strcpy(d->idea, one.idea);
        d->traits = one;
    }
    return to->count > before ? NULL
                              : plugin_error("family %s has no variant", id);
}

/* The name is also a CSV's, beside a run's own files. */
static bool is_op_name(const char *name)
{
    const size_t chars = strspn(name, SMALL);
    return chars > 0 && chars < OP_NAME_BYTES && !name[chars] &&
           strcmp(name, "ceilings") != 0 && strcmp(name, "samples") != 0 &&
           strcmp(name, "manifest") != 0;
}

/* Describes an operator's operations, and adds those that are new. */
static const char *add_reducer(struct description *to,
                               const struct reducer *reducer)
{
    if (reducer->id < REDUCER_PLUGIN || reducer->id >= REDUCER_LIMIT ||
        !reducer->ops || !reducer->identity || !reducer->lift ||
        !reducer->combine || !reducer->lower || reducer->last < 0 ||
        (unsigned)reducer->rounding > EXPONENTIALS)
        return plugin_error(
            "reducer %d: it needs an id from %d to %d, and fields "
            "as src/model/reducer.h says",
            reducer->id, REDUCER_PLUGIN, REDUCER_LIMIT - 1);
    for (int k = 0; k < to->op_count; ++k)
        if (to->op[k].reducer.id == reducer->id)
            return plugin_error("there are two reducers %d", reducer->id);
    reducer_set(reducer);
    for (const struct operation *o = reducer->ops; o->name; ++o) {
        struct described_op *d = &to->op[to->op_count];
        if (op_reducer(o->op) != reducer->id || op_kind(o->op) > KIND_REDUCE ||
            op_flags(o->op) > (OP_EXCLUSIVE | OP_REVERSE | OP_MASKED) ||
            !is_op_name(o->name))
            return plugin_error(
                "reducer %d: '%.64s' is no scan or reduction of it, or no name "
                "of small letters, digits and _",
                reducer->id, o->name);
        if (op_index(o->op) == op_count() && !op_add(o->op, o->name))
            return plugin_error(
                "there is an operation %s already, or there are %d", o->name,
                OPS_MOST);
        *d = (struct described_op){ .op = o->op, .reducer = *reducer };
        strcpy(d->name, o->name);
        ++to->op_count;
    }
    return NULL;
}

const char *(*plugins_start)(bool gpu, int device);

static const char *load(const struct plugin_file *file,
                        const struct plugin **plugin)
{
    const struct plugin *(*offer)(void);
    const struct plugin *(*offer_function)(const char *path, const char *name);
    char real[PATH_MAX]; /* dlopen() searches elsewhere without a slash */
    if (!realpath(file->object, real))
        return plugin_error("%s", strerror(errno));
    void *object = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        const char *error = dlerror();
        const size_t chars = strlen(real);
        if (strncmp(error, real, chars) == 0 && error[chars] == ':')
            error += chars + 1 + (error[chars + 1] == ' ');
        return plugin_error("it cannot be loaded: %s (it must be a shared "
                            "object for this machine: scanbench new --help)",
                            error);
    }
    *(void **)&offer = dlsym(object, "scanbench_plugin");
    if (!offer)
        return plugin_error("it exports no scanbench_plugin(): PLUGIN() of "
                            "src/plugin.h defines it");
    *(void **)&offer_function = dlsym(object, "scanbench_function");
    if (offer_function)
        *(void **)&plugins_start = dlsym(object, "scanbench_start");
    *plugin =
        file->function ? offer_function(file->path, file->function) : offer();
    return *plugin ? judge_version(*plugin)
                   : plugin_error(
                         "it offers nothing: scanbench_plugin() returned NULL");
}

const char *plugin_describe(const struct plugin_file *file,
                            struct description *to)
{
    const struct plugin *plugin = NULL;
    const char *wrong = load(file, &plugin);
    if (wrong)
        return wrong;
    if (!is_name(plugin->name, sizeof to->name))
        return plugin_error("its name is '%.64s': letters, digits and _",
                            plugin->name ? plugin->name : "");
    strcpy(to->name, plugin->name);
    const struct reducer *reducer = reducers_of(plugin);
    for (; !wrong && reducer && reducer->id; ++reducer)
        wrong = add_reducer(to, reducer);
    const struct plugin_family *family = plugin->families;
    for (; !wrong && family && family->id; ++family)
        wrong = add_family(to, plugin, family);
    return wrong || to->count || to->op_count
               ? wrong
               : plugin_error("it has no family of variants");
}

const char *plugin_describe_apart(const struct plugin_file *file,
                                  double timeout_s, struct description *to)
{
    int status = 0;
    struct child child;
    if (!child_fork(&child))
        return plugin_error("no process to load it: %s", strerror(errno));
    if (child.pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* stdout is for data */
        const char *wrong = plugin_describe(file, to);
        snprintf(to->why, sizeof to->why, "%s", wrong ? wrong : "");
        to->whole = true;
        fflush(stdout);
        _exit(0);
    }
    if (!child_end(&child, timeout_s, &status))
        return plugin_error("it was not loaded after %g s: a constructor or "
                            "scanbench_plugin() does not end",
                            timeout_s);
    if (WIFSIGNALED(status))
        return plugin_error("it crashed while it was loaded: signal %d (%s)",
                            WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (!to->whole)
        return plugin_error(
            "it ended the process that loaded it, with status %d",
            WEXITSTATUS(status));
    return *to->why ? plugin_error("%s", to->why) : NULL;
}
