/* SPDX-License-Identifier: MIT
 *
 * The number of cells in which a comparison would show a slow-down, in
 * simulated runs. proof/compare_rates.py measures the rates of false alarms and
 * of missed changes on real runs (results/README.md).
 */
#include "src/analyse/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "src/model/split_mix.h"
#include "src/base/test.h"
#include "src/runs/test_made.h"

/* ------------------------------------------------------- a seeded generator */

static uint64_t state;

static double uniform(void)
{
    return ((double)(split_mix_draw(&state) >> 12) + 0.5) / 4503599627370496.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* -------------------------------------------------------------- simulation */

struct machine {
    int processes;
    double sd;  /* a process's own speed */
    bool rogue; /* one process in twenty is much slower than the others */
};

enum { CELLS = 400 };

/* Cells of twelve variants that take 20 us (2 % are less than 0.5 us) to 20 ms.
 */
static struct run_folder simulate(const struct machine *machine)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f",
                                         "g", "h", "i", "j", "k", "l" };
    struct run_folder run = { .path = "simulated" };
    run.rows.row = malloc((size_t)CELLS * (size_t)machine->processes *
                          sizeof *run.rows.row);
    for (int c = 0; c < CELLS; ++c)
        for (int p = 0; p < machine->processes; ++p) {
            double off = machine->sd * normal();
            if (machine->rogue && uniform() < 0.05)
                off += 4 * machine->sd * fabs(normal());
            const double us =
                exp(off) * 20 * pow(1000, (double)(c * 7 % CELLS) / CELLS);
            struct row *row = &run.rows.row[run.rows.count++];
            *row = made_row(names[c % 12], STATUS_OK, us);
            row->shape.axis = c + 1;
            row->process = p;
        }
    return run;
}

static const struct floors floors = { 0.02, 0.5 };

/* Pairs point at the last ones' rows. */
static struct run_folder simulated_base, simulated_now;

static struct comparison simulated(const struct machine *machine)
{
    free(simulated_base.rows.row);
    free(simulated_now.rows.row);
    simulated_base = simulate(machine);
    simulated_now = simulate(machine);
    return compare_runs(&simulated_base, &simulated_now, &floors,
                        COMPARE_TIMES);
}

/* ------------------------------------------------------------------- tests */

/* A slow-down planted in one cell at a time alarms as often as foretold. */
static void test_shows(void)
{
    static const struct machine machines[] = { { 2, 0.001, false },
                                               { 3, 0.002, false },
                                               { 5, 0.004, true } };
    for (int m = 0; m < 3; ++m)
        for (int pct = 1; pct <= 7; pct += 3) {
            size_t alarms = 0;
            struct comparison c = simulated(&machines[m]);
            const size_t shows = comparison_shows(&c, pct / 100.0);
            for (int k = 0; k < CELLS; ++k) {
                const size_t n = (size_t)machines[m].processes;
                struct row *row = &simulated_now.rows.row[(size_t)k * n];
                const double factor =
                    (1 + pct / 100.0) / c.cells[k].change.ratio;
                for (size_t p = 0; p < n; ++p)
                    row[p].us.median *= factor;
                struct comparison planted = compare_runs(
                    &simulated_base, &simulated_now, &floors, COMPARE_TIMES);
                alarms += planted.cells[k].alarm;
                comparison_free(&planted);
                for (size_t p = 0; p < n; ++p)
                    row[p].us.median /= factor;
            }
            CHECK_FOR(fabs((double)alarms - (double)shows) <= 0.03 * CELLS,
                      "machine %d, %d %%: %zu of %zu", m, pct, alarms, shows);
            CHECK_FOR((shows > 0) == (m > 0 && pct > 1),
                      "machine %d, %d %%: %zu", m, pct, shows);
            comparison_free(&c);
        }
}

int main(void)
{
    state = 20260131;
    test_shows();
    return test_end();
}
