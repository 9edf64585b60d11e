/* SPDX-License-Identifier: MIT
 *
 * The median's interval, between two ranks, covers the median of any
 * distribution in 95 of 100 samples.
 */
#include "src/base/stats.h"

#include <math.h>
#include <stdint.h>

#include "src/model/split_mix.h"
#include "src/base/test.h"

enum { MOST = 256, TRIALS = 4000 };

/* ------------------------------------------------------- seeded generator */

static uint64_t state;

static double uniform(void)
{
    return split_mix_uniform(&state);
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* ----------------------------------------------------------------- checks */

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
    static const size_t by_hand[][2] = { { 0, 0 },   { 1, 0 },   { 5, 0 },
                                         { 6, 0 },   { 8, 0 },   { 9, 1 },
                                         { 10, 1 },  { 20, 5 },  { 25, 7 },
                                         { 50, 17 }, { 100, 39 } };
    for (size_t k = 0; k < sizeof by_hand / sizeof *by_hand; ++k)
        CHECK_FOR(stats_ci_cut(by_hand[k][0]) == by_hand[k][1], "%zu: %zu",
                  by_hand[k][0], stats_ci_cut(by_hand[k][0]));
    for (size_t n = 6; n <= 1000; ++n) {
        const size_t cut = stats_ci_cut(n);
        CHECK_FOR(missed(n, cut) <= 0.05 + 1e-9, "%zu: too short", n);
        CHECK_FOR(missed(n, cut + 1) > 0.05 - 1e-9, "%zu: too long", n);
    }
    /* 2^-n underflows here: n/2 - 1.96 sqrt(n)/2, by the normal law. */
    CHECK_FOR(fabs((double)stats_ci_cut(1000000) - 499019.5) < 2, "%zu",
              stats_ci_cut(1000000));
}

/* If the mean drifts, the interval covers its middle. */
static void check_drift(void)
{
    double samples[MOST];
    int covered = 0, settled = 0;
    state = 2;
    for (int trial = 0; trial < TRIALS; ++trial) {
        for (size_t k = 0; k < 51; ++k)
            samples[k] = 100 + 0.1 * ((double)k - 25) + 0.1 * normal();
        const struct stats s = stats_of(samples, 51);
        covered += s.ci_low <= 100 && 100 <= s.ci_high;
        settled += stats_settled(samples, 51, 0.005);
    }
    CHECK_FOR(covered > 0.95 * TRIALS, "%d", covered);
    CHECK_FOR(settled == 0, "%d", settled);
}

static void check_small(void)
{
    double one[] = { 7 }, two[] = { 4, 1 }, outlier[] = { 3, 1, 1e9, 2, 4 };
    double ties[] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 9 };
    double ranks[100];
    for (int k = 0; k < 100; ++k)
        ranks[k] = k * 37 % 100;
    struct stats s = stats_of(ranks, 100);
    CHECK(s.ci_low == 39 && s.ci_high == 60);
    s = stats_of(one, 1);
    CHECK(s.ci_low == 7 && s.ci_high == 7);
    s = stats_of(two, 2);
    CHECK(s.ci_low == 1 && s.ci_high == 4);
    s = stats_of(outlier, 5);
    CHECK(s.ci_low == 1 && s.ci_high == 1e9);
    s = stats_of(ties, 10);
    CHECK(s.ci_low == 2 && s.ci_high == 2);
    s = stats_of(NULL, 0);
    CHECK(isnan(s.ci_low) && isnan(s.ci_high));
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

/* A check after every sample stops in lucky moments. That costs a few points of
 * coverage, and the median is still right. */
static void check_stopping(void)
{
    double drawn[MOST], sorted[MOST];
    int covered = 0;
    double worst = 0;
    state = 3;
    for (int trial = 0; trial < TRIALS / 4; ++trial) {
        size_t count = 0;
        struct stats s;
        do {
            drawn[count] = 100 + 0.5 * normal();
            ++count;
            for (size_t k = 0; k < count; ++k)
                sorted[k] = drawn[k];
            s = stats_of(sorted, count);
        } while (count < 200 && !stats_settled(sorted, count, 0.005));
        covered += s.ci_low <= 100 && 100 <= s.ci_high;
        worst = fmax(worst, fabs(s.median - 100));
    }
    CHECK_FOR(covered > 0.9 * TRIALS / 4, "%d", covered);
    CHECK_FOR(worst < 1, "%g", worst);
}

int main(void)
{
    check_ranks();
    check_drift();
    check_small();
    check_settled();
    check_stopping();
    return test_end();
}
