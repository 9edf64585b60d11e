/* SPDX-License-Identifier: MIT */
#include "src/choose/rules.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/choose/forest.h"
#include "src/model/reducer.h"
#include "src/verify/verify.h"

/* A forest distinguishes losses up to SEEN_PCT, to separate problems by the
 * variants that nearly win. A score includes the largest loss with a weight of
 * DOUBT problems, which matters if few similar problems list the variant. Both
 * were fitted by `scanbench rules --held-out`. */
#define SEEN_PCT 10.
#define DOUBT 0.03f

int rules_kind(enum op op)
{
    const int kind = (int)op_kind(op);
    return kind < RULES_KINDS ? kind : -1;
}

enum rules_group rules_group(enum op op, enum dtype dtype)
{
    if (!op_combines(op) || (op_adds(op) && dtype_is_float(dtype)))
        return RULES_ADDITIONS;
    return dtype_is_float(dtype) ? RULES_FLOATS : RULES_INTEGERS;
}

/* ---------------------------------------------------------------- forests */

/* Features of a problem; sizes and alignments are in octaves. A row is a line,
 * or, if lines are strided, the elements at one position along the axis. */
enum rules_feature {
    ROW_BYTES,
    AXIS,
    OUTER,
    LINES,
    BYTES,
    SLAB_BYTES, /* axis times row */
    ROW_ALIGN,  /* largest power of two that divides a row's bytes */
    SLAB_ALIGN,
    ROW_REST, /* padding of a row to whole 128 bytes, over its bytes */
    TYPE,
    GROUP, /* 0 for addition of floats */
    WORK,
    DIRECTION,
    FEATURES
};
_Static_assert((int)FEATURES == (int)FOREST_FEATURES, "every feature is used");
_Static_assert((int)RULES_PROBLEMS <= (int)FOREST_POINTS,
               "every problem is a point");

/* log2(x), linear between powers of two: the same on every machine. */
static float octaves(uint64_t x)
{
    const float value = (float)(x > 1 ? x : 1);
    return (float)(int32_t)(float_bits(value) - float_bits(1)) / (1 << 23);
}

static float alignment(uint64_t bytes, uint64_t most)
{
    const uint64_t power = bytes & -bytes;
    return octaves(power && power < most ? power : most);
}

/* Work beside the operator: 3 for recurrences, 2 for exponentials, 1 for places
 * and a mask, and for sums the octaves by which they are wider than elements.
 * Operators of the same work share rules, such as argmax and argmin. */
static float work_of(enum op op, enum dtype dtype)
{
    if (op_inputs(op) == 2)
        return 3;
    if (!op_has_one_result(op, dtype))
        return 2;
    if (op_gives_index(op) || op_has_mask(op))
        return 1;
    return octaves(op_out_elem_bytes(op, dtype) / dtype_bytes(dtype));
}

static void place(enum op op, enum dtype dtype, struct shape shape,
                  float at[FEATURES])
{
    const bool strided = shape.inner > 1;
    /* A scan's tiles hold results, which are wider in sums of integers. */
    const uint64_t element =
        op_is_scan(op) ? op_out_elem_bytes(op, dtype) : dtype_bytes(dtype);
    const uint64_t row =
        (uint64_t)(strided ? shape.inner : shape.axis) * element;
    const uint64_t slab = strided ? (uint64_t)shape.axis * row : row;
    at[ROW_BYTES] = octaves(row);
    at[AXIS] = octaves((uint64_t)shape.axis);
    at[OUTER] = octaves((uint64_t)shape.outer);
    at[LINES] = octaves((uint64_t)shape_lines(shape));
    at[BYTES] = octaves((uint64_t)shape_elems(shape) * element);
    at[SLAB_BYTES] = octaves(slab);
    at[ROW_ALIGN] = alignment(row, 4096);
    at[SLAB_ALIGN] = alignment(slab, 128);
    at[ROW_REST] = (float)(-row % 128) / (float)(row > 1 ? row : 1);
    /* bfloat16 lies above float16; bool, whose words need fewer instructions
     * than those of u8, below it. */
    at[TYPE] = 2 * octaves(element) + (float)(dtype == DTYPE_BF16) -
               (dtype == DTYPE_BOOL ? 0.25f : 0);
    at[GROUP] = (float)rules_group(op, dtype);
    at[WORK] = work_of(op, dtype);
    at[DIRECTION] = op_is_exclusive(op) ? 1 : op_is_reverse(op) ? 2 : 0;
}

bool rules_measured(const struct rules *rules, enum op op, enum dtype dtype,
                    struct shape shape)
{
    const struct rules_problems *like =
        &rules->problems[rules_kind(op)][shape.inner > 1];
    float here[FEATURES], there[FEATURES];
    bool found = false;
    place(op, dtype, shape, here);
    for (size_t p = 0; p < like->end[RULES_GROUPS - 1] && !found; ++p) {
        place(like->problem[p].op, like->problem[p].dtype,
              like->problem[p].shape, there);
        found = here[TYPE] == there[TYPE] && here[GROUP] == there[GROUP] &&
                here[WORK] == there[WORK];
    }
    return found;
}

/* A forest that is grown from some problems, and their losses. */
struct rules_table {
    const struct rules_problem *problem; /* [count] */
    size_t count;
    size_t listed; /* the first whose variants are scored */
    struct forest *forest;
    int width; /* variants that are scored, padded to whole vectors */
    int variant[FOREST_TARGETS]; /* -1 in the padding */
    float *row; /* [problem][2][width]: the losses, 0 if not listed, then 1 if
                   listed; means over problems that no feature separates */
};

static void table_free(struct rules_table *table)
{
    if (!table)
        return;
    forest_free(table->forest);
    free(table->row);
    free(table);
}

/* Vectors are explicit, as not every compiler vectorises the loops. */
enum { LANES = 4 };
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* Computes the targets by which the forest is grown. A variant that a problem
 * does not list has the mean over the others, which separates nothing. */
static void fill_targets(const struct rules_table *table, size_t count,
                         int32_t *target)
{
    const size_t width = (size_t)table->width;
    const double unit = FOREST_TARGET_MOST / log1p(SEEN_PCT / 100);
    for (size_t t = 0; t < width; ++t) {
        int64_t sum = 0, listed = 0;
        for (size_t p = 0; p < count; ++p) {
            const float *row = &table->row[p * 2 * width];
            const double seen = (double)row[t] * unit;
            target[p * width + t] =
                row[width + t] > 0 ? (int32_t)fmin(seen, FOREST_TARGET_MOST)
                                   : -1;
            sum += row[width + t] > 0 ? target[p * width + t] : 0;
            listed += row[width + t] > 0;
        }
        for (size_t p = 0; p < count; ++p)
            if (target[p * width + t] < 0)
                target[p * width + t] = listed ? (int32_t)(sum / listed) : 0;
    }
}

static void grow(struct rules_table *table)
{
    const size_t count = table->count, floats = 2 * (size_t)table->width;
    float(*at)[FEATURES] = malloc(count * sizeof *at + 1);
    int32_t *target = malloc(count * (size_t)table->width * sizeof *target + 1);
    struct forest_leaf leaf[FOREST_TREES];
    if (at && target) {
        for (size_t p = 0; p < count; ++p)
            place(table->problem[p].op, table->problem[p].dtype,
                  table->problem[p].shape, at[p]);
        fill_targets(table, count, target);
        table->forest = forest_grow(&(struct forest_points){
            count, table->width, (const float(*)[FEATURES])at, target });
    }
    /* Problems with equal features share all leaves, and get their mean row. */
    for (size_t p = 0; table->forest && p < count; ++p) {
        float *mean = &table->row[p * floats];
        forest_find(table->forest, at[p], leaf);
        if (leaf->count < 2 || leaf->point[0] != p)
            continue;
        for (size_t f = 0; f < floats; ++f) {
            for (unsigned k = 1; k < leaf->count; ++k)
                mean[f] += table->row[leaf->point[k] * floats + f];
            mean[f] /= (float)leaf->count;
        }
        for (unsigned k = 1; k < leaf->count; ++k)
            memcpy(&table->row[leaf->point[k] * floats], mean,
                   floats * sizeof *mean);
    }
    free(at);
    free(target);
}

/* Lists the variants that are scored, the first FOREST_TARGETS that the
 * problems from table->listed on list, and the losses. target[variant] becomes
 * its number in the table, or -1. False without memory. */
static bool fill_table(const struct rules *rules, struct rules_table *table,
                       int *target)
{
    int count = 0;
    for (int v = 0; v < rules->variant_count; ++v)
        target[v] = -1;
    for (size_t p = table->listed; p < table->count; ++p)
        for (unsigned k = 0; k < table->problem[p].count; ++k) {
            const int v = rules->loss[table->problem[p].first + k].variant;
            if (target[v] >= 0 || count == FOREST_TARGETS)
                continue;
            table->variant[count] = v;
            target[v] = count++;
        }
    for (; count % LANES; ++count)
        table->variant[count] = -1;
    table->width = count;
    const size_t width = (size_t)count;
    table->row = calloc(table->count * 2 * width + 1, sizeof *table->row);
    for (size_t p = 0; table->row && p < table->count; ++p)
        for (unsigned k = 0; k < table->problem[p].count; ++k) {
            const struct rules_loss *loss =
                &rules->loss[table->problem[p].first + k];
            const int t = target[loss->variant];
            float *row = &table->row[p * 2 * width];
            if (t < 0)
                continue;
            row[t] = loss->log_time;
            row[width + (size_t)t] = 1;
        }
    return table->row;
}

static struct rules_table *make_table(const struct rules *rules,
                                      const struct rules_problems *like,
                                      enum rules_group group)
{
    struct rules_table *table = calloc(1, sizeof *table);
    int *target = malloc((size_t)rules->variant_count * sizeof *target + 1);
    if (table && target) {
        const size_t first =
            group == RULES_INTEGERS ? like->end[RULES_FLOATS] : 0;
        table->problem = first ? &like->problem[first] : like->problem;
        table->count = like->end[group] - first;
        table->listed = group == RULES_FLOATS ? like->end[RULES_ADDITIONS] : 0;
        if (fill_table(rules, table, target))
            grow(table);
    }
    free(target);
    if (table && table->forest)
        return table;
    table_free(table);
    return NULL;
}

static bool has_group(const struct rules *rules, int kind, bool strided,
                      enum rules_group group)
{
    const struct rules_problems *like = &rules->problems[kind][strided];
    return !group || like->end[group] > like->end[group - 1];
}

/* Returns the table, made when first needed; NULL without memory. */
static const struct rules_table *table_of(const struct rules *rules, int kind,
                                          bool strided, enum rules_group group)
{
    struct rules_problems *like =
        (struct rules_problems *)&rules->problems[kind][strided];
    struct rules_table *there =
        atomic_load_explicit(&like->table[group], memory_order_acquire);
    if (there)
        return there;
    struct rules_table *made = make_table(rules, like, group);
    if (!made ||
        atomic_compare_exchange_strong(&like->table[group], &there, made))
        return made;
    table_free(made);
    return there;
}

/* A table that its own thread makes: OpenMP would leave a pool of threads. */
struct growth {
    const struct rules *rules;
    int kind;
    bool strided;
    enum rules_group group;
    bool threaded;
    pthread_t thread;
};

static void *grow_table(void *of)
{
    const struct growth *g = of;
    return (void *)table_of(g->rules, g->kind, g->strided, g->group);
}

bool rules_ready(const struct rules *rules)
{
    struct growth growth[RULES_KINDS * 2 * RULES_GROUPS], *end = growth;
    bool ok = true;
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided)
            for (int group = 0; group < RULES_GROUPS; ++group)
                if (has_group(rules, kind, strided, group))
                    *end++ = (struct growth){ rules, kind, strided, group };
    for (struct growth *g = growth; g < end; ++g)
        g->threaded = !pthread_create(&g->thread, NULL, grow_table, g);
    for (struct growth *g = growth; g < end; ++g) {
        void *made;
        if (!g->threaded || pthread_join(g->thread, &made))
            made = grow_table(g);
        ok &= made != NULL;
    }
    return ok;
}

void rules_free(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided) {
            free(rules->problems[kind][strided].problem);
            for (int group = 0; group < RULES_GROUPS; ++group)
                table_free(rules->problems[kind][strided].table[group]);
        }
    for (int n = 0; n < rules->name_count; ++n)
        free(rules->names[n].name);
    free(rules->names);
    free(rules->variant);
    free(rules->loss);
    *rules = (struct rules){ 0 };
}

/* ----------------------------------------------------------------- ranking */

/* Scores the variants that the problems in the leaves list; returns the number
 * of these variants. A score is the mean of the losses and the doubt, and
 * packed with its variant into one number, which sorts by the score. */
static int score(const struct rules_table *table,
                 const struct forest_leaf leaf[FOREST_TREES],
                 uint64_t scored[FOREST_TARGETS])
{
    const float *row_of[FOREST_TREES];
    const float doubt = DOUBT * FOREST_TREES;
    const float doubted = doubt * log1pf((float)RULES_FELT_PCT / 100);
    const int width = table->width;
    int found = 0;
    for (int tree = 0; tree < FOREST_TREES; ++tree)
        row_of[tree] = &table->row[leaf[tree].point[0] * 2 * (size_t)width];
    for (int first = 0; first < width; first += LANES) {
        lanes lost = { 0 }, listed = { 0 }, row;
        for (int tree = 0; tree < FOREST_TREES; ++tree) {
            memcpy(&row, &row_of[tree][first], sizeof row);
            lost += row;
            memcpy(&row, &row_of[tree][width + first], sizeof row);
            listed += row;
        }
        const lanes mean = (lost + doubted) / (listed + doubt);
        for (int t = 0; t < LANES; ++t)
            if (listed[t] > 0)
                scored[found++] = (uint64_t)float_bits(mean[t]) << 32 |
                                  (unsigned)table->variant[first + t];
    }
    return found;
}

/* Most variants from similar problems; the others won most often. */
enum { SCORED = RULES_RANKED * 2 / 3 };

/* A ranking that is made variant by variant, as the first usually serves. */
struct ranking {
    const struct rules *rules;
    int kind;
    bool strided;
    enum rules_group group;
    uint64_t scored[FOREST_TARGETS], last; /* last: the key ranked last */
    int found, count;
    const struct rules_variant *ranked[RULES_RANKED];
};

/* Returns false if the operation has no rules. */
static bool begin_ranking(struct ranking *ranking, const struct rules *rules,
                          enum op op, enum dtype dtype, struct shape shape)
{
    struct forest_leaf leaf[FOREST_TREES];
    float at[FEATURES];
    ranking->rules = rules;
    ranking->kind = rules_kind(op);
    ranking->strided = shape.inner > 1;
    ranking->found = ranking->count = 0;
    ranking->last = 0; /* below every key */
    if (ranking->kind < 0)
        return false;
    ranking->group = rules_group(op, dtype);
    while (!has_group(rules, ranking->kind, ranking->strided, ranking->group))
        --ranking->group;
    const struct rules_table *table =
        table_of(rules, ranking->kind, ranking->strided, ranking->group);
    if (!table || !table->count)
        return true;
    place(op, dtype, shape, at);
    forest_find(table->forest, at, leaf);
    ranking->found = score(table, leaf, ranking->scored);
    return true;
}

/* Returns the most frequent winner that is not ranked yet, or NULL. */
static const struct rules_variant *next_winner(const struct ranking *ranking)
{
    const struct rules_variant *next = NULL;
    int most = 0;
    for (int v = 0; v < ranking->rules->variant_count; ++v) {
        const struct rules_variant *variant = &ranking->rules->variant[v];
        const int wins = variant->wins[ranking->group][ranking->strided];
        int k = 0;
        while (k < ranking->count && ranking->ranked[k] != variant)
            ++k;
        if (k == ranking->count && variant->kind == ranking->kind &&
            wins > most) {
            next = variant;
            most = wins;
        }
    }
    return next;
}

static const struct rules_variant *next_ranked(struct ranking *ranking)
{
    const struct rules_variant *next = NULL;
    if (ranking->count < ranking->found && ranking->count < SCORED) {
        uint64_t best = UINT64_MAX;
        for (int s = 0; s < ranking->found; ++s) {
            const uint64_t key = ranking->scored[s];
            best = key > ranking->last && key < best ? key : best;
        }
        ranking->last = best;
        next = &ranking->rules->variant[(uint32_t)best];
    } else if (ranking->count < RULES_RANKED)
        next = next_winner(ranking);
    if (next)
        ranking->ranked[ranking->count++] = next;
    return next;
}

int rules_rank(const struct rules *rules, enum op op, enum dtype dtype,
               struct shape shape,
               const struct rules_variant *ranked[RULES_RANKED])
{
    struct ranking ranking;
    if (!begin_ranking(&ranking, rules, op, dtype, shape))
        return 0;
    while (next_ranked(&ranking))
        continue;
    memcpy(ranked, ranking.ranked, (size_t)ranking.count * sizeof *ranked);
    return ranking.count;
}

bool rules_allow(const struct variant *v, const struct problem *p)
{
    return v->error_growth != ERROR_CANCELLING && !v->spreads_nonfinite &&
           !(p->contracts & ~variant_contracts(v, p->op, p->dtype)) &&
           (p->max_error <= 0 ||
            verify_most(v, p->op, p->dtype, p->shape.axis) <= p->max_error);
}

/* Returns the built variant of that name; NULL if none of the operation and
 * type is allowed, or if it refuses the problem or leaves the device idle. */
static const struct variant *serving_variant(const struct rules_variant *ranked,
                                             const struct problem *problem)
{
    for (int k = 0; k < RULES_TABLES; ++k)
        for (const struct variant *v = ranked->tables[k]; v && v->name; ++v)
            if (variant_has(v, problem->op, problem->dtype) &&
                rules_allow(v, problem) && strcmp(v->name, ranked->name) == 0)
                return variant_serves(v, problem) && !variant_idles(v, problem)
                           ? v
                           : NULL;
    return NULL;
}

const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *p)
{
    const struct rules_variant *next;
    const struct variant *serving = NULL;
    struct ranking ranking;
    if (!begin_ranking(&ranking, rules, p->op, p->dtype, p->shape))
        return NULL;
    while (!serving && (next = next_ranked(&ranking)))
        serving = serving_variant(next, p);
    return serving;
}
