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
#include "variants/common/kernel.cuh"

/* Copies whole Units, and `tail` more bytes that do not fill one. */
template <class Unit, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    copy(const Unit *__restrict__ in, Unit *__restrict__ out, int64_t units,
         int tail)
{
    TAG(fast, std::is_same_v<Unit, uint4>);
    copy_units<Threads, Loads>(in, out, units, tail);
}

template <class Unit, int Threads, int Loads>
static int launch_units(const struct problem *p, bool persistent, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    const int64_t units = bytes / (int64_t)sizeof(Unit);
    int64_t blocks = units / (Threads * Loads);
    const int64_t wave = blocks_in_a_wave(p->device, Threads);
    if (persistent && blocks > wave)
        blocks = wave;
    copy<Unit, Threads, Loads>
        <<<grid_x(blocks ? blocks : 1), Threads, 0, (cudaStream_t)stream>>>(
            (const Unit *)p->in, (Unit *)p->out, units,
            (int)(bytes % (int64_t)sizeof(Unit)));
    return cudaGetLastError();
}

template <int Threads, int Items, bool Persistent>
static int launch(const struct problem *p, void *stream)
{
    const uintptr_t places = (uintptr_t)p->in | (uintptr_t)p->out;
    if (places % 16 == 0)
        return launch_units<uint4, Threads, Items / 4>(p, Persistent, stream);
    if (places % 2)
        return launch_units<uint8_t, Threads, Items / 4>(p, Persistent, stream);
    return launch_units<uint16_t, Threads, Items / 4>(p, Persistent, stream);
}

template <int Threads, int Items>
static int launch_wide(const struct problem *p, void *stream)
{
    const uintptr_t places = (uintptr_t)p->in | (uintptr_t)p->out;
    return places % sizeof(wide) == 0
               ? launch_units<wide, Threads, Items / 8>(p, false, stream)
               : launch<Threads, Items, false>(p, stream);
}

/* Items are 32-bit words, four a load; eight if wide. */
#define POINT(text, threads, items, persistent)                                \
    {                                                                          \
        .name = "copy" text "_b" #threads "_i" #items,                         \
        .idea = "16-byte loads and stores, several in flight a thread",        \
        .runs_on = DEVICE_CUDA, .ops = OPS(FORM_OF(OP_COPY), DTYPES_ALL),      \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch<threads, items, persistent>                           \
    }

#define WIDE(threads, items)                                                   \
    {                                                                          \
        .name = "copy_wide_b" #threads "_i" #items,                            \
        .idea = "32-byte loads and stores", .runs_on = DEVICE_CUDA,            \
        .ops = OPS(FORM_OF(OP_COPY), DTYPES_ALL), .passes = 1,                 \
        .error_growth = ERROR_NONE, .deterministic = true,                     \
        .refuses = wide_refuses, .launch = launch_wide<threads, items>         \
    }

VARIANTS(stream__copy) = {
    POINT("", 128, 4, false),
    POINT("", 256, 4, false),
    POINT("", 128, 8, false),
    POINT("", 256, 16, false),
    POINT("_persistent", 512, 16, true),
    WIDE(128, 8),
    {},
};
