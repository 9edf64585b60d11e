/* SPDX-License-Identifier: MIT */
#include "src/analyse/change.h"

#include <math.h>

#include "src/base/test.h"

/* Processes with these medians, each within half_pct of it; NaN: unknown. */
static struct timing processes(const double *us, size_t count, double half_pct)
{
    struct timing timing = { 0 };
    for (size_t k = 0; k < count; ++k)
        timing_add(&timing, us[k], us[k] * (1 - half_pct / 100),
                   us[k] * (1 + half_pct / 100));
    return timing;
}

static struct timing one(double us, double half_pct)
{
    return processes(&us, 1, half_pct);
}

static bool near(double value, double wanted, double relative)
{
    return fabs(value - wanted) <= relative * fabs(wanted);
}

static struct change change(struct timing base, struct timing now)
{
    return change_of(&base, &now);
}

/* Three a side, 100 +- 1 and 110 +- 1: the logarithms have a standard
 * deviation of about 0.0096, the difference 0.8165 of that. */
static void test_processes(void)
{
    const double low[] = { 100, 101, 99 }, high[] = { 110, 111, 109 };
    const struct timing base = processes(low, 3, 0.01);
    const struct timing now = processes(high, 3, 0.01);
    const struct change c = change(base, now), back = change(now, base);
    CHECK(near(c.ratio, 1.1, 1e-3));
    CHECK(near(log(c.high / c.ratio), 2.776 * 0.00955 * 0.8165, .01));
    CHECK(near(c.high / c.ratio, c.ratio / c.low, 1e-12));
    /* t is 12.2 with 4 degrees. */
    CHECK_FOR(near(c.p, 2.6e-4, 0.05), "%g", c.p);
    CHECK(near(back.ratio, 1 / c.ratio, 1e-12) && near(back.p, c.p, 1e-9));
    CHECK(near(back.low, 1 / c.high, 1e-12) && !change_is_noise(&c));
    const struct change same = change(base, base);
    CHECK(same.ratio == 1 && same.p == 1 && change_is_noise(&same));
}

/* The processes' own intervals count where medians happen to agree. */
static void test_own(void)
{
    const double same[] = { 100, 100, 100 };
    const struct timing three = processes(same, 3, 3);
    /* An arm of 0.03046 is 0.01554 a process; sqrt(2 / 3) of it, times t. */
    CHECK(near(log(change(three, three).high), 2.776 * 0.01554 * 0.8165, 0.01));
    const struct change c = change(one(100, 1), one(104, 1));
    CHECK(near(log(c.high / c.ratio), 0.01 * sqrt(2), 0.02));
    const struct change blind = change(one(100, NAN), one(104, NAN));
    CHECK(near(blind.ratio, 1.04, 1e-12) && blind.p == 1);
    CHECK(blind.low == 0 && isinf(blind.high) && change_is_noise(&blind));
    /* An interval beside its median says nothing, and silences nobody. */
    struct timing beside[2] = { { 0 }, { 0 } };
    for (int k = 0; k < 3; ++k) {
        timing_add(&beside[0], 100 + k, 99 + k, 101 + k);
        timing_add(&beside[1], 200 + k, 1, 2);
    }
    CHECK(change(beside[0], beside[1]).p < 1e-6);
}

/* What variance a difference has, of one process's. */
static void test_per_process(void)
{
    const double us[] = { 1, 2, 3, 4 };
    const struct timing two = processes(us, 2, 1), four = processes(us, 4, 1);
    CHECK(near(change_per_process(&two, &four), 0.75, 1e-12));
}

int main(void)
{
    test_processes();
    test_own();
    test_per_process();
    return test_end();
}
