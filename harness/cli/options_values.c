/* SPDX-License-Identifier: MIT */
#include "harness/cli/options_parts.h"

#include "harness/cli/unknown_name.h"
#include "src/base/memory.h"
#include "src/base/random_grid.h"
#include "src/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool options_unknown(const char *what, const char *word,
                     const char *const *names, size_t count)
{
    return unknown_name("--help", what, word, names, count);
}

bool options_complain(const char *what, const char *word, const char *why)
{
    fprintf(stderr, "scanbench: %s '%s': %s\n", what, word, why);
    return false;
}

/* Calls take(part) for every part of a comma-separated list. An empty part is
 * a slip, such as a shell variable without a value, and no "all". */
static bool each_part(const char *what, const char *list,
                      struct options *options,
                      bool (*take)(const char *, struct options *))
{
    char *copy = memory_copy(list), *rest = copy;
    bool ok = true;
    for (char *part; ok && (part = strsep(&rest, ","));)
        ok = *part ? take(part, options)
                   : options_complain(what, list, "a name is empty");
    free(copy);
    return ok;
}

static bool take_op(const char *name, struct options *options)
{
    enum op op;
    const char *names[OP_COUNT];
    for (int o = 0; o < OP_COUNT; ++o)
        names[o] = op_name((enum op)o);
    if (!op_parse(name, &op))
        return options_unknown("op", name, names, OP_COUNT);
    options->ops |= OP_BIT(op);
    return true;
}

static bool take_dtype(const char *name, struct options *options)
{
    enum dtype dtype;
    const char *names[DTYPE_COUNT];
    for (int d = 0; d < DTYPE_COUNT; ++d)
        names[d] = dtype_name((enum dtype)d);
    if (!dtype_parse(name, &dtype))
        return options_unknown("dtype", name, names, DTYPE_COUNT);
    options->dtypes |= DTYPE_BIT(dtype);
    return true;
}

static bool take_shape(const char *text, struct options *options)
{
    if (options->shape_count == MAX_SHAPES)
        return options_complain("shape", text, "more than 64 shapes");
    const char *why = shape_parse(text, &options->shapes[options->shape_count]);
    if (why)
        return options_complain("shape", text, why);
    ++options->shape_count;
    return true;
}

/* Says what is wrong with the name of a grid, or true. */
static bool is_grid(const char *name)
{
    enum { MOST_NAMES = 16 };
    const char *names[MOST_NAMES];
    struct random_grid random;
    size_t count = 0;
    if (random_grid_is(name)) {
        const char *why = random_grid_parse(name, &random);
        return !why || options_complain("grid", name, why);
    }
    for (; grid_names[count]; ++count) {
        names[count] = grid_names[count];
        if (strcmp(name, names[count]) == 0)
            return true;
    }
    for (int k = 0; random_grid_names[k]; ++k)
        names[count++] = random_grid_names[k];
    return options_unknown("grid", name, names, count);
}

static bool take_grid(const char *name, struct options *options)
{
    if (options->grid_count == MAX_GRIDS)
        return options_complain("grid", name, "more than 8 grids");
    if (!is_grid(name))
        return false;
    if (strlen(name) >= GRID_NAME_BYTES) /* zeros in front of a number */
        return options_complain("grid", name, "too long a name");
    strcpy(options->grids[options->grid_count++], name);
    return true;
}

static bool parse_device(const char *text, struct device_place *place)
{
    char *end;
    place->index = 0;
    place->kind = strcmp(text, "host") == 0 ? DEVICE_HOST : DEVICE_CUDA;
    if (place->kind == DEVICE_HOST || strcmp(text, "cuda") == 0)
        return true;
    if (strncmp(text, "cuda:", 5) != 0 || text[5] < '0' || text[5] > '9')
        return false;
    const long index = strtol(text + 5, &end, 10);
    place->index = (int)index;
    return *end == '\0' && index <= INT16_MAX;
}

static bool take_one_device(const char *text, struct options *options)
{
    if (options->place_count == MAX_DEVICES)
        return options_complain("device", text, "more than 16 devices");
    struct device_place *place = &options->places[options->place_count++];
    if (!parse_device(text, place))
        return options_complain("device", text,
                                "it is host, cuda or cuda:N; run takes "
                                "several, cuda:0,cuda:1, or all");
    for (const struct device_place *p = options->places; p < place; ++p)
        if (place->kind == DEVICE_CUDA && p->kind == DEVICE_CUDA &&
            p->index == place->index)
            return options_complain("device", text,
                                    "named twice: each would slow the other");
    return true;
}

/* The last one given counts. */
static bool take_device(const char *text, struct options *options)
{
    options->device_given = true;
    options->place_count = 0;
    options->all_devices = strcmp(text, "all") == 0;
    if (!options->all_devices &&
        !each_part("device", text, options, take_one_device))
        return false;
    options->kind =
        options->all_devices ? DEVICE_CUDA : options->places[0].kind;
    options->index = options->all_devices ? 0 : options->places[0].index;
    if (options->command == COMMAND_RUN ||
        (options->place_count == 1 && !options->all_devices))
        return true;
    return options_complain("device", text, "only run takes several");
}

/* One message with all there are: none is near enough to guess. */
static bool take_pretend(const char *arch, struct options *options)
{
    char why[KNOWN_GPUS_BYTES];
    options->pretend = known_gpu_find(arch);
    return options->pretend ||
           options_complain("pretend", arch, known_gpus_text(why));
}

static bool take_cache(const char *name, struct options *options)
{
    enum cache cache;
    const char *names[CACHE_COUNT];
    for (int c = 0; c < CACHE_COUNT; ++c)
        names[c] = cache_name((enum cache)c);
    if (!cache_parse(name, &cache))
        return options_unknown("cache", name, names, CACHE_COUNT);
    options->caches |= 1u << cache;
    return true;
}

/* regcomp() calls itself for each "(", and a thousand of them are no use. */
enum { MOST_PATTERN_BYTES = 4096 };

static bool take_pattern(const char *text, struct patterns *patterns)
{
    char why[128];
    if (patterns->count == MAX_PATTERNS)
        return options_complain("pattern", text, "more than 16 patterns");
    if (strlen(text) > MOST_PATTERN_BYTES) {
        char start[32];
        snprintf(start, sizeof start, "%.28s...", text);
        snprintf(why, sizeof why, "longer than %d bytes", MOST_PATTERN_BYTES);
        return options_complain("pattern", start, why);
    }
    regex_t *compiled = &patterns->compiled[patterns->count];
    int error = regcomp(compiled, text, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, compiled, why, sizeof why);
        return options_complain("pattern", text, why);
    }
    patterns->text[patterns->count++] = text;
    return true;
}

/* "op/variant/dtype/shape": the parts that narrow the plan down. */
static bool take_profile(const char *id, struct options *options)
{
    char *copy = memory_copy(id), *rest = copy, *part[4] = { 0 };
    for (int k = 0; k < 4; ++k)
        part[k] = strtok_r(rest, "/", &rest);
    struct shape shape;
    char text[SHAPE_TEXT_BYTES];
    const bool whole = part[3] && !strtok_r(rest, "/", &rest) &&
                       !shape_parse(part[3], &shape) &&
                       strcmp(shape_format(shape, text), part[3]) == 0;
    const bool ok = whole && take_op(part[0], options) &&
                    take_dtype(part[2], options) &&
                    take_shape(part[3], options);
    free(copy);
    options->profile = id;
    options->in_process = true;
    return ok ||
           (!whole && options_complain("cell", id,
                                       "not an id as list prints: "
                                       "op/variant/dtype/OUTERxAXISxINNER"));
}

static bool take_format(const char *name, struct options *options)
{
    static const char *const names[] = { "text", "csv" };
    options->csv = strcmp(name, names[1]) == 0;
    return options->csv || strcmp(name, names[0]) == 0 ||
           options_unknown("format", name, names, 2);
}

static bool take_number(const char *what, const char *text, double least,
                        double *number)
{
    char *end, why[64];
    double value = strtod(text, &end);
    snprintf(why, sizeof why, "not a number from %g to below 1e9", least);
    if (end == text || *end || !(value >= least && value < 1e9))
        return options_complain(what, text, why);
    *number = value;
    return true;
}

static bool take_whole(const char *what, const char *text, int least, int most,
                       int *number)
{
    char *end;
    const long value = strtol(text, &end, 10);
    char why[64];
    snprintf(why, sizeof why, "not a whole number from %d to %d", least, most);
    if (end == text || *end || value < least || value > most)
        return options_complain(what, text, why);
    *number = (int)value;
    return true;
}

/* N, N:O or N:O:M. */
static bool take_offset(const char *text, struct options *options)
{
    if (options->offset_count == MAX_OFFSETS)
        return options_complain("offset", text, "more than 8 offsets");
    struct offsets *by = &options->offsets[options->offset_count++];
    int *const numbers[] = { &by->all, &by->out, &by->mask };
    *by = (struct offsets){ 0 };
    char *copy = memory_copy(text), *rest = copy;
    size_t count = 0;
    bool ok = true;
    for (char *part; ok && (part = strsep(&rest, ":"));)
        ok = count < sizeof numbers / sizeof *numbers
                 ? take_whole("offset", part, 0, 1 << 20, numbers[count++])
                 : options_complain("offset", text, "more than N:O:M");
    free(copy);
    return ok;
}

static bool take_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-'))
        return options_complain("seed", text, "not a whole number from 0");
    return true;
}

static bool take_plugin(const char *path, struct options *options)
{
    if (!*path)
        return options_complain("plugin", path, "the name is empty");
    if (options->plugin_count == MAX_PLUGINS)
        return options_complain("plugin", path, "more than 16 plugins");
    options->plugin_paths[options->plugin_count++] = path;
    return true;
}

static bool take_folder(const char *what, const char *path, const char **folder)
{
    if (!*path)
        return options_complain(what, path, "the name is empty");
    *folder = path;
    return true;
}

bool options_take(int code, const char *argument, struct options *options)
{
    switch (code) {
    case 'f':
        return take_pattern(argument, &options->filters);
    case OPT_EXCLUDE:
        return take_pattern(argument, &options->excludes);
    case OPT_OP:
        return each_part("op", argument, options, take_op);
    case OPT_DTYPE:
        return each_part("dtype", argument, options, take_dtype);
    case OPT_SHAPE:
        return each_part("shape", argument, options, take_shape);
    case OPT_SHAPES:
        return options->only_shapes = true;
    case OPT_GRID:
        return each_part("grid", argument, options, take_grid);
    case OPT_QUICK:
        options->budget_ms = 2;
        return take_grid("quick", options);
    case OPT_FORMAT:
        return take_format(argument, options);
    case OPT_FAMILY:
        options->family = argument;
        return true;
    case OPT_BROKEN:
        return options->broken = true;
    case OPT_DEVICE:
        return take_device(argument, options);
    case OPT_ONE_AT_A_TIME:
        return options->one_at_a_time = true;
    case OPT_PRETEND:
        return take_pretend(argument, options);
    case OPT_RULES:
        return take_folder("rules", argument, &options->rules);
    case OPT_PLUGIN:
        return take_plugin(argument, options);
    case OPT_FRAMEWORKS:
        return options->frameworks = true;
    case 'o':
        return take_folder("out", argument, &options->out);
    case 'n':
        return options->dry_run = true;
    case OPT_CACHE:
        return each_part("cache", argument, options, take_cache);
    case OPT_PROCESSES:
        return take_whole("processes", argument, 1, 1000, &options->processes);
    case OPT_SEED:
        return take_seed(argument, &options->seed);
    case OPT_PROFILE:
        return take_profile(argument, options);
    case OPT_BUDGET:
        return take_number("budget", argument, 0, &options->budget_ms);
    case OPT_SLOW:
        return take_number("slow", argument, 0, &options->slow_ms);
    case OPT_TIMEOUT:
        return take_number("timeout", argument, 0.1, &options->timeout_s);
    case OPT_TIME_LIMIT:
        return take_number("time limit", argument, 0, &options->time_limit_s);
    case OPT_RESUME:
        return take_folder("resume", argument, &options->resume);
    case OPT_SAMPLES:
        return options->samples = true;
    case OPT_OFFSET:
        options->offset_count = 0;
        return each_part("offset", argument, options, take_offset);
    case OPT_REPEAT:
        return take_whole("repeat", argument, 1, 1 << 20, &options->repeats);
    case OPT_BLOCKS:
        return take_whole("blocks", argument, 1, 1 << 20,
                          &options->stress.blocks);
    case OPT_ROOM:
        return take_whole("room", argument, 1, 1 << 20, &options->stress.room);
    case OPT_RANKS:
        return take_whole("ranks", argument, 1, RANKS_MOST, &options->ranks);
    case OPT_STREAMS:
        return take_whole("streams", argument, 2, STRESS_MOST_STREAMS,
                          &options->stress.streams);
    case OPT_FAMILIES:
        return options->families = true;
    case OPT_DEVICES:
        return options->devices = true;
    case OPT_MUST_FAIL:
        return options->must_fail = true;
    case OPT_IN_PROCESS:
        return options->in_process = true;
    case 'q':
        return options->quiet = true;
    }
    return false;
}
