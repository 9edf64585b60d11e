/* SPDX-License-Identifier: MIT
 *
 * Idea     A warp reduces a unit of consecutive tiles of memory, whatever
 *          segments they hold, and keeps the sum of the segment that goes on. A
 *          lane walks consecutive elements once, and leaves each sum in shared
 *          memory, where its segment ends; from there, a lane per segment
 *          writes the results: neighbours write neighbours, and an empty
 *          segment costs no more than a short one. A unit keeps apart the sums
 *          up to its first end and since its last; a second kernel scans these
 *          and writes the results of segments that cross units.
 * Against  ragged_spans, the scan, where a tile waits for the tile before it
 *          and a first kernel searches the offsets: here no block waits for
 *          another, and a warp searches while its first tile is in flight.
 *          subwarp_per_line, whose lanes share a line: of segments, some are
 *          shorter than a warp and some longer than the device.
 * Traffic  N elements, the offsets, and three words per unit (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   as in scan/spans/ragged_spans.cu; the sums at borders: the second
 *          kernel of D. Merrill and M. Garland, "Merge-based Parallel Sparse
 *          Matrix-Vector Multiplication", SC 2016.
 * Lesson   A reduction has no order to wait for: only sums at borders have, and
 *          these are few. A tile has several steps, each of which waits for
 *          memory: blocks of one warp wait apart, and need no barriers.
 */
#include "variants/common/look_back/ragged_spans.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

constexpr int kWarps = 32; /* blocks of one warp per multiprocessor */

/* Units per resident block, since multiprocessors differ in speed. */
constexpr int kUnits = 4;

constexpr int kJoinThreads = 1024; /* a block of the second kernel */

/* True if a result depends on the number of its elements: then sums are held,
 * and lowered where the segment's length is at hand; else results are held. */
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

/* What units leave for each other, by number. */
template <class Acc>
struct unit_records {
    Acc *tails;    /* sum since the unit's last end, if it has one */
    Acc *heads;    /* sum up to its first end, if it has one */
    int64_t *ends; /* the number of the offset there, else 0 */

    __device__ __forceinline__ int64_t end(int64_t unit) const
    {
        return __ldcg((const long long *)ends + unit);
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
    const unit_records<Acc> &records;
    T *x;          /* the tile */
    Held *held;    /* results, where their segments end; may be x */
    uint8_t *ends; /* one per element, 0 or 1 */
    int64_t number;
    int64_t head_k, head_end; /* number of the unit's first offset, and the
                                 offset; else 0, and the end of no element */
    Acc running;              /* sum since the last end */

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

    /* Leaves the tile's results in `held`, or `records` if they lack a carry,
     * and its bytes of ends cleared. */
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
        if (tile_first + first_at + 1 == head_end)
            records.heads[number] = first;
        else
            held[first_at] = hold(first);
    }

    /* Writes the results of the segments that end in the tile, but for the
     * unit's first: those of the offsets from `window` to `later`. *before is
     * the offset in front of the window. */
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

    /* Finds the unit's first offset, for its tiles up to element `last`; unit 0
     * has no carry, so its first is like any other. */
    __device__ __forceinline__ void find(int64_t first, int64_t last,
                                         struct offset_window *window)
    {
        window->begin(t.rows, number ? first_offset(t.rows, first + 1) : 0);
        const int64_t end = shuffle_from(window->now, 0);
        const bool carried = number && end <= last;
        head_k = carried ? window->base : 0;
        head_end = carried ? end : -1;
    }

    /* Reduces the unit's tiles. The whole warp calls it. */
    template <class Mover>
    __device__ __forceinline__ void unit(int64_t units, Mover &mover,
                                         output_of<Op> *out)
    {
        const int64_t begin = divide(t.rows.tiles * number, units);
        const int64_t end = divide(t.rows.tiles * (number + 1), units);
        struct offset_window window;
        int64_t before = 0; /* the unit's first segment is not written there */
        for (int64_t place = begin; place < end; ++place) {
            const int64_t first = place * t.rows.tile_rows - t.rows.lead;
            const int64_t last = min(first + t.rows.tile_rows, t.rows.count);
            const struct span part =
                span_of(max(first, (int64_t)0), last, first, t.alignment);
            if (!Mover::alone || threadIdx.x == 0)
                mover.start(part);
            if (place == begin)
                find(first,
                     min(end * t.rows.tile_rows - t.rows.lead, t.rows.count),
                     &window);
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
        if (threadIdx.x == 0) {
            records.tails[number] = running;
            records.ends[number] = head_k;
        }
    }
};

template <class T, class Op>
static __global__ void __launch_bounds__(32, kResident<32, kWarps>)
    ragged_spans(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 const struct ragged_elems t, int64_t units,
                 const unit_records<typename Op::acc> records)
{
    TAG(fast);
    using Walk = unit_walk<Op>;
    using Held = held_of<Op>;
    using Mover = tile_mover<T, false, 32>;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Mover::shared loaded;
    T *const x = (T *)shared_tile;
    Held *const held = (Held *)(x + (kApart<Op> ? Walk::kElems : 0));
    uint8_t *const ends = kApart<Op> ? (uint8_t *)(held + Walk::kElems)
                                     : (uint8_t *)(x + Walk::kElems);
    Mover mover = { in, NULL, { x, NULL }, &loaded, 0 };
    early_allow();
    if (threadIdx.x == 0)
        mover.init();
    for (int at = threadIdx.x * 16; at < Walk::kElems; at += 32 * 16)
        *(uint4 *)(ends + at) = {};
    __syncwarp();
    for (int64_t n = blockIdx.x; n < units; n += gridDim.x) {
        Walk walk = { t, records, x, held, ends, n, 0, -1, Op::identity() };
        walk.unit(units, mover, out);
    }
}

/* Writes the results of the segments that several units have, a thread per unit
 * with an end. A block goes back over earlier units, as many at a time as it
 * has threads, until each of its segments has begun. */
template <class Op>
static __global__ void __launch_bounds__(kJoinThreads)
    join_units(output_of<Op> *out, const struct ragged_tiling t, int64_t units,
               const unit_records<typename Op::acc> records)
{
    using Acc = typename Op::acc;
    __shared__ ragged_shared<Acc, kJoinThreads / 32> shared;
    early_wait();
    for (int64_t first = (int64_t)blockIdx.x * kJoinThreads; first < units;
         first += (int64_t)gridDim.x * kJoinThreads) {
        const int64_t unit = first + threadIdx.x;
        int64_t k = 0, count = 0;
        Acc tail = Op::identity(), head = Op::identity();
        if (unit < units) {
            k = records.end(unit);
            tail = read_partial(records.tails + unit);
        }
        if (k) {
            head = read_partial(records.heads + unit);
            count = t.offset(k) - t.offset(k - 1);
        }
        const auto own = sum_since_ends<Op, false>(tail, k, shared);
        Acc carry = own.before;
        bool open = k && own.open;
        for (int64_t back = unit - kJoinThreads;
             __syncthreads_or(open) && back >= 0; back -= kJoinThreads) {
            const auto earlier = sum_since_ends<Op, false>(
                read_partial(records.tails + back), records.end(back), shared);
            if (open)
                carry = Op::combine(earlier.all, carry);
            open = open && !earlier.ended;
        }
        if (k)
            out[k - 1] = Op::lower(Op::combine(carry, head), count);
    }
}

/* ------------------------------------------------------------------ host */

static int64_t units_of(const struct problem *p, const struct ragged_tiling &t)
{
    const int64_t most = (int64_t)p->device->sm_count * kWarps * kUnits;
    return t.tiles < most ? t.tiles : most;
}

/* As much as any pointers need: here they may be NULL. */
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t units = units_of(
        p, ragged_tiling_of(p, 32 * 2 * kRaggedVecs<double>, kAlignment - 1));
    return (size_t)units * (2 * acc_bytes(p) + sizeof(int64_t));
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using Walk = unit_walk<Op>;
        const struct alignment alignment = alignment_of(p);
        const struct ragged_elems t = {
            ragged_tiling_of(p, Walk::kElems, alignment.lead), alignment
        };
        const int64_t units = units_of(p, t.rows);
        auto *const sums = (typename Op::acc *)p->workspace;
        const unit_records<typename Op::acc> records = {
            sums, sums + units, (int64_t *)(sums + 2 * units)
        };
        const int error = launch_kernel(ragged_spans<typename Op::element, Op>,
                                        units, 32, Walk::kBytes, stream, p->in,
                                        p->out, t, units, records);
        if (error != cudaSuccess || units == 1)
            return error;
        return launch_early(p, join_units<Op>, ceil_div(units, kJoinThreads),
                            kJoinThreads, 0, stream, p->out, t.rows, units,
                            records);
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
