/* SPDX-License-Identifier: MIT
 *
 * Bug      None: right, but slower by a known share. One wave of blocks copies;
 *          each then waits for 0, 1 or 3 % of the time that its work took, by
 *          the multiprocessor's own clock. The points are one and the same
 *          code with another number.
 * Shows    in `scanbench compare` only; see proof/all.py.
 */
#include "variants/common/access/wide.cuh"

constexpr int kThreads = 256;
constexpr int kLoads = 4;

/* Each block waits by itself: they all start together, and the last one to
 * end, which decides how long the kernel takes, is late by `pct` too. */
template <class Unit>
static __global__ void __launch_bounds__(kThreads)
    slowed(const Unit *__restrict__ in, Unit *__restrict__ out, int64_t units,
           int tail, int pct)
{
    const long long start = clock64();
    copy_units<kThreads, kLoads>(in, out, units, tail);
    __threadfence(); /* else the wait would hide stores in flight */
    __syncthreads();
    const long long took = clock64() - start;
    while ((clock64() - start - took) * 100 < took * pct)
        ;
}

template <class Unit>
static int launch_units(const struct problem *p, int pct, void *stream)
{
    /* Half of what the threads allow: all are resident, whatever registers
     * they take, and have more loads in flight than the memory needs. */
    const struct unit_grid g =
        unit_grid_of<Unit>(p, op_out_bytes(p->op, p->dtype, p->shape),
                           2 * kThreads, kLoads / 2, true);
    return launch_kernel(slowed<Unit>, g.blocks, kThreads, 0, stream, p->in,
                         p->out, g.units, g.tail, pct);
}

template <int Pct>
static int launch(const struct problem *p, void *stream)
{
    if (((uintptr_t)p->in | (uintptr_t)p->out) % 16 == 0)
        return launch_units<uint4>(p, Pct, stream);
    return launch_units<uint16_t>(p, Pct, stream);
}

#define POINT(pct)                                                             \
    {                                                                          \
        .name = "slowed_p" #pct,                                               \
        .idea = "no bug: a copy that takes " #pct " % longer",                 \
        MOVES_ON_CUDA(FORM_OF(OP_COPY), DTYPES_FLOAT), .deterministic = true,  \
        .launch = launch<pct>                                                  \
    }

VARIANTS(broken__slowed) = {
    POINT(0),
    POINT(1),
    POINT(3),
    {},
};
