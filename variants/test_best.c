/* SPDX-License-Identifier: MIT
 *
 * The rules serve every shape of every grid, once; and best calls what they
 * lead to. Variants and registry are made up here: no kernel is linked.
 */
#include "src/base/grid.h"
#include "src/base/test.h"
#include "src/verify.h"
#include "variants/best/rules.h"
#include "variants/registry.h"

extern const struct variant variants__best__best[];

static int launched; /* which of the variants below, by its letter */

static const char *refuses_odd(const struct problem *p)
{
    return p->shape.axis % 2 || (uintptr_t)p->in % 4 ? "odd" : NULL;
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

#define SCAN_F32 OPS_SCAN, .dtypes = DTYPE_BIT(DTYPE_F32)

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
      .launch = launch_a },
    { .name = "b",
      .ops = SCAN_F32,
      .passes = 1,
      .passes_masked = 1.5,
      .runs_on = DEVICE_CUDA,
      .launch = launch_b },
    { 0 },
};

const struct family registry[] = {
    { .id = "host/host", .variants = host },
    { .id = "best/best", .variants = variants__best__best },
    { .id = "scan/unfit", .variants = unfit },
    { .id = "scan/fit", .variants = fit },
    { 0 },
};

static int rules_serving(const struct problem *p)
{
    int count = 0;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
        count += rule_serves(&rules[k], p);
    return count;
}

static void check_item(struct grid_item item)
{
    char text[SHAPE_TEXT_BYTES];
    for (enum op op = 0; op < OP_COUNT; ++op)
        for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
            const struct problem p = { .op = op,
                                       .dtype = dtype,
                                       .shape = item.shape };
            const bool ruled = op_is_scan(op) || op == OP_SUM || op == OP_FLIP;
            CHECK_FOR(rules_serving(&p) == ruled, "%s %s %s", op_name(op),
                      dtype_name(dtype), shape_format(item.shape, text));
            CHECK((rule_of(&p) != NULL) == ruled);
        }
}

static void test_every_grid(void)
{
    for (int k = 0; grid_names[k]; ++k) {
        struct grid grid = { 0 };
        CHECK(grid_add(&grid, grid_names[k], DEVICE_CUDA));
        for (size_t item = 0; item < grid.count; ++item)
            check_item(grid.items[item]);
        grid_free(&grid);
    }
    check_item((struct grid_item){ { 1, (int64_t)1 << 60, 1 }, 0, 0 });
    check_item((struct grid_item){ { 1, 1, (int64_t)1 << 60 }, 0, 0 });
}

static void test_table(void)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k) {
        CHECK_FOR(rules[k].choices[0], "rule %zu", k);
        for (int f = 0; f < RULE_FEATURES; ++f)
            CHECK_FOR(rules[k].ranges[f].low < rules[k].ranges[f].high,
                      "rule %zu, feature %d", k, f);
    }
}

static void test_features(void)
{
    CHECK(rule_alignment(4095 * 4) == 4);
    CHECK(rule_alignment(4096 * 4) == 16);
    CHECK(rule_alignment(2) == 2);
    CHECK(rule_alignment(0) == 16);
    CHECK(range_has((struct range){ 0, 1 }, 0));
    CHECK(range_has((struct range){ 0, 1 }, 1));
    CHECK(!range_has((struct range){ 0, 1 }, 2));
    CHECK(range_has((struct range){ 1, 63 }, INT64_MAX));
    CHECK(!range_has((struct range){ 3, 5 }, 7));
    CHECK(range_has((struct range){ 3, 5 }, 8));
    /* Columns: their lines' length does not matter, the rows' does. */
    struct rule rule = { .ops = OP_BIT(OP_SUM) };
    for (int k = 0; k < RULE_FEATURES; ++k)
        rule.ranges[k] = (struct range){ k == 2 ? 4 : 0, 63 };
    struct problem p = { .op = OP_SUM, .shape = { 3, 5, 4 } };
    CHECK(rule_serves(&rule, &p));
    p.shape = (struct shape){ 3, 4, 5 };
    CHECK(!rule_serves(&rule, &p));
    p.shape = (struct shape){ 3, 4, 1 };
    CHECK(rule_serves(&rule, &p));
    p.op = OP_FLIP;
    CHECK(!rule_serves(&rule, &p));
}

/* Not built, none of that name, refusing, not of that type: the next one. */
static void test_pick(void)
{
    const struct choice none = { NULL, "z" }, gone = { fit, "c" },
                        first = { fit, "a" }, second = { fit, "b" };
    const struct rule rule = { .ops = OP_BIT(OP_CUMSUM),
                               .choices = { &none, &gone, &first, &second } };
    struct problem p = { .op = OP_CUMSUM, .shape = { 1, 4, 1 } };
    CHECK(rule_pick(&rule, &p) == &fit[0]);
    p.shape.axis = 5;
    CHECK(rule_pick(&rule, &p) == &fit[1]);
    p.dtype = DTYPE_F64;
    CHECK(!rule_pick(&rule, &p));
    p = (struct problem){ .op = OP_SUM, .shape = { 1, 4, 1 } };
    CHECK(!rule_pick(&rule, &p));
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
    p.shape.axis = 5;
    CHECK(best->workspace_bytes(&p) == 0);
    CHECK(best->launch(&p, &p) == 7 && launched == 'b');
    p.op = OP_MASKED_CUMSUM; /* b takes more than a pass then */
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
    test_every_grid();
    test_table();
    test_features();
    test_pick();
    test_calls();
    test_bound();
    return test_end();
}
