/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"
#include "src/base/memory.h"
#include "src/choose/learner.h"
#include "src/choose/rules.h"
#include "src/runs/test_made.h"

static const struct catalogue_point points[] = {
    { "reduce/quick", "quick", "", "" },   { "reduce/slow", "slow", "", "" },
    { "reduce/other", "other", "", "" },   { "reduce/third", "third", "", "" },
    { "reduce/fourth", "fourth", "", "" }, { 0 },
};

/* A variant's time over the ceiling's, or the reason why it has none. */
enum { NOT_THERE = -100, REFUSES, TOO_SLOW, UNTRIED, WRONG, ERROR, TIMEOUT };

/* Two runs, the newer one first. */
static struct row rows[2][4096];
static size_t counts[2];
static int into;
static enum cache cache;

static void enter(struct shape shape, const char *variant, int time)
{
    static const enum status why[] = { STATUS_SKIP,    STATUS_SLOW,
                                       STATUS_UNTRIED, STATUS_WRONG,
                                       STATUS_ERROR,   STATUS_TIMEOUT };
    if (time == NOT_THERE)
        return;
    struct row *row = &rows[into][counts[into]++];
    *row = time > 0 ? made_row(variant, STATUS_OK, 1)
                    : made_row(variant, why[time - REFUSES], NAN);
    row->cache = cache;
    row->shape = shape;
    row->pct_ceiling = time > 0 ? 100. / time : NAN;
}

/* Adds cells of that axis and several numbers of lines. */
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

/* Judges the two runs, and forgets them. */
static struct learner judged(void)
{
    static struct run_folder run[2] = { { .path = "new" }, { .path = "old" } };
    struct learner learner = { .points = points };
    for (int r = 0; r < 2; ++r) {
        run[r].rows.row = rows[r];
        run[r].rows.count = counts[r];
        run_rows_sort(&run[r].rows);
        learner_add(&learner, &run[r]);
        counts[r] = 0;
    }
    into = 0;
    cache = CACHE_COLD;
    learner_judge(&learner);
    return learner;
}

/* The rules learned from the two runs. */
static struct rules learned(void)
{
    struct learner learner = judged();
    struct rules rules;
    char why[RULES_WHY_BYTES] = "";
    char *text;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    fputs("rules,2\nmodel,forest\n", file);
    learner_write(&learner, 0, file);
    memory_close(file, &text);
    CHECK_FOR(rules_parse(&rules, "made", text, strlen(text), NULL, why), "%s",
              why);
    free(text);
    learner_free(&learner);
    return rules;
}

/* Lists the names that win somewhere, in the order of the points. */
static void first_choices(char text[64])
{
    struct rules rules = learned();
    *text = '\0';
    for (int p = 0; p < 5; ++p)
        for (int v = 0; v < rules.variant_count; ++v)
            if (strcmp(rules.variant[v].name, points[p].name) == 0 &&
                rules.variant[v].wins[0][0])
                strcat(strcat(text, *text ? " " : ""), points[p].name);
    rules_free(&rules);
}

static void expect(const char *what, const char *wanted)
{
    char got[64];
    first_choices(got);
    CHECK_FOR(strcmp(got, wanted) == 0, "%s: chosen are %s, not %s", what, got,
              wanted);
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
    }
    cells(1000, 10, 30, 40, NOT_THERE);
    cells(1008, REFUSES, 30, 40, NOT_THERE);
    expect("who refuses some: others follow", "quick slow");
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

/* Names that no longer exist are ignored; variants that never come near the
 * fastest are not listed. */
static void test_rest(void)
{
    enter((struct shape){ 1, 1000, 1 }, "vanished", 1);
    cells(1000, 100, 124, 126, NOT_THERE);
    struct rules rules = learned();
    CHECK(rules.count == 6 && rules.variant_count == 2);
    CHECK(rules.loss_count == 12);
    rules_free(&rules);
    cells(1000, 100, 124, 126, NOT_THERE);
    cells(2000, 100, TOO_SLOW, 124, NOT_THERE);
    cells(3000, 100, REFUSES, 200, NOT_THERE);
    rules = learned();
    CHECK(rules.count == 18 && rules.variant_count == 3);
    CHECK(rules.loss_count == 18 + 18 + 12);
    rules_free(&rules);
}

/* A variant that was not tried is unknown, not slow; a time in an older run
 * counts. */
static void test_untried(void)
{
    enter((struct shape){ 1, 1000, 1 }, "quick", 100);
    enter((struct shape){ 1, 1000, 1 }, "slow", 200);
    enter((struct shape){ 1, 1000, 1 }, "other", UNTRIED);
    enter((struct shape){ 1, 1000, 1 }, "third", UNTRIED);
    enter((struct shape){ 1, 1000, 1 }, "fourth", TOO_SLOW);
    into = 1;
    enter((struct shape){ 1, 1000, 1 }, "third", 50);
    struct learner learner = judged();
    const struct learner_cell *cell = &learner.cells[0];
    CHECK(learner.count == 1 && cell->winner == 3);
    CHECK(cell->loss[2] == LEARNER_UNKNOWN);
    CHECK(cell->loss[3] == 0 && cell->loss[4] == LEARNER_SLOW);
    learner_free(&learner);
}

int main(void)
{
    test_winners();
    test_failures();
    test_runs();
    test_rest();
    test_untried();
    return test_end();
}
