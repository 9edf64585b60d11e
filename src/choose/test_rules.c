/* SPDX-License-Identifier: MIT */
#include "src/choose/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

#define HEAD                                                                   \
    "rules,2\ngpu,NVIDIA H200\ncompute_capability,9.0\n"                       \
    "sm_count,132\nbus_gbps,4814.3\nmodel,forest\n"

static bool knows(int kind, const char *variant)
{
    return kind != rules_kind(OP_FLIP) &&
           (strlen(variant) == 1 || atoi(variant + 1) > 0);
}

static bool parse(struct rules *rules, const char *text, char *why)
{
    return rules_parse(rules, "made.csv", text, strlen(text), knows, why);
}

static const char *refuses_odd(const struct problem *p)
{
    return p->shape.axis % 2 ? "odd" : NULL;
}

static const struct variant made[] = {
    { .name = "a",
      .ops = OPS(FORM_REDUCE, DTYPES_FLOAT),
      .refuses = refuses_odd },
    { .name = "b", .ops = OPS(FORM_REDUCE, DTYPE_BIT(DTYPE_F32)) },
    { .name = "c", .ops = OPS(FORM_OF(OP_CUMSUM), DTYPES_FLOAT) },
    { 0 },
};

static struct rules rules; /* of the last given() */

/* Reads the rules; the table above is the build. */
static void given(const char *text)
{
    char why[RULES_WHY_BYTES] = "";
    rules_free(&rules);
    CHECK_FOR(parse(&rules, text, why), "%s", why);
    for (int v = 0; v < rules.variant_count; ++v)
        rules.variant[v].tables[0] = made;
}

static void check_taken(void)
{
    given(HEAD "problem,sum,f32,2,3,1,a=0 b=12.5\r\n"
               "problem,sum,f16,2,3,4,b=0 a=1\n"
               "problem,cumsum,f64,2,3,1,b=0");
    CHECK(!strcmp(rules.name, "made.csv") && rules.hash);
    CHECK(!strcmp(rules.gpu, "NVIDIA H200") && rules.capability == 90);
    CHECK(rules.sm_count == 132 && rules.bus_gbps == 4814.3);
    CHECK(rules.count == 3 && rules.loss_count == 5);
    CHECK(rules.variant_count == 3); /* b twice: of sum, and of scans */
    CHECK(rules.variant[1].kind == rules_kind(OP_SUM));
    CHECK(rules.variant[2].kind == rules_kind(OP_CUMSUM));
    CHECK(rules_other(OP_CUMSUM, DTYPE_BOOL) &&
          rules_other(OP_CUMMAX, DTYPE_F32) &&
          !rules_other(OP_CUMSUM, DTYPE_BF16) &&
          !rules_other(OP_FLIP, DTYPE_I32));
    CHECK(rules.variant[0].wins[0][0] == 1 && rules.variant[0].wins[0][1] == 1);
    CHECK(rules.variant[1].wins[0][0] == 0 && rules.variant[1].wins[0][1] == 1);
    given("rules,2\nmodel,forest\nproblem,sum,f32,1,1,1,a=0\n");
    CHECK(!*rules.gpu && !rules.capability);
    given(HEAD "variant,0,b\nvariant,1,a\n"
               "problem,sum,f32,2,3,1,1=0 0=12.5 c=1\n");
    CHECK(rules.variant_count == 3 && !strcmp(rules.variant[0].name, "a") &&
          !strcmp(rules.variant[1].name, "b"));
}

static void check_refused(void)
{
    static const char *const cases[][2] = {
        { "", "line 1: empty" },
        { "rules,1\n", "line 1: rules of another version" },
        { "rule,2\n", "line 1: a file of rules begins with rules,2" },
        { "rules,2\nmodel,nearest\n",
          "line 2: this scanbench follows the model forest alone" },
        { "rules,2\nmodel,forest\n", "line 2: no problem" },
        { "rules,2\ngpu,x\n", "line 2: no line model" },
        { "rules,2\nproblem,sum,f32,1,1,1,a=0\n",
          "line 2: a problem before the line model" },
        { "rules,2\nsms,3\n", "line 2: not gpu" },
        { "rules,2\nsm_count,-3\n", "line 2: sm_count is a whole number" },
        { "rules,2\nbus_gbps,fast\n", "line 2: bus_gbps is a number" },
        { "rules,2\ncompute_capability,90\n", "line 2: a compute capability" },
        { "rules,2\nx,y,z\n", "line 2: not a key and a value" },
        { HEAD "problem,sun,f32,1,1,1,a=0\n", "line 7: the operation is no" },
        { HEAD "problem,copy,f32,1,1,1,a=0\n", "line 7: the operation is no" },
        { HEAD "problem,sum,f23,1,1,1,a=0\n", "line 7: the type is not" },
        { HEAD "problem,sum,f32,0,1,1,a=0\n", "line 7: outer, axis and inner" },
        { HEAD "problem,sum,f32,1,1,1,a=0\n"
               "problem,sum,f32,1,1,one,a=0\n",
          "line 8: outer, axis and inner" },
        { HEAD "problem,sum,f32,1,1,1,\n", "line 7: a problem lists no" },
        { HEAD "problem,sum,f32,1,1,1,a\n", "line 7: a loss is not" },
        { HEAD "problem,sum,f32,1,1,1,a=b\n", "line 7: a loss is not" },
        { HEAD "problem,sum,f32,1,1,1,a=-1\n", "line 7: a loss is not" },
        { HEAD "problem,sum,f32,1,1,1,=1\n", "line 7: a loss is not" },
        { HEAD "problem,sum,f32,1,1,1,0=1\n", "line 7: no line before it" },
        { HEAD "variant,0,a\nproblem,sum,f32,1,1,1,1=1\n",
          "line 8: no line before it" },
        { HEAD "variant,1,a\n", "line 7: the variants are not numbered" },
        { HEAD "variant,0,0a\n", "line 7: a variant's name is a word" },
        { HEAD "variant,0,a b\n", "line 7: a variant's name is a word" },
        { HEAD "variant,0,a\nvariant,1,a\n", "line 8: the variant has a" },
        { HEAD "variant,0\n", "line 7: not a variant's number" },
        { HEAD "problem,sum,f32,1,1,1\n", "line 7: not operation, type" },
        { HEAD "problem,sum,f32,1,1,1,a=0,b=0\n", "line 7: " },
        { HEAD "problem,sum,f32,1,1,1,fast=0\n",
          "line 7: no variant of these operations is called 'fast'" },
        { HEAD "problem,flip,f32,1,1,1,a=0\n",
          "line 7: no variant of these operations" },
        { HEAD "problem,sum,f32,1,1,1,\"a=0\n", "line 7: " },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct rules refused;
        char why[RULES_WHY_BYTES] = "";
        CHECK_FOR(!parse(&refused, cases[k][0], why), "%s", cases[k][0]);
        CHECK_FOR(strncmp(why, cases[k][1], strlen(cases[k][1])) == 0,
                  "%s: %s, not %s", cases[k][0], why, cases[k][1]);
        CHECK(!refused.variant && !refused.names && !refused.count);
    }
}

/* ------------------------------------------------------------- following */

static const struct variant *picked(int64_t outer, int64_t axis, int64_t inner,
                                    enum dtype dtype)
{
    const struct problem p = { .op = OP_SUM,
                               .dtype = dtype,
                               .shape = { outer, axis, inner } };
    return rules_pick(&rules, &p);
}

/* Variants that are not built, refuse, or are of another operation or type are
 * skipped. */
static void check_pick(void)
{
    given(HEAD "problem,sum,f32,1,4,1,z=0 c=0 a=0.5 b=3\n"
               "problem,cumsum,f32,1,4,1,c=0\n");
    CHECK(picked(1, 4, 1, DTYPE_F32) == &made[0]);
    CHECK(picked(1, 5, 1, DTYPE_F32) == &made[1]);
    CHECK(picked(1, 4, 1, DTYPE_F64) == &made[0]);
    CHECK(picked(1, 5, 1, DTYPE_F64) == NULL);
    CHECK(picked(1, 4, 2, DTYPE_F32) == NULL); /* nothing strided */
    const struct problem flip = { .op = OP_FLIP, .shape = { 1, 4, 1 } };
    CHECK(rules_pick(&rules, &flip) == NULL);
}

static const char *first(enum op op, struct shape shape, enum dtype dtype)
{
    const struct rules_variant *ranked[RULES_RANKED];
    const int count = rules_rank(&rules, op, dtype, shape, ranked);
    return count ? ranked[0]->name : "none";
}

#define FIRST_OF(op, wanted, outer, axis, inner, dtype)                        \
    CHECK_FOR(strcmp(first(op, (struct shape){ outer, axis, inner }, dtype),   \
                     wanted) == 0,                                             \
              "%s", wanted)
#define FIRST(...) FIRST_OF(OP_SUM, __VA_ARGS__)

/* A measured problem gets its own winner, and a new one the variant that
 * similar problems agree on. */
static void check_measured(void)
{
    given(HEAD "problem,sum,f32,65536,64,1,a=0 b=3\n"
               "problem,sum,f32,16,1048576,1,b=0 a=24 e=50\n"
               "problem,sum,f32,65536,63,1,c=0\n"
               "problem,sum,f32,8,64,4096,d=0\n"
               "problem,sum,f16,16,1048576,1,e=0 b=20\n");
    FIRST("a", 65536, 64, 1, DTYPE_F32);
    FIRST("b", 16, 1 << 20, 1, DTYPE_F32);
    FIRST("c", 65536, 63, 1, DTYPE_F32);
    FIRST("d", 1, 2, 2, DTYPE_F64); /* the only strided problem */
    FIRST("e", 16, 1 << 20, 1, DTYPE_F16);
    /* b is good in all three, though it wins none of them. */
    given(HEAD "problem,sum,f32,1000,1000,1,a=0 b=2 c=90 d=90\n"
               "problem,sum,f32,1100,1000,1,c=0 b=2 a=90 d=90\n"
               "problem,sum,f32,1000,1100,1,d=0 b=2 a=90 c=90\n");
    FIRST("b", 1050, 1050, 1, DTYPE_F32);
}

/* A variant that a problem does not list loses nothing by that. Of two with
 * equal losses the one that more problems list is taken. */
static void check_witnesses(void)
{
    given(HEAD "problem,sum,f32,1000,1000,1,a=0 b=10\n"
               "problem,sum,f32,1000,1004,1,b=10\n"
               "problem,sum,f32,1004,1000,1,b=10\n");
    FIRST("a", 1002, 1000, 1, DTYPE_F32);
    given(HEAD "problem,sum,f32,1000,1000,1,b=10 a=80\n"
               "problem,sum,f32,1000,1000,1,b=10 a=800\n"
               "problem,sum,f32,1000,1000,1,a=0 b=10\n");
    FIRST("b", 1000, 1000, 1, DTYPE_F32);
    CHECK(rules.loss[1].log_time == rules.loss[3].log_time);
    given(HEAD "problem,sum,f32,1000,1000,1,a=2 b=2\n"
               "problem,sum,f32,1000,1000,1,b=2\n");
    FIRST("b", 1000, 1000, 1, DTYPE_F32);
}

/* After the variants of similar problems come those that won most often. */
static void check_winners(void)
{
    const struct rules_variant *ranked[RULES_RANKED];
    char text[4096] = HEAD "problem,sum,f32,1,1048576,1,b=0\n"
                           "problem,sum,f32,1,1048577,1,c=0\n"
                           "problem,sum,f32,1,1048578,1,c=0.5\n"
                           "problem,sum,f32,1,1048579,1,d=3\n"
                           "problem,sum,f32,1,1048579,2,e=0\n";
    for (int axis = 8; axis < 28; ++axis)
        sprintf(text + strlen(text), "problem,sum,f32,1,%d,1,a=0\n", axis);
    given(text);
    CHECK(rules_rank(&rules, OP_SUM, DTYPE_F32, (struct shape){ 1, 10, 1 },
                     ranked) == 3);
    CHECK(!strcmp(ranked[0]->name, "a") && !strcmp(ranked[1]->name, "c") &&
          !strcmp(ranked[2]->name, "b"));
}

/* -------------------------------------------------------------- choosing */

/* Other operators follow problems of theirs, and where there are none near,
 * those of addition; but only variants that problems of theirs list. */
static void check_others(void)
{
    const struct shape shape = { 1, 10, 1 };
    const struct rules_variant *ranked[RULES_RANKED];
    given(HEAD "problem,sum,f32,1,10,1,a=0 b=9\n");
    FIRST_OF(OP_ARGMAX, "a", 1, 10, 1, DTYPE_F32);
    CHECK(!rules_measured(&rules, OP_ARGMAX, DTYPE_F32, shape));
    given(HEAD "problem,sum,f32,1,10,1,a=0 b=1 c=30\n"
               "problem,sum,f32,9,99999999,1,a=0 b=30 c=1\n"
               "problem,amax,f32,1,10,1,b=0 c=30\n");
    CHECK(rules_rank(&rules, OP_AMIN, DTYPE_F32,
                     (struct shape){ 9, 99999999, 1 }, ranked) == 2 &&
          !strcmp(ranked[0]->name, "c"));
    given(HEAD "problem,sum,f32,1,10,1,a=0 b=9\n"
               "problem,amax,f32,1,10,1,b=0 c=9\n"
               "problem,argmax,f32,1,10,1,c=0 b=9\n");
    CHECK(rules_ready(&rules) &&
          rules_measured(&rules, OP_ARGMIN, DTYPE_F32, shape) &&
          rules_measured(&rules, OP_PROD, DTYPE_F32, shape) &&
          !rules_measured(&rules, OP_LOGSUMEXP, DTYPE_F32, shape) &&
          !rules_measured(&rules, OP_ARGMIN, DTYPE_F16, shape) &&
          !rules_measured(&rules, OP_ARGMIN, DTYPE_F32,
                          (struct shape){ 1, 10, 2 }));
    FIRST_OF(OP_AMAX, "b", 1, 10, 1, DTYPE_F32);
    FIRST_OF(OP_ARGMAX, "c", 1, 10, 1, DTYPE_F32);
    FIRST("a", 1, 10, 1, DTYPE_F32);
    /* Integers follow their own, and those of floats if there are none. */
    FIRST_OF(OP_AMAX, "b", 1, 10, 1, DTYPE_I32);
    given(HEAD "problem,amax,i32,9,99999999,1,c=0 b=9\n"
               "problem,amax,f32,1,10,1,b=0 c=9\n"
               "problem,sum,f32,1,10,1,a=0 b=9\n"
               "problem,sum,u8,9,99999999,1,c=0 b=9\n");
    FIRST_OF(OP_AMAX, "c", 1, 10, 1, DTYPE_I32);
    FIRST_OF(OP_AMAX, "b", 1, 10, 1, DTYPE_F32);
    FIRST("a", 1, 10, 1, DTYPE_F32);
}

static void check_nearest(void)
{
    const struct rules of[] = {
        /* capability, multiprocessors, GB/s */
        { .gpu = "NVIDIA H200", 90, 132, 4800 },
        { .gpu = "Tesla T4", 75, 40, 320 },
        { .gpu = "RTX 4090", 89, 128, 1000 },
        { .gpu = "L4", 89, 58, 300 },
        { .gpu = "" },
    };
#define NEAREST(count, ...) (int)(rules_nearest(of, count, __VA_ARGS__) - of)
    CHECK(!rules_nearest(of, 0, "x", 90, 1, 1));
    CHECK(NEAREST(5, "Tesla T4", 75, 40, 320) == 1); /* by name */
    CHECK(NEAREST(5, "L4", 89, 128, 1000) == 3);
    CHECK(NEAREST(5, "", 90, 132, 4800) == 4); /* capability unknown */
    CHECK(NEAREST(5, "L4", 75, 58, 300) == 1); /* it runs code of 7.5 */
    CHECK(NEAREST(1, "NVIDIA H200", 80, 132, 4800) == 0); /* there is none */
    CHECK(NEAREST(5, "H100", 90, 114, 2000) == 0);        /* by architecture */
    CHECK(NEAREST(5, "L40S", 89, 142, 864) == 2); /* the nearer of two */
    CHECK(NEAREST(5, "RTX 4060", 89, 24, 272) == 3);
    CHECK(NEAREST(4, "RTX 3060", 86, 28, 360) == 3); /* no such architecture */
    CHECK(NEAREST(4, "B200", 100, 148, 8000) == 0);
    CHECK(NEAREST(2, "A100", 80, 108, 0) == 0); /* unknown facts are left out */
}

int main(void)
{
    check_taken();
    check_refused();
    check_pick();
    check_measured();
    check_witnesses();
    check_winners();
    check_others();
    check_nearest();
    rules_free(&rules);
    return test_end();
}
