/* SPDX-License-Identifier: MIT */
#include "src/analyse/lead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static struct row rows[64];
static struct run_folder run;

static void enter(const char *family, enum op op, int64_t axis, double us)
{
    rows[run.rows.count++] = (struct row){
        .op = op,
        .shape = { 8, axis, axis > 1000 ? 2 : 1 },
        .status = us > 0 ? STATUS_OK : STATUS_SKIP,
        .us.median = us > 0 ? us : NAN,
        .us.ci_low = us * 0.999,
        .us.ci_high = us * 1.001,
        .gbps = 100 / us,
        .pct_ceiling = 100 / us,
        .variant = family,
        .family = family,
        .reason = "",
        .throttle = "",
    };
}

static int class_of(struct shape shape)
{
    return shape.inner > 1;
}

static void make_run(void)
{
    run.rows.count = 0;
    run.rows.row = rows;
    enter("a", OP_SUM, 8, 10);
    enter("b", OP_SUM, 8, 10.005); /* tied */
    enter("c", OP_SUM, 8, 12);
    enter("cub_x", OP_SUM, 8, 15);
    enter("cub_y", OP_SUM, 8, 14);
    enter("best", OP_SUM, 8, 9);
    enter("b", OP_SUM, 16, 20); /* a larger one, where b leads alone */
    enter("a", OP_SUM, 16, 22);
    enter("a", OP_SUM, 900, -1); /* no time */
    enter("c", OP_SUM, 2000, 5);
    enter("c", OP_CUMSUM, 8, 7);
    enter("best", OP_FLIP, 8, 6); /* alone */
    run_rows_sort(&run.rows);
}

static void test_groups(void)
{
    size_t count, leads;
    make_run();
    struct run_cell *all = standing_make(&run, &count);
    struct lead *made = leads_make(all, count, &leads);
    CHECK(leads == 6);
    CHECK(made[0].cells->row->op == OP_CUMSUM && made[0].count == 1);
    const struct lead *sum = &made[1];
    CHECK(strcmp(sum->first->row->family, "a") == 0);
    CHECK(sum->tied == 1 && strcmp(lead_tied(sum, 0), "b") == 0);
    CHECK(!lead_tied(sum, 1));
    CHECK(strcmp(sum->cub->row->family, "cub_y") == 0);
    CHECK(sum->count == 6 && !made[2].cub);
    CHECK(!made[3].first && !made[3].tied);
    CHECK(made[5].first && made[5].first->us == 6);
    free(made);
    free(all);
}

static void test_classes(void)
{
    size_t count, leads;
    make_run();
    struct run_cell *all = standing_make(&run, &count);
    struct lead *made = leads_make(all, count, &leads);
    leads = leads_by_class(made, leads, class_of);
    CHECK(leads == 4); /* cumsum, sum contiguous, sum strided, flip */
    const struct lead *sum = &made[1];
    /* The largest has no time: the largest that has one stands for it. */
    CHECK(sum->first && sum->cells->row->shape.axis == 16);
    CHECK(strcmp(sum->first->row->family, "b") == 0);
    CHECK_FOR(sum->shapes == 3 && sum->won == 2, "%zu of %zu", sum->won,
              sum->shapes);
    CHECK(made[2].shapes == 1 && made[2].won == 1);
    free(made);
    free(all);
}

int main(void)
{
    test_groups();
    test_classes();
    return test_end();
}
