/* SPDX-License-Identifier: MIT */
#include "variants/ranks/local.h"

#include <string.h>

#include "variants/registry.h"

/* Returns the scan or sum of one device: `best` on a GPU, and on the host
 * `serial`, which serves everything. */
static const struct variant *scan_of(const struct problem *p)
{
    const bool host = !p->device || p->device->kind == DEVICE_HOST;
    const char *name = host ? "serial" : "best";
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (strcmp(v->name, name) == 0 && variant_has(v, p->op, p->dtype) &&
                v->runs_on == (host ? DEVICE_HOST : DEVICE_CUDA))
                return v;
    return NULL;
}

bool local_has_nccl(void)
{
#ifdef SCANBENCH_NCCL
    return true;
#else
    return false;
#endif
}

size_t local_workspace_bytes(const struct problem *part)
{
    const int64_t outer = part->shape.outer;
    const int64_t slices[] = { outer, outer / 2, outer - outer / 2 };
    struct problem p = *part;
    size_t most = 0;
    for (size_t k = 0; k < sizeof slices / sizeof *slices; ++k) {
        p.shape.outer = slices[k];
        const struct variant *v = scan_of(&p);
        const bool needs =
            v && v->workspace_bytes && op_out_elems(p.op, p.shape) > 0;
        const size_t bytes = needs ? v->workspace_bytes(&p) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

const char *local_refuses(const struct problem *p, const struct split *split)
{
    const struct variant *v = scan_of(p);
    const bool host = p->device && p->device->kind == DEVICE_HOST;
    const bool apart = p->device && p->device->gpus >= p->rank_count;
    if (p->rank_count < 1)
        return "works over several ranks: --ranks N";
    if (split->nccl && !local_has_nccl())
        return "this build has no NCCL (option nccl)";
    if (split->nccl && (host || !apart))
        return "NCCL needs a GPU for each rank";
    if (!v || !variant_serves(v, p))
        return "no scan or sum of one device serves it";
    return NULL;
}

const struct local *local_of(const struct ranks *ranks, int rank)
{
    const struct rank *r = &ranks->rank[rank];
    if (r->part.device->kind == DEVICE_HOST)
        return &local_host;
#ifdef SCANBENCH_CUDA
    return local_select(r->gpu) ? NULL : &local_cuda;
#else
    return NULL;
#endif
}

int local_scan(const struct ranks *ranks, int rank, struct lines lines,
               void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    struct problem p = r->part;
    if (ranks->only_exchange || op_out_elems(p.op, p.shape) == 0)
        return 0;
    const int64_t outer = lines.count / p.shape.inner;
    const size_t before = (size_t)(lines.first * p.shape.axis);
    if (outer < p.shape.outer) {
        p.shape.outer = outer;
        p.in = (const char *)p.in + before * dtype_bytes(p.dtype);
        p.out = (char *)p.out + before * dtype_bytes(p.dtype);
        p.mask = p.mask ? p.mask + before : NULL;
    }
    const struct variant *v = scan_of(&p);
    if (!v || !local_of(ranks, rank))
        return -1;
    return v->launch(&p, stream);
}

int local_each_totals(const struct ranks *ranks)
{
    EACH_RANK(ranks, r,
              local->totals(ranks, r, all_lines(ranks), ranks->rank[r].stream));
    return 0;
}

int local_each_scan(const struct ranks *ranks)
{
    EACH_RANK(
        ranks, r,
        local_scan(ranks, r,
                   (struct lines){ 0, shape_lines(ranks->rank[r].part.shape) },
                   ranks->rank[r].stream));
    return 0;
}

int local_gather(const struct ranks *ranks, bool nccl)
{
    if (nccl) {
#ifdef SCANBENCH_CUDA
        return local_nccl_gather(ranks);
#else
        return -1;
#endif
    }
    EACH_RANK(
        ranks, r,
        local->publish(ranks, r, all_lines(ranks), 0, ranks->rank[r].stream));
    return 0;
}

int local_each_sum(const struct ranks *ranks, bool nccl)
{
    int error = local_each_totals(ranks);
    if (!error)
        error = local_gather(ranks, nccl);
    if (error)
        return error;
    EACH_RANK(
        ranks, r,
        local->sum(ranks, r, gathered_stage(nccl), ranks->rank[r].stream));
    return 0;
}
