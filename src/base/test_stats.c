/* SPDX-License-Identifier: MIT */
#include "src/base/stats.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"

enum { MOST = 1001 };

struct expected {
    double min, q1, median, q3, max;
};

static void check_one(const double *samples, size_t count, struct expected e)
{
    double copy[MOST];
    for (size_t k = 0; k < count; ++k)
        copy[k] = samples[k];
    const struct stats s = stats_of(copy, count);
    CHECK_FOR(s.count == count, "%zu: %zu", count, s.count);
    CHECK_FOR(s.min == e.min, "%zu: %g", count, s.min);
    CHECK_FOR(s.q1 == e.q1, "%zu: %g", count, s.q1);
    CHECK_FOR(s.median == e.median, "%zu: %g", count, s.median);
    CHECK_FOR(s.q3 == e.q3, "%zu: %g", count, s.q3);
    CHECK_FOR(s.max == e.max, "%zu: %g", count, s.max);
    if (count < 9) /* too few to leave out any */
        CHECK_FOR(s.ci_low == e.min && s.ci_high == e.max, "%zu", count);
    for (size_t k = 1; k < count; ++k)
        CHECK_FOR(copy[k - 1] <= copy[k], "%zu: sorted", count);
}

#define SAMPLES(...)                                                           \
    (const double[]){ __VA_ARGS__ },                                           \
        sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double)
#define EXPECTED(...) ((struct expected){ __VA_ARGS__ })

static void check_counts(void)
{
    check_one(SAMPLES(7), EXPECTED(7, 7, 7, 7, 7));
    check_one(SAMPLES(4, 1), EXPECTED(1, 1.75, 2.5, 3.25, 4));
    check_one(SAMPLES(40, 10, 30, 20), EXPECTED(10, 17.5, 25, 32.5, 40));
    check_one(SAMPLES(8, 1, 7, 2, 6, 3, 5, 4), EXPECTED(1, 2.75, 4.5, 6.25, 8));
    check_one(SAMPLES(1, 2, 3, 4, INFINITY), EXPECTED(1, 2, 3, 4, INFINITY));
}

static void check_none(void)
{
    double nothing = 42;
    const struct stats empty = stats_of(&nothing, 0);
    CHECK(empty.count == 0 && isnan(empty.min) && isnan(empty.q1));
    CHECK(isnan(empty.median) && isnan(empty.q3) && isnan(empty.max));
    CHECK(isnan(empty.ci_low) && isnan(empty.ci_high));
}

/* 0 … 1000, shuffled: each quantile is its rank. */
static void check_uniform(void)
{
    double samples[MOST];
    for (size_t k = 0; k < MOST; ++k)
        samples[k] = (double)(k * 379 % MOST);
    check_one(samples, MOST, EXPECTED(0, 250, 500, 750, 1000));
    (void)stats_of(samples, MOST);
    CHECK(stats_quantile(samples, MOST, 0.125) == 125);
    CHECK(stats_quantile(samples, MOST, 0.0625) == 62.5);
    const double late[] = { 1, 2, INFINITY, INFINITY };
    CHECK(stats_quantile(late, 4, 0.25) == 1.75);
    CHECK(isinf(stats_quantile(late, 4, 0.5)));
    CHECK(isinf(stats_quantile(late, 4, 0.9)));
}

/* The 97.5 % quantiles of printed tables. */
static void check_student(void)
{
    static const double table[] = { 12.706, 4.303, 3.182, 2.776, 2.571,
                                    2.447,  2.365, 2.306, 2.262, 2.228 };
    for (size_t d = 1; d <= 10; ++d) {
        CHECK_FOR(is_near_to(student_t(0.05, d), table[d - 1], 2e-4), "%zu", d);
        CHECK_FOR(is_near_to(student_p(table[d - 1], d), 0.05, 1e-3), "%zu", d);
    }
    CHECK(is_near_to(student_t(0.05, 31), 2.0395, 1e-4));
    CHECK(is_near_to(student_t(0.05, 2000), 1.9612, 1e-4));
    CHECK(is_near_to(student_t(0.001, 4), 8.6103, 1e-5));
}

static void check_student_ends(void)
{
    for (size_t d = 1; d < 9; ++d) {
        CHECK(student_p(0, d) == 1);
        CHECK(student_p(INFINITY, d) < 1e-15);
        CHECK(student_p(1, d) > student_p(1.01, d));
        for (double p = 0.9; p > 1e-9; p /= 7)
            CHECK_FOR(is_near_to(student_p(student_t(p, d), d), p, 1e-6),
                      "%zu: %g", d, p);
    }
    /* Closed forms: the Cauchy distribution, and two degrees. */
    CHECK(is_near_to(student_p(1, 1), 0.5, 1e-12));
    CHECK(is_near_to(student_p(2, 2), 1 - 2 / sqrt(6), 1e-12));
}

/* ------------------------------------------------- the median's interval */

/* The exact probability that the interval of n samples misses the median. */
static double missed(size_t n, size_t cut)
{
    double term = ldexp(1, -(int)n), below = 0;
    for (size_t k = 0; k <= cut; ++k) {
        below += term;
        term *= (double)(n - k) / (double)(k + 1);
    }
    return 2 * below;
}

static void check_ranks(void)
{
    for (size_t n = 0; n < 6; ++n)
        CHECK_FOR(stats_ci_cut(n) == 0, "%zu: too short for any", n);
    for (size_t n = 6; n <= 1000; ++n) {
        const size_t cut = stats_ci_cut(n);
        CHECK_FOR(missed(n, cut) <= 0.05 + 1e-9, "%zu: too short", n);
        CHECK_FOR(missed(n, cut + 1) > 0.05 - 1e-9, "%zu: too long", n);
    }
    /* 2^-n underflows here: n/2 - 1.96 sqrt(n)/2, by the normal law. */
    CHECK_FOR(fabs((double)stats_ci_cut(1000000) - 499019.5) < 2, "%zu",
              stats_ci_cut(1000000));
}

static void check_small(void)
{
    double ties[] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 9 };
    double ranks[100];
    for (int k = 0; k < 100; ++k)
        ranks[k] = k * 37 % 100;
    struct stats s = stats_of(ranks, 100);
    CHECK(s.ci_low == 39 && s.ci_high == 60);
    s = stats_of(ties, 10);
    CHECK(s.ci_low == 2 && s.ci_high == 2);
}

static void check_settled(void)
{
    double samples[] = {
        100, 100, 100, 100, 100, 100, 100, 100, 100, 500, 500
    };
    CHECK(!stats_settled(samples, 0, 0.005));
    CHECK(!stats_settled(samples, 9, 1)); /* even if they are equal */
    CHECK(stats_settled(samples, 10, 0)); /* one outlier of ten is cut */
    samples[0] = 99.4;
    CHECK(stats_settled(samples, 10, 0.005));
    samples[1] = 99.4;
    CHECK(!stats_settled(samples, 10, 0.005));
    CHECK(stats_settled(samples, 10, 0.0061));
    samples[0] = samples[1] = 100;
    CHECK(!stats_settled(samples, 11, 0.005)); /* two of eleven are not */
    samples[9] = 100.6;
    CHECK(!stats_settled(samples, 11, 0.005));
    samples[9] = 100.4;
    CHECK(stats_settled(samples, 11, 0.005));
    for (int k = 0; k < 11; ++k)
        samples[k] = INFINITY;
    CHECK(!stats_settled(samples, 11, 0.005));
}

int main(void)
{
    check_ranks();
    check_small();
    check_settled();
    check_counts();
    check_none();
    check_uniform();
    check_student();
    check_student_ends();
    return test_end();
}
