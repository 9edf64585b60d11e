/* SPDX-License-Identifier: MIT */
#include "harness/plugins.h"

#include "harness/child.h"
#include "src/base/memory.h"
#include "src/base/csv.h"
#include "src/verify/float_mode.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WHY_BYTES = 400, MOST_VARIANTS = 4096 };

/* A file's variants, in memory shared with a child. The child's pointers in
 * `traits` are not valid in the parent. */
struct described {
    char family[64], name[80], idea[160];
    struct variant traits;
};
struct described_op {
    enum op op;
    char name[OP_NAME_BYTES];
    struct reducer reducer; /* its pointers are not valid in the parent */
};
struct description {
    bool whole;
    char why[WHY_BYTES];
    char name[PLUGIN_NAME_BYTES];
    size_t count;
    struct described variant[MOST_VARIANTS];
    int op_count;
    struct described_op op[OPS_MOST];
};

static char why[WHY_BYTES];

/* Returns the error as printable ASCII, since parts of it are the plugin's
 * texts. It lives until the next one. */
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
    static const char remedy[] = "rebuild it with the headers of this "
                                 "scanbench (scanbench new --help)";
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
        return because("it was built for version %u of the contract "
                       "(src/plugin.h), and this scanbench has version %d: %s",
                       plugin->version, PLUGIN_VERSION, remedy);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        if (sizes[k].theirs > sizes[k].ours ||
            sizes[k].theirs < sizes[k].least || sizes[k].theirs % 4)
            return because("its struct %s has %u bytes, and that of this "
                           "scanbench %u: %s",
                           sizes[k].name, sizes[k].theirs, sizes[k].ours,
                           remedy);
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
        return because("a family's id is '%.64s', and not like scan/my_idea: "
                       "small letters, digits and _",
                       id);
    if (!at)
        return because("family %s: variants is NULL", id);
    for (;; at += plugin->variant_bytes) {
        struct variant one = { 0 };
        memcpy(&one, at, plugin->variant_bytes);
        if (!one.name)
            break;
        if (to->count == MOST_VARIANTS)
            return because("it has more than %d variants, or a table without "
                           "a NULL name at its end",
                           MOST_VARIANTS);
        struct described *d = &to->variant[to->count++];
        if (!is_name(one.name, sizeof d->name))
            return because("a variant of %s is called '%.80s': letters, digits "
                           "and _, at most %zu",
                           id, one.name, sizeof d->name - 1);
        const char *wrong = wrong_field(&one);
        if (wrong)
            return because("variant %s of %s: %s (src/variant.h explains it)",
                           one.name, id, wrong);
        strcpy(d->family, id);
        strcpy(d->name, one.name);
        strcpy(d->idea, one.idea);
        d->traits = one;
    }
    return to->count > before ? NULL : because("family %s has no variant", id);
}

/* A name that is also that of a CSV, beside a run's own files. */
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
        !reducer->combine || !reducer->lower)
        return because("reducer %d: an id from %d to %d, operations and four "
                       "functions are needed (src/model/reducer.h)",
                       reducer->id, REDUCER_PLUGIN, REDUCER_LIMIT - 1);
    for (int k = 0; k < to->op_count; ++k)
        if (to->op[k].reducer.id == reducer->id)
            return because("there are two reducers %d", reducer->id);
    reducer_set(reducer);
    for (const struct operation *o = reducer->ops; o->name; ++o) {
        struct described_op *d = &to->op[to->op_count];
        if (op_reducer(o->op) != reducer->id || op_kind(o->op) > KIND_REDUCE ||
            op_flags(o->op) > (OP_EXCLUSIVE | OP_REVERSE | OP_MASKED) ||
            !is_op_name(o->name))
            return because("reducer %d: '%.64s' is no scan or reduction of it, "
                           "or no name of small letters, digits and _",
                           reducer->id, o->name);
        if (op_index(o->op) == op_count() && !op_add(o->op, o->name))
            return because("there is an operation %s already, or there are %d",
                           o->name, OPS_MOST);
        *d = (struct described_op){ .op = o->op, .reducer = *reducer };
        strcpy(d->name, o->name);
        ++to->op_count;
    }
    return NULL;
}

static const char *load(const struct plugin_file *file,
                        const struct plugin **plugin)
{
    const struct plugin *(*offer)(void);
    const struct plugin *(*offer_function)(const char *path, const char *name);
    char real[PATH_MAX]; /* dlopen() searches elsewhere without a slash */
    if (!realpath(file->object, real))
        return because("%s", strerror(errno));
    void *object = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        const char *error = dlerror();
        const size_t chars = strlen(real);
        if (strncmp(error, real, chars) == 0 && error[chars] == ':')
            error += chars + 1 + (error[chars + 1] == ' ');
        return because("it cannot be loaded: %s (it must be a shared object "
                       "for this machine: scanbench new --help)",
                       error);
    }
    *(void **)&offer = dlsym(object, "scanbench_plugin");
    if (!offer)
        return because("it exports no scanbench_plugin(): PLUGIN() of "
                       "src/plugin.h defines it");
    *(void **)&offer_function = dlsym(object, "scanbench_function");
    *plugin =
        file->function ? offer_function(file->path, file->function) : offer();
    return *plugin ? judge_version(*plugin)
                   : because("it offers nothing: scanbench_plugin() returned "
                             "NULL");
}

static const char *describe(const struct plugin_file *file,
                            struct description *to)
{
    const struct plugin *plugin = NULL;
    const char *wrong = load(file, &plugin);
    if (wrong)
        return wrong;
    if (!is_name(plugin->name, sizeof to->name))
        return because("its name is '%.64s': letters, digits and _",
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
               : because("it has no family of variants");
}

/* Describes the file in a child. */
static const char *describe_apart(const struct plugin_file *file,
                                  double timeout_s, struct description *to)
{
    int status = 0;
    struct child child;
    if (!child_fork(&child))
        return because("no process to load it: %s", strerror(errno));
    if (child.pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* stdout is for data */
        const char *wrong = describe(file, to);
        snprintf(to->why, sizeof to->why, "%s", wrong ? wrong : "");
        to->whole = true;
        fflush(stdout);
        _exit(0);
    }
    if (!child_end(&child, timeout_s, &status))
        return because("it was not loaded after %g s: a constructor or "
                       "scanbench_plugin() does not end",
                       timeout_s);
    if (WIFSIGNALED(status))
        return because("it crashed while it was loaded: signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (!to->whole)
        return because("it ended the process that loaded it, with status %d",
                       WEXITSTATUS(status));
    return *to->why ? because("%s", to->why) : NULL;
}

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
        return because("there is a family %s already: give it another id",
                       family->id);
    for (const struct variant *v = family->variants; v->name; ++v) {
        for (const struct catalogue_point *p = catalogue; p->name; ++p)
            taken |= strcmp(p->name, v->name) == 0;
        for (size_t k = 0; k <= at; ++k)
            for (const struct variant *other = plugins->families[k].variants;
                 other->name; ++other)
                taken |= clash(other, v);
        if (taken)
            return because("there is a variant %s already: ids need another "
                           "name",
                           v->name);
    }
    return NULL;
}

/* ----------------------------------------------------------- the registry */

/* Adds the described operations, whose functions only a worker has. */
static const char *keep_ops(const struct description *from)
{
    static struct reducer kept[REDUCER_LIMIT];
    for (int k = 0; k < from->op_count; ++k)
        if (kept[from->op[k].reducer.id].id)
            return because("another plugin has a reducer %d",
                           from->op[k].reducer.id);
    for (int k = 0; k < from->op_count; ++k) {
        const struct described_op *d = &from->op[k];
        struct reducer *reducer = &kept[d->reducer.id];
        *reducer = (struct reducer){ .id = d->reducer.id,
                                     .dtypes = d->reducer.dtypes };
        if (!op_add(d->op, d->name))
            return because("there is an operation %s, or one of its number, "
                           "already",
                           d->name);
        reducer_set(reducer);
    }
    return NULL;
}

/* Adds the described families. */
static void keep(struct plugins *plugins, struct plugin_file *file,
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
    if (function)
        name[function - path - 1] = '\0';
    *file = (struct plugin_file){ .path = name,
                                  .object = function ? frameworks : path,
                                  .function = function };
    const char *wrong = hash_file(file->path, &file->hash)
                            ? describe_apart(file, timeout_s, description)
                            : because("%s", strerror(errno));
    for (int other = 0; !wrong && other + 1 < plugins->count; ++other)
        if (strcmp(plugins->file[other].name, description->name) == 0)
            wrong =
                "another plugin has its name (one Python function at a time)";
    if (!wrong)
        wrong = keep_ops(description);
    if (!wrong)
        keep(plugins, file, description);
    munmap(description, sizeof *description);
    for (; !wrong && k < plugins->family_count; ++k)
        wrong = judge_names(plugins, k, catalogue);
    if (wrong)
        fprintf(stderr, "scanbench: plugin %s: %s\n", path, wrong);
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
                            ? describe(file, now)
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
    static char text[WHY_BYTES + 300];
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
