/* SPDX-License-Identifier: MIT
 *
 * Best calls what rules lead to. Variants and registry are made up here: no
 * kernel is linked.
 */
#include <string.h>

#include "src/base/test.h"
#include "src/choose/rules.h"
#include "src/verify/verify.h"
#include "variants/built_in_rules.h"
#include "variants/registry.h"

extern const struct variant variants__best__best[];

static int launched; /* which of the variants below, by its letter */

static const char *refuses_odd(const struct problem *p)
{
    return p->shape.axis % 2 || (uintptr_t)p->in % 4 ? "odd" : NULL;
}

static bool idles_alone(const struct problem *p)
{
    return p->shape.outer == 1 && p->shape.axis == 8;
}

static size_t eight_bytes(const struct problem *p)
{
    (void)p;
    return 8;
}

static int launch_a(const struct problem *p, void *stream)
{
    launched = p->in && stream ? 'a' : '?';
    return 0;
}

static int launch_b(const struct problem *p, void *stream)
{
    launched = p->in && stream ? 'b' : '?';
    return 7;
}

#define SCAN_F32 OPS(FORMS_SCAN, DTYPE_BIT(DTYPE_F32))

static const struct variant host[] = {
    { .name = "host", .ops = SCAN_F32, .passes = 1, .runs_on = DEVICE_HOST },
    { 0 },
};
static const struct variant unfit[] = {
    { .name = "x", .ops = SCAN_F32, .passes = 2, .runs_on = DEVICE_CUDA },
    { .name = "y",
      .ops = SCAN_F32,
      .passes = 1,
      .passes_masked = 1,
      .runs_on = DEVICE_CUDA,
      .error_growth = ERROR_CANCELLING },
    { 0 },
};
static const struct variant fit[] = {
    { .name = "a",
      .ops = SCAN_F32,
      .passes = 1,
      .runs_on = DEVICE_CUDA,
      .refuses = refuses_odd,
      .workspace_bytes = eight_bytes,
      .launch = launch_a,
      .idles = idles_alone },
    { .name = "b",
      .ops = SCAN_F32,
      .passes = 1,
      .passes_masked = 1.5,
      .runs_on = DEVICE_CUDA,
      .launch = launch_b },
    { 0 },
};

/* Others by their letters, in f64; how wide an inner extent they serve. */
#define LETTER(letter, inner_most, passes_)                                    \
    static const char *refuses_##letter(const struct problem *p)               \
    {                                                                          \
        return p->shape.inner > inner_most ? "inner" : NULL;                   \
    }                                                                          \
    static int launch_##letter(const struct problem *p, void *stream)          \
    {                                                                          \
        launched = p->in && stream ? #letter[0] : '?';                         \
        return 0;                                                              \
    }                                                                          \
    static const struct variant of_##letter[] = {                              \
        { .name = #letter,                                                     \
          .ops = OPS(FORMS_SCAN, DTYPE_BIT(DTYPE_F64)),                        \
          .passes = passes_,                                                   \
          .runs_on = DEVICE_CUDA,                                              \
          .refuses = refuses_##letter,                                         \
          .launch = launch_##letter,                                           \
          .ragged = true },                                                    \
        { 0 },                                                                 \
    };
LETTER(w, INT64_MAX, 1)
LETTER(p, 2, 2)
LETTER(s, 1, 1.5)
LETTER(f, 1, 1)

const struct family registry[] = {
    { .id = "host/host", .variants = host },
    { .id = "best/best", .variants = variants__best__best },
    { .id = "scan/unfit", .variants = unfit },
    { .id = "scan/fit", .variants = fit },
    { .id = "scan/walks", .variants = of_w, .traits = FAMILY_WALKS },
    { .id = "scan/plain", .variants = of_p },
    { .id = "scan/shares", .variants = of_s, .traits = FAMILY_SHARES },
    { .id = "scan/fast", .variants = of_f, .traits = FAMILY_FAST },
    { 0 },
};

/* Rules find the variants that they name, and best calls what they lead to. */
static void test_follows(void)
{
    static const char text[] =
        "rules,2\nmodel,forest\n"
        "problem,cumsum,f32,1,4,1,gone=0 host=0 b=1 a=2\n"
        "problem,cumsum,f32,1,4096,1,a=0\n";
    struct rules rules;
    char why[RULES_WHY_BYTES];
    struct device_facts facts = { .kind = DEVICE_CUDA, .rules = &rules };
    struct problem p = {
        .op = OP_CUMSUM, .shape = { 1, 4, 1 }, .in = &p, .device = &facts
    };
    const struct variant *best = &variants__best__best[0];
    CHECK(rules_parse(&rules, "made", text, sizeof text - 1, NULL, why));
    rules_bind(&rules);
    CHECK(!rules.variant[0].tables[0] && !rules.variant[1].tables[0]);
    CHECK(rules.variant[2].tables[0] == fit);
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.shape.axis = 4096;
    CHECK(best->launch(&p, &p) == 0 && launched == 'a');
    p.shape.axis = 4097; /* a refuses: what the farther one lists */
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.shape.axis = 8; /* a idles */
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    rules_free(&rules);
}

/* Without a rule that helps: what is fast before what is not, a walk last, and
 * few lines to blocks that share them. */
static void test_last_resort(void)
{
    const struct variant *best = &variants__best__best[0];
    const struct device_facts facts = { .kind = DEVICE_CUDA, .sm_count = 100 };
    struct problem p = { .op = OP_CUMSUM_REVERSE,
                         .dtype = DTYPE_F64,
                         .shape = { 1, 4, 1 },
                         .in = &p,
                         .device = &facts };
    CHECK(best->launch(&p, &p) == 0 && launched == 's');
    p.shape.outer = 100;
    CHECK(best->launch(&p, &p) == 0 && launched == 'f');
    p.shape.inner = 2; /* neither of them serves it */
    CHECK(best->launch(&p, &p) == 0 && launched == 'p');
    p.shape.inner = 3;
    CHECK(best->launch(&p, &p) == 0 && launched == 'w');
    p.shape = (struct shape){ 1, 4000, 1, { 4, 0, LINES_ZIPF, 8 } };
    CHECK(best->launch(&p, &p) == 0 && launched == 'f');
}

/* None of the rules' variants is built here, so any other that is fit. */
static void test_calls(void)
{
    const struct variant *best = &variants__best__best[0];
    struct problem p = { .op = OP_CUMSUM, .shape = { 1, 4, 1 } };
    CHECK(!best->refuses(&p));
    CHECK(best->workspace_bytes(&p) == 8);
    p.in = &p;
    CHECK(best->launch(&p, &p) == 0 && launched == 'a');
    /* Pointers do not change the choice, but what it cannot serve goes to
     * another. */
    p.in = (const char *)&p + 1;
    CHECK(!best->refuses(&p));
    CHECK(best->workspace_bytes(&p) == 8);
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.in = &p;
    p.shape.axis = 8; /* where a idles */
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.shape.axis = 5;
    CHECK(best->workspace_bytes(&p) == 0);
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.op = OP_MASKED_CUMSUM; /* b takes more than a pass then */
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.dtype = DTYPE_F16; /* that nothing has */
    CHECK(best->refuses(&p) != NULL);
    CHECK(best->workspace_bytes(&p) == 0);
    CHECK(best->launch(&p, &p) != 0);
    p = (struct problem){ .op = OP_FLIP, .shape = { 1, 4, 1 } };
    CHECK(best[1].refuses(&p) != NULL);
}

/* Best's bound covers that of whatever it may call. */
static void test_bound(void)
{
    const struct variant *best = &variants__best__best[0];
    const struct variant growths[] = {
        { .error_growth = ERROR_SERIAL },
        { .error_growth = ERROR_TREE },
        { .error_growth = ERROR_TILED, .error_tile = 1 },
        { .error_growth = ERROR_TILED, .error_tile = 64 },
    };
    for (int64_t axis = 1; axis < (int64_t)1 << 40; axis = axis * 3 + 1)
        for (size_t k = 0; k < sizeof growths / sizeof *growths; ++k)
            CHECK_FOR(verify_bound(best, axis) >=
                          verify_bound(&growths[k], axis),
                      "growth %zu, axis %lld", k, (long long)axis);
    CHECK(verify_bound(&best[1], 100) == 0);
}

int main(void)
{
    test_follows();
    test_last_resort();
    test_calls();
    test_bound();
    return test_end();
}
