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

/* Whole vectors or not is what designs differ by, most of all where rows are
 * written, too. How much there is to do counts once more where lines are
 * contiguous, and for sums of strided ones how many lines there are: by that
 * they are cut. The mask: so far apart are a scan with it and one without.
 * Weights are fitted on the problems that variants/best/h200.csv lists, each
 * left out in turn. */
const struct rules_nearness rules_nearness = {
    .weight = {
        /* line bytes, lines, alignment, element, all bytes, mask; row bytes,
         * axis, outer, alignment, element, mask or (sums) lines */
        [SCANS] = { { 1, 0.7, 1, 1, 0.6, 1.25 },
                    { 0.6, 0.65, 0.35, 1.7, 0.4, 1.25 } },
        [SUMS] = { { 1, 0.7, 1, 1 }, { 0.7, 0.9, 0.4, 1, 1, 1.2 } },
        [FLIPS] = { { 1, 0.7, 1, 1 }, { 0.7, 0.9, 0.4, 1, 1 } },
    },
    .vector_bytes = 16,
    .half_vector = 2,
    .octave = 0.6,
};

enum { NEIGHBOURS = 10 };
#define NEAR 0.3f /* a neighbour's weight is 1 / (NEAR + its distance)^3 */
#define DOUBT                                                                  \
    0.05f /* of all neighbours' weight, at the greatest loss: it counts        \
            little, unless few neighbours list the variant */

/* The kind, or -1: an operation without rules. */
static int kind_of(enum op op)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        if (ops_of[kind] & OP_BIT(op))
            return kind;
    return -1;
}

const double *rules_weights(enum op op, bool strided)
{
    const int kind = kind_of(op);
    return rules_nearness.weight[kind < 0 ? SCANS : kind][strided];
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
    const double *weight = rules_weights(op, strided);
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
    if (!strided)
        at[k++] = octaves(shape_elems(shape)) + octaves(bytes);
    at[k] = strided && op == OP_SUM ? octaves(shape_lines(shape))
                                    : op_has_mask(op);
    for (int axis = 0; axis < RULES_AXES; ++axis)
        at[axis] *= (float)weight[axis];
}

/* Half a block, as gcc and clang know vectors: left to themselves they shuffle
 * more than they compute. */
typedef float lanes __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t lane_bits __attribute__((vector_size(4 * sizeof(int32_t))));
enum { LANES = 4 };

static lanes above_zero(lanes x)
{
    return (lanes)((lane_bits)x & (x > 0));
}

/* Of a block's problems at once; a bit is set for each that is nearer than
 * `worst`. */
static unsigned distances2(const float at[RULES_AXES],
                           const struct rules_block *block, float worst,
                           float sum[RULES_BLOCK])
{
    lane_bits nearer = { 0 }, bits = { 1, 2, 4, 8 };
    for (int lane = 0; lane < RULES_BLOCK; lane += LANES) {
        lanes distance = { 0 }, there;
        for (int k = 0; k < RULES_AXES; ++k) {
            memcpy(&there, &block->at[k][lane], sizeof there);
            const lanes apart = at[k] - there;
            distance += apart * apart;
        }
        memcpy(&sum[lane], &distance, sizeof distance);
        nearer |= (distance < worst) & bits;
        bits <<= LANES;
    }
    return (unsigned)(nearer[0] | nearer[1] | nearer[2] | nearer[3]);
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

/* Where it lies, or what is wrong. */
static const char *variant_of(struct rules *rules, int kind, const char *name,
                              int *variant)
{
    for (int v = 0; v < rules->variant_count; ++v)
        if (rules->variant[v].kind == kind &&
            strcmp(rules->variant[v].name, name) == 0) {
            *variant = v;
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
    *variant = rules->variant_count++;
    rules->variant[*variant] =
        (struct rules_variant){ .name = copy, .kind = kind };
    return NULL;
}

const char *rules_add_name(struct rules *rules, const char *number,
                           const char *name)
{
    int64_t value;
    if (!csv_read_integer(number, &value) || value != rules->numbered_count)
        return "the variants are not numbered in turn, from 0 on";
    if (!*name || (*name >= '0' && *name <= '9') || strpbrk(name, " ="))
        return "a variant's name is a word that begins with a letter";
    if (rules->numbered_count == RULES_VARIANTS)
        return "the file names too many variants";
    if (!make_room(&rules->numbered, (size_t)rules->numbered_count,
                   sizeof *rules->numbered))
        return no_memory;
    char *copy = strdup(name);
    if (!copy)
        return no_memory;
    struct rules_name *numbered = &rules->numbered[rules->numbered_count++];
    numbered->name = copy;
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        numbered->variant[kind] = -1;
    return NULL;
}

/* The same of a number. */
static const char *numbered_variant(struct rules *rules, int kind,
                                    const char *word, int *variant)
{
    int64_t number;
    if (!csv_read_integer(word, &number) || number >= rules->numbered_count)
        return "no line before it gives that number a variant";
    struct rules_name *numbered = &rules->numbered[number];
    *variant = numbered->variant[kind];
    if (*variant >= 0)
        return NULL;
    const char *wrong = variant_of(rules, kind, numbered->name, variant);
    if (!wrong)
        numbered->variant[kind] = *variant;
    return wrong;
}

/* NAME=12.5, or 7=12.5 */
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
    const char *wrong = *word >= '0' && *word <= '9'
                            ? numbered_variant(rules, kind, word, &variant)
                            : variant_of(rules, kind, word, &variant);
    if (wrong)
        return wrong;
    if (!make_room(&rules->loss, rules->loss_count, sizeof *rules->loss))
        return no_memory;
    rules->variant[variant].wins[strided] += pct <= 1;
    problem->lists[variant / 64] |= (uint64_t)1 << variant % 64;
    rules->loss[rules->loss_count++] =
        (struct rules_loss){ variant,
                             (float)log1p(fmin(pct, RULES_MOST_PCT) / 100) };
    return NULL;
}

/* "NAME=0 7=12.5": within a percent is a win. */
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
                               const struct rules_problem *problem)
{
    if (like->count == RULES_PROBLEMS)
        return "too many problems";
    if (!make_room(&like->problem, like->count, sizeof *problem))
        return no_memory;
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
    place(op, dtype, *shape, problem.at);
    wrong = add_problem(&rules->problems[kind][strided], &problem);
    rules->count += !wrong;
    return wrong;
}

/* ---------------------------------------------------------------- sorting */

static int by_key(const void *left, const void *right)
{
    const struct rules_problem *l = left, *r = right;
    return (l->key > r->key) - (l->key < r->key);
}

static int widest_axis(const struct rules_problem *problem, size_t count)
{
    int widest = 0;
    float most = -1;
    for (int axis = 0; axis < RULES_AXES; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < count; ++k) {
            low = fminf(low, problem[k].at[axis]);
            high = fmaxf(high, problem[k].at[axis]);
        }
        if (high - low > most) {
            most = high - low;
            widest = axis;
        }
    }
    return widest;
}

/* Halves them, whole blocks to the left, across where they lie widest apart,
 * and so on: each block's problems are near each other (a k-d tree, of which
 * the leaves are left). */
static void halve(struct rules_problem *problem, size_t count)
{
    while (count > RULES_BLOCK) {
        const int axis = widest_axis(problem, count);
        const size_t left =
            (count / 2 + RULES_BLOCK - 1) / RULES_BLOCK * RULES_BLOCK;
        for (size_t k = 0; k < count; ++k)
            problem[k].key = problem[k].at[axis];
        qsort(problem, count, sizeof *problem, by_key);
        halve(problem, left);
        problem += left;
        count -= left;
    }
}

static size_t blocks_of(size_t count)
{
    return (count + RULES_BLOCK - 1) / RULES_BLOCK;
}

static bool index_problems(struct rules_problems *like)
{
    const size_t blocks = blocks_of(like->count), groups = blocks_of(blocks);
    if (!like->count)
        return true;
    like->block = calloc(blocks, sizeof *like->block);
    like->boxes = calloc(groups, sizeof *like->boxes);
    if (!like->block || !like->boxes)
        return false;
    halve(like->problem, like->count);
    for (size_t b = 0; b < groups * RULES_BLOCK; ++b)
        for (int axis = 0; axis < RULES_AXES; ++axis) {
            float low = INFINITY, high = -INFINITY;
            for (size_t k = b * RULES_BLOCK;
                 k < (b + 1) * RULES_BLOCK && k < like->count; ++k) {
                const float at = like->problem[k].at[axis];
                like->block[b].at[axis][k % RULES_BLOCK] = at;
                low = fminf(low, at);
                high = fmaxf(high, at);
            }
            struct rules_boxes *boxes = &like->boxes[b / RULES_BLOCK];
            boxes->low[axis][b % RULES_BLOCK] = low;
            boxes->high[axis][b % RULES_BLOCK] = high;
        }
    return true;
}

const char *rules_index(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided)
            if (!index_problems(&rules->problems[kind][strided]))
                return no_memory;
    return NULL;
}

void rules_free(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided) {
            free(rules->problems[kind][strided].problem);
            free(rules->problems[kind][strided].block);
            free(rules->problems[kind][strided].boxes);
        }
    for (int v = 0; v < rules->variant_count; ++v)
        free(rules->variant[v].name);
    for (int n = 0; n < rules->numbered_count; ++n)
        free(rules->numbered[n].name);
    free(rules->numbered);
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

struct search {
    const struct rules_problems *like;
    const float *at;
    const struct shape *without;
    uint64_t *nearest;
    float worst; /* the squared distance of the last of the nearest */
    int found;
};

static void search_block(struct search *search, size_t block)
{
    const struct rules_problems *like = search->like;
    float d[RULES_BLOCK];
    unsigned nearer =
        distances2(search->at, &like->block[block], search->worst, d);
    for (; nearer; nearer &= nearer - 1) {
        const size_t lane = (size_t)__builtin_ctz(nearer);
        const size_t number = block * RULES_BLOCK + lane;
        if (number >= like->count ||
            (search->without &&
             shape_equal(like->problem[number].shape, *search->without)))
            continue;
        insert(search->nearest, neighbour_key(d[lane], number));
        if (++search->found >= NEIGHBOURS)
            search->worst =
                neighbour_distance2(search->nearest[NEIGHBOURS - 1]);
    }
}

/* The squared distance of each block's box; and of the blocks of each lane the
 * nearest, which are LANES of the nearest few. */
static void box_distances2(const struct rules_problems *like,
                           const float at[RULES_AXES], size_t groups,
                           float distance2[RULES_PROBLEMS / RULES_BLOCK],
                           lane_bits *nearest)
{
    lane_bits number = { 0, 1, 2, 3 }, least = number;
    lanes least2 = { INFINITY, INFINITY, INFINITY, INFINITY };
    for (size_t g = 0; g < groups; ++g) {
        const struct rules_boxes *boxes = &like->boxes[g];
        for (int lane = 0; lane < RULES_BLOCK; lane += LANES) {
            lanes distance = { 0 }, low, high;
            for (int k = 0; k < RULES_AXES; ++k) {
                memcpy(&low, &boxes->low[k][lane], sizeof low);
                memcpy(&high, &boxes->high[k][lane], sizeof high);
                const lanes apart =
                    above_zero(low - at[k]) + above_zero(at[k] - high);
                distance += apart * apart;
            }
            memcpy(&distance2[g * RULES_BLOCK + (size_t)lane], &distance,
                   sizeof distance);
            const lane_bits nearer = distance < least2;
            least = (nearer & number) | (~nearer & least);
            least2 = (lanes)((nearer & (lane_bits)distance) |
                             (~nearer & (lane_bits)least2));
            number += LANES;
        }
    }
    *nearest = least;
}

/* The nearest first; returns how many. A few blocks whose boxes are among the
 * nearest go first: few others then have a box that is near enough. */
static int find_nearest(const struct rules_problems *like,
                        const float at[RULES_AXES], const struct shape *without,
                        uint64_t nearest[NEIGHBOURS])
{
    const size_t blocks = blocks_of(like->count);
    struct search search = { like, at, without, nearest, INFINITY, 0 };
    float box[RULES_PROBLEMS / RULES_BLOCK];
    lane_bits first;
    for (int to = 0; to < NEIGHBOURS; ++to)
        nearest[to] = UINT64_MAX;
    if (!blocks)
        return 0;
    box_distances2(like, at, blocks_of(blocks), box, &first);
    for (int turn = 0; turn < LANES; ++turn) {
        size_t block = (size_t)first[0];
        for (int lane = 1; lane < LANES; ++lane)
            if (box[first[lane]] < box[block])
                block = (size_t)first[lane];
        if (!(box[block] < search.worst))
            break;
        search_block(&search, block);
        box[block] = INFINITY;
    }
    for (size_t block = 0; block < blocks; ++block)
        if (box[block] < search.worst)
            search_block(&search, block);
    return search.found < NEIGHBOURS ? search.found : NEIGHBOURS;
}

/* A scored variant is one number, too: its score's bits, and itself. */
static uint64_t scored_key(float score, int variant)
{
    return (uint64_t)float_bits(score) << 32 | (unsigned)variant;
}

/* What neighbours list, with its score: the weighted mean of its losses, and of
 * the doubt. Returns how many. */
static int score(const struct rules *rules, const struct rules_problems *like,
                 const uint64_t *nearest, int count,
                 uint64_t scored[RULES_VARIANTS])
{
    const float most = log1pf((float)RULES_MOST_PCT / 100);
    /* by variant: weighted losses, and the weights of those who list it */
    struct {
        float lost, heard;
    } of[RULES_VARIANTS];
    int found = 0;
    float doubt = 0;
    memset(of, 0, (size_t)rules->variant_count * sizeof *of);
    uint64_t listed[RULES_VARIANTS / 64] = { 0 };
    const int words = (rules->variant_count + 63) / 64;
    for (int n = 0; n < count; ++n) {
        const struct rules_problem *problem =
            neighbour_problem(like, nearest[n]);
        const struct rules_loss *loss = &rules->loss[problem->first];
        const float far = NEAR + sqrtf(neighbour_distance2(nearest[n]));
        const float heavy = 1 / (far * far * far);
        doubt += DOUBT * heavy;
        for (int w = 0; w < words; ++w)
            listed[w] |= problem->lists[w];
        for (unsigned k = 0; k < problem->count; ++k) {
            const int v = loss[k].variant;
            of[v].lost += heavy * loss[k].log_time;
            of[v].heard += heavy;
        }
    }
    for (int w = 0; w < words; ++w)
        for (uint64_t rest = listed[w]; rest; rest &= rest - 1) {
            const int v = w * 64 + __builtin_ctzll(rest);
            scored[found++] = scored_key(
                (of[v].lost + doubt * most) / (of[v].heard + doubt), v);
        }
    return found;
}

static int ask_neighbours(const struct rules *rules, int kind,
                          const struct problem *p, const struct shape *without,
                          uint64_t scored[RULES_VARIANTS])
{
    const struct rules_problems *like =
        &rules->problems[kind][p->shape.inner > 1];
    uint64_t nearest[NEIGHBOURS];
    float at[RULES_AXES];
    place(p->op, p->dtype, p->shape, at);
    const int near = find_nearest(like, at, without, nearest);
    return score(rules, like, nearest, near, scored);
}

/* The best behind `last`, which is 0 at first: no score is. */
static uint64_t next_best(const uint64_t *scored, int count, uint64_t last)
{
    uint64_t best = UINT64_MAX;
    for (int s = 0; s < count; ++s) {
        const uint64_t key = scored[s] > last ? scored[s] : UINT64_MAX;
        best = key < best ? key : best;
    }
    return best;
}

static const struct rules_variant *scored_variant(const struct rules *rules,
                                                  uint64_t key)
{
    return &rules->variant[(uint32_t)key];
}

/* As many of a ranking are the neighbours', the rest others'. */
enum { ADVISED = RULES_RANKED * 2 / 3 };

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
    uint64_t scored[RULES_VARIANTS], key = 0;
    const int kind = kind_of(op);
    if (kind < 0)
        return 0;
    const int found = ask_neighbours(rules, kind, &p, without, scored);
    int count = 0;
    for (; count < found && count < ADVISED; ++count) {
        key = next_best(scored, found, key);
        ranked[count] = scored_variant(rules, key);
    }
    return add_winners(rules, kind, shape.inner > 1, count, ranked);
}

/* NULL: not built, not for this operation or type, of less than best's word
 * (its bounds cover no cancelling sums, it keeps a NaN in its line), or it
 * refuses. */
static const struct variant *serving_variant(const struct rules_variant *ranked,
                                             const struct problem *problem)
{
    for (const struct variant *v = ranked->table; v && v->name; ++v)
        if ((v->ops & OP_BIT(problem->op)) &&
            (v->dtypes & DTYPE_BIT(problem->dtype)) &&
            v->error_growth != ERROR_CANCELLING && !v->spreads_nonfinite &&
            strcmp(v->name, ranked->name) == 0)
            return variant_serves(v, problem) ? v : NULL;
    return NULL;
}

const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem)
{
    const struct rules_variant *ranked[RULES_RANKED];
    uint64_t scored[RULES_VARIANTS], key = 0;
    const int kind = kind_of(problem->op);
    if (kind < 0)
        return NULL;
    const int found = ask_neighbours(rules, kind, problem, NULL, scored);
    int count = 0;
    for (; count < found && count < ADVISED; ++count) {
        key = next_best(scored, found, key);
        ranked[count] = scored_variant(rules, key);
        const struct variant *v = serving_variant(ranked[count], problem);
        if (v)
            return v;
    }
    /* which takes longer, and is rare */
    const int all =
        add_winners(rules, kind, problem->shape.inner > 1, count, ranked);
    for (; count < all; ++count) {
        const struct variant *v = serving_variant(ranked[count], problem);
        if (v)
            return v;
    }
    return NULL;
}
