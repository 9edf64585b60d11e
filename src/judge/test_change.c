/* SPDX-License-Identifier: MIT */
#include "src/judge/change.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"

static const struct limits usual = {
    .relative = 0.02, .aa = NAN, .drift = 0.001, .absolute_us = 0.5
};

/* Launches with these medians, each within half_pct of it; NaN: unknown. */
static struct timing launches(const double *us, size_t count, double half_pct)
{
    struct timing timing = { 0 };
    for (size_t k = 0; k < count; ++k)
        timing_add(&timing, us[k], us[k] * (1 - half_pct / 100),
                   us[k] * (1 + half_pct / 100));
    return timing;
}

static struct timing one(double us, double half_pct)
{
    return launches(&us, 1, half_pct);
}

static bool near(double value, double wanted, double relative)
{
    return fabs(value - wanted) <= relative * fabs(wanted);
}

static enum change_verdict judge(struct timing base, struct timing now)
{
    return change_of(&base, &now, &usual).verdict;
}

static void test_timing(void)
{
    const double us[] = { 100, 102, 98 }, logs = log(1.02) + log(0.98);
    struct timing base = launches(us, 3, NAN), now = base;
    double variance;
    CHECK(near(timing_us(&base), 100 * exp(logs / 3), 1e-12));
    CHECK(timing_scatter(&base, &now, &variance) == 4);
    CHECK(near(variance, 4e-4, 0.01)); /* (0.02^2 + 0.02^2) / 2 */
    base = one(100, 1);
    CHECK(timing_scatter(&base, &base, &variance) == 0 && isnan(variance));
    CHECK(timing_scatter(&base, &now, &variance) == 2);
    CHECK(near(variance, 4e-4, 0.01));
    now = (struct timing){ 0 };
    CHECK(isnan(timing_us(&now)));
}

static void test_drift(void)
{
    /* The median of chi squared with 2 degrees is 2 ln 2, not 2. */
    double squares[] = { 9, 2 * log(2) / 2, 0 }, many[] = { 4 };
    CHECK(near(timing_drift(squares, 3, 2), 1, 0.01));
    CHECK(near(timing_drift(many, 1, 1000), 2, 0.001));
    CHECK(isnan(timing_drift(many, 0, 2)));
}

static void test_interval(void)
{
    const double low[] = { 100, 101, 99 }, high[] = { 110, 111, 109 };
    struct timing base = launches(low, 3, 0.01), now = launches(high, 3, 0.01);
    struct change change = change_of(&base, &now, &usual);
    /* Student, 4 degrees: 2.776 * sqrt(s^2 * 2 / 3), s about 0.0096. */
    CHECK(near(change.ratio, 1.1, 1e-3));
    CHECK(near(log(change.high / change.ratio), 2.776 * 0.00955 * 0.8165, .01));
    CHECK(near(change.high / change.ratio, change.ratio / change.low, 1e-12));
    CHECK(near(change.limit, 0.02, 1e-12));
    /* One launch a side: what the launches say of themselves. */
    base = one(100, 1), now = one(104, 1);
    change = change_of(&base, &now, &usual);
    CHECK(near(log(change.high / change.ratio), 0.01 * sqrt(2), 0.02));
    /* They count also where medians happen to agree. */
    const double same[] = { 100, 100, 100 };
    base = launches(same, 3, 3), now = launches(same, 3, 3);
    change = change_of(&base, &now, &usual);
    /* An arm of 0.03046 is 0.01554 a launch; sqrt(2 / 3) of it, times t. */
    CHECK(near(log(change.high), 2.776 * 0.01554 * 0.8165, 0.01));
    CHECK(change.verdict == VERDICT_UNCLEAR);
    base = one(100, NAN);
    change = change_of(&base, &base, &usual);
    CHECK(isinf(change.high) && change.low == 0);
}

static void test_four(void)
{
    CHECK(judge(one(100, 0.5), one(103, 0.5)) == VERDICT_SLOWER);
    CHECK(judge(one(103, 0.5), one(100, 0.5)) == VERDICT_FASTER);
    CHECK(judge(one(100, 0.5), one(101, 0.5)) == VERDICT_UNCHANGED);
    CHECK(judge(one(100, 5), one(103, 5)) == VERDICT_UNCLEAR);
    CHECK(judge(one(100, 1), one(101.5, 1)) == VERDICT_UNCLEAR);
    CHECK(judge(one(100, NAN), one(200, NAN)) == VERDICT_UNCLEAR);
    const double base[] = { 100, 100.2, 99.8 }, now[] = { 104, 103.8, 104.1 },
                 torn[] = { 100, 104, 120 };
    CHECK(judge(launches(base, 3, .1), launches(now, 3, .1)) == VERDICT_SLOWER);
    CHECK(judge(launches(now, 3, .1), launches(base, 3, .1)) == VERDICT_FASTER);
    CHECK(judge(launches(base, 3, .1), launches(torn, 3, .1)) ==
          VERDICT_UNCLEAR);
}

static void test_limits(void)
{
    struct limits limits = usual;
    struct timing base = one(100, 0.1), now = one(103, 0.1);
    limits.drift = NAN; /* nothing tells drift: be careful */
    CHECK(change_of(&base, &now, &limits).limit == LIMIT_DRIFT_UNKNOWN);
    CHECK(change_of(&base, &now, &limits).verdict == VERDICT_UNCLEAR);
    now = one(101, 0.1);
    CHECK(change_of(&base, &now, &limits).verdict == VERDICT_UNCHANGED);
    now = one(106, 0.1);
    CHECK(change_of(&base, &now, &limits).verdict == VERDICT_SLOWER);
    now = one(103, 0.1);
    limits.aa = 0.005; /* 1.5 %: below 2 % */
    CHECK(change_of(&base, &now, &limits).limit == 0.02);
    CHECK(change_of(&base, &now, &limits).verdict == VERDICT_SLOWER);
    limits.aa = 0.012;
    CHECK(near(change_of(&base, &now, &limits).limit, 0.036, 1e-12));
    CHECK(change_of(&base, &now, &limits).verdict == VERDICT_UNCHANGED);
    limits.aa = NAN, limits.drift = 0.01; /* a launch; two in a ratio */
    CHECK(near(change_of(&base, &now, &limits).limit, 0.03 * sqrt(2), 1e-12));

    /* 0.4 us are too little to be one, 0.6 us are not. */
    base = one(4, 0.1), now = one(4.4, 0.1);
    CHECK(judge(base, now) == VERDICT_UNCHANGED);
    CHECK(judge(now, base) == VERDICT_UNCHANGED);
    CHECK(judge(one(1, 0.1), one(0.6, 0.1)) == VERDICT_UNCHANGED);
    now = one(4.6, 0.1);
    CHECK(judge(base, now) == VERDICT_SLOWER);
    CHECK(judge(now, base) == VERDICT_FASTER);
}

static void test_names(void)
{
    for (int v = 0; v < VERDICT_COUNT; ++v)
        for (int w = 0; w < VERDICT_COUNT; ++w)
            CHECK_FOR(v == w ||
                          strcmp(change_verdict_name((enum change_verdict)v),
                                 change_verdict_name((enum change_verdict)w)),
                      "%d and %d", v, w);
}

int main(void)
{
    test_timing();
    test_drift();
    test_interval();
    test_four();
    test_limits();
    test_names();
    return test_end();
}
