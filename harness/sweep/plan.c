/* SPDX-License-Identifier: MIT */
#include "harness/sweep/plan.h"

#include "src/base/memory.h"
#include "src/model/reducer.h"
#include "src/model/split_mix.h"
#include "src/runs/ceiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A probe has a power of two of elements: for a twin that the user selects, the
 * one nearest to the shape. */
enum { SIZE_CLASSES = 61 };
static int size_class(struct shape shape)
{
    const int64_t elems = shape_elems(shape);
    const int log2 = shape_octave(elems);
    /* Above the geometric mean of two powers, the upper one is nearer. */
    return log2 + ((double)elems / (double)((int64_t)1 << log2) > 1.41421356);
}

static void push(struct plan *plan, const struct cell *cells, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        plan->cells =
            memory_more(plan->cells, plan->count, sizeof *plan->cells);
        plan->cells[plan->count++] = cells[k];
    }
}

const struct family *plan_families(const struct options *options)
{
    return options->broken    ? registry_broken
           : options->plugins ? options->plugins->families
                              : registry;
}

/* True if the word is the family's id or its folder. */
static bool is_named(const struct family *family, const char *word,
                     size_t chars)
{
    return chars > 0 && strncmp(family->id, word, chars) == 0 &&
           (family->id[chars] == '\0' || family->id[chars] == '/');
}

bool plan_has_family(const struct options *options, const struct family *family)
{
    const char *word = options->filter.family;
    bool named = !word && !(family->traits & FAMILY_BY_NAME);
    for (size_t chars; word && *word; word += chars + (word[chars] == ',')) {
        chars = strcspn(word, ",");
        named |= is_named(family, word, chars);
    }
    return named;
}

const char *plan_unknown_family(const struct options *options)
{
    const char *word = options->filter.family;
    for (size_t chars; word && *word; word += chars + (word[chars] == ',')) {
        bool known = false;
        chars = strcspn(word, ",");
        for (const struct family *f = plan_families(options); f->id && !known;
             ++f)
            known = is_named(f, word, chars);
        if (!known)
            return word;
    }
    return NULL;
}

/* All variants, or those of the user's filter. */
struct scope {
    const struct options *options;
    enum device_kind kind;
    bool filtered;
};

static bool in_scope(const struct scope *scope, const struct family *family,
                     const struct cell *cell)
{
    const struct variant *variant = cell->variant;
    const bool splits = variant->split || (cell->ranks && op_is_twin(cell->op));
    char id[CELL_ID_BYTES];
    if (variant->runs_on != scope->kind || splits != (cell->ranks > 0) ||
        !op_has_dtype(cell->op, cell->dtype) ||
        (shape_is_ragged(cell->shape) && !op_may_be_ragged(cell->op)) ||
        !family_has(family, variant, cell->op, cell->dtype))
        return false;
    if (!scope->filtered)
        return true;
    cell_id(cell, id);
    if (scope->options->profile)
        return strcmp(id, scope->options->profile) == 0;
    return filter_wants(&scope->options->filter, id);
}

/* All variants of one op, dtype and shape, in each cache state to be timed. */
static void push_variants(struct plan *plan, const struct scope *scope,
                          enum op op, enum dtype dtype, struct shape shape,
                          struct offsets offset)
{
    const struct options *options = scope->options;
    const bool timed = options_time(options);
    const unsigned asked = options->filter.contracts;
    const unsigned caches = timed ? options->filter.caches : 1u << CACHE_COLD;
    const unsigned meant = asked & contracts_kept(asked, op, dtype);
    if (asked && !meant)
        return;
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
                                 .contracts = meant,
                                 .timed = timed,
                                 .asked = scope->filtered };
            if (!in_scope(scope, f, &cell))
                continue;
            for (int c = 0; c < CACHE_COUNT; ++c) {
                cell.cache = (enum cache)c;
                if (c == CACHE_GRAPH &&
                    (scope->kind == DEVICE_HOST || options->ranks))
                    continue;
                if (caches & 1u << c)
                    push(plan, &cell, 1);
            }
        }
    }
}

/* The grid's cells by shape, so that inputs and references serve many. */
static void push_grid(struct plan *plan, const struct scope *scope,
                      const struct grid *grid)
{
    const struct options *options = scope->options;
    const size_t offsets = (size_t)options->offset_count;
    for (size_t k = 0; k < grid->count; ++k)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < op_count(); ++o) {
                const struct grid_item *item = &grid->items[k];
                struct offsets offset = { 0 };
                if (offsets) /* shapes and types meet all of them */
                    offset = options->offsets[(k + (size_t)(d + o)) % offsets];
                if (item->ops >> o & options->filter.ops >> o & 1 &&
                    item->dtypes & options->filter.dtypes & DTYPE_BIT(d))
                    push_variants(plan, scope, op_at(o), (enum dtype)d,
                                  item->shape, offset);
            }
}

/* The ceilings to measure: twin, dtype, size class. */
struct wanted {
    bool at[OPS_MOST][DTYPE_COUNT][SIZE_CLASSES];
};

static void push_probes(struct plan *plan, const struct scope *scope,
                        const struct wanted *wanted)
{
    for (int class = 0; class < SIZE_CLASSES; ++class)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < op_count(); ++o)
                if (wanted->at[o][d][class])
                    push_variants(plan, scope, op_at(o), (enum dtype)d,
                                  (struct shape){ 1, (int64_t)1 << class, 1 },
                                  (struct offsets){ 0 });
}

/* Adds twins that the user named, at the sizes of the whole grid. */
static void want_twins(struct wanted *wanted, const struct options *options,
                       const struct grid *grid)
{
    for (size_t k = 0; k < grid->count; ++k)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int o = 0; o < op_count(); ++o)
                if (op_is_twin(op_at(o)) && options->filter.ops >> o & 1 &&
                    grid->items[k].dtypes & options->filter.dtypes &
                        DTYPE_BIT(d) &&
                    shape_elems(grid->items[k].shape) > 0)
                    wanted->at[o][d][size_class(grid->items[k].shape)] = true;
}

/* Adds the powers of two on both sides of the size, or the size itself. */
static void want_beside(struct wanted *wanted, enum op twin,
                        const struct cell *cell)
{
    const int64_t elems = shape_elems(cell->shape);
    const int class = shape_octave(elems);
    wanted->at[op_index(twin)][cell->dtype][class] = true;
    if (elems > (int64_t)1 << class)
        wanted->at[op_index(twin)][cell->dtype][class + 1] = true;
}

static void want_ceilings(struct wanted *wanted, const struct plan *plan)
{
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        if (shape_elems(cell->shape) == 0)
            continue;
        want_beside(wanted, op_twin(cell->op, cell->dtype), cell);
        if (ceiling_mixes(cell->op, cell->shape))
            want_beside(wanted, op_copying(cell->op, cell->dtype), cell);
    }
}

void plan_grid(struct grid *grid, const struct options *options,
               enum device_kind kind)
{
    for (int k = 0; k < options->filter.shape_count; ++k)
        grid_add_item(grid, (struct grid_item){ options->filter.shapes[k],
                                                OPS_ALL, DTYPES_ALL });
    for (int k = 0; k < options->grid_count; ++k)
        grid_add(grid, options->grids[k], kind);
}

/* Drops a cell that is also a probe. */
static void drop_repeated(struct plan *plan)
{
    size_t kept = plan->probes;
    for (size_t k = plan->probes; k < plan->count; ++k) {
        bool repeated = false;
        for (size_t p = 0; p < plan->probes && !repeated; ++p) {
            repeated = plan->cells[p].variant == plan->cells[k].variant &&
                       plan->cells[p].cache == plan->cells[k].cache &&
                       cell_same_problem(&plan->cells[p], &plan->cells[k]);
            plan->cells[p].asked |= repeated;
        }
        if (!repeated)
            plan->cells[kept++] = plan->cells[k];
    }
    plan->count = kept;
}

static void shuffle_problems(struct plan *plan, uint64_t seed)
{
    struct plan shuffled = { 0 };
    size_t count = 0;
    size_t *first = memory_for(plan->count + 1, sizeof *first);
    size_t *order = memory_for(plan->count, sizeof *order);
    for (size_t k = plan->probes; k < plan->count; ++count) {
        first[count] = k;
        k += cells_of_problem(plan->cells + k, plan->count - k);
    }
    first[count] = plan->count;
    split_mix_shuffle(order, count, &seed);
    push(&shuffled, plan->cells, plan->probes);
    for (size_t p = 0; p < count; ++p) {
        const size_t from = first[order[p]];
        push(&shuffled, plan->cells + from, first[order[p] + 1] - from);
    }
    memcpy(plan->cells, shuffled.cells, plan->count * sizeof *plan->cells);
    plan_free(&shuffled);
    free(first);
    free(order);
}

struct plan plan_make(const struct options *options, enum device_kind kind)
{
    struct grid grid = { 0 };
    struct plan plan = { 0 }, own = { 0 };
    struct scope user = { options, kind, true }, all = { options, kind, false };
    struct wanted named = { 0 }, ceilings = { 0 };
    if (plan_unknown_family(options))
        return plan;

    plan_grid(&grid, options, kind);
    if (options->command != COMMAND_CHECK)
        want_twins(&named, options, &grid);
    push_probes(&own, &user, &named);
    push_grid(&own, &user, &grid);
    if (options_time(options) && !options->profile) {
        want_ceilings(&ceilings, &own);
        push_probes(&plan, &all, &ceilings);
    }
    plan.probes = plan.count;
    push(&plan, own.cells, own.count);
    drop_repeated(&plan);
    if (!isnan(options->time_limit_s) && plan.count)
        shuffle_problems(&plan, options->seed);
    grid_free(&grid);
    plan_free(&own);
    return plan;
}

bool plan_is_largest(const struct plan *plan, const struct cell *probe)
{
    for (const struct cell *other = plan->cells;
         other < plan->cells + plan->probes; ++other)
        if (other->op == probe->op && other->dtype == probe->dtype &&
            size_class(other->shape) > size_class(probe->shape))
            return false;
    return true;
}

void plan_free(struct plan *plan)
{
    free(plan->cells);
    *plan = (struct plan){ 0 };
}
