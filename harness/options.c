/* SPDX-License-Identifier: MIT */
#include "harness/options.h"

#include "harness/version.h"
#include "src/nearest.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "How fast can a scan or a reduction along one axis run on this machine?\n"
    "\n"
    "  scanbench run --quick                     sweep small shapes\n"
    "  scanbench run --grid headline             32768x32768 and friends\n"
    "  scanbench run --op cumsum_reverse --shape 32768x32768:1 --dtype f32\n"
    "  scanbench check -f '^cumsum/decoupled'    correctness only\n"
    "  scanbench list -f 'sum/.*/f16/'           ids, one a line\n"
    "  scanbench compare BASE NEW                what changed (--help: more)\n"
    "\n"
    "A cell's id is op/variant/dtype/OUTERxAXISxINNER.\n"
    "\n"
    "What to run\n"
    "  -f, --filter REGEX    ids that match (extended; may be repeated: any)\n"
    "      --exclude REGEX   not these\n"
    "      --op A,B          cumsum cumsum_exclusive cumsum_reverse\n"
    "                        masked_cumsum sum flip copy masked_copy read "
    "write\n"
    "      --dtype A,B       f32 f64 f16 bf16\n"
    "      --shape S,S       a tensor and a dim, 128x4096x4095:1 (-1 is the\n"
    "                        last), or OUTERxAXISxINNER; instead of a grid\n"
    "      --grid G,G        quick headline default full awkward aa\n"
    "      --quick           --grid quick and a short time a cell\n"
    "      --family F        the variants of one file, scan/block_per_line\n"
    "      --broken          the variants with a planted bug (check, list)\n"
    "      --device D        host, or cuda:N (default: cuda:0, or else the "
    "host)\n"
    "How\n"
    "  -o, --out DIR         where the CSVs go (default:\n"
    "                        results/<device>/<utc>-<commit>/)\n"
    "      --resume DIR      go on with a run that was cut short, with the\n"
    "                        words that began it\n"
    "  -n, --dry-run         print the plan as CSV, launch nothing\n"
    "      --cache C,C       cold (default): out of the last-level cache;\n"
    "                        hot: back-to-back launches\n"
    "      --launches N      repeat the run in N fresh processes (default 1)\n"
    "      --seed N          of the order that variants are sampled in\n"
    "      --budget MS       sampling time a cell (default 30)\n"
    "      --slow MS         a variant that takes longer for one launch is\n"
    "                        verified, not timed (default 100)\n"
    "      --timeout S       then a cell is given up (default 60)\n"
    "      --offset N        move all pointers by N elements (check)\n"
    "      --must-fail       check: every variant has to be caught\n"
    "      --profile ID      this cell once, for ncu --profile-from-start "
    "off\n"
    "      --in-process      no worker process (for debuggers and profilers;\n"
    "                        a crash then ends the run)\n"
    "  -q, --quiet           no progress\n"
    "  -h, --help   --version\n"
    "\n"
    "stdout carries data (run: the results folder), stderr the talk.\n"
    "Exit status: 0 all right; 1 a wrong result; 2 usage, bad input or a\n"
    "results folder that cannot be written; 77 no usable GPU where one was\n"
    "asked for; 130 interrupted, with every finished row on disk.\n";

enum {
    OPT_EXCLUDE = 256,
    OPT_OP,
    OPT_DTYPE,
    OPT_SHAPE,
    OPT_GRID,
    OPT_QUICK,
    OPT_FAMILY,
    OPT_BROKEN,
    OPT_DEVICE,
    OPT_CACHE,
    OPT_LAUNCHES,
    OPT_SEED,
    OPT_PROFILE,
    OPT_BUDGET,
    OPT_SLOW,
    OPT_TIMEOUT,
    OPT_OFFSET,
    OPT_RESUME,
    OPT_MUST_FAIL,
    OPT_IN_PROCESS,
    OPT_VERSION
};

static const struct option long_options[] = {
    { "filter", required_argument, NULL, 'f' },
    { "exclude", required_argument, NULL, OPT_EXCLUDE },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "shape", required_argument, NULL, OPT_SHAPE },
    { "grid", required_argument, NULL, OPT_GRID },
    { "quick", no_argument, NULL, OPT_QUICK },
    { "family", required_argument, NULL, OPT_FAMILY },
    { "broken", no_argument, NULL, OPT_BROKEN },
    { "device", required_argument, NULL, OPT_DEVICE },
    { "out", required_argument, NULL, 'o' },
    { "resume", required_argument, NULL, OPT_RESUME },
    { "dry-run", no_argument, NULL, 'n' },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "launches", required_argument, NULL, OPT_LAUNCHES },
    { "seed", required_argument, NULL, OPT_SEED },
    { "profile", required_argument, NULL, OPT_PROFILE },
    { "budget", required_argument, NULL, OPT_BUDGET },
    { "slow", required_argument, NULL, OPT_SLOW },
    { "timeout", required_argument, NULL, OPT_TIMEOUT },
    { "offset", required_argument, NULL, OPT_OFFSET },
    { "must-fail", no_argument, NULL, OPT_MUST_FAIL },
    { "in-process", no_argument, NULL, OPT_IN_PROCESS },
    { "quiet", no_argument, NULL, 'q' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, OPT_VERSION },
    { 0 }
};

enum { MAX_NAMES = 64 };

/* "unknown WHAT 'word'", with the nearest of the names. */
static bool unknown(const char *what, const char *word,
                    const char *const *names, size_t count)
{
    const char *near[2];
    size_t found = nearest_names(word, names, count, near, 2);
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s", k ? " or " : "; did you mean ", near[k]);
    fprintf(stderr, "%s\nscanbench --help lists what there is\n",
            found ? "?" : "");
    return false;
}

static bool complain(const char *what, const char *word, const char *why)
{
    fprintf(stderr, "scanbench: %s '%s': %s\n", what, word, why);
    return false;
}

/* Calls take(part) for every part of a comma-separated list. */
static bool each_part(const char *list, struct options *options,
                      bool (*take)(const char *, struct options *))
{
    char *copy = strdup(list), *rest = copy;
    bool ok = copy != NULL;
    for (char *part; ok && (part = strtok_r(rest, ",", &rest));)
        ok = take(part, options);
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
        return unknown("op", name, names, OP_COUNT);
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
        return unknown("dtype", name, names, DTYPE_COUNT);
    options->dtypes |= DTYPE_BIT(dtype);
    return true;
}

static bool take_shape(const char *text, struct options *options)
{
    if (options->shape_count == MAX_SHAPES)
        return complain("shape", text, "more than 64 shapes");
    const char *why = shape_parse(text, &options->shapes[options->shape_count]);
    if (why)
        return complain("shape", text, why);
    ++options->shape_count;
    return true;
}

static bool take_grid(const char *name, struct options *options)
{
    size_t count = 0;
    if (options->grid_count == MAX_GRIDS)
        return complain("grid", name, "more than 8 grids");
    for (; grid_names[count]; ++count)
        if (strcmp(name, grid_names[count]) == 0) {
            options->grids[options->grid_count++] = grid_names[count];
            return true;
        }
    return unknown("grid", name, grid_names, count);
}

static bool take_device(const char *text, struct options *options)
{
    char *end;
    options->device_given = true;
    options->index = 0;
    options->kind = strcmp(text, "host") == 0 ? DEVICE_HOST : DEVICE_CUDA;
    if (options->kind == DEVICE_HOST || strcmp(text, "cuda") == 0)
        return true;
    if (strncmp(text, "cuda:", 5) == 0 && text[5] >= '0' && text[5] <= '9') {
        options->index = (int)strtol(text + 5, &end, 10);
        if (*end == '\0')
            return true;
    }
    return complain("device", text, "it is host, cuda or cuda:N");
}

static bool take_cache(const char *name, struct options *options)
{
    enum cache cache;
    const char *names[CACHE_COUNT];
    for (int c = 0; c < CACHE_COUNT; ++c)
        names[c] = cache_name((enum cache)c);
    if (!cache_parse(name, &cache))
        return unknown("cache", name, names, CACHE_COUNT);
    options->caches |= 1u << cache;
    return true;
}

static bool take_pattern(const char *text, struct patterns *patterns)
{
    char why[128];
    if (patterns->count == MAX_PATTERNS)
        return complain("pattern", text, "more than 16 patterns");
    regex_t *compiled = &patterns->compiled[patterns->count];
    int error = regcomp(compiled, text, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, compiled, why, sizeof why);
        return complain("pattern", text, why);
    }
    patterns->text[patterns->count++] = text;
    return true;
}

/* "op/variant/dtype/shape": the parts that narrow the plan down. */
static bool take_profile(const char *id, struct options *options)
{
    char *copy = strdup(id), *rest = copy, *part[4] = { 0 };
    for (int k = 0; copy && k < 4; ++k)
        part[k] = strtok_r(rest, "/", &rest);
    const bool whole = part[3] && !strtok_r(rest, "/", &rest);
    const bool ok = whole && take_op(part[0], options) &&
                    take_dtype(part[2], options) &&
                    take_shape(part[3], options);
    free(copy);
    options->profile = id;
    options->in_process = true;
    return ok || (!whole && complain("cell", id, "not an id as list prints"));
}

static bool take_number(const char *what, const char *text, double least,
                        double *number)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value < 1e9))
        return complain(what, text, "not a number in range");
    *number = value;
    return true;
}

static bool take_option(int option, const char *argument,
                        struct options *options)
{
    double number = 0;
    switch (option) {
    case 'f':
        return take_pattern(argument, &options->filters);
    case OPT_EXCLUDE:
        return take_pattern(argument, &options->excludes);
    case OPT_OP:
        return each_part(argument, options, take_op);
    case OPT_DTYPE:
        return each_part(argument, options, take_dtype);
    case OPT_SHAPE:
        return each_part(argument, options, take_shape);
    case OPT_GRID:
        return each_part(argument, options, take_grid);
    case OPT_QUICK:
        options->budget_ms = 2;
        return take_grid("quick", options);
    case OPT_FAMILY:
        options->family = argument;
        return true;
    case OPT_BROKEN:
        return options->broken = true;
    case OPT_DEVICE:
        return take_device(argument, options);
    case 'o':
        options->out = argument;
        return true;
    case 'n':
        return options->dry_run = true;
    case OPT_CACHE:
        return each_part(argument, options, take_cache);
    case OPT_LAUNCHES:
        if (!take_number("launches", argument, 1, &number))
            return false;
        options->launches = (int)number;
        return true;
    case OPT_SEED:
        if (!take_number("seed", argument, 0, &number))
            return false;
        options->seed = (uint64_t)number;
        return true;
    case OPT_PROFILE:
        return take_profile(argument, options);
    case OPT_BUDGET:
        return take_number("budget", argument, 0, &options->budget_ms);
    case OPT_SLOW:
        return take_number("slow", argument, 0, &options->slow_ms);
    case OPT_TIMEOUT:
        return take_number("timeout", argument, 0.1, &options->timeout_s);
    case OPT_RESUME:
        options->resume = argument;
        return true;
    case OPT_OFFSET:
        if (!take_number("offset", argument, 0, &number))
            return false;
        options->offset = (int)number;
        return true;
    case OPT_MUST_FAIL:
        return options->must_fail = true;
    case OPT_IN_PROCESS:
        return options->in_process = true;
    case 'q':
        return options->quiet = true;
    }
    return false;
}

static bool unknown_option(const char *word)
{
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (; long_options[count].name; ++count)
        names[count] = long_options[count].name;
    while (*word == '-')
        ++word;
    return unknown("option", word, names, count);
}

static bool take_command(const char *word, struct options *options)
{
    static const char *const names[] = { "run", "check", "list", "compare" };
    for (int c = 0; c < 3; ++c) /* compare has a parser of its own */
        if (strcmp(word, names[c]) == 0) {
            options->command = (enum command)c;
            return true;
        }
    return unknown("command", word, names, 4);
}

/* What was left open. */
static void set_defaults(struct options *options)
{
    if (!options->ops)
        options->ops = OPS_ALL;
    if (!options->dtypes)
        options->dtypes = DTYPES_ALL;
    if (!options->caches)
        options->caches = 1u << CACHE_COLD;
    if (!options->grid_count && !options->shape_count)
        options->grids[options->grid_count++] =
            options->command == COMMAND_CHECK ? "awkward" : "default";
}

bool options_parse(int argc, char **argv, struct options *options, int *status)
{
    *options = (struct options){ .launches = 1,
                                 .seed = 1,
                                 .budget_ms = 30,
                                 .slow_ms = 100,
                                 .timeout_s = 60 };
    *status = 2;
    if (argc < 2 || strcmp(argv[1], "help") == 0 ||
        strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(help_text, argc < 2 ? stderr : stdout);
        *status = argc < 2 ? 2 : 0;
        return false;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("scanbench %s\n", SCANBENCH_VERSION);
        *status = 0;
        return false;
    }
    if (!take_command(argv[1], options))
        return false;
    opterr = 0;
    optind = 2;
    for (int option; (option = getopt_long(argc, argv, "+:f:o:nqh",
                                           long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help_text, stdout);
            *status = 0;
            return false;
        }
        if (option == OPT_VERSION) {
            printf("scanbench %s\n", SCANBENCH_VERSION);
            *status = 0;
            return false;
        }
        if (option == ':')
            return complain("option", argv[optind - 1], "needs a value");
        if (option == '?')
            return unknown_option(argv[optind - 1]);
        if (!take_option(option, optarg, options))
            return false;
    }
    if (optind < argc)
        return complain("argument", argv[optind],
                        "options only; did you mean -f?");
    set_defaults(options);
    return true;
}

bool patterns_match(const struct patterns *patterns, const char *id)
{
    for (int k = 0; k < patterns->count; ++k)
        if (regexec(&patterns->compiled[k], id, 0, NULL, 0) == 0)
            return true;
    return false;
}
