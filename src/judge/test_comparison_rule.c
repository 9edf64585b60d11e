/* SPDX-License-Identifier: MIT
 *
 * The rule as a whole, against simulated runs whose truth is known: how often
 * does it cry wolf, and how often does it miss one?
 */
#include "src/judge/aa_floor.h"
#include "src/judge/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/test.h"

/* ------------------------------------------------------- a seeded generator */

static uint64_t state;

static double uniform(void) /* splitmix64; in (0, 1) */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* -------------------------------------------------------------- simulation */

/* How a simulated machine behaves. */
struct machine {
    int launches;
    double drift; /* standard deviation of a launch's own speed */
    bool rogue;   /* one launch in twenty is much slower than the others */
};

enum { CELLS = 1500, SAMPLES = 30 };

static int ascending(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

/* A launch's samples: skewed, with outliers, on a clock of 32 ns. */
static struct run_row launch(double us, const struct machine *machine)
{
    double sample[SAMPLES], off = machine->drift * normal();
    if (machine->rogue && uniform() < 0.05)
        off += 4 * machine->drift * fabs(normal());
    for (int s = 0; s < SAMPLES; ++s) {
        double t = us * exp(off) * (1 + 0.004 * fabs(normal()));
        t += 0.05 * fabs(normal()) + (uniform() < 0.02 ? 0.2 * us : 0);
        sample[s] = 0.032 * round(t / 0.032);
    }
    qsort(sample, SAMPLES, sizeof *sample, ascending);
    return (struct run_row){
        .status = STATUS_OK,
        .median_us = (sample[14] + sample[15]) / 2,
        .low_us = sample[9],   /* order statistics that hold the median in */
        .high_us = sample[20], /* 95 of 100 cases */
        .pct_ceiling = NAN,
        .variant = "v",
        .reason = "",
        .marks = "",
    };
}

/* Cell c takes 20 us (short: 2 % are less than 0.5 us) to 20 ms, times the
 * factor. */
static struct run_folder simulate(const struct machine *machine, double factor)
{
    struct run_folder run = { .path = "simulated" };
    run.rows.row = malloc((size_t)CELLS * (size_t)machine->launches *
                          sizeof *run.rows.row);
    for (int c = 0; c < CELLS; ++c)
        for (int l = 0; l < machine->launches; ++l) {
            double us = 20 * pow(1000, (double)c / CELLS);
            struct run_row *row = &run.rows.row[run.rows.count++];
            *row = launch(us * factor, machine);
            row->shape = (struct shape){ 1, c + 1, 1 };
            row->process = l;
        }
    return run;
}

static struct comparison simulated(const struct machine *machine, double factor,
                                   double aa)
{
    const struct limits limits = { 0.02, aa, NAN, 0.5, NAN, NAN, NAN };
    static struct run_folder base, now; /* pairs point at the last ones' rows */
    free(base.rows.row);
    free(now.rows.row);
    base = simulate(machine, 1);
    now = simulate(machine, factor);
    return compare_runs(&base, &now, &limits, true);
}

static double pct(const struct comparison *comparison,
                  enum change_verdict verdict)
{
    return 100.0 * (double)comparison->counts[verdict] /
           (double)comparison->count;
}

/* What two runs of one and the same code say. */
static double false_alarms(const struct machine *machine, double aa)
{
    struct comparison c = simulated(machine, 1, aa);
    double both = pct(&c, VERDICT_SLOWER) + pct(&c, VERDICT_FASTER);
    compare_free(&c);
    return both;
}

static void test_false_alarms(void)
{
    static const int launches[] = { 1, 2, 3, 5, 10 };
    static const double drifts[] = { 0, 0.001, 0.003, 0.005, 0.01, 0.03 };
    for (int l = 0; l < 5; ++l)
        for (int d = 0; d < 6; ++d)
            for (int rogue = 0; rogue < 2; ++rogue) {
                struct machine machine = { launches[l], drifts[d], rogue };
                if (launches[l] == 1 && drifts[d] > 0.005)
                    continue; /* needs the A/A floor: below */
                double alarms = false_alarms(&machine, NAN);
                CHECK_FOR(alarms <= 1, "%d launches, drift %g, %s: %.2f %%",
                          launches[l], drifts[d], rogue ? "rogue" : "tame",
                          alarms);
            }
}

/* An A/A pair measures the floor, and other pairs are held to it. */
static void test_aa_floor(void)
{
    static const double drifts[] = { 0.003, 0.01, 0.03 };
    for (int d = 0; d < 3; ++d)
        for (int rogue = 0; rogue < 2; ++rogue) {
            struct machine machine = { 1, drifts[d], rogue };
            struct comparison c = simulated(&machine, 1, NAN);
            struct aa_floor aa = aa_floor_of(&c);
            compare_free(&c);
            CHECK(aa.cells + aa.left_out == CELLS && aa.left_out > 0);
            CHECK(aa.p50 < aa.p95 && aa.p95 < aa.p99 && aa.p99 <= aa.max);
            CHECK(aa.floor == aa.p99 / 2);
            /* One launch a side: the difference has twice the variance. */
            CHECK_FOR(aa.floor > 1.2 * drifts[d] && aa.floor < 4 * drifts[d],
                      "floor %g, drift %g", aa.floor, drifts[d]);
            double alarms = false_alarms(&machine, aa.floor);
            CHECK_FOR(alarms <= 1, "drift %g, floor %g: %.2f %%", drifts[d],
                      aa.floor, alarms);
        }
}

static void test_power(void)
{
    static const struct machine machines[] = {
        { 3, 0.001, false }, { 3, 0.003, false }, { 3, 0.003, true },
        { 5, 0.003, true },  { 5, 0.005, false }, { 10, 0.005, true },
    };
    for (int m = 0; m < 6; ++m) {
        struct comparison c = simulated(&machines[m], 1.03, NAN);
        double found = pct(&c, VERDICT_SLOWER);
        CHECK_FOR(found >= 95, "machine %d: %.1f %% slower", m, found);
        compare_free(&c);
        c = simulated(&machines[m], 1 / 1.03, NAN);
        found = pct(&c, VERDICT_FASTER);
        CHECK_FOR(found >= 95, "machine %d: %.1f %% faster", m, found);
        compare_free(&c);
        c = simulated(&machines[m], 1.01, NAN);
        CHECK_FOR(c.counts[VERDICT_FASTER] == 0, "machine %d: %zu", m,
                  c.counts[VERDICT_FASTER]);
        CHECK_FOR(pct(&c, VERDICT_SLOWER) <= 5, "machine %d: %.1f %%", m,
                  pct(&c, VERDICT_SLOWER));
        compare_free(&c);
    }
}

/* Identical code on a calm machine is "unchanged", not merely not slower. */
static void test_unchanged(void)
{
    const struct machine calm = { 5, 0.002, false };
    struct comparison c = simulated(&calm, 1, NAN);
    CHECK_FOR(pct(&c, VERDICT_UNCHANGED) >= 95, "%.1f %%",
              pct(&c, VERDICT_UNCHANGED));
    CHECK_FOR(c.limits.drift > 0.001 && c.limits.drift < 0.003, "%g",
              c.limits.drift);
    compare_free(&c);
}

int main(void)
{
    state = 20260131;
    test_false_alarms();
    test_aa_floor();
    test_power();
    test_unchanged();
    return test_end();
}
