/* SPDX-License-Identifier: MIT
 *
 * Idea     A warp reduces consecutive tiles of memory, whatever segments they
 *          hold, and keeps the sum of the segment that goes on. A lane walks
 *          consecutive elements once, and leaves each sum in shared memory,
 *          where its segment ends; from there, a lane per segment writes the
 *          results: neighbours write neighbours, and an empty segment costs no
 *          more than a short one. Of a segment that several warps have, the
 *          one with its end adds the others' sums, once its own tiles are done.
 * Against  ragged_spans, the scan, which has to wait for the tile before each:
 *          of results, only those of segments that warps share wait, once per
 *          unit. subwarp_per_line, whose lanes share a line: of segments, some
 *          are shorter than a warp and some longer than the device.
 * Traffic  N elements, the offsets, and two words per unit (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   A reduction has no order to wait for: warps meet at their borders
 *          only. A tile has several steps, each of which waits for memory:
 *          blocks of one warp wait apart, and need no barriers.
 */
#include "variants/common/look_back/ragged_spans.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

constexpr int kWarps = 32; /* blocks of one warp per multiprocessor */

/* Units per resident block, since multiprocessors differ in speed. */
constexpr int kUnits = 2;

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

/* If a result is wider than an element, it needs room of its own. */
template <class Op>
constexpr bool kApart = sizeof(held_of<Op>) > sizeof(typename Op::element);

/* The next offsets, 32 at a time: those before `done` are behind the walk. */
struct offset_window {
    int64_t base;      /* number of lane 0's */
    int64_t now, next; /* the lane's offset, and that of 32 later */
    int done;

    __device__ __forceinline__ int64_t at(const struct ragged_tiling &t,
                                          int64_t k) const
    {
        return k <= t.segments ? t.offset(k) : INT64_MAX;
    }
    __device__ __forceinline__ void begin(const struct ragged_tiling &t,
                                          int64_t from)
    {
        base = from;
        now = at(t, base + threadIdx.x);
        next = at(t, base + 32 + threadIdx.x);
        done = 0;
    }
    __device__ __forceinline__ void advance(const struct ragged_tiling &t)
    {
        base += 32;
        now = next;
        next = at(t, base + 32 + threadIdx.x);
        done = 0;
    }
};

/* A warp's walk over the tiles of its unit. */
template <class Op>
struct unit_walk {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    using Held = held_of<Op>;
    static constexpr int V = kVec<T>;
    static constexpr int kVecs = kApart<Op> ? 3 : kRaggedVecs<T>;
    static constexpr int kElems = 32 * kVecs * V;
    static constexpr int kBytes =
        kElems * (int)(sizeof(T) + (kApart<Op> ? sizeof(Held) : 0) + 1);
    using end_bits = uint_of_bytes<V>;

    const struct ragged_elems &t;
    T *x;          /* the tile */
    Held *held;    /* results, where their segments end; may be x */
    uint8_t *ends; /* one per element, 0 or 1 */
    int64_t head_k,
        head_end;  /* the unit's first offset, or 0; and its number */
    Acc head;      /* sum up to there, in one lane */
    bool has_head; /* it is this lane */
    Acc running;   /* sum since the last end */

    static __device__ __forceinline__ Held hold(Acc sum)
    {
        if constexpr (kCounts<Op>)
            return sum;
        else
            return Op::lower(sum);
    }

    /* Marks the ends of a tile's walks, and leaves the window at the first
     * offset behind it. */
    __device__ __forceinline__ void mark(int64_t first, int64_t last,
                                         struct offset_window *window) const
    {
        for (;;) {
            const bool inside = window->now <= last;
            const int64_t row = window->now - first - 1;
            if (inside && (int)threadIdx.x >= window->done && row >= 0)
                ends[row] = 1;
            const int count = __popc(__ballot_sync(kWholeWarp, inside));
            if (count < 32) {
                window->done = count;
                return;
            }
            window->advance(t.rows);
        }
    }

    /* Leaves the tile's results in `held`, and its bytes of ends cleared. */
    __device__ __forceinline__ void reduce(int64_t tile_first)
    {
        const int lane = threadIdx.x;
        end_bits any = 0;
        Acc sum = Op::identity(), first = Op::identity();
        int first_at = -1;
#pragma unroll
        for (int j = 0; j < kVecs; ++j) {
            const int at = (lane * kVecs + j) * V;
            const auto words = read_vec<vec<T>>(x + at);
            auto *const marks = (end_bits *)(ends + at);
            const auto bits = *marks;
            any |= bits;
            if (!__any_sync(kWholeWarp, bits != 0)) {
#pragma unroll
                for (int i = 0; i < V; ++i)
                    sum = Op::combine(sum, Op::lift(words.item[i]));
                continue;
            }
            *marks = 0;
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
        const unsigned heads = __ballot_sync(kWholeWarp, any != 0);
        const Acc upto = since_head<Op, false>(sum, heads);
        const Acc earlier = shuffle_earlier<false>(upto, 1);
        const Acc all = shuffle_from(upto, 31);
        const Acc carry = running;
        running = heads ? all : Op::combine(carry, all);
        if (first_at < 0)
            return;
        if (lane == 0)
            first = Op::combine(carry, first);
        else if (heads & ((1u << lane) - 1))
            first = Op::combine(earlier, first);
        else
            first = Op::combine(Op::combine(carry, earlier), first);
        if (tile_first + first_at + 1 == head_end) {
            head = first;
            has_head = true;
        } else
            held[first_at] = hold(first);
    }

    /* Writes the results of the segments that end in the tile: those of the
     * offsets from `window` on, before which lies the offset `before`, up to
     * those that `later` has done. */
    __device__ __forceinline__ void write(int64_t first,
                                          struct offset_window window,
                                          const struct offset_window &later,
                                          int64_t *before,
                                          output_of<Op> *out) const
    {
        const int lane = threadIdx.x;
        for (;;) {
            const bool last = window.base == later.base;
            const int64_t end = window.now;
            int64_t start = shuffle_earlier<false>(end, 1);
            if (lane == 0)
                start = *before;
            const int64_t k = window.base + lane;
            if (k > 0 && k != head_k && lane >= window.done &&
                (!last || lane < later.done)) {
                const int64_t count = end - start;
                auto result = Op::lower(Op::identity(), 0);
                if constexpr (kCounts<Op>)
                    result = count ? Op::lower(held[end - 1 - first], count)
                                   : result;
                else
                    result = count ? held[end - 1 - first] : result;
                out[k - 1] = result;
            }
            if (last)
                return;
            *before = shuffle_from(end, 31);
            window.advance(t.rows);
        }
    }

    /* Publishes the sum since the last end, and writes the result of the
     * segment that began in another unit. No prefix follows an aggregate, so
     * that the order of additions is always the same. */
    __device__ __forceinline__ void meet(int64_t unit, bool ended,
                                         tile_state<Acc> *states,
                                         output_of<Op> *out) const
    {
        tile_state<Acc> *state = states + unit * kStateStride<Acc>;
        if (threadIdx.x == 0 && unit + 1 < t.units)
            publish(state, ended ? TILE_PREFIX : TILE_AGGREGATE, running);
        if (head_k == 0)
            return;
        const Acc carry = look_back<Op>(state, unit);
        if (has_head) {
            out[head_k - 1] = Op::lower(Op::combine(carry, head),
                                        head_end - t.rows.offset(head_k - 1));
        }
    }

    /* Reduces a unit's tiles. The whole warp calls it. */
    template <class Mover>
    __device__ __forceinline__ void unit(int64_t number, const int64_t *starts,
                                         Mover &mover, tile_state<Acc> *states,
                                         output_of<Op> *out)
    {
        const int64_t begin = divide(t.rows.tiles * number, t.units);
        const int64_t end = divide(t.rows.tiles * (number + 1), t.units);
        const int64_t from = __ldcg((const long long *)starts + number);
        const int64_t until = __ldcg((const long long *)starts + number + 1);
        struct offset_window window;
        window.begin(t.rows, from);
        int64_t before = 0; /* the unit's first segment is not written there */
        if (number > 0 && from < until) {
            head_k = from;
            head_end = shuffle_from(window.now, 0);
        }
        for (int64_t place = begin; place < end; ++place) {
            const int64_t first = place * t.rows.tile_rows - t.rows.lead;
            const int64_t last = min(first + t.rows.tile_rows, t.rows.count);
            const struct span part =
                span_of(max(first, (int64_t)0), last, first, t.alignment);
            if (!Mover::alone || threadIdx.x == 0)
                mover.start(part);
            const struct offset_window own = window;
            mark(first, last, &window);
            mover.land(part);
            __syncwarp();
            reduce(first);
            __syncwarp();
            write(first, own, window, &before, out);
            mover.release();
            __syncwarp(); /* the tile may be overwritten */
        }
        meet(number, number == 0 || from < until, states, out);
    }
};

template <class T, class Op>
static __global__ void __launch_bounds__(32, kResident<32, kWarps>)
    ragged_spans(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 const struct ragged_elems t, unsigned long long *ticket,
                 tile_state<typename Op::acc> *states, const int64_t *starts)
{
    TAG(fast);
    using Walk = unit_walk<Op>;
    using Held = held_of<Op>;
    using Mover = tile_mover<T, false, 32>;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Mover::shared loaded;
    __shared__ int64_t taken;
    T *const x = (T *)shared_tile;
    Held *const held = (Held *)(x + (kApart<Op> ? Walk::kElems : 0));
    uint8_t *const ends = kApart<Op> ? (uint8_t *)(held + Walk::kElems)
                                     : (uint8_t *)(x + Walk::kElems);
    Mover mover = { in, NULL, { x, NULL }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int at = threadIdx.x * 16; at < Walk::kElems; at += 32 * 16)
        *(uint4 *)(ends + at) = {};
    for (int64_t n = blockIdx.x; n < t.units; n += gridDim.x) {
        const int64_t number = take_ticket(ticket, &taken);
        Walk walk = {
            t, x, held, ends, 0, -1, Op::identity(), false, Op::identity()
        };
        walk.unit(number, starts, mover, states, out);
        __syncwarp(); /* and the ticket */
    }
}

/* ------------------------------------------------------------------ host */

/* The tiling in units, as wide as any pointers need if `lead` is the most. */
template <int Elems>
static struct ragged_elems units_of(const struct problem *p, int lead)
{
    const int64_t most = (int64_t)p->device->sm_count * kWarps * kUnits;
    struct ragged_elems t = { .rows = ragged_tiling_of(p, Elems, lead) };
    t.units = t.rows.tiles < most ? t.rows.tiles : most;
    t.rows.parts = t.units;
    return t;
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t units =
        units_of<32 * 2 * kRaggedVecs<double>>(p, kAlignment - 1).units;
    return ragged_bytes(p, units, units, 1);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using Walk = unit_walk<Op>;
        const struct alignment alignment = alignment_of(p);
        struct ragged_elems t = units_of<Walk::kElems>(p, alignment.lead);
        t.alignment = alignment;
        return launch_ragged<false>(p, ragged_spans<typename Op::element, Op>,
                                    t, t.units, 1, Walk::kBytes, kWarps, stream,
                                    32);
    });
}

/* error_tile: one of doubles, the shortest. */
VARIANTS(reduce__ragged_spans) = {
    { .name = "ragged_spans",
      .idea = "a warp reduces a span of memory, whatever segments it holds",
      .runs_on = DEVICE_CUDA,
      .ops = reductions<kNeeds>(),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 32 * 2 * kRaggedVecs<double>,
      .deterministic = true,
      .refuses = ragged_span_refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch,
      .ragged = true },
    {},
};
