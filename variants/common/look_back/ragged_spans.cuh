/* SPDX-License-Identifier: MIT
 *
 * The scan of a ragged shape's tile in shared memory, where inner is 1: a
 * thread has consecutive vectors, and a byte per element marks the ends of
 * walks. An odd number of vectors keeps threads in different banks.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_RAGGED_SPANS_CUH
#define VARIANTS_COMMON_LOOK_BACK_RAGGED_SPANS_CUH

#include "variants/common/look_back/ragged_tiles.cuh"
#include "variants/common/look_back/tile_mover.cuh"

constexpr int kRaggedWarps = kRaggedThreads / 32;
constexpr int kRaggedSpanBlocks = 4; /* per multiprocessor */

/* Vectors per thread: as many as fit into 48 KB with the bytes of their ends,
 * in a block of kRaggedThreads. */
template <class T>
constexpr int kRaggedVecs = sizeof(T) == 2 ? 7 : 9;

/* A ragged shape's elements in tiles. */
struct ragged_elems {
    struct ragged_tiling rows;
    struct alignment alignment;
};

/* Values that a block's warps exchange. */
template <class Acc, int Warps>
struct ragged_shared {
    Acc totals[Warps], carry;
    bool ended[Warps];
};

/* Sums since the last end, within a block and in walk order. */
template <class Acc>
struct block_sums {
    Acc before, all; /* up to this thread, and of the whole block */
    bool open;       /* no end precedes this thread */
    bool ended;      /* there is an end */
};

/* spine in the block: `own` is a thread's sum since its last end, if it has
 * one. Every thread of the block calls it; a barrier precedes the next call. */
template <class Op, bool Reverse, class Acc, int Warps>
__device__ __forceinline__ block_sums<Acc>
sum_since_ends(Acc own, bool ended, ragged_shared<Acc, Warps> &shared)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int rank = Reverse ? Warps - 1 - warp : warp;
    const unsigned heads = __ballot_sync(kWholeWarp, ended);
    const Acc sum = since_head<Op, Reverse>(own, heads);
    const Acc earlier = shuffle_earlier<Reverse>(sum, 1);
    if (lane == (Reverse ? 0 : 31)) {
        shared.totals[rank] = sum;
        shared.ended[rank] = heads != 0;
    }
    __syncthreads();
    const unsigned warps =
        __ballot_sync(kWholeWarp, lane < Warps && shared.ended[lane % Warps]);
    const Acc upto = since_head<Op, false>(shared.totals[lane % Warps], warps);
    const Acc all = shuffle_from(upto, Warps - 1);
    Acc before = shuffle_from(upto, rank ? rank - 1 : 0);
    if (rank == 0)
        before = Op::identity();
    const bool begun = heads & (Reverse ? ~1u << lane : (1u << lane) - 1);
    if (begun)
        before = earlier;
    else if (lane != (Reverse ? 31 : 0))
        before = Op::combine(before, earlier);
    return { before, all, !begun && !(warps & ((1u << rank) - 1)), warps != 0 };
}

template <class Op, bool Reverse, int Vecs>
struct ragged_span {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    static constexpr bool reverse = Reverse;
    static constexpr int V = kVec<T>, kVecs = Vecs;
    static constexpr int kElems = kRaggedThreads * Vecs * V;
    using end_bits = uint_of_bytes<V>;
    using Shared = ragged_shared<Acc, kRaggedWarps>;

    const struct ragged_tiling &t;
    T *x;          /* the tile */
    uint8_t *ends; /* one per element, 0 or 1 */

    /* Every thread of the block calls these; a barrier follows clear(). */
    __device__ __forceinline__ void clear(void) const
    {
        for (int at = threadIdx.x * 16; at < kElems; at += kRaggedThreads * 16)
            *(uint4 *)(ends + at) = {};
    }

    /* load: `part` is the tile's, and `ends` are clear. */
    template <class Mover>
    __device__ __forceinline__ void load(const struct ragged_tile &tile,
                                         const struct span &part,
                                         Mover &mover) const
    {
        if (!Mover::alone || threadIdx.x == 0)
            mover.start(part);
        each_end<Reverse>(t, tile,
                          [&](int64_t, int element) { ends[element] = 1; });
        mover.land(part);
        __syncthreads();
    }

    /* A thread's walk over its elements, from that sum on: calls visit(at,
     * sums) for each vector, and returns the sum since the last end. */
    template <class Visit>
    __device__ __forceinline__ Acc walk(Acc sum, bool *ended, Visit visit) const
    {
        end_bits any = 0;
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Reverse ? Vecs - 1 - step : step;
            const int at = ((int)threadIdx.x * Vecs + j) * V;
            const auto words = read_vec<vec<T>>(x + at);
            const end_bits bits = *(const end_bits *)(ends + at);
            Acc sums[V];
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const int i = Reverse ? V - 1 - k : k;
                sum = sums[i] = Op::combine(sum, Op::lift(words.item[i]));
                sum = bits >> 8 * i & 1 ? Op::identity() : sum;
            }
            any |= bits;
            visit(at, sums);
        }
        *ended = any != 0;
        return sum;
    }

    /* upsweep, and spine in the block and over the tiles: the sum before this
     * thread's first element, in walk order. Every thread of the block calls
     * it. */
    __device__ __forceinline__ Acc carry(const struct ragged_tile &tile,
                                         tile_state<Acc> *states,
                                         Shared &shared) const
    {
        bool ended;
        const Acc own = walk(Op::identity(), &ended, [](auto...) {});
        const auto sums = sum_since_ends<Op, Reverse>(own, ended, shared);
        if (threadIdx.x < 32)
            carry_over(tile, sums.all, sums.ended, states, shared);
        __syncthreads();
        return sums.open ? Op::combine(shared.carry, sums.before) : sums.before;
    }

    /* One warp: publishes the tile's sum since its last end, and writes the sum
     * before the tile. */
    __device__ __forceinline__ void carry_over(const struct ragged_tile &tile,
                                               Acc all, bool ended,
                                               tile_state<Acc> *states,
                                               Shared &shared) const
    {
        tile_state<Acc> *state = states + tile.number * kStateStride<Acc>;
        const bool publishes =
            threadIdx.x % 32 == 0 && tile.number + 1 < t.tiles;
        if (publishes)
            publish(state, ended ? TILE_PREFIX : TILE_AGGREGATE, all);
        const Acc carry = look_back<Op>(state, tile.number);
        if (publishes && !ended)
            publish(state, TILE_PREFIX, Op::combine(carry, all));
        if (threadIdx.x % 32 == 0)
            shared.carry = carry;
    }

    /* downsweep: lowers every element's sum in place, and clears `ends`. */
    __device__ __forceinline__ void scan(Acc carry) const
    {
        bool ended;
        walk(carry, &ended, [&](int at, const Acc(&sums)[V]) {
            *(end_bits *)(ends + at) = 0;
            vec<T> y;
#pragma unroll
            for (int k = 0; k < V; ++k)
                y.item[k] = Op::lower(sums[k]);
            write_shared(x + at, y);
        });
    }
};

/* ------------------------------------------------------------------ host */

/* Enough for any pointers, which may be NULL here. */
template <int LeastElems>
static size_t ragged_span_bytes(const struct problem *p)
{
    const int64_t tiles = ragged_tiling_of(p, LeastElems, kAlignment - 1).tiles;
    return ragged_bytes(p, tiles, tiles, 1);
}

/* Launches a kernel of Span's tiles with `bytes` of shared memory for each. */
template <class Span, class... Params>
int launch_ragged_spans(const struct problem *p, void (*kernel)(Params...),
                        int bytes, void *stream)
{
    const struct alignment alignment = alignment_of(p);
    const struct ragged_elems t = {
        ragged_tiling_of(p, Span::kElems, alignment.lead), alignment
    };
    const int error = bulk_room(kernel, bytes);
    return error != cudaSuccess
               ? error
               : launch_ragged<Span::reverse>(p, kernel, t, t.rows.tiles, 1,
                                              bytes, kRaggedSpanBlocks, stream);
}

static const char *ragged_span_refuses(const struct problem *p)
{
    if (!shape_is_ragged(p->shape))
        return "serves ragged shapes only";
    const char *const reason = contiguous_only(p);
    return reason ? reason : tile_refuses(p, 45 << 10);
}

#endif
