/* SPDX-License-Identifier: MIT
 *
 * The plan on paper: every cell's bytes, memory and a rough time.
 */
#include "harness/sweep.h"
#include "harness/tally.h"

#include "src/base/csv.h"

#include <stdio.h>

/* Rough rates where nothing was measured: a variant at half of the memory
 * bus, a verification at a fortieth of it. */
static double guess_ms(const struct cell *cell, double budget_ms,
                       const struct worker *worker)
{
    const double bus = driver_bus_gbps(&worker->driver);
    const double gbps = bus > 0 ? bus : 10;
    const double bytes = (double)op_bytes(cell->op, cell->dtype, cell->shape);
    const double launch_ms =
        2 * bytes * variant_passes(cell->variant, cell->op) / (gbps * 1e6) +
        0.01;
    /* A sample is a flush (twice the last-level cache is read) and a launch;
     * a turn's first and the last check's are not counted among them. */
    const double sample_ms =
        launch_ms + 2e-6 * (double)worker->facts.l2_bytes / gbps;
    const double least_ms = (STATS_LEAST_SAMPLES + 4) * sample_ms;
    const double measured_ms = budget_ms > least_ms ? budget_ms : least_ms;
    return 3 * 40 * bytes / (gbps * 1e6) + 3 * launch_ms +
           (cell->timed ? measured_ms : 0) + 1;
}

int sweep_dry_run(const struct plan *plan, const struct options *options,
                  const struct worker *worker)
{
    const struct device_facts *facts = &worker->facts;
    double total_ms = 0;
    size_t skipped = 0;
    puts("id,bytes,memory_bytes,guess_ms,skip");
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        const char *skip = cell_skip(cell, facts);
        const double ms = skip ? 0 : guess_ms(cell, options->budget_ms, worker);
        char id[CELL_ID_BYTES];
        printf("%s,%lld,%lld,%.1f", cell_id(cell, id),
               (long long)op_bytes(cell->op, cell->dtype, cell->shape),
               (long long)cell_bytes(cell, facts), ms);
        csv_write_field(stdout, false, skip ? skip : "");
        csv_write_end(stdout);
        total_ms += ms;
        skipped += skip != NULL;
    }
    fprintf(stderr,
            "scanbench: %zu cells (%zu of them ceilings' probes), %zu "
            "skipped, roughly %.0f s\n",
            plan->count, plan->probes, skipped, total_ms * 1e-3);
    return EXIT_OK;
}
