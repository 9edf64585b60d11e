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
 *          subwarp_per_line, whose lanes share a line: segments may be shorter
 *          than a warp or longer than the device.
 * Traffic  N elements, the offsets, and three words per unit (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   as in scan/spans/ragged_spans.cu; the sums at borders: the second
 *          kernel of D. Merrill and M. Garland, "Merge-based Parallel Sparse
 *          Matrix-Vector Multiplication", SC 2016.
 * Lesson   A reduction need not wait in order: only the few sums at borders do.
 *          A tile has several steps, each of which waits for memory: blocks of
 *          one warp wait apart, and need no barriers.
 */
#include "variants/common/look_back/ragged_spans.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

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

/* Offsets per lane that a warp loads at a time, and waits for once. */
constexpr int kWindows = 4;

/* The next offsets, 32 * kWindows at a time, as distances from `origin`, the
 * unit's first element; UINT32_MAX if one does not fit in 32 bits. */
struct offset_window {
    int64_t base, origin;  /* base: the number of lane 0's first */
    unsigned at[kWindows]; /* a lane has every 32nd */

    /* The offset at `from` is followed by `left` more; there is none if `left`
     * is negative. */
    template <class Offset>
    __device__ __forceinline__ void load(const char *from, int left)
    {
        uint64_t offsets[kWindows];
#pragma unroll
        for (int i = 0; i < kWindows; ++i)
            offsets[i] = left >= 32 * i ? __ldg((const Offset *)from + 32 * i)
                                        : (uint64_t)INT64_MAX;
#pragma unroll
        for (int i = 0; i < kWindows; ++i) {
            const uint64_t distance = offsets[i] - origin;
            at[i] = distance >> 32 ? UINT32_MAX : (unsigned)distance;
        }
    }
    __device__ __forceinline__ void begin(const struct ragged_tiling &t,
                                          int64_t number)
    {
        base = number;
        const int64_t k = base + threadIdx.x;
        const char *const from = (const char *)t.offsets + k * t.offset_bytes;
        const int left = (int)min(t.segments - k, (int64_t)INT32_MAX);
        if (t.offset_bytes == 4)
            load<unsigned>(from, left);
        else
            load<unsigned long long>(from, left);
    }
    __device__ __forceinline__ void advance(const struct ragged_tiling &t)
    {
        begin(t, base + 32 * kWindows);
    }
};

/* The units' sums for each other, by number. */
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
    int64_t head_k;    /* number of the unit's first offset, or 0 if it has none
                          or no carry */
    unsigned head_end; /* that offset's distance, or 0 */
    Acc running;       /* sum since the last end */

    static __device__ __forceinline__ Held hold(Acc sum)
    {
        if constexpr (kCounts<Op>)
            return sum;
        else
            return Op::lower(sum);
    }

    /* Marks the ends of the walks of a tile, `rows` long from the distance
     * `tile` on, and leaves the window at the offsets after it. */
    __device__ __forceinline__ void mark(unsigned tile, unsigned rows,
                                         struct offset_window *window) const
    {
        for (;;) {
#pragma unroll
            for (int i = 0; i < kWindows; ++i)
                if (window->at[i] - tile - 1 < rows)
                    ends[window->at[i] - tile - 1] = 1;
            const bool done = window->at[kWindows - 1] <= tile + rows;
            if (!__all_sync(kWholeWarp, done))
                return;
            window->advance(t.rows);
        }
    }

    /* Leaves the tile's results in `held`, or `records` if they lack a carry,
     * and its bytes of ends cleared. */
    __device__ __forceinline__ void reduce(unsigned tile)
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
        if (tile + first_at + 1 == head_end)
            records.heads[number] = first;
        else
            held[first_at] = hold(first);
    }

    /* Writes the results of the segments that end in the tile: those of the
     * offsets at distances from `least` on, in the windows from `window` to
     * `later`. The last lane's *before is the offset in front of `window`. */
    __device__ __forceinline__ void
    write(unsigned tile, unsigned rows, unsigned least,
          struct offset_window window, const struct offset_window &later,
          unsigned *before, output_of<Op> *out) const
    {
        const int lane = threadIdx.x;
        for (;;) {
            const int64_t k = window.base + lane;
#pragma unroll
            for (int i = 0; i < kWindows; ++i) {
                const unsigned end = window.at[i];
                const unsigned earlier = i ? window.at[i - 1] : *before;
                const unsigned start =
                    shuffle_from(lane == 31 ? earlier : end, (lane + 31) % 32);
                if (end - least > tile + rows - least ||
                    (i == 0 && k == head_k))
                    continue;
                const int64_t count = end - start;
                auto result = Op::lower(Op::identity(), 0);
                if constexpr (kCounts<Op>)
                    result =
                        count ? Op::lower(held[end - 1 - tile], count) : result;
                else
                    result = count ? held[end - 1 - tile] : result;
                out[k - 1 + 32 * i] = result;
            }
            if (window.base == later.base)
                return;
            *before = window.at[kWindows - 1];
            if (window.base + 32 * kWindows == later.base)
                window = later;
            else
                window.advance(t.rows);
        }
    }

    /* Finds the unit's first offset; `rows` is how many elements it has. Unit 0
     * has no carry, so its first is like any other. */
    __device__ __forceinline__ void find(int64_t rows,
                                         struct offset_window *window)
    {
        const int64_t origin = window->origin;
        window->begin(t.rows, number ? first_offset(t.rows, origin + 1) : 0);
        const unsigned end = shuffle_from(window->at[0], 0);
        const bool carried = number && end <= rows;
        head_k = carried ? window->base : 0;
        head_end = carried ? end : 0;
    }

    /* Reduces the unit's tiles. The whole warp calls it. */
    template <class Mover>
    __device__ __forceinline__ void unit(int64_t units, Mover &mover,
                                         output_of<Op> *out)
    {
        const int64_t begin = divide(t.rows.tiles * number, units);
        const int64_t end = divide(t.rows.tiles * (number + 1), units);
        const int64_t origin = begin * t.rows.tile_rows - t.rows.lead;
        struct offset_window window = { .origin = origin };
        unsigned before = 0; /* the unit's first segment is not written there */
        for (int64_t place = begin; place < end; ++place) {
            const int64_t first = place * t.rows.tile_rows - t.rows.lead;
            const int64_t last = min(first + t.rows.tile_rows, t.rows.count);
            const struct span part =
                span_of(max(first, (int64_t)0), last, first, t.alignment);
            if (!Mover::alone || threadIdx.x == 0)
                mover.start(part);
            if (place == begin)
                find(min(end * t.rows.tile_rows - t.rows.lead, t.rows.count) -
                         origin,
                     &window);
            const unsigned tile = first - origin, rows = last - first;
            const struct offset_window own = window;
            mark(tile, rows, &window);
            mover.land(part);
            __syncwarp();
            reduce(tile);
            __syncwarp();
            write(tile, rows, place ? tile + 1 : 0, own, window, &before, out);
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
        Walk walk = { t, records, x, held, ends, n, 0, 0, Op::identity() };
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
    const int64_t resident = (int64_t)p->device->sm_count * kWarps;
    const int64_t least = t.count >> 31; /* distances have 32 bits */
    const int64_t most = resident * kUnits > least ? resident * kUnits : least;
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
      ON_CUDA(reductions<kNeeds>(), 1),
      ERROR_OF_TILES(32 * 2 * kRaggedVecs<double>),
      .deterministic = true,
      .refuses = ragged_span_refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch,
      .ragged = true },
    {},
};
