/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include "src/base/memory.h"
#include "src/model/random_grid.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- by kind */

static bool take_whole(const struct option_row *row, const char *text,
                       int *number)
{
    char *end, why[64];
    const long value = strtol(text, &end, 10);
    snprintf(why, sizeof why, "not a whole number from %g to %.0f", row->least,
             row->most);
    if (end == text || *end || (double)value < row->least ||
        (double)value > row->most)
        return complain(row->name, text, why);
    *number = (int)value;
    return true;
}

/* Numbers with commas between them. */
static bool take_reals(const struct option_row *row, const char *text,
                       double *numbers)
{
    static const char *const counted[] = { "a number", "two numbers, A,B,",
                                           "three numbers, A,B,C," };
    const char *rest = text;
    char why[64];
    snprintf(why, sizeof why, "not %s from %g to below 1e%.0f",
             counted[row->count - 1], row->least, log10(row->most));
    for (int k = 0; k < row->count; ++k) {
        char *end;
        numbers[k] = strtod(rest, &end);
        if (end == rest || *end != (k + 1 < row->count ? ',' : '\0') ||
            !(numbers[k] >= row->least && numbers[k] < row->most))
            return complain(row->name, text, why);
        rest = end + 1;
    }
    return true;
}

/* Calls take(part) for every part of a comma-separated list. An empty part,
 * as of an unset shell variable, is an error, and does not mean "all". */
static bool each_part(const char *what, const char *list, void *value,
                      bool (*take)(const char *, void *))
{
    char *copy = memory_copy(list), *rest = copy;
    bool ok = true;
    for (char *part; ok && (part = strsep(&rest, ","));)
        ok =
            *part ? take(part, value) : complain(what, list, "a name is empty");
    free(copy);
    return ok;
}

struct names {
    const char *what;
    const char *name[OPS_MOST];
    size_t count;
    uint64_t bits; /* 1 << the place of each name that was taken */
};

static bool take_name(const char *word, void *value)
{
    struct names *names = value;
    for (size_t k = 0; k < names->count; ++k)
        if (strcmp(word, names->name[k]) == 0) {
            names->bits |= UINT64_C(1) << k;
            return true;
        }
    return unknown_name("run --help", names->what, word, names->name,
                        names->count);
}

/* Adds the bits of a list, or takes the place of a single choice. */
static bool take_names(const struct option_row *row, const char *text,
                       unsigned *value)
{
    struct names names = { .what = row->name };
    for (; row->choices[names.count]; ++names.count)
        names.name[names.count] = row->choices[names.count];
    if (row->kind == OPTION_NAMES) {
        const bool taken = each_part(row->name, text, &names, take_name);
        *value |= (unsigned)names.bits;
        return taken;
    }
    if (!take_name(text, &names))
        return false;
    *value = (unsigned)__builtin_ctzll(names.bits);
    return true;
}

bool take_value(const struct option_row *row, const char *argument,
                void *options)
{
    void *at = (char *)options + row->offset;
    switch (row->kind) {
    case OPTION_FLAG:
        return *(bool *)at = true;
    case OPTION_TEXT:
        *(const char **)at = argument;
        return *argument || complain(row->name, "", "the name is empty");
    case OPTION_WHOLE:
        return take_whole(row, argument, at);
    case OPTION_REALS:
        return take_reals(row, argument, at);
    case OPTION_CHOICE:
    case OPTION_NAMES:
        return take_names(row, argument, at);
    default:
        return row->take(argument, at);
    }
}

/* ------------------------------------------------------------------- lists */

bool take_late_ops(struct filter *filter)
{
    struct names names = { .what = "op", .bits = filter->ops };
    for (int o = 0; o < op_count(); ++o)
        names.name[names.count++] = op_name(op_at(o));
    const bool taken = !filter->late_ops ||
                       each_part("op", filter->late_ops, &names, take_name);
    filter->ops = names.bits;
    filter->late_ops = NULL;
    return taken;
}

bool take_shapes(const char *list, void *value)
{
    struct filter *filter = value;
    char said[SHAPE_SAID_BYTES];
    for (const char *at = list;; ++at) {
        const char *shape = at += strspn(at, " ");
        if (!*at || *at == ',')
            return complain("shape", list, "a name is empty");
        if (filter->shape_count == MAX_SHAPES)
            return complain("shape", shape, "more than 64 shapes");
        const int place = filter->shape_count;
        const char *why = shape_read(&at, &filter->shapes[place], said);
        if (why)
            return complain("shape", shape, why);
        ++filter->shape_count;
        if (place < SHAPES_SAID)
            strcpy(filter->said[place], said);
        if (!*at)
            return true;
    }
}

void say_shapes(const struct filter *filter)
{
    const char *late = filter->late_ops,
               *one = late && !strchr(late, ',') ? late : NULL;
    for (int o = 0; o < op_count() && !one; ++o)
        if (filter->ops == UINT64_C(1) << o)
            one = op_name(op_at(o));
    for (int k = 0; k < filter->shape_count && k < SHAPES_SAID; ++k)
        fprintf(stderr, "scanbench: %s%sover %s\n", one ? one : "",
                one ? " " : "", filter->said[k]);
    if (filter->shape_count > SHAPES_SAID)
        fprintf(stderr, "scanbench: and %d more\n",
                filter->shape_count - SHAPES_SAID);
}

static bool is_grid(const char *name)
{
    enum { MOST_NAMES = 16 };
    const char *names[MOST_NAMES];
    struct random_grid random;
    size_t count = 0;
    if (random_grid_is(name)) {
        const char *why = random_grid_parse(name, &random);
        return !why || complain("grid", name, why);
    }
    for (; grid_names[count]; ++count) {
        names[count] = grid_names[count];
        if (strcmp(name, names[count]) == 0)
            return true;
    }
    for (int k = 0; random_grid_names[k]; ++k)
        names[count++] = random_grid_names[k];
    return unknown_name("--help", "grid", name, names, count);
}

static bool take_grid(const char *name, void *value)
{
    struct options *options = value;
    if (options->grid_count == MAX_GRIDS)
        return complain("grid", name, "more than 8 grids");
    if (!is_grid(name))
        return false;
    if (strlen(name) >= GRID_NAME_BYTES) /* zeros in front of a number */
        return complain("grid", name, "too long a name");
    strcpy(options->grids[options->grid_count++], name);
    return true;
}

bool take_grids(const char *list, void *options)
{
    return each_part("grid", list, options, take_grid);
}

bool take_quick(const char *none, void *options)
{
    (void)none;
    ((struct options *)options)->budget_ms = 2;
    return take_grid("quick", options);
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

static bool take_one_device(const char *text, void *value)
{
    struct options *options = value;
    if (options->place_count == MAX_DEVICES)
        return complain("device", text, "more than 16 devices");
    struct device_place *place = &options->places[options->place_count++];
    if (!parse_device(text, place))
        return complain("device", text,
                        "it is host, cuda or cuda:N; run takes "
                        "several, cuda:0,cuda:1, or all");
    for (const struct device_place *p = options->places; p < place; ++p)
        if (place->kind == DEVICE_CUDA && p->kind == DEVICE_CUDA &&
            p->index == place->index)
            return complain("device", text,
                            "named twice: each would slow the other");
    return true;
}

/* Replaces what an earlier --device gave. */
bool take_devices(const char *text, void *value)
{
    struct options *options = value;
    options->device_given = true;
    options->place_count = 0;
    options->all_devices = strcmp(text, "all") == 0;
    if (options->all_devices)
        options->places[0] = (struct device_place){ DEVICE_CUDA, 0 };
    else if (!each_part("device", text, options, take_one_device))
        return false;
    options->kind = options->places[0].kind;
    options->index = options->places[0].index;
    if (options->command == COMMAND_RUN ||
        (options->place_count == 1 && !options->all_devices))
        return true;
    return complain("device", text, "only run takes several");
}

bool take_pretend(const char *arch, void *value)
{
    char why[KNOWN_GPUS_BYTES];
    const struct known_gpu **gpu = value;
    *gpu = known_gpu_find(arch);
    return *gpu || complain("architecture", arch, known_gpus_text(why));
}

/* regcomp() recurses at each "(", so the number of these has to be bounded. */
enum { MOST_PATTERN_BYTES = 4096 };

bool take_patterns(const char *text, void *value)
{
    struct patterns *patterns = value;
    char why[128];
    if (patterns->count == MAX_PATTERNS)
        return complain("pattern", text, "more than 16 patterns");
    if (strlen(text) > MOST_PATTERN_BYTES) {
        char start[32];
        snprintf(start, sizeof start, "%.28s...", text);
        snprintf(why, sizeof why, "longer than %d bytes", MOST_PATTERN_BYTES);
        return complain("pattern", start, why);
    }
    regex_t *compiled = &patterns->compiled[patterns->count];
    int error = regcomp(compiled, text, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, compiled, why, sizeof why);
        return complain("pattern", text, why);
    }
    ++patterns->count;
    return true;
}

/* Selects the shape of the id, and leaves the rest to the plan. */
bool take_profile(const char *id, void *value)
{
    struct options *options = value;
    struct shape shape;
    char text[SHAPE_TEXT_BYTES];
    const char *last = strrchr(id, '/');
    options->profile = id;
    options->in_process = true;
    if (!last || shape_parse(last + 1, &shape) ||
        strcmp(shape_format(shape, text), last + 1) != 0)
        return complain("cell", id,
                        "not an id as list prints: "
                        "op/variant/dtype/OUTERxAXISxINNER");
    return take_shapes(last + 1, &options->filter);
}

/* N, N:O or N:O:M. */
static bool take_offset(const char *text, void *value)
{
    struct options *options = value;
    if (options->offset_count == MAX_OFFSETS)
        return complain("offset", text, "more than 8 offsets");
    struct offsets *by = &options->offsets[options->offset_count++];
    int *const numbers[] = { &by->all, &by->out, &by->mask };
    *by = (struct offsets){ 0 };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        char *end;
        const long number = strtol(text, &end, 10);
        if (end == text || number < 0 || number > 1 << 20 ||
            (*end && *end != ':'))
            return complain("offset", text,
                            "not a whole number from 0 to 1048576");
        *numbers[k] = (int)number;
        if (!*end)
            return true;
        text = end + 1;
    }
    return complain("offset", text, "more than N:O:M");
}

bool take_offsets(const char *list, void *value)
{
    ((struct options *)value)->offset_count = 0;
    return each_part("offset", list, value, take_offset);
}

bool take_seed(const char *text, void *value)
{
    uint64_t *seed = value;
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-'))
        return complain("seed", text, "not a whole number from 0");
    return true;
}

bool take_plugin(const char *path, void *value)
{
    struct options *options = value;
    const size_t chars = strlen(path);
    if (!*path)
        return complain("plugin", path, "the name is empty");
    if (chars > 3 && strcmp(path + chars - 3, ".py") == 0)
        return complain("python", path, "name a function: FILE.py:NAME");
    if (options->plugin_count == MAX_PLUGINS)
        return complain("plugin", path, "more than 16 plugins");
    options->plugin_paths[options->plugin_count++] = path;
    options->python |= plugin_function(path) != NULL;
    return true;
}
