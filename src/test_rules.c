/* SPDX-License-Identifier: MIT
 *
 * Files of rules: what is taken and what refused, by line; which rule serves,
 * what it picks, and which of several files a GPU follows.
 */
#include "src/rules_file.h"

#include <string.h>

#include "src/base/test.h"

#define HEAD                                                                   \
    "rules,1\ngpu,NVIDIA H200\ncompute_capability,9.0\n"                       \
    "sm_count,132\nbus_gbps,4814.3\nmodel,ranges\n"

static bool knows(unsigned ops, const char *variant)
{
    return ops != OP_BIT(OP_FLIP) && strlen(variant) == 1;
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
                    HEAD "rule,cumsum sum,inner<2 axis>=3 axis<12,a,b\r\n"
                         "rule,sum,,c,b,a,d",
                    why),
              "%s", why);
    CHECK(!strcmp(rules.name, "made.csv") && rules.hash);
    CHECK(!strcmp(rules.gpu, "NVIDIA H200") && rules.capability == 90);
    CHECK(rules.sm_count == 132 && rules.bus_gbps == 4814.3);
    CHECK(rules.count == 2);
    CHECK(rules.rule[0].ops == (OP_BIT(OP_CUMSUM) | OP_BIT(OP_SUM)));
    CHECK(rules.rule[0].low[3] == 3 && rules.rule[0].high[3] == 12);
    CHECK(rules.rule[0].low[1] == 0 && rules.rule[0].high[1] == 2);
    CHECK(rules.rule[0].high[4] == INT64_MAX);
    CHECK(!strcmp(rules.rule[0].choices[1].name, "b") &&
          !rules.rule[0].choices[2].name);
    rules_free(&rules);
    CHECK(parse(&rules, "rules,1\nmodel,ranges\nrule,sum,,a\n", why));
    CHECK(!*rules.gpu && !rules.capability);
    rules_free(&rules);
}

static void check_refused(void)
{
    static const char *const cases[][2] = {
        { "", "line 1: empty" },
        { "rules,2\n", "line 1: a file of rules begins with rules,1" },
        { "key,value\nschema,3\n", "line 1: a file of rules begins" },
        { "rules,1\nmodel,forest\n",
          "line 2: this scanbench follows the model" },
        { "rules,1\nmodel,ranges\n", "line 2: no rules" },
        { "rules,1\ngpu,x\n", "line 2: no line model" },
        { "rules,1\nrule,sum,,a\n", "line 2: a rule before the line model" },
        { "rules,1\nsms,3\n", "line 2: not gpu" },
        { "rules,1\nsm_count,-3\n", "line 2: sm_count is a whole number" },
        { "rules,1\nbus_gbps,fast\n", "line 2: bus_gbps is a number" },
        { "rules,1\ncompute_capability,90\n", "line 2: a compute capability" },
        { "rules,1\nx,y,z\n", "line 2: not a key and a value" },
        { HEAD "rule,sun,,a\n", "line 7: the operations are no names" },
        { HEAD "rule,,,a\n", "line 7: the operations are no names" },
        { HEAD "rule,sum,,a\nrule,sum,rows<3,a\n",
          "line 8: a condition is not" },
        { HEAD "rule,sum,axis<=3,a\n", "line 7: a condition is not" },
        { HEAD "rule,sum,axis>3,a\n", "line 7: a condition is not" },
        { HEAD "rule,sum,axis<-3,a\n", "line 7: a condition is not" },
        { HEAD "rule,sum,axis<,a\n", "line 7: a condition is not" },
        { HEAD "rule,sum,,\n", "line 7: a variant's name is empty" },
        { HEAD "rule,sum\n", "line 7: not operations, conditions" },
        { HEAD "rule,sum,,a,b,c,d,e\n", "line 7: " },
        { HEAD "rule,sum,,fast\n", "line 7: no variant of these operations is "
                                   "called 'fast'" },
        { HEAD "rule,flip,,a\n", "line 7: no variant of these operations" },
        { HEAD "rule,sum,,\"a\n", "line 7: " },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct rules rules;
        char why[RULES_WHY_BYTES] = "";
        CHECK_FOR(!parse(&rules, cases[k][0], why), "%s", cases[k][0]);
        CHECK_FOR(strncmp(why, cases[k][1], strlen(cases[k][1])) == 0,
                  "%s: %s, not %s", cases[k][0], why, cases[k][1]);
        CHECK(!rules.rule && !rules.count);
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

static void bind(struct rules *rules)
{
    for (size_t r = 0; r < rules->count; ++r)
        for (int k = 0; k < RULE_CHOICES; ++k)
            rules->rule[r].choices[k].table =
                rules->rule[r].choices[k].name ? made : NULL;
}

static void expect(const struct rules *rules, int64_t axis, enum dtype dtype,
                   int rule, const struct variant *picked)
{
    const struct problem p = { .op = OP_SUM,
                               .dtype = dtype,
                               .shape = { 1, axis, 1 } };
    const struct rule *serves = rule < 0 ? NULL : &rules->rule[rule];
    CHECK_FOR(rules_rule(rules, &p) == serves, "axis %lld", (long long)axis);
    CHECK_FOR(rules_pick(rules, &p) == picked, "axis %lld", (long long)axis);
}

/* Not built, of another type, refusing: the next choice; then the nearest rule
 * that has one. */
static void check_pick(void)
{
    struct rules rules;
    char why[RULES_WHY_BYTES];
    CHECK(parse(&rules,
                HEAD "rule,sum,axis<4,z,c,a\n"
                     "rule,sum,axis>=4 axis<16,b\n"
                     "rule,cumsum,,c\n"
                     "rule,sum,axis>=1024,a\n",
                why));
    bind(&rules);
    expect(&rules, 2, DTYPE_F32, 0, &made[0]);
    expect(&rules, 3, DTYPE_F32, 0, &made[1]);
    expect(&rules, 3, DTYPE_F64, 0, NULL);
    expect(&rules, 4, DTYPE_F32, 1, &made[1]);
    expect(&rules, 4, DTYPE_F64, 1, &made[0]);
    expect(&rules, 16, DTYPE_F32, -1, &made[1]);
    expect(&rules, 1000, DTYPE_F32, -1, &made[0]);
    expect(&rules, 1001, DTYPE_F32, -1, &made[1]);
    expect(&rules, INT64_C(1) << 60, DTYPE_F32, 3, &made[0]);
    rules_free(&rules);
}

/* Columns: their lines' length does not matter for the pitch, the rows' does.
 */
static void check_features(void)
{
    int64_t f[RULE_FEATURES];
    CHECK(rule_alignment(4095 * 4) == 4 && rule_alignment(4096 * 4) == 16);
    CHECK(rule_alignment(2) == 2 && rule_alignment(0) == 16);
    rule_features((struct shape){ 3, 5, 4 }, DTYPE_F32, f);
    CHECK(f[0] == 4 && f[1] == 4 && f[2] == 16 && f[3] == 5 && f[4] == 12);
    rule_features((struct shape){ 3, 4, 5 }, DTYPE_F32, f);
    CHECK(f[2] == 4);
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

int main(void)
{
    check_taken();
    check_refused();
    check_pick();
    check_features();
    check_nearest();
    return test_end();
}
