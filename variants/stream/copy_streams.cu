/* SPDX-License-Identifier: MIT
 *
 * Idea     An experiment on what the DRAM likes: the tensor is cut into equal
 *          stretches, and blocks go to them by turns, so that the GPU walks
 *          that many streams at a time, each in order. Larger blocks widen
 *          the window of addresses that are in flight.
 * Against  copy: one stream, that is plain memory order. Kernels whose blocks
 *          each walk a line or a column of their own behave like many streams.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    a tensor much larger than the L2, or there is nothing to see.
 * Source   none.
 */
#include "variants/device.cuh"

constexpr int kStreamThreads = 256;

/* A block copies Loads units a thread: tile `blockIdx.x / streams` of stretch
 * `blockIdx.x % streams`. What does not divide is the last block's. */
template <class Unit, int Loads>
static __global__ void __launch_bounds__(kStreamThreads)
    copy_streams(const Unit *__restrict__ in, Unit *__restrict__ out,
                 int64_t tiles, int streams, int64_t units, int tail)
{
    constexpr int kTile = kStreamThreads * Loads;
    const int64_t block = blockIdx.x, whole = tiles * streams;
    if (block < whole) {
        const int64_t tile = block % streams * tiles + block / streams;
        const int64_t at = tile * kTile + threadIdx.x;
        Unit v[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            v[j] = in[at + j * kStreamThreads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            out[at + j * kStreamThreads] = v[j];
        return;
    }
    for (int64_t at = whole * kTile + threadIdx.x; at < units;
         at += kStreamThreads)
        out[at] = in[at];
    if (threadIdx.x < tail)
        ((uint8_t *)(out + units))[threadIdx.x] =
            ((const uint8_t *)(in + units))[threadIdx.x];
}

template <class Unit, int Streams, int Loads>
static int launch_units(const struct problem *p, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    const int64_t units = bytes / (int64_t)sizeof(Unit);
    const int64_t tiles = units / (kStreamThreads * Loads) / Streams;
    copy_streams<Unit, Loads><<<(unsigned)(tiles * Streams + 1), kStreamThreads,
                                0, (cudaStream_t)stream>>>(
        (const Unit *)p->in, (Unit *)p->out, tiles, Streams, units,
        (int)(bytes % (int64_t)sizeof(Unit)));
    return cudaGetLastError();
}

template <int Streams, int Loads>
static int launch(const struct problem *p, void *stream)
{
    if (((uintptr_t)p->in | (uintptr_t)p->out) % 16 == 0)
        return launch_units<uint4, Streams, Loads>(p, stream);
    return launch_units<uint32_t, Streams, Loads>(p, stream);
}

static const char *refuses(const struct problem *p)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    if (p->dtype != DTYPE_F32 || bytes < 16 * p->device->l2_bytes)
        return "an experiment on f32 tensors of 16 times the L2 and more";
    if (bytes / 4 / kStreamThreads > INT32_MAX)
        return "more blocks than a grid has";
    return NULL;
}

#define POINT(streams, vectors)                                                \
    {                                                                          \
        .name = "copy_streams_s" #streams "_v" #vectors,                       \
        .idea = "as many streams of addresses at a time as its name says",     \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_COPY),                        \
        .dtypes = DTYPE_BIT(DTYPE_F32), .passes = 1,                           \
        .error_growth = ERROR_NONE, .deterministic = true, .refuses = refuses, \
        .launch = launch<streams, vectors>                                     \
    }

VARIANTS(stream__copy_streams) = {
    POINT(1, 1),    POINT(8, 1),    POINT(64, 1),    POINT(512, 1),
    POINT(4096, 1), POINT(1, 4),    POINT(8, 4),     POINT(64, 4),
    POINT(512, 4),  POINT(4096, 4), POINT(1, 16),    POINT(8, 16),
    POINT(64, 16),  POINT(512, 16), POINT(4096, 16), {},
};
