/* SPDX-License-Identifier: MIT
 *
 * Idea     A block reduces consecutive tiles of memory, whatever segments they
 *          hold, and keeps the sum of the segment that goes on. A thread walks
 *          consecutive elements once, and leaves each sum in shared memory,
 *          where its segment ends; from there, a thread per segment writes the
 *          results: neighbours write neighbours, and an empty segment costs no
 *          more than a short one. Of a segment that several blocks have, the
 *          one with its end adds the others' sums, once its own tiles are done.
 * Against  ragged_spans, the scan, which has to wait for the tile before each:
 *          of results, only those of segments that blocks share wait, once per
 *          block. subwarp_per_line, whose lanes share a line: of segments, some
 *          are shorter than a warp and some longer than the device.
 * Traffic  N elements, the offsets, and two words per block (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   A reduction has no order to wait for: blocks meet at their borders
 *          only.
 */
#include "variants/common/look_back/ragged_spans.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

/* Units per resident block, since multiprocessors differ in speed. */
constexpr int kUnits = 4;

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

/* A block's walk over the tiles of its unit. */
template <class Op>
struct unit_walk {
    using Span = span_sums<Op>;
    using T = typename Op::element;
    using Acc = typename Op::acc;
    using Held = held_of<Op>;
    static constexpr int V = Span::V;

    const struct ragged_elems &t;
    const Span &span;
    Held *held; /* results, where their segments end; may be span.x */
    Acc *head;  /* sum up to the block's first end */
    int64_t head_k, head_end; /* that offset's number, or 0; and the offset */
    Acc running;              /* sum since the last end */

    static __device__ __forceinline__ Held hold(Acc sum)
    {
        if constexpr (kCounts<Op>)
            return sum;
        else
            return Op::lower(sum);
    }

    /* Leaves the tile's results in `held`, and its bytes of ends cleared. */
    __device__ __forceinline__ void reduce(const struct ragged_tile &tile,
                                           ragged_shared<Acc> &shared)
    {
        typename Span::end_bits any = 0;
        Acc sum = Op::identity(), first = Op::identity();
        int first_at = -1;
#pragma unroll
        for (int j = 0; j < Span::kVecs; ++j) {
            const int at = ((int)threadIdx.x * Span::kVecs + j) * V;
            const auto words = read_vec<vec<T>>(span.x + at);
            auto *const ends = (typename Span::end_bits *)(span.ends + at);
            const auto bits = *ends;
            *ends = 0;
            any |= bits;
#pragma unroll
            for (int i = 0; i < V; ++i) {
                sum = Op::combine(sum, Op::lift(words.item[i]));
                if (!(bits >> 8 * i & 1))
                    continue;
                if (first_at < 0) {
                    first_at = at + i;
                    first = sum;
                } else
                    held[at + i] = hold(sum);
                sum = Op::identity();
            }
        }
        const Acc before =
            span.spine(sum, any != 0, shared, [&](Acc all, bool ended) {
                const Acc carry = running;
                running = ended ? all : Op::combine(carry, all);
                return carry;
            });
        if (first_at < 0)
            return;
        first = Op::combine(before, first);
        if (tile.first + first_at + 1 == head_end)
            *head = first;
        else
            held[first_at] = hold(first);
    }

    /* Writes the results of the segments that end in the tile. */
    __device__ __forceinline__ void write(const struct ragged_tile &tile,
                                          output_of<Op> *out) const
    {
        each_offset(t.rows, tile, [&](int64_t k, int64_t end) {
            if (k == 0 || k == head_k)
                return;
            const int64_t count = end - t.rows.offset(k - 1);
            auto result = Op::lower(Op::identity(), 0);
            if constexpr (kCounts<Op>)
                result = count ? Op::lower(held[end - 1 - tile.first], count)
                               : result;
            else
                result = count ? held[end - 1 - tile.first] : result;
            out[k - 1] = result;
        });
    }

    /* One warp: publishes the sum since the last end, and writes the result of
     * the segment that began in another block. No prefix follows an aggregate,
     * so that the order of additions is always the same. */
    __device__ __forceinline__ void meet(int64_t unit, bool ended,
                                         tile_state<Acc> *states,
                                         output_of<Op> *out) const
    {
        const bool writes = threadIdx.x % 32 == 0;
        tile_state<Acc> *state = states + unit * kStateStride<Acc>;
        if (writes && unit + 1 < t.units)
            publish(state, ended ? TILE_PREFIX : TILE_AGGREGATE, running);
        if (head_k == 0)
            return;
        const Acc carry = look_back<Op>(state, unit);
        if (writes)
            out[head_k - 1] = Op::lower(Op::combine(carry, *head),
                                        head_end - t.rows.offset(head_k - 1));
    }

    /* Reduces a unit's tiles. Every thread of the block calls it. */
    template <class Mover>
    __device__ __forceinline__ void
    unit(int64_t number, const int64_t *starts, Mover &mover,
         ragged_shared<Acc> &shared, tile_state<Acc> *states,
         output_of<Op> *out)
    {
        const auto start = [&](int64_t place) {
            return (int64_t)__ldcg((const long long *)starts + place);
        };
        const int64_t begin = divide(t.rows.tiles * number, t.units);
        const int64_t end = divide(t.rows.tiles * (number + 1), t.units);
        const int64_t from = start(begin), until = start(end);
        if (number > 0 && from < until) {
            head_k = from;
            head_end = t.rows.offset(from);
        }
        int64_t next = start(begin + 1); /* the next tile's first offset */
        struct ragged_tile tile = { .until = from };
        for (int64_t place = begin; place < end; ++place) {
            tile.first = place * t.rows.tile_rows - t.rows.lead;
            tile.begin = max(tile.first, (int64_t)0);
            tile.end = min(tile.first + t.rows.tile_rows, t.rows.count);
            tile.from = tile.until;
            tile.until = next;
            next = start(min(place + 2, end));
            span.load(tile,
                      span_of(tile.begin, tile.end, tile.first, t.alignment),
                      mover);
            reduce(tile, shared);
            __syncthreads();
            write(tile, out);
            mover.release();
            __syncthreads(); /* the tile may be overwritten */
        }
        if (threadIdx.x < 32)
            meet(number, number == 0 || from < until, states, out);
    }
};

template <class T, class Op>
static __global__ void
__launch_bounds__(kRaggedThreads, kResident<kRaggedThreads, kRaggedSpanBlocks>)
    ragged_spans(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 const struct ragged_elems t, unsigned long long *ticket,
                 tile_state<typename Op::acc> *states, const int64_t *starts)
{
    TAG(fast);
    using Span = span_sums<Op>;
    using Walk = unit_walk<Op>;
    using Held = held_of<Op>;
    using Mover = tile_mover<T, false, kRaggedThreads>;
    extern __shared__ uint4 shared_tile[];
    __shared__ ragged_shared<typename Op::acc> shared;
    __shared__ typename Mover::shared loaded;
    __shared__ int64_t taken;
    T *const x = (T *)shared_tile;
    Held *const apart = (Held *)(x + Span::kElems);
    Held *const held = sizeof(Held) > sizeof(T) ? apart : (Held *)x;
    uint8_t *const ends = sizeof(Held) > sizeof(T)
                              ? (uint8_t *)(apart + Span::kElems)
                              : (uint8_t *)apart;
    const Span span = { t.rows, x, ends };
    Mover mover = { in, NULL, { x, NULL }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    span.clear();
    for (int64_t n = blockIdx.x; n < t.units; n += gridDim.x) {
        const int64_t number = take_ticket(ticket, &taken);
        Walk walk = { t, span, held, &shared.carry, 0, -1, Op::identity() };
        walk.unit(number, starts, mover, shared, states, out);
        __syncthreads(); /* and the head */
    }
}

/* ------------------------------------------------------------------ host */

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        constexpr size_t kHeld =
            sizeof(held_of<Op>) > sizeof(T) ? sizeof(held_of<Op>) : 0;
        return launch_ragged_spans<span_sums<Op>>(
            p, ragged_spans<T, Op>,
            span_sums<Op>::kElems * (int)(sizeof(T) + 1 + kHeld), stream,
            (int64_t)p->device->sm_count * kRaggedSpanBlocks * kUnits);
    });
}

/* error_tile: one of doubles, the shortest. */
VARIANTS(reduce__ragged_spans) = {
    { .name = "ragged_spans",
      .idea = "a block reduces a span of memory, whatever segments it holds",
      .runs_on = DEVICE_CUDA,
      .ops = reductions<kNeeds>(),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 2 * kRaggedThreads * kRaggedVecs<double>,
      .deterministic = true,
      .refuses = ragged_span_refuses,
      .workspace_bytes =
          ragged_span_bytes<2 * kRaggedThreads * kRaggedVecs<double>>,
      .launch = launch,
      .ragged = true },
    {},
};
