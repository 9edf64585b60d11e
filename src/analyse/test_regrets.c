/* SPDX-License-Identifier: MIT */
#include "src/analyse/regrets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"
#include "src/choose/rules.h"

enum { MOST = 512 };
static struct row rows[2][MOST];
static struct run_folder runs[2];

/* Adds a row to run `of`. Its share is 1000 / us per cent; a launch without a
 * time took 4000 us. */
static struct row *enter(int of, const char *variant, int64_t outer,
                         enum status status, double us)
{
    struct row *row = &rows[of][runs[of].rows.count++];
    *row = (struct row){ .op = OP_SUM,
                         .shape = { outer, 100, 3 },
                         .status = status,
                         .us.median = us,
                         .us.ci_low = us,
                         .us.ci_high = us,
                         .gbps = 1000 / us,
                         .pct_ceiling = 1000 / us,
                         .launch_us = us > 0 ? us : 4000,
                         .variant = variant,
                         .family = variant,
                         .reason = "" };
    return row;
}

static struct regret judged_in(const struct regret_scope *scope, int count)
{
    struct regret regret = { 0 };
    for (int k = 0; k < count; ++k) {
        runs[k].rows.row = rows[k];
        run_rows_sort(&runs[k].rows);
        regret_add(&regret, &runs[k]);
    }
    regret_judge(&regret, scope);
    return regret;
}

static struct regret judged(const char *variant)
{
    const struct regret_scope scope = { .variant = variant };
    return judged_in(&scope, 2);
}

/* The same for rules of one problem with these losses. */
static struct regret followed(const char *losses, int count)
{
    char text[128], why[RULES_WHY_BYTES];
    struct rules rules;
    snprintf(text, sizeof text,
             "rules,2\nmodel,forest\nproblem,sum,f32,1,100,3,%s\n", losses);
    CHECK(rules_parse(&rules, "made", text, strlen(text), NULL, why));
    const struct regret_scope scope = { .variant = "best", .rules = &rules };
    const struct regret regret = judged_in(&scope, count);
    rules_free(&rules);
    return regret;
}

static void clear(void)
{
    runs[0].rows.count = runs[1].rows.count = 0;
}

static bool near(double value, double wanted)
{
    return fabs(value - wanted) <= 1e-9 * fmax(fabs(wanted), 1);
}

/* Rules lead to the first of their ranking that the run has, that does not
 * refuse, and that was tried. */
static void test_rules(void)
{
    clear();
    enter(0, "best", 1, STATUS_OK, 30);
    enter(0, "quick", 1, STATUS_OK, 10);
    enter(0, "slow", 1, STATUS_OK, 20);
    enter(0, "picky", 1, STATUS_SKIP, NAN);
    enter(0, "hopeless", 1, STATUS_UNTRIED, NAN);
    struct regret regret =
        followed("gone=0 picky=1 hopeless=1.5 slow=2 quick=3", 1);
    CHECK(regret.count == 1 && near(regret.cells[0].regret_pct, 100));
    CHECK(strcmp(regret.cells[0].own.row->variant, "slow") == 0);
    regret_free(&regret);
    regret = followed("gone=0 picky=1", 1);
    CHECK(regret.count == 0);
    regret_free(&regret);
    clear();
}

/* Each quantile of regrets from 0 to 100 per cent is its own number. */
static void test_quantiles(void)
{
    clear();
    for (int k = 0; k <= 100; ++k) {
        enter(0, "best", 1 + k, STATUS_OK, 20 * (1 + k / 100.));
        enter(0, "a", 1 + k, STATUS_OK, 20);
        enter(0, "b", 1 + k, STATUS_OK, 30 + k);
    }
    struct regret regret = judged("best");
    const struct regret_summary all =
        regret_summarise(&regret, OP_SUM, DTYPE_F32, SHAPE_CLASS_COUNT);
    CHECK(all.cells == 101 && !all.refused && !all.untimed);
    CHECK_FOR(all.low == 75, "%zu", all.low);
    for (int q = 0; q < REGRET_QUANTILES; ++q) {
        CHECK_FOR(near(all.regret_pct[q], regret_quantiles[q]), "%g",
                  all.regret_pct[q]);
        CHECK(near(all.winner_share_pct[q], 50));
        CHECK(near(all.share_pct[q],
                   50 / (1 + (100 - regret_quantiles[q]) / 100.)) ||
              regret_quantiles[q] % 25);
    }
    const struct regret_summary class =
        regret_summarise(&regret, OP_SUM, DTYPE_F32, SHAPE_CLASS_TINY_INNER);
    CHECK(memcmp(&class, &all, sizeof all) == 0);
    CHECK(!regret_summarise(&regret, OP_SUM, DTYPE_F32, SHAPE_CLASS_SHORT_AXIS)
               .cells);
    CHECK(
        !regret_summarise(&regret, OP_SUM, DTYPE_F16, SHAPE_CLASS_COUNT).cells);
    CHECK(
        isnan(regret_summarise(&regret, OP_CUMSUM, DTYPE_F32, SHAPE_CLASS_COUNT)
                  .regret_pct[REGRET_P50]));
    regret_free(&regret);
}

/* Variants without a time count, and so does one that is itself the fastest. */
static void test_untimed(void)
{
    clear();
    enter(0, "best", 1, STATUS_SLOW, NAN); /* 4000 us */
    enter(0, "a", 1, STATUS_OK, 20);
    enter(0, "best", 2, STATUS_UNTRIED, NAN);
    enter(0, "a", 2, STATUS_OK, 20);
    enter(0, "best", 3, STATUS_SKIP, NAN);
    enter(0, "a", 3, STATUS_OK, 20);
    enter(0, "best", 4, STATUS_OK, 18);
    enter(0, "a", 4, STATUS_OK, 20);
    enter(0, "best", 5, STATUS_OK, 100); /* 10 % of the ceiling */
    enter(0, "a", 5, STATUS_SLOW, NAN);
    enter(0, "best", 6, STATUS_SLOW, NAN); /* like all others */
    enter(0, "a", 6, STATUS_WRONG, NAN);
    enter(0, "a", 7, STATUS_OK, 20); /* no row of best */
    enter(0, "best", 8, STATUS_OK, 22);
    enter(0, "a", 8, STATUS_SUSPECT, 11); /* doubtful: no winner */
    struct regret regret = judged("best");
    const struct regret_summary all =
        regret_summarise(&regret, OP_SUM, DTYPE_F32, SHAPE_CLASS_COUNT);
    CHECK_FOR(all.cells == 6, "%zu", all.cells);
    CHECK(all.refused == 1 && all.untimed == 3 && all.low == 4);
    size_t count;
    const struct regret_cell **worst = regret_worst(&regret, &count);
    CHECK(count == 6 && worst[0]->own.row->shape.outer == 2);
    CHECK(isinf(worst[0]->regret_pct) && worst[0]->share_pct == 0);
    CHECK(worst[1]->own.row->shape.outer == 1 && worst[1]->us == 4000);
    CHECK(near(worst[1]->regret_pct, 19900) && near(worst[1]->share_pct, .25));
    CHECK(worst[2]->regret_pct == 0);
    CHECK(worst[5]->own.row->shape.outer == 6 && !worst[5]->winner.row);
    CHECK(isinf(all.regret_pct[REGRET_P100]) &&
          isinf(all.regret_pct[REGRET_P99]));
    CHECK(all.regret_pct[REGRET_P50] == 0 && all.share_pct[REGRET_P5] < 0.25);
    free(worst);
    regret_free(&regret);
}

/* Runs complete each other, and rules choose among the variants of all. Times
 * under different ceilings are compared by their shares. */
static void test_joined(void)
{
    clear();
    enter(0, "best", 1, STATUS_OK, 22);
    enter(0, "new", 1, STATUS_OK, 20);
    enter(1, "old", 1, STATUS_OK, 40)->pct_ceiling =
        80;                           /* its ceiling is 50: 50 us */
    enter(1, "new", 1, STATUS_OK, 1); /* in the later run: ignored */
    struct regret regret = judged("best");
    CHECK(regret.count == 1 && near(regret.cells[0].regret_pct, 76));
    CHECK(near(regret.cells[0].share_pct, 1000. / 22));
    CHECK(near(regret.cells[0].winner_share_pct, 80));
    regret_free(&regret);
    regret = followed("new=0 old=20", 2);
    CHECK(regret.count == 1 && near(regret.cells[0].regret_pct, 60));
    regret_free(&regret);
    regret = followed("old=0 new=20", 2);
    CHECK(regret.count == 1 && near(regret.cells[0].regret_pct, 0));
    regret_free(&regret);
    clear();
}

/* The run that was added first counts; any variant can be judged. */
static void test_runs(void)
{
    clear();
    enter(0, "best", 1, STATUS_OK, 22);
    enter(0, "a", 1, STATUS_OK, 20);
    enter(1, "best", 1, STATUS_OK, 40);
    enter(1, "a", 1, STATUS_OK, 20);
    enter(1, "best", 2, STATUS_OK, 10);
    enter(1, "a", 2, STATUS_OK, 30);
    struct regret regret = judged("best");
    CHECK(regret.count == 2 && near(regret.cells[0].regret_pct, 10));
    regret_free(&regret);
    regret = judged("a");
    CHECK(regret.count == 2 && near(regret.cells[1].regret_pct, 200));
    regret_free(&regret);
    regret = judged("b");
    CHECK(regret.count == 0);
    regret_free(&regret);
}

int main(void)
{
    test_rules();
    test_quantiles();
    test_untimed();
    test_joined();
    test_runs();
    return test_end();
}
