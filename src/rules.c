/* SPDX-License-Identifier: MIT */
#include "src/rules.h"

#include <math.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/memory.h"

/* ---------------------------------------------------------------- distance */

enum { SCANS, SUMS, FLIPS };
static const unsigned ops_of[RULES_KINDS] = {
    [SCANS] = OPS_SCAN, [SUMS] = OP_BIT(OP_SUM), [FLIPS] = OP_BIT(OP_FLIP)
};

/* The last axis is the mask: so far apart are a scan with it and one without.
 * Whole vectors or not is what designs differ by. */
const struct rules_nearness rules_nearness = {
    .weight = {
        /* line bytes, lines, alignment, element */
        { 1, 0.7, 1, 1, 0, 1.25 },
        /* row bytes, axis, outer, alignment, element */
        { 0.7, 0.9, 0.4, 1, 1, 1.25 },
    },
    .vector_bytes = 16,
    .half_vector = 2,
    .octave = 0.6,
};

enum { NEIGHBOURS = 7 };
#define NEAR 0.3f     /* a neighbour's weight is 1 / (NEAR + its distance)^2 */
#define UNLISTED 0.9f /* the loss of what a neighbour does not list */

/* The kind, or -1: an operation without rules. */
static int kind_of(enum op op)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        if (ops_of[kind] & OP_BIT(op))
            return kind;
    return -1;
}

static float octaves(int64_t extent)
{
    return log2f((float)(extent > 1 ? extent : 1));
}

static float misalignment(uint64_t bytes)
{
    float octaves = 0;
    for (int n = rules_nearness.vector_bytes; bytes % (unsigned)n; n /= 2)
        ++octaves;
    return octaves > 0 ? (float)rules_nearness.half_vector +
                             (float)rules_nearness.octave * (octaves - 1)
                       : 0;
}

static void place(enum op op, enum dtype dtype, struct shape shape,
                  float at[RULES_AXES])
{
    const int64_t bytes = (int64_t)dtype_bytes(dtype);
    const bool strided = shape.inner > 1;
    const int64_t row = strided ? shape.inner : shape.axis;
    int k = 0;
    at[k++] = octaves(row) + octaves(bytes);
    if (strided)
        at[k++] = octaves(shape.axis);
    at[k++] = octaves(shape.outer);
    /* A lone line starts where the tensor does. */
    at[k++] = strided || shape.outer > 1
                  ? misalignment((uint64_t)row * (uint64_t)bytes)
                  : 0;
    at[k++] = octaves(bytes);
    while (k < RULES_AXES - 1)
        at[k++] = 0;
    at[k] = op_has_mask(op);
    for (int axis = 0; axis < RULES_AXES; ++axis)
        at[axis] *= (float)rules_nearness.weight[strided][axis];
}

static float distance2(const float left[RULES_AXES],
                       const float right[RULES_AXES])
{
    float sum = 0;
    for (int k = 0; k < RULES_AXES; ++k)
        sum += (left[k] - right[k]) * (left[k] - right[k]);
    return sum;
}

double rules_distance(enum op op, enum dtype dtype, struct shape left,
                      struct shape right)
{
    float from[RULES_AXES], to[RULES_AXES];
    if ((left.inner > 1) != (right.inner > 1))
        return (double)INFINITY;
    place(op, dtype, left, from);
    place(op, dtype, right, to);
    return sqrt((double)distance2(from, to));
}

/* ----------------------------------------------------------------- reading */

/* Room for one more of so many; it doubles. */
static void *room_for(void *old, size_t count, size_t bytes)
{
    return count & (count - 1) || (count && count < 8)
               ? old
               : memory_grown(old, count < 8 ? 8 : 2 * count, bytes);
}

static int variant_of(struct rules *rules, int kind, const char *name)
{
    for (int v = 0; v < rules->variant_count; ++v)
        if (rules->variant[v].kind == kind &&
            strcmp(rules->variant[v].name, name) == 0)
            return v;
    rules->variant = room_for(rules->variant, (size_t)rules->variant_count,
                              sizeof *rules->variant);
    rules->variant[rules->variant_count] =
        (struct rules_variant){ .name = memory_copy(name), .kind = kind };
    return rules->variant_count++;
}

/* "NAME=0 NAME=12.5": within a percent is a win. */
static const char *read_losses(struct rules *rules, int kind, bool strided,
                               const char *text, struct rules_problem *problem)
{
    char *copy = memory_copy(text), *rest = copy, *word;
    const char *wrong = NULL;
    problem->first = (unsigned)rules->loss_count;
    while (!wrong && (word = strtok_r(rest, " ", &rest))) {
        char *equals = strchr(word, '=');
        double pct = NAN;
        if (!equals || equals == word || !csv_read_real(equals + 1, &pct) ||
            !(pct >= 0)) {
            wrong = "a loss is not NAME=PER_CENT";
            break;
        }
        *equals = '\0';
        if (problem->count++ == RULES_LOSSES)
            wrong = "a problem lists too many variants";
        const int variant = variant_of(rules, kind, word);
        rules->variant[variant].wins[strided] += pct <= 1;
        rules->loss =
            room_for(rules->loss, rules->loss_count, sizeof *rules->loss);
        rules->loss[rules->loss_count++] =
            (struct rules_loss){ variant, (float)log1p(pct / 100) };
    }
    free(copy);
    return wrong ? wrong : problem->count ? NULL : "a problem lists no variant";
}

const char *rules_add(struct rules *rules, char *const *fields, size_t count)
{
    struct rules_problem problem = { .count = 0 };
    struct shape *shape = &problem.shape;
    enum op op;
    enum dtype dtype;
    if (count != 6)
        return "not operation, type, outer, axis, inner, losses";
    if (!op_parse(fields[0], &op) || kind_of(op) < 0)
        return "the operation is no scan, sum or flip";
    if (!dtype_parse(fields[1], &dtype))
        return "the type is not f32, f64, f16 or bf16";
    if (!csv_read_integer(fields[2], &shape->outer) ||
        !csv_read_integer(fields[3], &shape->axis) ||
        !csv_read_integer(fields[4], &shape->inner) || shape->outer < 1 ||
        shape->axis < 1 || shape->inner < 1 || shape_elems(*shape) < 1)
        return "outer, axis and inner are no shape";
    const int kind = kind_of(op);
    const bool strided = shape->inner > 1;
    const char *wrong = read_losses(rules, kind, strided, fields[5], &problem);
    if (wrong)
        return wrong;
    place(op, dtype, *shape, problem.at);
    struct rules_problems *like = &rules->problems[kind][strided];
    like->problem = room_for(like->problem, like->count, sizeof problem);
    like->problem[like->count++] = problem;
    ++rules->count;
    return NULL;
}

void rules_free(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided)
            free(rules->problems[kind][strided].problem);
    for (int v = 0; v < rules->variant_count; ++v)
        free(rules->variant[v].name);
    free(rules->variant);
    free(rules->loss);
    *rules = (struct rules){ 0 };
}

unsigned rules_variant_ops(const struct rules_variant *variant)
{
    return ops_of[variant->kind];
}

/* ----------------------------------------------------------------- ranking */

struct neighbour {
    const struct rules_problem *problem;
    float distance2;
};

/* The nearest first; returns how many. */
static int find_nearest(const struct rules_problems *like,
                        const float at[RULES_AXES], const struct shape *without,
                        struct neighbour nearest[NEIGHBOURS])
{
    int found = 0;
    for (size_t k = 0; k < like->count; ++k) {
        const struct rules_problem *problem = &like->problem[k];
        const float d = distance2(at, problem->at);
        if (found == NEIGHBOURS && d >= nearest[found - 1].distance2)
            continue;
        if (without && shape_equal(problem->shape, *without))
            continue;
        int to = found < NEIGHBOURS ? found++ : found - 1;
        for (; to > 0 && nearest[to - 1].distance2 > d; --to)
            nearest[to] = nearest[to - 1];
        nearest[to] = (struct neighbour){ problem, d };
    }
    return found;
}

struct candidate {
    int variant;
    float lost, heard; /* weighted losses; the weights of those who list it */
};

/* Everything that neighbours list, once each, with its score. */
static int score(const struct rules *rules, const struct neighbour *nearest,
                 int count, struct candidate *candidate)
{
    int found = 0;
    float all = 0;
    for (int n = 0; n < count; ++n) {
        const struct rules_problem *problem = nearest[n].problem;
        const float far = NEAR + sqrtf(nearest[n].distance2);
        const float heavy = 1 / (far * far);
        all += heavy;
        for (unsigned k = 0; k < problem->count; ++k) {
            const struct rules_loss *loss = &rules->loss[problem->first + k];
            int c = 0;
            while (c < found && candidate[c].variant != loss->variant)
                ++c;
            if (c == found)
                candidate[found++] = (struct candidate){ loss->variant, 0, 0 };
            candidate[c].lost += heavy * loss->log_time;
            candidate[c].heard += heavy;
        }
    }
    for (int c = 0; c < found; ++c)
        candidate[c].lost += (all - candidate[c].heard) * UNLISTED;
    return found;
}

static int by_loss(const void *left, const void *right)
{
    const struct candidate *l = left, *r = right;
    if (l->lost != r->lost)
        return l->lost < r->lost ? -1 : 1;
    return (l->variant > r->variant) - (l->variant < r->variant);
}

static bool among(const struct rules_variant *variant,
                  const struct rules_variant *const *ranked, int count)
{
    for (int k = 0; k < count; ++k)
        if (ranked[k] == variant)
            return true;
    return false;
}

/* Who won most often among the like. */
static int add_winners(const struct rules *rules, int kind, bool strided,
                       int count, const struct rules_variant **ranked)
{
    while (count < RULES_RANKED) {
        const struct rules_variant *next = NULL;
        for (int v = 0; v < rules->variant_count; ++v) {
            const struct rules_variant *variant = &rules->variant[v];
            const int wins = variant->kind == kind ? variant->wins[strided] : 0;
            if (wins > (next ? next->wins[strided] : 0) &&
                !among(variant, ranked, count))
                next = variant;
        }
        if (!next)
            break;
        ranked[count++] = next;
    }
    return count;
}

int rules_rank(const struct rules *rules, enum op op, enum dtype dtype,
               struct shape shape, const struct shape *without,
               const struct rules_variant *ranked[RULES_RANKED])
{
    struct neighbour nearest[NEIGHBOURS];
    struct candidate candidate[NEIGHBOURS * RULES_LOSSES];
    float at[RULES_AXES];
    const int kind = kind_of(op);
    const bool strided = shape.inner > 1;
    if (kind < 0)
        return 0;
    place(op, dtype, shape, at);
    const int near =
        find_nearest(&rules->problems[kind][strided], at, without, nearest);
    const int found = score(rules, nearest, near, candidate);
    if (found)
        qsort(candidate, (size_t)found, sizeof *candidate, by_loss);
    int count = 0;
    for (; count < found && count < RULES_RANKED * 2 / 3; ++count)
        ranked[count] = &rules->variant[candidate[count].variant];
    return add_winners(rules, kind, strided, count, ranked);
}

/* NULL: not built, not for this operation or type, or of less than best's word:
 * its bounds cover no cancelling sums, and it keeps a NaN in its line. */
static const struct variant *find_variant(const struct rules_variant *ranked,
                                          const struct problem *problem)
{
    for (const struct variant *v = ranked->table; v && v->name; ++v)
        if ((v->ops & OP_BIT(problem->op)) &&
            (v->dtypes & DTYPE_BIT(problem->dtype)) &&
            v->error_growth != ERROR_CANCELLING && !v->spreads_nonfinite &&
            strcmp(v->name, ranked->name) == 0)
            return v;
    return NULL;
}

const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem)
{
    const struct rules_variant *ranked[RULES_RANKED];
    const int count = rules_rank(rules, problem->op, problem->dtype,
                                 problem->shape, NULL, ranked);
    for (int k = 0; k < count; ++k) {
        const struct variant *v = find_variant(ranked[k], problem);
        if (v && variant_serves(v, problem))
            return v;
    }
    return NULL;
}
