/* SPDX-License-Identifier: MIT
 *
 * The plan on paper: every cell's bytes, memory and a rough time.
 */
#include "harness/sweep/progress.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/tally.h"

#include "src/base/csv.h"

#include <stdio.h>

int sweep_dry_run(const struct plan *plan, const struct options *options,
                  const struct worker *worker)
{
    const struct device_facts *facts = &worker->facts;
    double total_ms = 0;
    size_t skipped = 0;
    puts("id,cache,bytes,memory_bytes,guess_ms,skip");
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        const char *skip = cell_skip(cell, facts);
        const double ms = skip ? 0
                               : estimate_ms(cell, options->budget_ms, facts,
                                             &worker->driver);
        char id[CELL_ID_BYTES];
        printf("%s,%s,%lld,%lld,%.1f", cell_id(cell, id),
               cache_name(cell->cache),
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
