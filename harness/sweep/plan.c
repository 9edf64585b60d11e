/* SPDX-License-Identifier: MIT */
#include "harness/sweep/plan.h"

#include "src/model/split_mix.h"
#include "src/runs/ceiling.h"
#include "variants/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int size_class(struct shape shape)
{
    int64_t elems = shape_elems(shape);
    int log2 = 0;
    while (elems >> log2 > 1)
        ++log2;
    /* Up from the geometric mean of the two powers, the lower times the root of
     * 2; the ratio is below 2, so a double decides it. */
    double ratio = (double)elems / (double)((int64_t)1 << log2);
    return log2 + (ratio > 1.41421356);
}

static struct shape size_class_shape(int class)
{
    return (struct shape){ 1, (int64_t)1 << class, 1 };
}

static bool push(struct plan *plan, struct cell cell)
{
    if ((plan->count & (plan->count - 1)) == 0) {
        size_t room = plan->count ? plan->count * 2 : 1;
        void *grown = realloc(plan->cells, room * sizeof *plan->cells);
        if (!grown)
            return false;
        plan->cells = grown;
    }
    plan->cells[plan->count++] = cell;
    return true;
}

const struct family *plan_families(const struct options *options)
{
    return options->broken ? registry_broken
                           : plugins_families(options->plugins);
}

static bool is_twin(enum op op)
{
    return op_twin(op) == op;
}

/* The word may be the family's id or its folder. */
static bool is_named(const struct family *family, const char *word,
                     size_t chars)
{
    return chars > 0 && strncmp(family->id, word, chars) == 0 &&
           (family->id[chars] == '\0' || family->id[chars] == '/');
}

/* The next word of a comma-separated list. */
static const char *next_word(const char *word)
{
    word += strcspn(word, ",");
    return word + (*word == ',');
}

bool plan_has_family(const struct options *options, const struct family *family)
{
    const char *word = options->filter.family;
    while (word && *word && !is_named(family, word, strcspn(word, ",")))
        word = next_word(word);
    return !word || *word;
}

const char *plan_unknown_family(const struct options *options)
{
    for (const char *word = options->filter.family; word && *word;
         word = next_word(word)) {
        bool known = false;
        for (const struct family *f = plan_families(options); f->id && !known;
             ++f)
            known = is_named(f, word, strcspn(word, ","));
        if (!known)
            return word;
    }
    return NULL;
}

/* Selects variants. */
struct scope {
    const struct options *options;
    enum device_kind kind;
    bool filtered; /* by the user's selection */
};

/* Ranks need a variant with a split, or a twin. */
static bool fits_ranks(const struct cell *cell)
{
    return cell->ranks ? cell->variant->split || is_twin(cell->op)
                       : !cell->variant->split;
}

static bool in_scope(const struct scope *scope, const struct family *family,
                     const struct cell *cell)
{
    const struct variant *variant = cell->variant;
    char id[CELL_ID_BYTES];
    if (variant->runs_on != scope->kind || !fits_ranks(cell) ||
        !(family->ops & variant->ops & OP_BIT(cell->op)) ||
        !(family->dtypes & variant->dtypes & DTYPE_BIT(cell->dtype)))
        return false;
    if (!scope->filtered)
        return true;
    cell_id(cell, id);
    if (scope->options->profile)
        return strcmp(id, scope->options->profile) == 0;
    return (scope->options->filter.filters.count == 0 ||
            patterns_match(&scope->options->filter.filters, id)) &&
           !patterns_match(&scope->options->filter.excludes, id);
}

/* One cell for each cache state that is timed. */
static bool push_caches(struct plan *plan, const struct options *options,
                        struct cell cell)
{
    bool ok = true;
    for (int c = 0; c < CACHE_COUNT; ++c) {
        cell.cache = (enum cache)c;
        if (options_time(options) ? options->filter.caches & 1u << c
                                  : c == CACHE_COLD)
            ok &= push(plan, cell);
    }
    return ok;
}

/* All variants of one op, dtype and shape. */
static bool push_variants(struct plan *plan, const struct scope *scope,
                          enum op op, enum dtype dtype, struct shape shape,
                          struct offsets offset)
{
    const struct options *options = scope->options;
    for (const struct family *f = plan_families(options); f->id; ++f) {
        if (scope->filtered && !plan_has_family(options, f))
            continue;
        for (const struct variant *v = f->variants; v->name; ++v) {
            struct cell cell = { .variant = v,
                                 .op = op,
                                 .dtype = dtype,
                                 .shape = shape,
                                 .offset = offset,
                                 .stress = options->stress,
                                 .ranks = options->ranks,
                                 .timed = options_time(options),
                                 .asked = scope->filtered };
            if (in_scope(scope, f, &cell) && !push_caches(plan, options, cell))
                return false;
        }
    }
    return true;
}

/* Cycles through the offsets, so that shapes and types meet all of them. */
static struct offsets offsets_of(const struct options *options, size_t problem)
{
    const size_t count = (size_t)options->offset_count;
    return count ? options->offsets[problem % count] : (struct offsets){ 0 };
}

/* The user's cells of the grid, shape by shape, so that inputs and references
 * serve many cells in a row. */
static bool push_grid(struct plan *plan, const struct scope *scope,
                      const struct grid *grid)
{
    for (size_t k = 0; k < grid->count; ++k)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < OP_COUNT; ++o) {
                const struct grid_item *item = &grid->items[k];
                if ((item->ops & scope->options->filter.ops & OP_BIT(o)) &&
                    (item->dtypes & scope->options->filter.dtypes &
                     DTYPE_BIT(d)) &&
                    !push_variants(
                        plan, scope, (enum op)o, (enum dtype)d, item->shape,
                        offsets_of(scope->options, k + (size_t)(d + o))))
                    return false;
            }
    return true;
}

/* The ceilings to measure: twin, dtype, size class. */
struct wanted {
    bool at[OP_COUNT][DTYPE_COUNT][SIZE_CLASSES];
};

static bool push_probes(struct plan *plan, const struct scope *scope,
                        const struct wanted *wanted)
{
    for (int class = 0; class < SIZE_CLASSES; ++class)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < OP_COUNT; ++o)
                if (wanted->at[o][d][class] &&
                    !push_variants(plan, scope, (enum op)o, (enum dtype)d,
                                   size_class_shape(class),
                                   (struct offsets){ 0 }))
                    return false;
    return true;
}

/* Adds twins that the user named, at the sizes of the whole grid. */
static void want_twins(struct wanted *wanted, const struct options *options,
                       const struct grid *grid)
{
    for (size_t k = 0; k < grid->count; ++k)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < OP_COUNT; ++o)
                if (is_twin((enum op)o) && (options->filter.ops & OP_BIT(o)) &&
                    (grid->items[k].dtypes & options->filter.dtypes &
                     DTYPE_BIT(d)) &&
                    shape_elems(grid->items[k].shape) > 0)
                    wanted->at[o][d][size_class(grid->items[k].shape)] = true;
}

/* Adds the powers of two on both sides of the size, or the size itself. */
static void want_beside(struct wanted *wanted, enum op twin,
                        const struct cell *cell)
{
    const int64_t elems = shape_elems(cell->shape);
    int class = 0;
    while (elems >> class > 1)
        ++class;
    wanted->at[twin][cell->dtype][class] = true;
    if (elems > (int64_t)1 << class)
        wanted->at[twin][cell->dtype][class + 1] = true;
}

static void want_ceilings(struct wanted *wanted, const struct plan *plan)
{
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        if (shape_elems(cell->shape) == 0)
            continue;
        want_beside(wanted, op_twin(cell->op), cell);
        if (ceiling_mixes(cell->op, cell->shape))
            want_beside(wanted, OP_COPY, cell);
    }
}

bool plan_grid(struct grid *grid, const struct options *options,
               enum device_kind kind)
{
    bool ok = true;
    for (int k = 0; k < options->grid_count; ++k)
        ok &= grid_add(grid, options->grids[k], kind);
    for (int k = 0; k < options->filter.shape_count; ++k)
        ok &= grid_add_item(grid, (struct grid_item){ options->filter.shapes[k],
                                                      OPS_ALL, DTYPES_ALL });
    return ok;
}

/* Drops a cell that is also a probe. */
static void drop_repeated(struct plan *plan)
{
    size_t kept = plan->probes;
    for (size_t k = plan->probes; k < plan->count; ++k) {
        bool repeated = false;
        for (size_t p = 0; p < plan->probes && !repeated; ++p) {
            repeated = plan->cells[p].variant == plan->cells[k].variant &&
                       plan->cells[p].op == plan->cells[k].op &&
                       plan->cells[p].dtype == plan->cells[k].dtype &&
                       plan->cells[p].cache == plan->cells[k].cache &&
                       shape_equal(plan->cells[p].shape, plan->cells[k].shape);
            plan->cells[p].asked |= repeated;
        }
        if (!repeated)
            plan->cells[kept++] = plan->cells[k];
    }
    plan->count = kept;
}

static bool append(struct plan *plan, const struct plan *more)
{
    for (size_t k = 0; k < more->count; ++k)
        if (!push(plan, more->cells[k]))
            return false;
    return true;
}

/* The number of problems after the probes; first[k] is where one begins, if
 * `first` is not NULL. */
static size_t find_problems(const struct plan *plan, size_t *first)
{
    size_t count = 0;
    for (size_t k = plan->probes; k < plan->count; ++count) {
        if (first)
            first[count] = k;
        k += cells_of_problem(plan->cells + k, plan->count - k);
    }
    return count;
}

static bool shuffle_problems(struct plan *plan, uint64_t seed)
{
    const size_t count = find_problems(plan, NULL);
    struct plan shuffled = { 0 };
    size_t *first = calloc(2 * count + 1, sizeof *first);
    size_t *order = first + count;
    bool ok = first != NULL;
    for (size_t k = 0; k < plan->probes && ok; ++k)
        ok = push(&shuffled, plan->cells[k]);
    if (ok) {
        find_problems(plan, first);
        split_mix_shuffle(order, count, &seed);
    }
    for (size_t p = 0; p < count && ok; ++p) {
        const size_t from = first[order[p]];
        const size_t cells =
            cells_of_problem(plan->cells + from, plan->count - from);
        for (size_t k = 0; k < cells && ok; ++k)
            ok = push(&shuffled, plan->cells[from + k]);
    }
    free(first);
    if (!ok) {
        plan_free(&shuffled);
        return false;
    }
    shuffled.probes = plan->probes;
    plan_free(plan);
    *plan = shuffled;
    return true;
}

bool plan_make(struct plan *plan, const struct options *options,
               enum device_kind kind)
{
    struct grid grid = { 0 };
    struct plan own = { 0 };
    struct scope user = { options, kind, true }, all = { options, kind, false };
    struct wanted named = { 0 }, ceilings = { 0 };
    const bool timed = options_time(options) && !options->profile;
    *plan = (struct plan){ 0 };
    if (plan_unknown_family(options))
        return true;

    bool ok = plan_grid(&grid, options, kind);
    if (options->command != COMMAND_CHECK)
        want_twins(&named, options, &grid);
    ok =
        ok && push_probes(&own, &user, &named) && push_grid(&own, &user, &grid);
    want_ceilings(&ceilings, &own);
    if (ok && timed)
        ok = push_probes(plan, &all, &ceilings);
    plan->probes = plan->count;
    ok = ok && append(plan, &own);
    drop_repeated(plan);
    if (ok && !isnan(options->time_limit_s))
        ok = shuffle_problems(plan, options->seed);
    if (!ok)
        fprintf(stderr, "scanbench: no memory for the plan\n");
    grid_free(&grid);
    plan_free(&own);
    return ok;
}

struct largest plan_largest(const struct plan *plan)
{
    struct largest largest = { { { 0 } } };
    for (size_t k = 0; k < plan->probes; ++k) {
        const struct cell *cell = &plan->cells[k];
        int *class = &largest.class[cell->op][cell->dtype];
        if (size_class(cell->shape) > *class)
            *class = size_class(cell->shape);
    }
    return largest;
}

void plan_free(struct plan *plan)
{
    free(plan->cells);
    *plan = (struct plan){ 0 };
}
