/* SPDX-License-Identifier: MIT
 *
 * What is learned from runs that are made up: who won is chosen; who ran alone,
 * or was left far behind by `best`, is not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"
#include "src/judge/learner.h"

static const struct catalogue_point points[] = {
    { "sum/quick", "quick", "" },   { "sum/slow", "slow", "" },
    { "sum/other", "other", "" },   { "sum/third", "third", "" },
    { "sum/fourth", "fourth", "" }, { 0 },
};

/* What a variant took, in times of the ceiling's; or why it has no time. */
enum { NOT_THERE = -100, REFUSES, TOO_SLOW, UNTRIED, WRONG, ERROR, TIMEOUT };

/* Two runs, the newer one first. Microseconds tell nothing: runs are of several
 * cards. */
static struct run_row rows[2][4096];
static size_t counts[2];
static int into;
static enum cache cache;

static void start(void)
{
    counts[0] = counts[1] = 0;
    into = 0;
    cache = CACHE_COLD;
}

static void enter(struct shape shape, const char *variant, int time)
{
    static const enum status why[] = { STATUS_SKIP,    STATUS_SLOW,
                                       STATUS_UNTRIED, STATUS_WRONG,
                                       STATUS_ERROR,   STATUS_TIMEOUT };
    if (time == NOT_THERE)
        return;
    rows[into][counts[into]++] = (struct run_row){
        .op = OP_SUM,
        .dtype = DTYPE_F32,
        .cache = cache,
        .shape = shape,
        .status = time > 0 ? STATUS_OK : why[time - REFUSES],
        .median_us = time > 0 ? 1 : NAN,
        .low_us = NAN,
        .high_us = NAN,
        .gbps = 1,
        .ceiling_gbps = 1,
        .pct_ceiling = time > 0 ? 100. / time : NAN,
        .passes = 1,
        .variant = variant,
        .family = variant,
        .reason = "",
        .marks = "",
    };
}

/* Cells of that axis and several numbers of lines. */
static void cells(int64_t axis, int quick, int slow, int other, int best)
{
    for (int64_t lines = 1; lines <= 32; lines *= 2) {
        const struct shape shape = { lines, axis, 1 };
        enter(shape, "best", best);
        enter(shape, "other", other);
        enter(shape, "quick", quick);
        enter(shape, "slow", slow);
    }
}

/* The names that come first in some rule. */
static void first_choices(char text[64])
{
    struct learner learner = { .points = points };
    struct learner_rules rules = { 0 };
    bool named[6] = { false };
    for (int r = 0; r < 2; ++r) {
        struct run_folder run = { .path = r ? "old" : "new" };
        run.rows.row = rows[r];
        run.rows.count = counts[r];
        run_rows_sort(&run.rows);
        learner_add(&learner, &run, run.path);
    }
    learner_judge(&learner);
    for (int root = 0; root < LEARNER_ROOTS; root += 2)
        learner_grow(&learner, root, NULL, &rules);
    for (size_t r = 0; r < rules.count; ++r)
        named[rules.rule[r].choices[0] + 1] = true;
    *text = '\0';
    for (int p = 0; p < 5; ++p)
        if (named[p + 1])
            strcat(strcat(text, *text ? " " : ""), points[p].name);
    free(rules.rule);
    learner_free(&learner);
}

static void expect(const char *what, const char *wanted)
{
    char got[64];
    first_choices(got);
    CHECK_FOR(strcmp(got, wanted) == 0, "%s: chosen are %s, not %s", what, got,
              wanted);
    start();
}

static void test_winners(void)
{
    cells(1000, 10, 30, 20, 10);
    expect("who won everywhere", "quick");
    cells(1000, 10, 30, 20, 10);
    cells(1000000, 30, 10, 20, 10);
    expect("each where it won", "quick slow");
    cells(1000, 10, 30, 20, 10);
    cells(1000000, NOT_THERE, 10, NOT_THERE, NOT_THERE);
    expect("not who ran alone", "quick");
    cells(1000, 10, 30, 20, 10);
    cells(1000000, NOT_THERE, 30, 40, 10);
    expect("not whom best left behind", "quick");
    cells(1000, 10, 30, 40, NOT_THERE);
    cache = CACHE_HOT;
    cells(2000, 30, 10, 40, NOT_THERE);
    expect("not who wins in a hot cache", "quick");
}

static void test_failures(void)
{
    for (int why = WRONG; why <= ERROR; ++why) {
        cells(1000, why, 30, 40, NOT_THERE);
        cells(2000, 10, 30, 40, NOT_THERE);
        expect("not who was wrong or failed anywhere", "slow");
    }
    for (int why = TOO_SLOW; why <= TIMEOUT; ++why) {
        if (why == WRONG || why == ERROR)
            continue;
        cells(1000, why, 30, 40, NOT_THERE);
        cells(1000000, 10, 30, 40, NOT_THERE);
        expect("who is slow elsewhere", "quick slow");
        cells(1000, why, 30, 40, NOT_THERE);
        cells(1008, 10, 30, 40, NOT_THERE);
        expect("not who is slow among the like", "slow");
    }
    cells(1000, 10, 30, 40, NOT_THERE);
    cells(1008, REFUSES, 30, 40, NOT_THERE);
    expect("who refuses some: others follow", "quick");
}

static void test_runs(void)
{
    cells(1000, NOT_THERE, 12, 40, NOT_THERE);
    into = 1;
    cells(1000, 10, 5, NOT_THERE, NOT_THERE);
    expect("who is in an older run; the newer one counts", "quick");
    cells(1000, 30, 10, 40, 10);
    into = 1;
    cells(1000, NOT_THERE, NOT_THERE, NOT_THERE, 1);
    expect("who won, whatever best once took", "slow");
}

/* Of names that no file has any more nothing is learned; a last choice refuses
 * nothing; and a shape that is held out stays unknown. */
static void test_rest(void)
{
    struct learner learner = { .points = points };
    struct learner_rules rules = { 0 };
    struct run_folder run = { .path = "run" };
    const struct shape gone = { 1, 1000, 1 }, out = { 1, 1000000, 1 };
    cells(1000, REFUSES, 30, 40, NOT_THERE);
    cells(1008, 10, 30, 40, NOT_THERE);
    enter(gone, "vanished", 1);
    enter(out, "slow", 1);
    enter(out, "other", 50);
    run.rows.row = rows[0];
    run.rows.count = counts[0];
    run_rows_sort(&run.rows);
    learner_add(&learner, &run, "run");
    learner_judge(&learner);
    learner_grow(&learner, 2 * learner_class(OP_SUM), &out, &rules);
    for (size_t r = 0; r < rules.count; ++r) {
        const struct learner_rule *rule = &rules.rule[r];
        bool sure = false;
        for (int k = 0; k < RULE_CHOICES; ++k)
            sure |= rule->choices[k] == 1;
        CHECK_FOR(sure, "rule %zu", r);
        CHECK(rule->choices[0] == 0);
    }
    int serving = 0;
    for (size_t c = 0; c < learner.count; ++c)
        for (size_t r = 0; r < rules.count; ++r)
            serving += learner_serves(&rules.rule[r], &learner.cells[c]);
    CHECK((size_t)serving == learner.count);
    CHECK(learner_choice(&rules.rule[0], &learner.cells[0]) == 1);
    free(rules.rule);
    learner_free(&learner);
}

/* Where every choice that wins refuses the neighbours' shapes, the last one
 * refuses nothing. */
static void test_last_choice(void)
{
    static const char *const specialists[] = { "quick", "other", "third",
                                               "fourth" };
    struct learner learner = { .points = points };
    struct learner_rules rules = { 0 };
    struct run_folder run = { .path = "run" };
    start();
    for (int k = 0; k < 4; ++k)
        for (int64_t lines = 1; lines <= 32; lines *= 2) {
            const struct shape shape = { lines, (int64_t)1 << (4 * k + 4), 1 };
            for (int v = 0; v < 4; ++v)
                enter(shape, specialists[v], v == k ? 10 : REFUSES);
            enter(shape, "slow", 30);
        }
    run.rows.row = rows[0];
    run.rows.count = counts[0];
    run_rows_sort(&run.rows);
    learner_add(&learner, &run, "run");
    learner_judge(&learner);
    learner_grow(&learner, 2 * learner_class(OP_SUM), NULL, &rules);
    CHECK(rules.count > 1);
    for (size_t r = 0; r < rules.count; ++r) {
        bool sure = false;
        for (int k = 0; k < RULE_CHOICES; ++k)
            sure |= rules.rule[r].choices[k] == 1;
        CHECK_FOR(sure, "rule %zu", r);
    }
    free(rules.rule);
    learner_free(&learner);
}

int main(void)
{
    start();
    test_winners();
    test_failures();
    test_runs();
    test_rest();
    test_last_choice();
    return test_end();
}
