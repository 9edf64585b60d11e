/* SPDX-License-Identifier: MIT */
#include "src/choose/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/hash.h"
#include "src/choose/code_run.h"

/* ---------------------------------------------------------------- problems */

static const char no_memory[] = "no memory";

/* Doubles the room when needed. False, with the old array, if it cannot. */
static bool make_room(void *array, size_t count, size_t bytes)
{
    void *old, *grown;
    if (count & (count - 1) || (count && count < 8))
        return true;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, (count < 8 ? 8 : 2 * count) * bytes);
    if (grown)
        memcpy(array, &grown, sizeof grown);
    return grown != NULL;
}

static const char *add_name(struct rules *rules, const char *text)
{
    struct rules_name name = { .name = NULL };
    if (rules->name_count == RULES_NAMES)
        return "the file names too many variants";
    if (!make_room(&rules->names, (size_t)rules->name_count, sizeof name) ||
        !(name.name = strdup(text)))
        return no_memory;
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        name.variant[kind] = -1;
    rules->names[rules->name_count++] = name;
    return NULL;
}

static int find_name(const struct rules *rules, const char *text)
{
    int n = 0;
    while (n < rules->name_count && strcmp(rules->names[n].name, text) != 0)
        ++n;
    return n;
}

static const char *take_variant(struct rules *rules, const char *number,
                                const char *name)
{
    int64_t value;
    if (!csv_read_integer(number, &value) || value != rules->name_count)
        return "the variants are not numbered in turn, from 0 on";
    if (!*name || (*name >= '0' && *name <= '9') || strpbrk(name, " ="))
        return "a variant's name is a word that begins with a letter";
    if (find_name(rules, name) < rules->name_count)
        return "the variant has a number already";
    return add_name(rules, name);
}

/* Returns the name's variant of a kind, maybe new; -1 without memory. */
static int variant_of(struct rules *rules, int kind, struct rules_name *name)
{
    int *variant = &name->variant[kind];
    if (*variant < 0 && make_room(&rules->variant, (size_t)rules->variant_count,
                                  sizeof *rules->variant)) {
        *variant = rules->variant_count++;
        rules->variant[*variant] =
            (struct rules_variant){ .name = name->name, .kind = kind };
    }
    return *variant;
}

/* Reads NAME=12.5 or 7=12.5. */
static const char *read_loss(struct rules *rules, int kind, bool strided,
                             char *word, struct rules_problem *problem)
{
    char *equals = strchr(word, '=');
    const bool numbered = *word >= '0' && *word <= '9';
    const char *wrong = NULL;
    double pct = NAN;
    int64_t number = 0;
    if (!equals || equals == word || !csv_read_real(equals + 1, &pct) ||
        !(pct >= 0))
        return "a loss is not NAME=PER_CENT";
    *equals = '\0';
    if (problem->count++ == RULES_LOSSES)
        return "a problem lists too many variants";
    if (!numbered && (number = find_name(rules, word)) == rules->name_count)
        wrong = add_name(rules, word);
    else if (numbered &&
             (!csv_read_integer(word, &number) || number >= rules->name_count))
        wrong = "no line before it gives that number a variant";
    if (wrong)
        return wrong;
    const int variant = variant_of(rules, kind, &rules->names[number]);
    if (variant < 0 ||
        !make_room(&rules->loss, rules->loss_count, sizeof *rules->loss))
        return no_memory;
    const enum rules_group group = rules_group(problem->op, problem->dtype);
    rules->variant[variant].wins[group][strided] += pct <= 1;
    rules->loss[rules->loss_count++] =
        (struct rules_loss){ variant,
                             (float)log1p(fmin(pct, RULES_FELT_PCT) / 100) };
    return NULL;
}

static const char *add_problem(struct rules *rules, int kind, bool strided,
                               char *losses, struct rules_problem *problem)
{
    struct rules_problems *like = &rules->problems[kind][strided];
    const char *wrong = NULL;
    char *word;
    problem->first = (unsigned)rules->loss_count;
    while (!wrong && (word = strtok_r(losses, " ", &losses)))
        wrong = read_loss(rules, kind, strided, word, problem);
    if (wrong)
        return wrong;
    if (!problem->count)
        return "a problem lists no variant";
    const int group = (int)rules_group(problem->op, problem->dtype);
    size_t at = like->end[RULES_GROUPS - 1];
    if (at == RULES_PROBLEMS)
        return "too many problems";
    if (!make_room(&like->problem, at, sizeof *problem))
        return no_memory;
    /* The first of each later group moves behind its last. */
    for (int c = RULES_GROUPS - 1; c > group; --c) {
        like->problem[at] = like->problem[like->end[c - 1]];
        at = like->end[c - 1];
        ++like->end[c];
    }
    like->problem[at] = *problem;
    ++like->end[group];
    ++rules->count;
    return NULL;
}

/* Reads operation, type, outer, axis, inner, losses. */
static const char *take_problem(struct rules *rules, char *const *fields,
                                size_t count)
{
    struct rules_problem problem = { .count = 0 };
    struct shape *shape = &problem.shape;
    if (count != 6)
        return "not operation, type, outer, axis, inner, losses";
    if (!op_parse(fields[0], &problem.op) || rules_kind(problem.op) < 0)
        return "the operation is no scan, reduction or flip";
    if (!dtype_parse(fields[1], &problem.dtype))
        return "the type is not known";
    if (!csv_read_integer(fields[2], &shape->outer) ||
        !csv_read_integer(fields[3], &shape->axis) ||
        !csv_read_integer(fields[4], &shape->inner) || shape->outer < 1 ||
        shape->axis < 1 || shape->inner < 1 || !shape_fits(*shape))
        return "outer, axis and inner are no shape";
    return add_problem(rules, rules_kind(problem.op), shape->inner > 1,
                       fields[5], &problem);
}

/* ------------------------------------------------------------------- lines */

enum { FIELDS = 8 };

struct reading {
    struct rules *rules;
    rules_knows *knows;
    bool modelled; /* the line `model` was read */
};

/* "9.0" is 90. */
static bool read_capability(const char *field, int *capability)
{
    char *end;
    const long major = strtol(field, &end, 10);
    if (end == field || *end != '.' || end[1] < '0' || end[1] > '9' || end[2] ||
        major < 1 || major > 99)
        return false;
    *capability = (int)major * 10 + (end[1] - '0');
    return true;
}

static const char *take_fact(struct reading *reading, const char *key,
                             const char *value)
{
    struct rules *rules = reading->rules;
    int64_t number = 0;
    if (strcmp(key, "gpu") == 0) {
        if (strlen(value) >= sizeof rules->gpu)
            return "the GPU's name is too long";
        strcpy(rules->gpu, value);
        return NULL;
    }
    if (strcmp(key, "compute_capability") == 0)
        return read_capability(value, &rules->capability)
                   ? NULL
                   : "a compute capability is like 9.0";
    if (strcmp(key, "sm_count") == 0) {
        if (!csv_read_integer(value, &number) || number > 1 << 20)
            return "sm_count is a whole number";
        rules->sm_count = (int)number;
        return NULL;
    }
    if (strcmp(key, "bus_gbps") == 0)
        return csv_read_real(value, &rules->bus_gbps) ? NULL
                                                      : "bus_gbps is a number";
    if (strcmp(key, "model") == 0) {
        reading->modelled = true;
        return strcmp(value, "forest") == 0
                   ? NULL
                   : "this scanbench follows the model forest alone: "
                     "'scanbench rules' makes new ones from runs";
    }
    return "not gpu, compute_capability, sm_count, bus_gbps, model, variant "
           "or problem";
}

static const char *take_line(struct reading *reading, char *const *fields,
                             size_t count, int64_t line)
{
    static char why[RULES_WHY_BYTES - 32];
    if (line == 1)
        return count != 2 || strcmp(fields[0], "rules") != 0
                   ? "a file of rules begins with rules,2"
               : strtol(fields[1], NULL, 10) != RULES_VERSION
                   ? "rules of another version, and this scanbench reads "
                     "rules,2: 'scanbench rules' makes new ones from runs"
                   : NULL;
    if (strcmp(fields[0], "variant") == 0)
        return count == 3 ? take_variant(reading->rules, fields[1], fields[2])
                          : "not a variant's number and name";
    if (strcmp(fields[0], "problem") != 0)
        return count == 2 ? take_fact(reading, fields[0], fields[1])
                          : "not a key and a value, no variant and no problem";
    if (!reading->modelled)
        return "a problem before the line model,forest";
    int v = reading->rules->variant_count;
    const char *wrong = take_problem(reading->rules, fields + 1, count - 1);
    for (; !wrong && reading->knows && v < reading->rules->variant_count; ++v) {
        const struct rules_variant *added = &reading->rules->variant[v];
        if (reading->knows(added->kind, added->name))
            continue;
        snprintf(why, sizeof why,
                 "no variant of these operations is called '%.100s'",
                 added->name);
        wrong = why;
    }
    return wrong;
}

static const char *read_lines(struct reading *reading,
                              struct csv_reader *reader)
{
    char *fields[FIELDS];
    size_t count;
    while ((count = csv_read(reader, fields, FIELDS)) || reader->problem) {
        const char *wrong =
            reader->problem ? reader->problem
                            : take_line(reading, fields, count, reader->line);
        if (wrong)
            return wrong;
    }
    return reader->line == 0            ? "empty"
           : !reading->modelled         ? "no line model,forest"
           : reading->rules->count == 0 ? "no problem"
                                        : NULL;
}

bool rules_parse(struct rules *rules, const char *name, const char *text,
                 size_t bytes, rules_knows *knows, char why[RULES_WHY_BYTES])
{
    struct reading reading = { .rules = rules, .knows = knows };
    struct csv_reader reader = {
        .file = bytes ? fmemopen((void *)text, bytes, "r") : NULL,
        .text = malloc(bytes + 2), /* csv_read() would exit without memory */
        .text_bytes = bytes + 2
    };
    *rules = (struct rules){ .hash = hash_bytes(HASH_START, text, bytes) };
    snprintf(rules->name, sizeof rules->name, "%s", name);
    const char *wrong = !bytes ? "empty"
                        : !reader.file || !reader.text
                            ? no_memory
                            : read_lines(&reading, &reader);
    if (wrong) {
        snprintf(why, RULES_WHY_BYTES, "line %lld: %s",
                 (long long)(reader.line ? reader.line : 1), wrong);
        rules_free(rules);
    }
    csv_read_end(&reader);
    if (reader.file)
        fclose(reader.file);
    return !wrong;
}

/* ---------------------------------------------------------------- choosing */

/* The distance is 0 if one of them is unknown. */
static double octaves_between(double left, double right)
{
    return left > 0 && right > 0 ? fabs(log2(left / right)) : 0;
}

const struct rules *rules_nearest(const struct rules *rules, size_t count,
                                  const char *gpu, int capability, int sm_count,
                                  double bus_gbps)
{
    const struct rules *nearest = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < count; ++k) {
        const struct rules *r = &rules[k];
        /* Any GPU of the same architecture is nearer than one of another. */
        const double distance =
            strcmp(r->gpu, gpu) == 0 &&
                    (!r->capability || r->capability == capability)
                ? -1
                : (r->capability != capability) * 1e3 +
                      8 * octaves_between(r->capability, capability) +
                      octaves_between(r->sm_count, sm_count) +
                      octaves_between(r->bus_gbps, bus_gbps);
        if (distance < least) {
            nearest = r;
            least = distance;
        }
    }
    return nearest;
}

/* ------------------------------------------------------------ architectures */

int code_built(const char *options, int *built, int most)
{
    static const char begin[] = "-gencode=arch=compute_";
    int count = 0;
    while (*options) {
        char *end;
        if (count == most || strncmp(options, begin, sizeof begin - 1) != 0)
            return 0;
        const long number = strtol(options + sizeof begin - 1, &end, 10);
        if (number < 10 || number > 999)
            return 0;
        end += *end == 'a' || *end == 'f'; /* 9.0a counts as 9.0 */
        if (*end != ',')
            return 0;
        built[count++] = (int)number * 10;
        options = end + strcspn(end, " ");
        options += strspn(options, " ");
    }
    return count;
}
