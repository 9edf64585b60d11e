/* SPDX-License-Identifier: MIT */
#include "src/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"

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

/* Half a block, as gcc and clang know vectors: left to themselves they shuffle
 * more than they compute. */
typedef float lanes __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t lane_bits __attribute__((vector_size(4 * sizeof(int32_t))));

/* Of a block's problems at once; true if one is nearer than `worst`. */
static bool distances2(const float at[RULES_AXES],
                       const struct rules_block *block, float worst,
                       float sum[RULES_BLOCK])
{
    enum { LANES = 4 };
    lane_bits nearer = { 0 };
    for (int lane = 0; lane < RULES_BLOCK; lane += LANES) {
        lanes distance = { 0 }, there;
        for (int k = 0; k < RULES_AXES; ++k) {
            memcpy(&there, &block->at[k][lane], sizeof there);
            const lanes apart = at[k] - there;
            distance += apart * apart;
        }
        memcpy(&sum[lane], &distance, sizeof distance);
        nearer |= distance < worst;
    }
    return nearer[0] | nearer[1] | nearer[2] | nearer[3];
}

double rules_distance(enum op op, enum dtype dtype, struct shape left,
                      struct shape right)
{
    float from[RULES_AXES], to[RULES_AXES];
    double sum = 0;
    if ((left.inner > 1) != (right.inner > 1))
        return (double)INFINITY;
    place(op, dtype, left, from);
    place(op, dtype, right, to);
    for (int k = 0; k < RULES_AXES; ++k)
        sum += (double)((from[k] - to[k]) * (from[k] - to[k]));
    return sqrt(sum);
}

/* ----------------------------------------------------------------- reading */

static const char no_memory[] = "no memory";

/* Room for one more of so many; it doubles. False: there is none, and the old
 * stays. */
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

/* Its number, or what is wrong. */
static const char *variant_of(struct rules *rules, int kind, const char *name,
                              int *number)
{
    for (int v = 0; v < rules->variant_count; ++v)
        if (rules->variant[v].kind == kind &&
            strcmp(rules->variant[v].name, name) == 0) {
            *number = v;
            return NULL;
        }
    if (rules->variant_count == RULES_VARIANTS)
        return "the file names too many variants";
    if (!make_room(&rules->variant, (size_t)rules->variant_count,
                   sizeof *rules->variant))
        return no_memory;
    char *copy = strdup(name);
    if (!copy)
        return no_memory;
    *number = rules->variant_count++;
    rules->variant[*number] =
        (struct rules_variant){ .name = copy, .kind = kind };
    return NULL;
}

/* NAME=12.5 */
static const char *read_loss(struct rules *rules, int kind, bool strided,
                             char *word, struct rules_problem *problem)
{
    char *equals = strchr(word, '=');
    double pct = NAN;
    int variant = 0;
    if (!equals || equals == word || !csv_read_real(equals + 1, &pct) ||
        !(pct >= 0))
        return "a loss is not NAME=PER_CENT";
    *equals = '\0';
    if (problem->count++ == RULES_LOSSES)
        return "a problem lists too many variants";
    const char *wrong = variant_of(rules, kind, word, &variant);
    if (wrong)
        return wrong;
    if (!make_room(&rules->loss, rules->loss_count, sizeof *rules->loss))
        return no_memory;
    rules->variant[variant].wins[strided] += pct <= 1;
    rules->loss[rules->loss_count++] =
        (struct rules_loss){ variant, (float)log1p(pct / 100) };
    return NULL;
}

/* "NAME=0 NAME=12.5": within a percent is a win. */
static const char *read_losses(struct rules *rules, int kind, bool strided,
                               const char *text, struct rules_problem *problem)
{
    char *copy = strdup(text), *rest = copy, *word;
    const char *wrong = copy ? NULL : no_memory;
    problem->first = (unsigned)rules->loss_count;
    while (!wrong && (word = strtok_r(rest, " ", &rest)))
        wrong = read_loss(rules, kind, strided, word, problem);
    free(copy);
    return wrong ? wrong : problem->count ? NULL : "a problem lists no variant";
}

static const char *add_problem(struct rules_problems *like,
                               const struct rules_problem *problem,
                               const float at[RULES_AXES])
{
    const size_t lane = like->count % RULES_BLOCK;
    const size_t block = like->count / RULES_BLOCK;
    if (!make_room(&like->problem, like->count, sizeof *problem) ||
        (lane == 0 && !make_room(&like->block, block, sizeof *like->block)))
        return no_memory;
    if (lane == 0)
        like->block[block] = (struct rules_block){ 0 };
    for (int k = 0; k < RULES_AXES; ++k)
        like->block[block].at[k][lane] = at[k];
    like->problem[like->count++] = *problem;
    return NULL;
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
        shape->axis < 1 || shape->inner < 1 || !shape_fits(*shape))
        return "outer, axis and inner are no shape";
    const int kind = kind_of(op);
    const bool strided = shape->inner > 1;
    const char *wrong = read_losses(rules, kind, strided, fields[5], &problem);
    if (wrong)
        return wrong;
    float at[RULES_AXES];
    place(op, dtype, *shape, at);
    wrong = add_problem(&rules->problems[kind][strided], &problem, at);
    rules->count += !wrong;
    return wrong;
}

void rules_free(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided) {
            free(rules->problems[kind][strided].problem);
            free(rules->problems[kind][strided].block);
        }
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

/* A neighbour is one number, for speed: the bits of its distance, which are in
 * the order of distances, and its own number below them. */
static uint64_t neighbour_key(float distance2, size_t number)
{
    return (uint64_t)float_bits(distance2) << 32 | number;
}

static const struct rules_problem *
neighbour_problem(const struct rules_problems *like, uint64_t key)
{
    return &like->problem[(uint32_t)key];
}

static float neighbour_distance2(uint64_t key)
{
    return float_from_bits((uint32_t)(key >> 32));
}

/* Into the order, without branches. */
static void insert(uint64_t nearest[NEIGHBOURS], uint64_t key)
{
    for (int to = 0; to < NEIGHBOURS; ++to) {
        const uint64_t here = nearest[to];
        nearest[to] = key < here ? key : here;
        key = key < here ? here : key;
    }
}

/* The nearest first; returns how many. */
static int find_nearest(const struct rules_problems *like,
                        const float at[RULES_AXES], const struct shape *without,
                        uint64_t nearest[NEIGHBOURS])
{
    int found = 0;
    float worst = INFINITY;
    for (int to = 0; to < NEIGHBOURS; ++to)
        nearest[to] = UINT64_MAX;
    for (size_t from = 0; from < like->count; from += RULES_BLOCK) {
        float d[RULES_BLOCK];
        if (!distances2(at, &like->block[from / RULES_BLOCK], worst, d))
            continue;
        for (size_t k = from; k < from + RULES_BLOCK && k < like->count; ++k) {
            if (d[k - from] >= worst ||
                (without && shape_equal(like->problem[k].shape, *without)))
                continue;
            insert(nearest, neighbour_key(d[k - from], k));
            if (++found >= NEIGHBOURS)
                worst = neighbour_distance2(nearest[NEIGHBOURS - 1]);
        }
    }
    return found < NEIGHBOURS ? found : NEIGHBOURS;
}

struct candidate {
    int variant;
    float lost, heard; /* weighted losses; the weights of those who list it */
};

/* Everything that neighbours list, once each, with its score. */
static int score(const struct rules *rules, const struct rules_problems *like,
                 const uint64_t *nearest, int count,
                 struct candidate *candidate)
{
    short entry[RULES_VARIANTS]; /* of a variant, from 1 on */
    int found = 0;
    float all = 0;
    memset(entry, 0, (size_t)rules->variant_count * sizeof *entry);
    for (int n = 0; n < count; ++n) {
        const struct rules_problem *problem =
            neighbour_problem(like, nearest[n]);
        const float far = NEAR + sqrtf(neighbour_distance2(nearest[n]));
        const float heavy = 1 / (far * far);
        all += heavy;
        for (unsigned k = 0; k < problem->count; ++k) {
            const struct rules_loss *loss = &rules->loss[problem->first + k];
            int c = entry[loss->variant] - 1;
            if (c < 0) {
                c = found++;
                entry[loss->variant] = (short)found;
                candidate[c] = (struct candidate){ loss->variant, 0, 0 };
            }
            candidate[c].lost += heavy * loss->log_time;
            candidate[c].heard += heavy;
        }
    }
    for (int c = 0; c < found; ++c)
        candidate[c].lost += (all - candidate[c].heard) * UNLISTED;
    return found;
}

static bool better(const struct candidate *left, const struct candidate *right)
{
    return left->lost < right->lost ||
           (left->lost == right->lost && left->variant < right->variant);
}

/* The neighbours' best, in order; the rest of the ranking is others'. */
enum { ADVISED = RULES_RANKED * 2 / 3 };

static int rank_advised(const struct rules *rules, int kind,
                        const struct problem *p, const struct shape *without,
                        const struct rules_variant **ranked)
{
    const struct rules_problems *like =
        &rules->problems[kind][p->shape.inner > 1];
    uint64_t nearest[NEIGHBOURS];
    struct candidate candidate[NEIGHBOURS * RULES_LOSSES], best[ADVISED + 1];
    float at[RULES_AXES];
    int count = 0;
    place(p->op, p->dtype, p->shape, at);
    const int near = find_nearest(like, at, without, nearest);
    const int found = score(rules, like, nearest, near, candidate);
    for (int c = 0; c < found; ++c) {
        int to = count;
        for (; to > 0 && better(&candidate[c], &best[to - 1]); --to)
            best[to] = best[to - 1];
        best[to] = candidate[c];
        count += count < ADVISED;
    }
    for (int k = 0; k < count; ++k)
        ranked[k] = &rules->variant[best[k].variant];
    return count;
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
    const struct problem p = { .op = op, .dtype = dtype, .shape = shape };
    const int kind = kind_of(op);
    if (kind < 0)
        return 0;
    const int count = rank_advised(rules, kind, &p, without, ranked);
    return add_winners(rules, kind, shape.inner > 1, count, ranked);
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
    const int kind = kind_of(problem->op);
    if (kind < 0)
        return NULL;
    int count = rank_advised(rules, kind, problem, NULL, ranked);
    const int advised = count;
    for (int k = 0; k < count; ++k) {
        const struct variant *v = find_variant(ranked[k], problem);
        if (v && variant_serves(v, problem))
            return v;
        if (k + 1 == advised) /* which takes longer, and is rare */
            count = add_winners(rules, kind, problem->shape.inner > 1, advised,
                                ranked);
    }
    return NULL;
}
