/* SPDX-License-Identifier: MIT
 *
 * Rules, doubtful times and joined runs; tests/test_regret.py has the figures.
 */
#include "src/analyse/regrets.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"
#include "src/runs/test_made.h"
#include "src/choose/rules.h"

static struct row rows[2][8];
static struct run_folder runs[2];

/* Adds a row to run `of`. Its share is 1000 / us per cent. */
static struct row *enter(int of, const char *variant, enum status status,
                         double us)
{
    struct row *row = &rows[of][runs[of].rows.count++];
    *row = made_row(variant, status, us);
    row->shape = (struct shape){ 1, 100, 3 };
    row->gbps = row->pct_ceiling = 1000 / us;
    return row;
}

static struct regret regret; /* of the last judged_in() */

static void judged_in(const struct regret_scope *scope, int count)
{
    regret_free(&regret);
    regret = (struct regret){ 0 };
    for (int k = 0; k < count; ++k) {
        runs[k].rows.row = rows[k];
        run_rows_sort(&runs[k].rows);
        regret_add(&regret, &runs[k]);
    }
    regret_judge(&regret, scope);
}

static void judged(void)
{
    const struct regret_scope scope = { .variant = "best" };
    judged_in(&scope, 2);
}

/* The same for rules of one problem with these losses. */
static void followed(const char *losses, int count)
{
    char text[128], why[RULES_WHY_BYTES];
    struct rules rules;
    snprintf(text, sizeof text,
             "rules,2\nmodel,forest\nproblem,sum,f32,1,100,3,%s\n", losses);
    CHECK(rules_parse(&rules, "made", text, strlen(text), NULL, why));
    const struct regret_scope scope = { .variant = "best", .rules = &rules };
    judged_in(&scope, count);
    rules_free(&rules);
}

static void clear(void)
{
    runs[0].rows.count = runs[1].rows.count = 0;
}

/* Rules lead to the first of their ranking that the run has, that does not
 * refuse, and that was tried. */
static void test_rules(void)
{
    clear();
    enter(0, "best", STATUS_OK, 30);
    enter(0, "quick", STATUS_OK, 10);
    enter(0, "slow", STATUS_OK, 20);
    enter(0, "picky", STATUS_SKIP, NAN);
    enter(0, "hopeless", STATUS_UNTRIED, NAN);
    followed("gone=0 picky=1 hopeless=1.5 slow=2 quick=3", 1);
    CHECK(regret.count == 1 && is_near(regret.cells[0].regret_pct, 100));
    CHECK(strcmp(regret.cells[0].own.row->variant, "slow") == 0);
    followed("gone=0 picky=1", 1);
    CHECK(regret.count == 0);
}

/* A doubtful time is no winner's. */
static void test_doubtful(void)
{
    clear();
    enter(0, "best", STATUS_OK, 22);
    enter(0, "a", STATUS_SUSPECT, 11);
    judged();
    CHECK(regret.count == 1 && regret.cells[0].regret_pct == 0);
}

/* Nothing else was timed. */
static void test_alone(void)
{
    clear();
    enter(0, "best", STATUS_OK, 22);
    enter(0, "a", STATUS_SKIP, 0);
    judged();
    CHECK(regret.count == 1 && isnan(regret.cells[0].regret_pct));
}

/* Runs complete each other, and rules choose among the variants of all. Times
 * under different ceilings are compared by their shares. */
static void test_joined(void)
{
    clear();
    enter(0, "best", STATUS_OK, 22);
    enter(0, "new", STATUS_OK, 20);
    enter(1, "old", STATUS_OK, 40)->pct_ceiling =
        80;                        /* its ceiling is 50: 50 us */
    enter(1, "new", STATUS_OK, 1); /* in the later run: ignored */
    judged();
    CHECK(regret.count == 1 && is_near(regret.cells[0].regret_pct, 76));
    CHECK(is_near(regret.cells[0].share_pct, 1000. / 22));
    CHECK(is_near(regret.cells[0].winner_share_pct, 80));
    followed("new=0 old=20", 2);
    CHECK(regret.count == 1 && is_near(regret.cells[0].regret_pct, 60));
    followed("old=0 new=20", 2);
    CHECK(regret.count == 1 && is_near(regret.cells[0].regret_pct, 0));
}

int main(void)
{
    test_rules();
    test_doubtful();
    test_alone();
    test_joined();
    regret_free(&regret);
    return test_end();
}
