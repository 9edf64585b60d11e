/* SPDX-License-Identifier: MIT
 *
 * Files of rules: what is taken and what refused, by line; what the measured
 * neighbours of a problem lead to, and which of several files a GPU follows.
 */
#include "src/rules_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/split_mix.h"
#include "src/base/test.h"

#define HEAD                                                                   \
    "rules,2\ngpu,NVIDIA H200\ncompute_capability,9.0\n"                       \
    "sm_count,132\nbus_gbps,4814.3\nmodel,nearest\n"

static bool knows(unsigned ops, const char *variant)
{
    return ops != OP_BIT(OP_FLIP) &&
           (strlen(variant) == 1 || atoi(variant + 1) > 0);
}

static bool parse(struct rules *rules, const char *text, char *why)
{
    return rules_parse(rules, "made.csv", text, strlen(text), knows, why);
}

static void check_taken(void)
{
    struct rules rules;
    char why[RULES_WHY_BYTES] = "";
    CHECK_FOR(parse(&rules,
                    HEAD "problem,sum,f32,2,3,1,a=0 b=12.5\r\n"
                         "problem,sum,f16,2,3,4,b=0 a=1\n"
                         "problem,cumsum,f64,2,3,1,b=0",
                    why),
              "%s", why);
    CHECK(!strcmp(rules.name, "made.csv") && rules.hash);
    CHECK(!strcmp(rules.gpu, "NVIDIA H200") && rules.capability == 90);
    CHECK(rules.sm_count == 132 && rules.bus_gbps == 4814.3);
    CHECK(rules.count == 3 && rules.loss_count == 5);
    CHECK(rules.variant_count == 3); /* b twice: of sum, and of scans */
    CHECK(rules_variant_ops(&rules.variant[1]) == OP_BIT(OP_SUM));
    CHECK(rules_variant_ops(&rules.variant[2]) == OPS_SCAN);
    CHECK(rules.variant[0].wins[0] == 1 && rules.variant[0].wins[1] == 1);
    CHECK(rules.variant[1].wins[0] == 0 && rules.variant[1].wins[1] == 1);
    rules_free(&rules);
    CHECK(parse(&rules, "rules,2\nmodel,nearest\nproblem,sum,f32,1,1,1,a=0\n",
                why));
    CHECK(!*rules.gpu && !rules.capability);
    rules_free(&rules);
    CHECK_FOR(parse(&rules,
                    HEAD "variant,0,b\nvariant,1,a\n"
                         "problem,sum,f32,2,3,1,1=0 0=12.5 c=1\n",
                    why),
              "%s", why);
    CHECK(rules.variant_count == 3 && !strcmp(rules.variant[0].name, "a") &&
          !strcmp(rules.variant[1].name, "b"));
    rules_free(&rules);
}

static void check_refused(void)
{
    static const char *const cases[][2] = {
        { "", "line 1: empty" },
        { "rules,1\n", "line 1: rules of another version" },
        { "rule,2\n", "line 1: a file of rules begins with rules,2" },
        { "key,value\nschema,3\n", "line 1: a file of rules begins" },
        { "rules,2\nmodel,forest\n",
          "line 2: this scanbench follows the model" },
        { "rules,2\nmodel,nearest\n", "line 2: no problem" },
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
        { HEAD "problem,sum,f32,1,-1,1,a=0\n",
          "line 7: outer, axis and inner" },
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
        struct rules rules;
        char why[RULES_WHY_BYTES] = "";
        CHECK_FOR(!parse(&rules, cases[k][0], why), "%s", cases[k][0]);
        CHECK_FOR(strncmp(why, cases[k][1], strlen(cases[k][1])) == 0,
                  "%s: %s, not %s", cases[k][0], why, cases[k][1]);
        CHECK(!rules.variant && !rules.numbered && !rules.count);
    }
}

/* ------------------------------------------------------------- following */

static const char *refuses_odd(const struct problem *p)
{
    return p->shape.axis % 2 ? "odd" : NULL;
}

static const struct variant made[] = {
    { .name = "a",
      .ops = OP_BIT(OP_SUM),
      .dtypes = DTYPES_ALL,
      .refuses = refuses_odd },
    { .name = "b", .ops = OP_BIT(OP_SUM), .dtypes = DTYPE_BIT(DTYPE_F32) },
    { .name = "c", .ops = OP_BIT(OP_CUMSUM), .dtypes = DTYPES_ALL },
    { 0 },
};

/* Reads the problems, with the table above as the build's variants. */
static struct rules made_rules(const char *text)
{
    struct rules rules;
    char why[RULES_WHY_BYTES] = "";
    CHECK_FOR(parse(&rules, text, why), "%s", why);
    for (int v = 0; v < rules.variant_count; ++v)
        rules.variant[v].table = made;
    return rules;
}

static const struct variant *picked(const struct rules *rules, int64_t outer,
                                    int64_t axis, int64_t inner,
                                    enum dtype dtype)
{
    const struct problem p = { .op = OP_SUM,
                               .dtype = dtype,
                               .shape = { outer, axis, inner } };
    return rules_pick(rules, &p);
}

/* Not built, of another operation or type, refusing: the next. */
static void check_pick(void)
{
    struct rules rules =
        made_rules(HEAD "problem,sum,f32,1,4,1,z=0 c=0 a=0.5 b=3\n"
                        "problem,cumsum,f32,1,4,1,c=0\n");
    CHECK(picked(&rules, 1, 4, 1, DTYPE_F32) == &made[0]);
    CHECK(picked(&rules, 1, 5, 1, DTYPE_F32) == &made[1]);
    CHECK(picked(&rules, 1, 4, 1, DTYPE_F64) == &made[0]);
    CHECK(picked(&rules, 1, 5, 1, DTYPE_F64) == NULL);
    CHECK(picked(&rules, 1, 4, 2, DTYPE_F32) == NULL); /* nothing strided */
    const struct problem flip = { .op = OP_FLIP, .shape = { 1, 4, 1 } };
    CHECK(rules_pick(&rules, &flip) == NULL);
    rules_free(&rules);
}

static const char *first(const struct rules *rules, struct shape shape,
                         enum dtype dtype, const struct shape *without)
{
    const struct rules_variant *ranked[RULES_RANKED];
    const int count = rules_rank(rules, OP_SUM, dtype, shape, without, ranked);
    return count ? ranked[0]->name : "none";
}

#define FIRST(wanted, outer, axis, inner, dtype)                               \
    CHECK_FOR(strcmp(first(&rules, (struct shape){ outer, axis, inner },       \
                           dtype, NULL),                                       \
                     wanted) == 0,                                             \
              "%s", wanted)

/* What was measured is called again; what lies between goes to the nearer, and
 * what several neighbours like to that. */
static void check_nearness(void)
{
    const struct shape long_lines = { 16, 1 << 20, 1 };
    struct rules rules =
        made_rules(HEAD "problem,sum,f32,65536,64,1,a=0 b=3\n"
                        "problem,sum,f32,16,1048576,1,b=0 a=24 e=50\n"
                        "problem,sum,f32,65536,63,1,c=0\n"
                        "problem,sum,f32,8,64,4096,d=0\n"
                        "problem,sum,f16,16,1048576,1,e=0 b=20\n");
    FIRST("a", 65536, 64, 1, DTYPE_F32);
    FIRST("b", 16, 1 << 20, 1, DTYPE_F32);
    FIRST("c", 65536, 63, 1, DTYPE_F32);
    FIRST("d", 8, 64, 4096, DTYPE_F32);
    FIRST("a", 32768, 128, 1, DTYPE_F32);
    FIRST("b", 32, 1 << 19, 1, DTYPE_F32);
    FIRST("c", 60000, 61, 1, DTYPE_F32); /* rows of odd pitch */
    FIRST("d", 1, 2, 2, DTYPE_F64);      /* strided, whatever it is */
    FIRST("e", 16, 1 << 20, 1, DTYPE_BF16);
    CHECK(strcmp(first(&rules, long_lines, DTYPE_F32, &long_lines), "b") != 0);
    rules_free(&rules);
    /* Three that are near agree on b, though none calls it the fastest. */
    rules = made_rules(HEAD "problem,sum,f32,1000,1000,1,a=0 b=2\n"
                            "problem,sum,f32,1100,1000,1,c=0 b=2\n"
                            "problem,sum,f32,1000,1100,1,d=0 b=2\n");
    FIRST("b", 1050, 1050, 1, DTYPE_F32);
    rules_free(&rules);
}

/* Who is not listed was not there: that is no loss. Who is, is: whatever it won
 * elsewhere. Of two that lost alike the one with more witnesses is taken. */
static void check_witnesses(void)
{
    struct rules rules =
        made_rules(HEAD "problem,sum,f32,1000,1000,1,a=0 b=10\n"
                        "problem,sum,f32,1000,1004,1,b=10\n"
                        "problem,sum,f32,1004,1000,1,b=10\n");
    FIRST("a", 1002, 1000, 1, DTYPE_F32);
    rules_free(&rules);
    rules = made_rules(HEAD "problem,sum,f32,1000,1000,1,a=0 b=10\n"
                            "problem,sum,f32,1000,1004,1,a=80 b=10\n"
                            "problem,sum,f32,1004,1000,1,a=800 b=10\n");
    FIRST("b", 1002, 1000, 1, DTYPE_F32);
    CHECK(rules.loss[4].log_time == rules.loss[2].log_time);
    rules_free(&rules);
    rules = made_rules(HEAD "problem,sum,f32,1000,1000,1,a=2 b=2\n"
                            "problem,sum,f32,1000,1004,1,b=2\n");
    FIRST("b", 1000, 1000, 1, DTYPE_F32);
    rules_free(&rules);
}

static struct shape drawn_shape(uint64_t *seed)
{
    int64_t extent[3];
    for (int e = 0; e < 3; ++e)
        extent[e] = (int64_t)exp2((double)(split_mix_draw(seed) % 1000) / 70);
    return (struct shape){ extent[0], extent[1],
                           split_mix_draw(seed) % 2 ? extent[2] : 1 };
}

/* Each of many problems names a variant of its own, so that the ranking is that
 * of distances: the same as without any search. */
static void check_search(void)
{
    enum { PROBLEMS = 300, QUESTIONS = 500, NEAREST = 8 };
    static char text[PROBLEMS * 64] = HEAD;
    static struct shape shapes[PROBLEMS];
    const struct rules_variant *ranked[RULES_RANKED];
    uint64_t seed = 7;
    int wrong = 0;
    for (int k = 0; k < PROBLEMS; ++k) {
        shapes[k] = drawn_shape(&seed);
        sprintf(text + strlen(text), "problem,sum,f32,%lld,%lld,%lld,v%d=0\n",
                (long long)shapes[k].outer, (long long)shapes[k].axis,
                (long long)shapes[k].inner, k + 1);
    }
    struct rules rules = made_rules(text);
    for (int question = 0; question < QUESTIONS; ++question) {
        const struct shape shape = drawn_shape(&seed);
        double apart[PROBLEMS];
        for (int k = 0; k < PROBLEMS; ++k)
            apart[k] = rules_distance(OP_SUM, DTYPE_F32, shape, shapes[k]);
        const int count =
            rules_rank(&rules, OP_SUM, DTYPE_F32, shape, NULL, ranked);
        wrong += count < NEAREST;
        for (int place = 0; place < NEAREST && place < count; ++place) {
            const int k = atoi(ranked[place]->name + 1) - 1;
            int nearer = 0;
            for (int other = 0; other < PROBLEMS; ++other)
                nearer += apart[other] < apart[k] - 1e-5;
            wrong += nearer > place;
        }
    }
    CHECK_FOR(wrong == 0, "%d", wrong);
    rules_free(&rules);
}

/* After what neighbours list comes who won most often elsewhere. */
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
    struct rules rules = made_rules(text);
    CHECK(rules_rank(&rules, OP_SUM, DTYPE_F32, (struct shape){ 1, 10, 1 },
                     NULL, ranked) == 3);
    CHECK(!strcmp(ranked[0]->name, "a") && !strcmp(ranked[1]->name, "c") &&
          !strcmp(ranked[2]->name, "b"));
    rules_free(&rules);
}

/* -------------------------------------------------------------- choosing */

static void check_nearest(void)
{
    const struct rules of[] = {
        { .gpu = "NVIDIA H200",
          .capability = 90,
          .sm_count = 132,
          .bus_gbps = 4800 },
        { .gpu = "Tesla T4",
          .capability = 75,
          .sm_count = 40,
          .bus_gbps = 320 },
        { .gpu = "RTX 4090",
          .capability = 89,
          .sm_count = 128,
          .bus_gbps = 1000 },
        { .gpu = "L4", .capability = 89, .sm_count = 58, .bus_gbps = 300 },
        { .gpu = "" },
    };
#define NEAREST(count, ...) (int)(rules_nearest(of, count, __VA_ARGS__) - of)
    CHECK(!rules_nearest(of, 0, "x", 90, 1, 1));
    CHECK(NEAREST(5, "Tesla T4", 90, 132, 4800) == 1); /* by name */
    CHECK(NEAREST(5, "H100", 90, 114, 2000) == 0);     /* by architecture */
    CHECK(NEAREST(5, "L40S", 89, 142, 864) == 2);      /* the nearer of two */
    CHECK(NEAREST(5, "RTX 4060", 89, 24, 272) == 3);
    CHECK(NEAREST(4, "RTX 3060", 86, 28, 360) == 3); /* of no architecture */
    CHECK(NEAREST(4, "B200", 100, 148, 8000) == 0);
    CHECK(NEAREST(2, "A100", 80, 108, 0) ==
          0); /* what is unknown is left out */
}

/* For the report's test: random pairs of shapes of one kind and how far apart
 * they are, a line each: dtype, two shapes, distance. */
static void print_distances(void)
{
    uint64_t seed = 1;
    for (int k = 0; k < 500; ++k) {
        int64_t extent[6];
        char left[SHAPE_TEXT_BYTES], right[SHAPE_TEXT_BYTES];
        for (int e = 0; e < 6; ++e) { /* many that are aligned, and ones */
            const int64_t one = 1 + (int64_t)(split_mix_draw(&seed) % 99);
            extent[e] = one << split_mix_draw(&seed) % 8;
            if (split_mix_draw(&seed) % 4 == 0)
                extent[e] = 1;
        }
        if (k % 2)
            extent[2] = extent[5] = 1;
        const enum dtype dtype = split_mix_draw(&seed) % DTYPE_COUNT;
        const struct shape from = { extent[0], extent[1], extent[2] };
        const struct shape to = { extent[3], extent[4], extent[5] };
        const enum op op = k % 3 ? OP_CUMSUM : OP_SUM;
        const double far = rules_distance(op, dtype, from, to);
        if (isfinite(far))
            printf("%s %s %s %s %.6f\n", op_name(op), dtype_name(dtype),
                   shape_format(from, left), shape_format(to, right), far);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "distances") == 0) {
        print_distances();
        return 0;
    }
    check_taken();
    check_refused();
    check_pick();
    check_nearness();
    check_witnesses();
    check_search();
    check_winners();
    check_nearest();
    return test_end();
}
