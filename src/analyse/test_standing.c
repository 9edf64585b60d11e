/* SPDX-License-Identifier: MIT
 *
 * Ranks and classes; ties, leads and groups are in the outputs of test_show.py
 * and the ladders of the pages.
 */
#include "src/analyse/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"
#include "src/runs/test_made.h"

static struct row rows[64];
static struct run_folder run;

static void enter_row(enum op op, int64_t axis, const char *variant,
                      const char *family, enum status status, double us)
{
    struct row *row = &rows[run.rows.count++];
    *row = made_row(variant, status, us);
    row->op = op;
    row->shape = (struct shape){ 8, axis, axis > 1000 ? 2 : 1 };
    row->family = family;
}

static void enter(const char *variant, const char *family, enum status status,
                  double us)
{
    enter_row(OP_SUM, 8, variant, family, status, us);
}

static void enter_group(const char *family, enum op op, int64_t axis, double us)
{
    enter_row(op, axis, family, family, us > 0 ? STATUS_OK : STATUS_SKIP,
              us > 0 ? us : NAN);
}

/* Kernels that `best` may call, and one of a library. */
static const struct catalogue_point points[] = {
    { "scan/a", "a_b1", "", "scan/a.cu" },
    { "reduce/cub_x", "cub_x", "", "reduce/library/cub_x.cu" },
    { NULL },
};

static struct run_cell *all; /* of the last judge() */
static size_t count;

/* Makes the cells of the rows, and forgets these. */
static void judge(void)
{
    free(all);
    run.rows.row = rows;
    run_rows_sort(&run.rows);
    all = standing_make(&run, points, &count);
    run.rows.count = 0;
}

static const struct run_cell *find(const char *variant)
{
    for (size_t k = 0; k < count; ++k)
        if (strcmp(all[k].row->variant, variant) == 0)
            return &all[k];
    return NULL;
}

static void test_ranks(void)
{
    enter("a_b1", "a", STATUS_OK, 10);
    enter("a_b2", "a", STATUS_OK, 11);
    enter("b", "b", STATUS_OK, 10.005);
    enter("c", "c", STATUS_OK, 12);
    enter("d", "d", STATUS_SUSPECT, 5);
    enter("e", "e", STATUS_SKIP, NAN);
    enter("best", "best", STATUS_OK, 9);
    enter("best_monotone", "best_monotone", STATUS_OK, 9.5);
    judge();
    CHECK(count == 8);
    CHECK(find("a_b1")->rank == 1);
    CHECK(find("a_b2")->rank == 0);
    CHECK(find("b")->rank == 2);
    CHECK(find("b")->tied && !find("c")->tied);
    CHECK(find("d")->rank == 4); /* doubtful, if fast */
    CHECK(find("e")->rank == 0);
    CHECK(find("best")->rank == 0);
    CHECK(find("best_monotone")->rank == 0);
}

/* Nothing that `best` calls is timed: it is ranked, as others' kernels are. */
static void test_rank_of_best(void)
{
    enter("torch_eager", "torch_eager", STATUS_OK, 10);
    enter("cub_x", "cub_x", STATUS_OK, 20);
    enter("a_b1", "a", STATUS_SKIP, NAN);
    enter("best", "best", STATUS_OK, 15);
    judge();
    CHECK(find("torch_eager")->rank == 1);
    CHECK(find("best")->rank == 2);
}

/* ------------------------------------------------------------------- leads */

static void test_classes(void)
{
    size_t leads;
    enter_group("a", OP_SUM, 8, 10);
    enter_group("b", OP_SUM, 8, 10.005); /* tied */
    enter_group("c", OP_SUM, 8, 12);
    enter_group("cub_x", OP_SUM, 8, 15);
    enter_group("cub_y", OP_SUM, 8, 14);
    enter_group("best", OP_SUM, 8, 9);
    enter_group("b", OP_SUM, 16, 20); /* a larger one, where b leads alone */
    enter_group("a", OP_SUM, 16, 22);
    enter_group("a", OP_SUM, 900, -1); /* no time */
    enter_group("c", OP_SUM, 2000, 5);
    enter_group("c", OP_CUMSUM, 8, 7);
    enter_group("c", OP_CUMSUM, 4, 9); /* as large, and CUB has a time */
    rows[run.rows.count - 1].shape.outer *= 2;
    enter_group("cub_x", OP_CUMSUM, 4, 15);
    rows[run.rows.count - 1].shape.outer *= 2;
    enter_group("best", OP_FLIP, 8, 6); /* alone */
    judge();
    struct lead *lead = leads_make(all, count, &leads);
    leads = leads_by_class(lead, leads);
    CHECK(leads == 4); /* cumsum, sum contiguous, sum strided, flip */
    CHECK(lead[0].cub && lead[0].cells->row->shape.axis == 4);
    const struct lead *sum = &lead[1];
    /* The largest shape has no time: the largest that has one counts. */
    CHECK(sum->first && sum->cells->row->shape.axis == 16);
    CHECK(strcmp(sum->first->row->family, "b") == 0);
    CHECK_FOR(sum->shapes == 3 && sum->won == 2, "%zu of %zu", sum->won,
              sum->shapes);
    CHECK(lead[2].shapes == 1 && lead[2].won == 1);
    free(lead);
}

static void enter_error(const char *variant, const char *family, double us,
                        double error)
{
    enter(variant, family, STATUS_OK, us);
    rows[run.rows.count - 1].max_err = error;
}

static void test_errors(void)
{
    size_t leads;
    enter_error("a_b1", "a", 10, 50);
    enter_error("a_b2", "a", 11, 3); /* stands for its family */
    enter_error("b", "b", 20, 3);
    enter_error("c", "c", 11.005, 4); /* within noise, but less accurate */
    enter_error("d", "d", 9, NAN);
    enter_error("best", "best", 8, 1);
    judge();
    CHECK(find("d")->rank == 1);
    standing_by_error(all, count, points);
    CHECK(find("a_b2")->rank == 1);
    CHECK(find("a_b1")->rank == 0);
    CHECK(find("b")->rank == 2 && find("b")->tied);
    CHECK(find("c")->rank == 3 && !find("c")->tied);
    CHECK(find("d")->rank == 4);
    struct lead *lead = leads_make(all, count, &leads);
    CHECK(leads == 1 && lead->first == find("a_b2"));
    CHECK(lead->fastest == find("d"));
    free(lead);
    for (size_t k = 0; k < count; ++k)
        all[k].max_err = NAN;
    standing_by_error(all, count, points);
    CHECK(find("a_b2")->rank == 0);
    lead = leads_make(all, count, &leads);
    CHECK(leads == 1 && !lead->first);
    free(lead);
}

int main(void)
{
    test_ranks();
    test_rank_of_best();
    test_classes();
    test_errors();
    free(all);
    return test_end();
}
