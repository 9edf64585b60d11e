/* SPDX-License-Identifier: MIT
 *
 * The planted operators as a plugin: their definitions, a loop for the host,
 * and on a GPU every family of scan/ and reduce/, compiled for them.
 */
#include "src/plugin.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/operators/reducers.h"

/* ------------------------------------------------------------- definitions */

static struct op_acc zero(enum dtype dtype)
{
    (void)dtype;
    return (struct op_acc){ { 0, 0 } };
}

static struct op_acc one(enum dtype dtype)
{
    (void)dtype;
    return (struct op_acc){ { 1, 0 } };
}

static struct op_acc as_is(enum dtype dtype, uint64_t bits, int64_t position)
{
    (void)dtype;
    (void)position;
    return (struct op_acc){ { bits, 0 } };
}

static struct op_acc differing(struct op_acc earlier, struct op_acc later)
{
    return (struct op_acc){ { earlier.word[0] ^ later.word[0], 0 } };
}

static struct op_acc sum(struct op_acc earlier, struct op_acc later)
{
    return (struct op_acc){ { earlier.word[0] + later.word[0], 0 } };
}

/* Negative integers in ascending order are in that of their bits. */
static struct op_acc larger(struct op_acc earlier, struct op_acc later)
{
    return earlier.word[0] > later.word[0] ? earlier : later;
}

/* The sign bit of an element's integer. */
static uint64_t most_sign(enum dtype dtype)
{
    return (uint64_t)1 << (8 * dtype_bytes(dtype) - 1);
}

static struct op_acc lift_most(enum dtype dtype, uint64_t bits,
                               int64_t position)
{
    (void)position;
    return (struct op_acc){ { bits | most_sign(dtype), 0 } };
}

static struct op_acc lift_placed(enum dtype dtype, uint64_t bits,
                                 int64_t position)
{
    (void)dtype;
    return (struct op_acc){ { placed_lift(bits, position), 0 } };
}

static struct op_acc least(enum dtype dtype)
{
    return (struct op_acc){ { most_sign(dtype), 0 } };
}

static uint64_t lower(enum dtype dtype, struct op_acc acc, int64_t count)
{
    (void)dtype;
    (void)count;
    return acc.word[0];
}

/* The bits above the element's are 0. */
static uint64_t lower_placed(enum dtype dtype, struct op_acc acc, int64_t count)
{
    return placed_lower(acc.word[0], count) & (2 * most_sign(dtype) - 1);
}

/* The operations of a reducer that has them all: "NAME", "NAME_exclusive",
 * "NAME_reverse" and "masked_NAME" of its scan, and its reduction. */
#define ALL_FORMS(reducer, scan, reduction)                                    \
    { (enum op)OP_OF(reducer, KIND_SCAN, 0), scan },                           \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_EXCLUSIVE),                    \
          scan "_exclusive" },                                                 \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_REVERSE), scan "_reverse" },   \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_MASKED), "masked_" scan },     \
    {                                                                          \
        (enum op) OP_OF(reducer, KIND_REDUCE, 0), reduction                    \
    }

static const struct operation xor_ops[] = {
    ALL_FORMS(REDUCER_XOR, "cumxor", "xor"), { OP_NONE, NULL }
};
static const struct operation affine_ops[] = {
    ALL_FORMS(REDUCER_MODULAR, "cumaffine", "affine"), { OP_NONE, NULL }
};
static const struct operation most_ops[] = {
    ALL_FORMS(REDUCER_MOST, "cummost", "most"), { OP_NONE, NULL }
};
static const struct operation placed_ops[] = {
    { (enum op)OP_OF(REDUCER_PLACED, KIND_REDUCE, 0), "placed" },
    { OP_NONE, NULL }
};

enum {
    F32 = DTYPE_BIT(DTYPE_F32),
    F64 = DTYPE_BIT(DTYPE_F64),
    F16 = DTYPE_BIT(DTYPE_F16)
};
#define EXACT(id_, dtypes_, ops_, identity_, lift_, combine_, lower_)          \
    {                                                                          \
        .id = id_, .dtypes = dtypes_, .ops = ops_, .identity = identity_,      \
        .lift = lift_, .combine = combine_, .lower = lower_                    \
    }
static const struct reducer reducers[] = {
    EXACT(REDUCER_XOR, F32 | F16, xor_ops, zero, as_is, differing, lower),
    EXACT(REDUCER_MODULAR, F32 | F64 | F16, affine_ops, one, affine_lift,
          affine_combine, affine_lower),
    EXACT(REDUCER_MOST, F32 | F64, most_ops, least, lift_most, larger, lower),
    EXACT(REDUCER_PLACED, F32 | F16, placed_ops, zero, lift_placed, sum,
          lower_placed),
    { 0 },
};

/* ---------------------------------------------------------------- families */

#ifdef OPERATOR_FAMILIES /* X(folder, name) for each that is compiled */
#define DECLARE(folder, name)                                                  \
    extern const struct variant variants__##folder##__##name[];
OPERATOR_FAMILIES(DECLARE)
#define FAMILY(folder, name)                                                   \
    { #folder "/operators_" #name, variants__##folder##__##name },
static const struct plugin_family compiled[] = { OPERATOR_FAMILIES(FAMILY) };
enum { COMPILED = sizeof compiled / sizeof *compiled };
#else
static const struct plugin_family compiled[1];
enum { COMPILED = 0 };
#endif

static bool has_reducers(const struct variant *v)
{
    for (int d = 0; d < DTYPE_SLOTS; ++d)
        if (v->ops.reducers[d])
            return true;
    return false;
}

/* -------------------------------------------------------------- a bug */

static int launch_swapped(const struct problem *p, void *stream)
{
    const int64_t axis = p->shape.axis, inner = p->shape.inner;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const int64_t first = line / inner * axis * inner + line % inner;
        struct op_acc acc = one(p->dtype);
        for (int64_t a = 0; a < axis; ++a) {
            const uint32_t x = ((const uint32_t *)p->in)[first + a * inner];
            acc = affine_combine(affine_lift(p->dtype, x, a), acc);
        }
        ((uint32_t *)p->out)[line] =
            (uint32_t)affine_lower(p->dtype, acc, axis);
    }
    return 0;
}

static const struct variant swapped[] = {
    { .name = "op_swapped",
      .idea = "bug: combines in the wrong order",
      .runs_on = DEVICE_HOST,
      .ops = { FORM_REDUCE, { REDUCER_BIT(REDUCER_MODULAR) } },
      .passes = 1,
      .deterministic = true,
      .launch = launch_swapped },
    { 0 },
};

/* The variants that take one of the operators, under other names than those of
 * addition. */
const struct plugin *scanbench_plugin(void)
{
    static struct plugin_family families[COMPILED + 2];
    static const struct plugin plugin = { PLUGIN_SIZES, "operators", families,
                                          reducers };
    int count = 0;
    if (getenv("OPERATORS_SWAPPED"))
        families[count++] = (struct plugin_family){ "host/swapped", swapped };
    for (int f = 0; f < COMPILED; ++f) {
        size_t all = 0, kept = 0;
        while (compiled[f].variants[all].name)
            ++all;
        struct variant *to = calloc(all + 1, sizeof *to);
        for (size_t v = 0; to && v < all; ++v)
            if (has_reducers(&compiled[f].variants[v])) {
                to[kept] = compiled[f].variants[v];
                char *name = malloc(80);
                snprintf(name, 80, "op_%s", to[kept].name);
                to[kept++].name = name;
            }
        if (kept)
            families[count++] = (struct plugin_family){ compiled[f].id, to };
    }
    return &plugin;
}
