/* SPDX-License-Identifier: MIT */
#include "src/choose/rules.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/choose/forest.h"

enum { SCANS, SUMS, FLIPS };
static const unsigned ops_of[RULES_KINDS] = {
    [SCANS] = OPS_SCAN, [SUMS] = OP_BIT(OP_SUM), [FLIPS] = OP_BIT(OP_FLIP)
};

/* The kind, or -1: an operation without rules. */
static int kind_of(enum op op)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        if (ops_of[kind] & OP_BIT(op))
            return kind;
    return -1;
}

/* A loss counts as this much at most, per cent: beyond it a variant is out of
 * the question, whatever it loses. Growing looks at the smallest alone. Of what
 * all trees say DOUBT is said against every variant at the greatest loss: it
 * counts little, unless few problems list the variant. These are fitted on the
 * problems that variants/best/h200.csv lists, an eighth of them left out in
 * turn. */
#define FELT_PCT 30.
#define SEEN_PCT 10.
#define DOUBT 0.03f

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
    rules->loss[rules->loss_count++] =
        (struct rules_loss){ variant, (float)log1p(fmin(pct, FELT_PCT) / 100) };
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
    problem.op = op;
    problem.dtype = dtype;
    wrong = add_problem(&rules->problems[kind][strided], &problem);
    rules->count += !wrong;
    return wrong;
}

/* ---------------------------------------------------------------- forests */

/* What a forest asks about; all but the last are in octaves. */
enum rules_feature {
    ROW_BYTES,  /* a line's, or where lines are strided what lies between two
                   elements */
    AXIS,       /* elements of a line */
    OUTER,      /* extent before the axis */
    LINES,      /* how many */
    BYTES,      /* of the tensor */
    SLAB_BYTES, /* axis times row */
    ROW_ALIGN,  /* the largest power of two that divides a row's bytes */
    SLAB_ALIGN, /* and a slab's */
    ROW_REST,   /* of its last 128 bytes, what is another row's, to a row */
    TYPE,
    MASK,
    DIRECTION,
    FEATURES
};
_Static_assert((int)FEATURES == (int)FOREST_FEATURES, "all are asked about");
_Static_assert((int)RULES_PROBLEMS <= (int)FOREST_POINTS, "all are points");

/* log2(x) at powers of two, linear between them; the same on every machine. */
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

static void place(enum op op, enum dtype dtype, struct shape shape,
                  float at[FEATURES])
{
    const bool strided = shape.inner > 1;
    const uint64_t element = dtype_bytes(dtype);
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
    at[TYPE] = 2 * octaves(element) + (float)(dtype == DTYPE_BF16);
    at[MASK] = op_has_mask(op);
    at[DIRECTION] = op == OP_CUMSUM_EXCLUSIVE ? 1
                    : op == OP_CUMSUM_REVERSE ? 2
                                              : 0;
}

/* What a question reads: a forest of problems, and what each lists. */
struct table {
    struct forest *forest;
    int width;    /* variants that are scored, padded to whole vectors */
    int *variant; /* [width]; -1: padding */
    float *row;   /* [problem][2][width]: losses, 0 where not listed, and 1
                     where listed; their means over problems that no feature
                     tells apart */
    float doubt;  /* what is said against each */
};

/* Of a kind's problems; NULL: not made yet. Who comes first keeps his. */
struct rules_forests {
    _Atomic(struct table *) of[RULES_KINDS][2];
};

static void table_free(struct table *table)
{
    if (!table)
        return;
    forest_free(table->forest);
    free(table->variant);
    free(table->row);
    free(table);
}

/* As gcc and clang know vectors: left to themselves they do not all make any.
 */
enum { LANES = 4 };
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* The variants that are scored: of those that problems list the first
 * FOREST_TARGETS. `target` is their number by variant, or -1. */
static bool list_variants(const struct rules *rules,
                          const struct rules_problems *like,
                          struct table *table, int *target)
{
    int count = 0;
    table->variant = malloc(FOREST_TARGETS * sizeof *table->variant);
    if (!table->variant)
        return false;
    for (int v = 0; v < rules->variant_count; ++v)
        target[v] = -1;
    for (size_t p = 0; p < like->count; ++p)
        for (unsigned k = 0; k < like->problem[p].count; ++k) {
            const int v = rules->loss[like->problem[p].first + k].variant;
            if (target[v] >= 0 || count == FOREST_TARGETS)
                continue;
            table->variant[count] = v;
            target[v] = count++;
        }
    for (; count % LANES; ++count)
        table->variant[count] = -1;
    table->width = count;
    return true;
}

static bool fill_rows(const struct rules *rules,
                      const struct rules_problems *like, const int *target,
                      struct table *table)
{
    const size_t width = (size_t)table->width;
    table->row = calloc(like->count * 2 * width + 1, sizeof *table->row);
    for (size_t p = 0; table->row && p < like->count; ++p)
        for (unsigned k = 0; k < like->problem[p].count; ++k) {
            const struct rules_loss *loss =
                &rules->loss[like->problem[p].first + k];
            float *row = &table->row[p * 2 * width];
            if (target[loss->variant] < 0)
                continue;
            row[target[loss->variant]] = loss->log_time;
            row[width + (size_t)target[loss->variant]] = 1;
        }
    return table->row != NULL;
}

/* The targets that forests are grown by. Of a variant that a problem does not
 * list its mean over the others: that tells no problems apart. */
static void fill_targets(const struct table *table, size_t count,
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

/* Of problems that share a leaf all get the mean row: one of them stands for
 * all. They share it in every tree. */
static void share_rows(struct table *table, const struct forest_leaf *leaf)
{
    const size_t floats = 2 * (size_t)table->width;
    float *mean = &table->row[leaf->point[0] * floats];
    for (size_t f = 0; f < floats; ++f) {
        for (unsigned k = 1; k < leaf->count; ++k)
            mean[f] += table->row[leaf->point[k] * floats + f];
        mean[f] /= (float)leaf->count;
    }
    for (unsigned k = 1; k < leaf->count; ++k)
        memcpy(&table->row[leaf->point[k] * floats], mean,
               floats * sizeof *mean);
}

static bool grow(const struct rules_problems *like, struct table *table)
{
    const size_t count = like->count;
    float(*at)[FEATURES] = malloc(count * sizeof *at + 1);
    int32_t *target = malloc(count * (size_t)table->width * sizeof *target + 1);
    struct forest_leaf leaf[FOREST_TREES];
    if (at && target) {
        for (size_t p = 0; p < count; ++p)
            place(like->problem[p].op, like->problem[p].dtype,
                  like->problem[p].shape, at[p]);
        fill_targets(table, count, target);
        table->forest = forest_grow(&(struct forest_points){
            count, table->width, (const float(*)[FEATURES])at, target });
    }
    for (size_t p = 0; table->forest && p < count; ++p) {
        forest_find(table->forest, at[p], leaf);
        if (leaf->count > 1 && leaf->point[0] == p)
            share_rows(table, leaf);
    }
    table->doubt = DOUBT * FOREST_TREES * log1pf((float)FELT_PCT / 100);
    free(at);
    free(target);
    return table->forest != NULL;
}

static struct table *make_table(const struct rules *rules,
                                const struct rules_problems *like)
{
    struct table *table = calloc(1, sizeof *table);
    int *target = malloc((size_t)rules->variant_count * sizeof *target + 1);
    const bool ok = table && target &&
                    list_variants(rules, like, table, target) &&
                    fill_rows(rules, like, target, table) && grow(like, table);
    free(target);
    if (ok)
        return table;
    table_free(table);
    return NULL;
}

/* NULL: no memory. */
static const struct table *table_of(const struct rules *rules, int kind,
                                    bool strided)
{
    _Atomic(struct table *) *const here = &rules->forests->of[kind][strided];
    struct table *there = atomic_load_explicit(here, memory_order_acquire);
    if (there)
        return there;
    struct table *made = make_table(rules, &rules->problems[kind][strided]);
    if (!made || atomic_compare_exchange_strong(here, &there, made))
        return made;
    table_free(made);
    return there;
}

const char *rules_index(struct rules *rules)
{
    rules->forests = calloc(1, sizeof *rules->forests);
    return rules->forests ? NULL : no_memory;
}

bool rules_ready(const struct rules *rules)
{
    bool ok = true;
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided)
            ok &= table_of(rules, kind, strided) != NULL;
    return ok;
}

void rules_free(struct rules *rules)
{
    for (int kind = 0; kind < RULES_KINDS; ++kind)
        for (int strided = 0; strided < 2; ++strided) {
            free(rules->problems[kind][strided].problem);
            if (rules->forests)
                table_free(rules->forests->of[kind][strided]);
        }
    free(rules->forests);
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

/* A scored variant is one number, too: its score's bits, and itself. */
static uint64_t scored_key(float score, int variant)
{
    return (uint64_t)float_bits(score) << 32 | (unsigned)variant;
}

/* The variants that the named problems list, with their scores: the mean of a
 * variant's losses and of the doubt. Returns how many. */
static int score(const struct table *table,
                 const struct forest_leaf leaf[FOREST_TREES],
                 uint64_t scored[FOREST_TARGETS])
{
    const float *named[FOREST_TREES];
    const float doubt = DOUBT * FOREST_TREES;
    const int width = table->width;
    int found = 0;
    for (int tree = 0; tree < FOREST_TREES; ++tree)
        named[tree] = &table->row[leaf[tree].point[0] * 2 * (size_t)width];
    for (int first = 0; first < width; first += LANES) {
        lanes lost = { 0 }, heard = { 0 }, row;
        for (int tree = 0; tree < FOREST_TREES; ++tree) {
            memcpy(&row, &named[tree][first], sizeof row);
            lost += row;
            memcpy(&row, &named[tree][width + first], sizeof row);
            heard += row;
        }
        const lanes mean = (lost + table->doubt) / (heard + doubt);
        for (int t = 0; t < LANES; ++t)
            if (heard[t] > 0)
                scored[found++] =
                    scored_key(mean[t], table->variant[first + t]);
    }
    return found;
}

static int ask_forest(const struct rules *rules, int kind,
                      const struct problem *p, uint64_t scored[FOREST_TARGETS])
{
    const struct table *table = table_of(rules, kind, p->shape.inner > 1);
    struct forest_leaf leaf[FOREST_TREES];
    float at[FEATURES];
    if (!table || !rules->problems[kind][p->shape.inner > 1].count)
        return 0;
    place(p->op, p->dtype, p->shape, at);
    forest_find(table->forest, at, leaf);
    return score(table, leaf, scored);
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

/* As many of a ranking are those of problems alike, the rest others'. */
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
               struct shape shape,
               const struct rules_variant *ranked[RULES_RANKED])
{
    const struct problem p = { .op = op, .dtype = dtype, .shape = shape };
    uint64_t scored[FOREST_TARGETS], key = 0;
    const int kind = kind_of(op);
    if (kind < 0)
        return 0;
    const int found = ask_forest(rules, kind, &p, scored);
    int count = 0;
    for (; count < found && count < ADVISED; ++count) {
        key = next_best(scored, found, key);
        ranked[count] = scored_variant(rules, key);
    }
    return add_winners(rules, kind, shape.inner > 1, count, ranked);
}

/* NULL: not built, not for this operation or type, of less than best's word
 * (its bounds cover no cancelling sums, it keeps a NaN in its line), or it
 * refuses or idles. */
static const struct variant *serving_variant(const struct rules_variant *ranked,
                                             const struct problem *problem)
{
    for (const struct variant *v = ranked->table; v && v->name; ++v)
        if ((v->ops & OP_BIT(problem->op)) &&
            (v->dtypes & DTYPE_BIT(problem->dtype)) &&
            v->error_growth != ERROR_CANCELLING && !v->spreads_nonfinite &&
            strcmp(v->name, ranked->name) == 0)
            return variant_serves(v, problem) && !variant_idles(v, problem)
                       ? v
                       : NULL;
    return NULL;
}

const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem)
{
    const struct rules_variant *ranked[RULES_RANKED];
    uint64_t scored[FOREST_TARGETS], key = 0;
    const int kind = kind_of(problem->op);
    if (kind < 0)
        return NULL;
    const int found = ask_forest(rules, kind, problem, scored);
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
