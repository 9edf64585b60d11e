/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte loads and stores, all of a thread's loads before its
 *          stores. Blocks take tiles in memory order, so that the whole GPU
 *          walks one small window of addresses; the persistent points keep
 *          one wave of blocks that strides on instead; wide ones have 32-byte
 *          accesses, which exist from compute capability 10.0 on.
 * Against  driver: a kernel whose geometry is ours to vary.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to accesses of two bytes, or one, off 16-byte
 *          boundaries.
 * Source   none.
 * Lesson   Nearby addresses across the whole GPU matter more than many loads in
 *          flight per thread.
 */
#include "variants/common/access/wide.cuh"

/* Copies whole Units, and `tail` more bytes that do not fill one. */
template <class Unit, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    copy(const Unit *__restrict__ in, Unit *__restrict__ out, int64_t units,
         int tail)
{
    TAG(fast, std::is_same_v<Unit, uint4>);
    copy_units<Threads, Loads>(in, out, units, tail);
}

template <int Threads, int Items, enum unit_walk Walk>
static int launch(const struct problem *p, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    return with_unit<Walk>(
        (uintptr_t)p->in | (uintptr_t)p->out, [&]<class Unit>(tag<Unit>) {
            constexpr int kLoads = kUnitLoads<Unit, Items>;
            const struct unit_grid g = unit_grid_of<Unit>(
                p, bytes, Threads, kLoads, Walk == PERSISTENT);
            return launch_kernel(copy<Unit, Threads, kLoads>, g.blocks, Threads,
                                 0, stream, p->in, p->out, g.units, g.tail);
        });
}

/* Items are 32-bit words, four a load; eight if wide. */
#define POINT(text, idea_, threads, items, walk)                               \
    {                                                                          \
        .name = "copy" text "_b" #threads "_i" #items, .idea = idea_,          \
        MOVES_ON_CUDA(FORM_OF(OP_COPY), DTYPES_ALL), .deterministic = true,    \
        .refuses = walk == WIDE ? wide_refuses : NULL,                         \
        .launch = launch<threads, items, walk>                                 \
    }
#define NARROW "16-byte loads and stores, several in flight per thread"

VARIANTS(stream__copy) = {
    POINT("", NARROW, 128, 4, EACH_TILE),
    POINT("", NARROW, 256, 4, EACH_TILE),
    POINT("", NARROW, 128, 8, EACH_TILE),
    POINT("", NARROW, 256, 16, EACH_TILE),
    POINT("_persistent", NARROW, 512, 16, PERSISTENT),
    POINT("_wide", "32-byte loads and stores", 128, 8, WIDE),
    {},
};
