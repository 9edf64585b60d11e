/* SPDX-License-Identifier: MIT */
#include "src/analyse/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static struct row rows[64];
static struct run_folder run;

static void enter(const char *variant, const char *family, int process,
                  enum status status, double us)
{
    rows[run.rows.count++] = (struct row){
        .op = OP_SUM,
        .shape = { 8, 8, 1 },
        .status = status,
        .process = process,
        .us.median = us,
        .us.ci_low = us * 0.999,
        .us.ci_high = us * 1.001,
        .gbps = 100 / us,
        .pct_ceiling = 100 / us,
        .variant = variant,
        .family = family,
        .reason = "",
    };
}

static struct run_cell *made(size_t *count)
{
    run.rows.row = rows;
    run_rows_sort(&run.rows);
    return standing_make(&run, count);
}

static const struct run_cell *find(const struct run_cell *all, size_t count,
                                   const char *variant)
{
    for (size_t k = 0; k < count; ++k)
        if (strcmp(all[k].row->variant, variant) == 0)
            return &all[k];
    return NULL;
}

static void test_ranks(void)
{
    size_t count;
    run.rows.count = 0;
    enter("a_b1", "a", 0, STATUS_OK, 10);
    enter("a_b2", "a", 0, STATUS_OK, 11);
    enter("b", "b", 0, STATUS_OK, 10.005);
    enter("c", "c", 0, STATUS_OK, 12);
    enter("d", "d", 0, STATUS_SUSPECT, 5);
    enter("e", "e", 0, STATUS_SKIP, NAN);
    enter("best", "best", 0, STATUS_OK, 9);
    struct run_cell *all = made(&count);
    CHECK(count == 7);
    CHECK(find(all, count, "a_b1")->rank == 1);
    CHECK(find(all, count, "a_b2")->rank == 0);
    CHECK(find(all, count, "b")->rank == 2);
    CHECK(find(all, count, "b")->tied && !find(all, count, "c")->tied);
    CHECK(find(all, count, "d")->rank == 4); /* however fast */
    CHECK(find(all, count, "e")->rank == 0);
    CHECK(find(all, count, "best")->rank == 0);
    free(all);
    manifest_free(&run.manifest);
}

/* Processes that scatter tie what samples tell apart. */
static void test_processes(void)
{
    size_t count;
    run.rows.count = 0;
    for (int process = 0; process < 3; ++process) {
        enter("a", "a", process, STATUS_OK, 10 + 0.3 * process);
        enter("b", "b", process, STATUS_OK, 10.1 + 0.3 * process);
        enter("c", "c", process, STATUS_OK, 12 + 0.3 * process);
    }
    struct run_cell *all = made(&count);
    CHECK(count == 3);
    CHECK(find(all, count, "b")->tied && !find(all, count, "c")->tied);
    free(all);
}

int main(void)
{
    test_ranks();
    test_processes();
    return test_end();
}
