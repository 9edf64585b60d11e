/* SPDX-License-Identifier: MIT */
#include "harness/sweep/ceilings.h"

#include "src/runs/ceiling.h"

#include <math.h>

void ceilings_raise(struct ceilings *ceilings, const struct cell *probe,
                    double gbps)
{
    const int class = size_class(probe->shape);
    if (!(gbps >
          ceilings->best[probe->op][probe->dtype][probe->cache][class].gbps))
        return;
    ceilings->best[probe->op][probe->dtype][probe->cache][class].gbps = gbps;
    ceilings->best[probe->op][probe->dtype][probe->cache][class].cell = probe;
}

double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell)
{
    struct ceiling_probe probes[OP_COUNT * SIZE_CLASSES];
    const struct ceiling_probe like = { .dtype = cell->dtype,
                                        .cache = cell->cache };
    size_t count = 0;
    for (int o = 0; o < OP_COUNT; ++o)
        for (int class = 0; class < SIZE_CLASSES; ++class) {
            const struct cell *probe =
                ceilings->best[o][cell->dtype][cell->cache][class].cell;
            if (!probe)
                continue;
            const int64_t bytes =
                op_bytes(probe->op, probe->dtype, probe->shape);
            probes[count] = like;
            probes[count].twin = (enum op)o;
            probes[count].bytes = bytes;
            probes[count++].us =
                (double)bytes /
                (ceilings->best[o][cell->dtype][cell->cache][class].gbps * 1e3);
        }
    return ceiling_gbps(probes, count, &like, cell->op, cell->shape);
}

/* Every slot. */
#define EACH(o, d, c, class)                                                   \
    for (int o = 0; o < OP_COUNT; ++o)                                         \
        for (int d = 0; d < DTYPE_COUNT; ++d)                                  \
            for (int c = 0; c < CACHE_COUNT; ++c)                              \
                for (int class = 0; class < SIZE_CLASSES; ++class)

bool ceilings_write(const struct ceilings *ceilings, struct results *results,
                    int process, const char *phase)
{
    EACH(o, d, c, class)
    {
        const struct cell *cell = ceilings->best[o][d][c][class].cell;
        if (!cell)
            continue;
        struct ceiling line = {
            .twin = o,
            .dtype = (enum dtype)d,
            .cache = (enum cache)c,
            .elems = shape_elems(cell->shape),
            .bytes = op_bytes(cell->op, cell->dtype, cell->shape),
            .gbps = ceilings->best[o][d][c][class].gbps,
            .variant = cell->variant->name,
            .process = process,
            .phase = phase,
        };
        if (!results_ceiling(results, &line))
            return false;
    }
    return true;
}

double ceilings_drift_pct(const struct ceilings *start,
                          const struct ceilings *end)
{
    double worst = 0;
    EACH(o, d, c, class)
    {
        const double from = start->best[o][d][c][class].gbps;
        const double to = end->best[o][d][c][class].gbps;
        const double drift = from > 0 && to > 0 ? 100 * (to / from - 1) : 0;
        if (fabs(drift) > fabs(worst))
            worst = drift;
    }
    return worst;
}
