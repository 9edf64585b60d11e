/* SPDX-License-Identifier: MIT
 *
 * Idea     A segmented scan of tiles of memory, of which only the sums at the
 *          ends of segments leave the block: the tile in which a segment ends
 *          writes its result, a thread per segment. So neighbours write
 *          neighbours, and an empty segment costs no more than a short one.
 * Against  subwarp_per_line, whose lanes share a line: of segments, some are
 *          shorter than a warp and some longer than the device. In the scan of
 *          this name all sums leave the block.
 * Traffic  N elements, the offsets, and two words per tile (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   To scan in shared memory costs less than to find out who reduces
 *          what.
 */
#include "variants/common/look_back/ragged_spans.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

/* True if a result depends on the number of its elements: then sums are held
 * as they are, and lowered by who knows the segment; else results are held. */
template <class Op>
constexpr bool kCounts = !requires(typename Op::acc sum)
{
    Op::lower(sum);
};
template <class Op>
using held_of =
    std::conditional_t<kCounts<Op>, typename Op::acc, output_of<Op>>;

template <class Op>
using span_sums =
    ragged_span<Op, false,
                kRaggedVecs<typename Op::element, (int)sizeof(held_of<Op>)>>;

/* Writes the results of the segments that end in the tile. */
template <class Op>
__device__ __forceinline__ void
write_segments(const struct ragged_tiling &t, const struct ragged_tile &tile,
               const held_of<Op> *held, output_of<Op> *out)
{
    each_offset(t, tile, [&](int64_t k, int64_t end) {
        if (k == 0)
            return;
        const int64_t count = end - t.offset(k - 1);
        auto result = Op::lower(Op::identity(), 0);
        if constexpr (kCounts<Op>)
            result =
                count ? Op::lower(held[end - 1 - tile.first], count) : result;
        else
            result = count ? held[end - 1 - tile.first] : result;
        out[k - 1] = result;
    });
}

template <class T, class Op>
static __global__ void
__launch_bounds__(kRaggedThreads, kResident<kRaggedThreads, kRaggedSpanBlocks>)
    ragged_spans(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 const struct ragged_elems t, unsigned long long *ticket,
                 tile_state<typename Op::acc> *states, const int64_t *starts)
{
    TAG(fast);
    using Span = span_sums<Op>;
    using Held = held_of<Op>;
    using Mover = tile_mover<T, false, kRaggedThreads>;
    extern __shared__ uint4 shared_tile[];
    __shared__ ragged_shared<typename Op::acc> shared;
    __shared__ typename Mover::shared loaded;
    __shared__ struct ragged_tile tiles[2];
    T *const x = (T *)shared_tile;
    Held *const apart = (Held *)(x + Span::kElems);
    Held *const held = sizeof(Held) > sizeof(T) ? apart : (Held *)x;
    uint8_t *const ends = sizeof(Held) > sizeof(T)
                              ? (uint8_t *)(apart + Span::kElems)
                              : (uint8_t *)apart;
    Span span = { t.rows, x, ends };
    Mover mover = { in, NULL, { x, NULL }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    ragged_queue<false> queue = {
        t.rows, 1, t.rows.tiles, ticket, starts, tiles
    };
    for (bool more = queue.begin(); more; more = queue.advance()) {
        const struct ragged_tile &tile = queue.tile();
        span.load(queue, t.alignment,
                  span_of(tile.begin, tile.end, tile.first, t.alignment),
                  mover);
        span.scan(span.carry(tile, states, shared), held, [](auto sum) {
            if constexpr (kCounts<Op>)
                return sum;
            else
                return Op::lower(sum);
        });
        if (threadIdx.x == 0)
            queue.keep();
        __syncthreads();
        write_segments<Op>(t.rows, tile, held, out);
        mover.release();
    }
}

/* ------------------------------------------------------------------ host */

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        return launch_ragged_spans<span_sums<Op>, held_of<Op>>(
            p, ragged_spans<typename Op::element, Op>, stream);
    });
}

/* error_tile: one of doubles, the shortest. */
VARIANTS(reduce__ragged_spans) = {
    { .name = "ragged_spans",
      .idea = "a segmented scan of which only the segments' ends are written",
      .runs_on = DEVICE_CUDA,
      .ops = reductions<kNeeds>(),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 2 * kRaggedThreads * kRaggedVecs<double>,
      .deterministic = false,
      .refuses = ragged_span_refuses,
      .workspace_bytes =
          ragged_span_bytes<2 * kRaggedThreads * kRaggedVecs<double>>,
      .launch = launch,
      .ragged = true },
    {},
};
