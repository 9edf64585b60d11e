/* SPDX-License-Identifier: MIT */
#include "harness/cli/suggest.h"

#include "harness/cell.h"
#include "harness/cli/points.h"
#include "harness/plan.h"
#include "src/base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 1024, SUGGESTED = 3 };

/* Names that a word may have been meant for. */
struct names {
    const char *name[MOST_NAMES];
    size_t count;
};

static void add(struct names *names, const char *name)
{
    if (names->count < MOST_NAMES)
        names->name[names->count++] = name;
}

static void add_ops(struct names *names)
{
    for (int o = 0; o < OP_COUNT; ++o)
        add(names, op_name((enum op)o));
}

static void add_dtypes(struct names *names)
{
    for (int d = 0; d < DTYPE_COUNT; ++d)
        add(names, dtype_name((enum dtype)d));
}

/* The build's families, or their variants, on devices of these kinds. */
static void add_built(struct names *names, const struct options *options,
                      unsigned kinds, bool families)
{
    for (const struct family *f = plan_families(options); f->id; ++f) {
        if (families && (kinds & 1u << f->variants->runs_on))
            add(names, f->id);
        for (const struct variant *v = f->variants; !families && v->name; ++v)
            if (kinds & 1u << v->runs_on)
                add(names, v->name);
    }
}

/* --------------------------------------------------- the words of a filter */

struct word {
    char text[CELL_ID_BYTES];
    bool before_slash, behind_slash; /* in the filter, anywhere */
};

/* The filter's next word from *at on, which moves behind it; false: no more. */
static bool next_word(const char *filter, const char **at, struct word *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    *at += strcspn(*at, letters);
    const size_t chars = strspn(*at, letters);
    snprintf(word->text, sizeof word->text, "%.*s", (int)chars, *at);
    word->behind_slash = memchr(filter, '/', (size_t)(*at - filter)) != NULL;
    *at += chars;
    word->before_slash = strchr(*at, '/') != NULL;
    return chars > 0;
}

/* Ids are op/variant/dtype/shape, and a filter may begin anywhere in them. */
static void add_meant(struct names *names, const struct word *word,
                      const struct options *options, unsigned kinds)
{
    if (!word->behind_slash)
        add_ops(names);
    if (word->behind_slash || !word->before_slash) {
        add_dtypes(names);
        add_built(names, options, kinds, false);
    }
}

static bool is_known(const struct names *names, const char *word)
{
    bool known = false;
    for (size_t k = 0; k < names->count && !known; ++k)
        known = strstr(names->name[k], word) != NULL;
    return known;
}

/* The first word that no name has: then `names` are those it may stand for.
 * Shapes begin with a digit; of one or two letters anything is near. */
static bool find_unknown(const struct options *options, unsigned kinds,
                         struct word *word, struct names *names)
{
    const char *filter = options->filters.text[0], *at = filter;
    while (next_word(filter, &at, word)) {
        const bool digit = word->text[0] >= '0' && word->text[0] <= '9';
        *names = (struct names){ .count = 0 };
        add_meant(names, word, options, kinds);
        if (!digit && strlen(word->text) > 2 && !is_known(names, word->text))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------- the suggestion */

/* The variant's name of "op/variant/dtype/shape". */
static void take_variant(struct word *word, const char *id)
{
    const char *from = strchr(id, '/') + 1;
    snprintf(word->text, sizeof word->text, "%.*s", (int)strcspn(from, "/"),
             from);
}

/* The word of --family that means nothing, or else all that it says. */
static void take_family(struct word *word, const struct options *options)
{
    const char *unknown = plan_unknown_family(options);
    const char *from = unknown ? unknown : options->family;
    snprintf(word->text, sizeof word->text, "%.*s",
             (int)strcspn(from, unknown ? "," : ""), from);
}

/* Families of the GPU, built here or not. */
static void add_known_families(struct names *names)
{
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        if (strncmp(p->id, "host/", 5) != 0 &&
            (p == variant_points || strcmp(p->id, p[-1].id) != 0))
            add(names, p->id);
}

/* What was mistyped, and the names that it may stand for. */
static bool find_slip(const struct options *options, unsigned kinds,
                      struct word *word, struct names *names)
{
    if (!options->profile && options->filters.count &&
        !plan_unknown_family(options) &&
        find_unknown(options, kinds, word, names))
        return true;
    *names = (struct names){ .count = 0 };
    if (!options->profile && !options->family)
        return false;
    add_built(names, options, kinds, !options->profile);
    if (options->profile)
        take_variant(word, options->profile);
    else
        take_family(word, options);
    const bool slip = options->profile || plan_unknown_family(options) ||
                      !is_known(names, word->text);
    if (!options->profile && !options->broken)
        add_known_families(names);
    return slip;
}

/* A variant that has the word in it, and is of a GPU: what is built for the
 * host is known here. NULL: none. */
static const char *known_elsewhere(const char *word)
{
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        if (strncmp(p->id, "host/", 5) != 0 &&
            (strstr(p->name, word) || strcmp(p->id, word) == 0))
            return p->name;
    return NULL;
}

static const char *device_words(unsigned kinds)
{
    return kinds == 1u << DEVICE_HOST   ? " on the host"
           : kinds == 1u << DEVICE_CUDA ? " on the GPU"
                                        : "";
}

void suggest_tell_empty(const struct options *options, unsigned kinds)
{
    struct word word;
    struct names names = { .count = 0 };
    const char *near[SUGGESTED];
    const bool slip = find_slip(options, kinds, &word, &names);
    const size_t found = slip ? nearest_names(word.text, names.name,
                                              names.count, near, SUGGESTED)
                              : 0;
    const char *elsewhere = slip ? known_elsewhere(word.text) : NULL;
    fputs("scanbench: nothing matches", stderr);
    if (slip)
        fprintf(stderr, " '%s'", word.text);
    fprintf(stderr, "%s%s", device_words(kinds),
            !device_of(DEVICE_CUDA)      ? " (this build has no GPU variants)"
            : kinds == 1u << DEVICE_HOST ? " (GPU variants need a usable GPU)"
                                         : "");
    if (elsewhere)
        fprintf(stderr, "; %s is a GPU variant", elsewhere);
    else
        for (size_t k = 0; k < found; ++k)
            fprintf(stderr, "%s%s", k ? ", " : "; near: ", near[k]);
    fprintf(stderr, "\nscanbench list shows what there is\n");
}
