/* SPDX-License-Identifier: MIT */
#include "src/choose/rules_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/hash.h"

/* ----------------------------------------------------------------- reading */

enum { FIELDS = 8 };

struct reading {
    struct rules *rules;
    rules_knows *knows;
    bool modelled; /* past the line `model` */
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
                     "'scanbench rules' makes them anew from runs";
    }
    return "not gpu, compute_capability, sm_count, bus_gbps, model, variant "
           "or problem";
}

/* A name that this scanbench does not have, of those from `first` on. */
static const char *unknown_variant(const struct reading *reading, int first)
{
    const struct rules *rules = reading->rules;
    for (int v = first; v < rules->variant_count && reading->knows; ++v)
        if (!reading->knows(rules_variant_ops(&rules->variant[v]),
                            rules->variant[v].name))
            return rules->variant[v].name;
    return NULL;
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
                     "rules,2: 'scanbench rules' makes them anew from runs"
                   : NULL;
    if (strcmp(fields[0], "variant") == 0)
        return count == 3 ? rules_add_name(reading->rules, fields[1], fields[2])
                          : "not a variant's number and name";
    if (strcmp(fields[0], "problem") != 0)
        return count == 2 ? take_fact(reading, fields[0], fields[1])
                          : "not a key and a value, no variant and no problem";
    if (!reading->modelled)
        return "a problem before the line model,forest";
    const int known = reading->rules->variant_count;
    const char *wrong = rules_add(reading->rules, fields + 1, count - 1);
    const char *unknown = wrong ? NULL : unknown_variant(reading, known);
    if (unknown)
        snprintf(why, sizeof why,
                 "no variant of these operations is called '%.100s'", unknown);
    return unknown ? why : wrong;
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
                                        : rules_index(reading->rules);
}

bool rules_parse(struct rules *rules, const char *name, const char *text,
                 size_t bytes, rules_knows *knows, char why[RULES_WHY_BYTES])
{
    struct reading reading = { .rules = rules, .knows = knows };
    struct csv_reader reader = {
        .file = bytes ? fmemopen((void *)text, bytes, "r") : NULL,
        .text = malloc(bytes + 2), /* for the longest line, or without memory
                                      the program would end (memory.h) */
        .text_bytes = bytes + 2
    };
    *rules = (struct rules){ .hash = hash_bytes(HASH_START, text, bytes) };
    snprintf(rules->name, sizeof rules->name, "%s", name);
    const char *wrong = !bytes ? "empty"
                        : !reader.file || !reader.text
                            ? "no memory"
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

/* Powers of two between two facts; 0 where one is unknown. */
static double powers_between(double left, double right)
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
        /* Another architecture is farther than any of the same. */
        const double distance =
            strcmp(r->gpu, gpu) == 0 &&
                    (!r->capability || r->capability == capability)
                ? -1
                : (r->capability != capability) * 1e3 +
                      8 * powers_between(r->capability, capability) +
                      powers_between(r->sm_count, sm_count) +
                      powers_between(r->bus_gbps, bus_gbps);
        if (distance < least) {
            nearest = r;
            least = distance;
        }
    }
    return nearest;
}
