/* SPDX-License-Identifier: MIT
 *
 * Chunks of lines are combined first, in walk order, and then walked in
 * parallel from the accs that precede them. A ragged shape's axis is cut into
 * chunks as if it were a line, whose accs begin anew at each segment.
 */
#include "harness/device/kernels_defined.h"

#include "harness/device/kernels_prefixes.cuh"
#include "src/model/affine.h"

/* The judgement of outputs. */
struct judge {
    bool exact, cancelling;
    double bound;
    struct allowance allowance; /* of a ragged shape */
};

/* The definitions on the device: error() of an output is at most the bound if
 * it is right. `whole` is the acc of its line. */
template <enum dtype D>
struct sum_definition : sums {
    static constexpr int reducer = REDUCER_ADD;
    static __device__ acc lift(enum dtype d, uint64_t bits, int64_t)
    {
        const double x = dtype_value(d, bits);
        return { { x, 0 }, fabs(x) };
    }
    static __device__ double error(enum dtype d, uint64_t bits, const acc &a,
                                   const acc &whole, int64_t, judge by)
    {
        const double r = two_sum_value(a.sum);
        return rounding_error(d, by.exact, dtype_value(d, bits), r,
                              sum_rounding(d, r),
                              by.cancelling ? whole.magnitude : a.magnitude);
    }
};

#define DEFINITION(id, prefix, ...)                                            \
    template <enum dtype D>                                                    \
    struct prefix##_definition {                                               \
        static constexpr int reducer = id;                                     \
        using acc = struct op_acc;                                             \
        static __device__ acc identity(void)                                   \
        {                                                                      \
            return prefix##_identity(D);                                       \
        }                                                                      \
        static __device__ acc lift(enum dtype d, uint64_t bits, int64_t a)     \
        {                                                                      \
            return prefix##_lift(d, bits, a);                                  \
        }                                                                      \
        static __device__ acc combine(acc earlier, acc later)                  \
        {                                                                      \
            return prefix##_combine(earlier, later);                           \
        }                                                                      \
        static __device__ double error(enum dtype d, uint64_t bits,            \
                                       const acc &a, const acc &,              \
                                       int64_t count, judge by)                \
        {                                                                      \
            return prefix##_error(d, by.exact, bits, a, count);                \
        }                                                                      \
    };
DEFINITIONS(DEFINITION)
INTEGER_DEFINITIONS(DEFINITION)

/* A recurrence has two inputs. */
template <enum dtype D>
struct affine_definition {
    static constexpr int reducer = REDUCER_AFFINE;
    using acc = struct affine;
    static __device__ acc identity(void)
    {
        return affine_of(1, 0, 0);
    }
    static __device__ acc combine(acc earlier, acc later)
    {
        return affine_combine(earlier, later);
    }
    static __device__ double error(enum dtype d, uint64_t bits, const acc &a,
                                   const acc &, int64_t, judge by)
    {
        return affine_error(d, by.exact, bits, a);
    }
};
template <class Definition>
constexpr bool is_affine = std::is_same_v<typename Definition::acc, affine>;

/* A line, with what the types fix as constants: nvcc drops the other cases. */
template <enum dtype D, class Definition>
__device__ __forceinline__ struct input_line typed(struct input_line l)
{
    l.dtype = D;
    l.reducer = Definition::reducer;
    l.two = is_affine<Definition>;
    l.second = false;
    return l;
}

/* The acc of an element, whose first input has these bits. */
template <enum dtype D, class Definition>
__device__ __forceinline__ typename Definition::acc
lifted(const struct input_line &l, uint64_t bits, int64_t a, int64_t index)
{
    if constexpr (is_affine<Definition>)
        return verify_step(D, bits,
                           input_bits(D, input_second(l), a, (uint64_t)index));
    else
        return Definition::lift(D, bits, a);
}

/* The acc before a chunk, initial element included. */
template <class Definition>
__device__ __forceinline__ typename Definition::acc
before_chunk(const walk &w, int64_t line,
             const typename Definition::acc *prefix)
{
    const auto before = prefix ? *prefix : Definition::identity();
    if constexpr (is_affine<Definition>)
        return affine_combine(verify_start(&w.p, input_line_at(w.line0, line)),
                              before);
    else
        return before;
}

/* One thread's walk over steps [first, end) of a line. Calls see(step, index,
 * before, acc, bits, mask) for each. */
template <enum dtype D, class Definition, class See>
__device__ __forceinline__ typename Definition::acc
walk_steps(const walk &w, int64_t o, int64_t i, int64_t first, int64_t end,
           typename Definition::acc acc, See see)
{
    const struct shape shape = w.p.shape;
    const struct input_line l =
        typed<D, Definition>(input_line_at(w.line0, o * shape.inner + i));
    const int64_t by = w.reverse ? -1 : 1;
    int64_t a = w.reverse ? shape.axis - 1 - first : first;
    int64_t index = (o * shape.axis + a) * shape.inner + i;
    for (int64_t step = first; step < end;
         ++step, a += by, index += by * shape.inner) {
        const uint64_t bits = input_bits(D, l, a, (uint64_t)index);
        const uint8_t mask = l.masked ? input_mask(l, a, (uint64_t)index) : 1;
        const auto before = acc;
        if (mask)
            acc = Definition::combine(acc,
                                      lifted<D, Definition>(l, bits, a, index));
        see(step, index, before, acc, bits, mask);
    }
    return acc;
}

template <enum dtype D, class Definition>
static __global__ void chunk_accs(walk w, typename Definition::acc *accs)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        accs[item] = walk_steps<D, Definition>(
            w, o, i, c * kChunk, min((c + 1) * kChunk, shape.axis),
            Definition::identity(), [](auto...) {});
    }
}

/* Compares the input and, in scans, the output. If lines are single chunks, it
 * needs no prefixes or wholes and compares reductions, too. */
template <enum dtype D, class Definition>
static __global__ void
__launch_bounds__(kThreads, std::is_base_of_v<sums, Definition> ? 4 : 3)
    check_steps(const __grid_constant__ walk w,
                const typename Definition::acc *prefixes,
                const typename Definition::acc *wholes, judge by, gathered *g)
{
    using acc = typename Definition::acc;
    const struct shape shape = w.p.shape;
    const bool scan = op_is_scan(w.p.op), exclusive = op_is_exclusive(w.p.op);
    seen s = nothing_seen();
    bool changed = false;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        const int64_t line = o * shape.inner + i, first = c * kChunk;
        const int64_t end = min(first + kChunk, shape.axis);
        acc whole = Definition::identity();
        if (wholes)
            whole = wholes[line];
        else if (by.cancelling || !scan)
            whole = walk_steps<D, Definition>(w, o, i, 0, end, whole,
                                              [](auto...) {});
        walk_steps<D, Definition>(
            w, o, i, first, end,
            before_chunk<Definition>(w, line,
                                     prefixes ? prefixes + item : NULL),
            [&](int64_t step, int64_t index, const acc &before, const acc &upto,
                uint64_t bits, uint8_t mask) {
                changed |= bits_at<D>(w.p.in, index) != bits;
                if (w.masked)
                    changed |= w.p.mask[index] != mask;
                /* Copies, as the address of either would put both in memory. */
                const acc here = exclusive ? acc(before) : acc(upto);
                if (scan)
                    judge_output(
                        &s, by.bound, index,
                        Definition::error(D, out_bits<D>(w, index), here, whole,
                                          exclusive ? step : step + 1, by));
            });
        if (!scan && !wholes)
            judge_output(&s, by.bound, line,
                         Definition::error(D, out_bits<D>(w, line), whole,
                                           whole, shape.axis, by));
    }
    if (changed)
        g->input_changed = 1;
    gather(s, g);
}

template <enum dtype D, class Definition>
static __global__ void check_wholes(walk w,
                                    const typename Definition::acc *wholes,
                                    judge by, gathered *g)
{
    seen s = nothing_seen();
    for (GRID_STRIDE(line, w.p.shape.outer * w.p.shape.inner)) {
        const auto whole = wholes ? wholes[line] : Definition::identity();
        judge_output(&s, by.bound, line,
                     Definition::error(D, out_bits<D>(w, line), whole, whole,
                                       w.p.shape.axis, by));
    }
    gather(s, g);
}

/* ------------------------------------------------------------ ragged shapes */

/* Accs along an axis of segments. */
template <class Definition>
struct segmented {
    struct acc {
        typename Definition::acc own;
        bool cut; /* a segment begins in it; own is from there on */
    };
    static __device__ acc identity(void)
    {
        return { Definition::identity(), false };
    }
    static __device__ acc combine(const acc &earlier, const acc &later)
    {
        if (later.cut)
            return later;
        return { Definition::combine(earlier.own, later.own), earlier.cut };
    }
};

/* One thread's walk over steps [first, end) of column i of the axis. Calls
 * see(line, steps, index, acc, bits) for each; `steps` counts its line's steps
 * up to it. */
template <enum dtype D, class Definition, class See>
__device__ __forceinline__ typename segmented<Definition>::acc
walk_segments(const walk &w, int64_t i, int64_t first, int64_t end,
              typename segmented<Definition>::acc acc, See see)
{
    const struct shape shape = w.p.shape;
    struct input_line l = typed<D, Definition>(w.line0);
    int64_t a = 0;
    for (int64_t step = first; step < end; ++step, a += w.reverse ? -1 : 1) {
        const int64_t at = w.reverse ? shape.axis - 1 - step : step;
        const int64_t index = at * shape.inner + i;
        if (step == first || a < 0 || a >= l.axis) {
            int64_t line;
            locate(w, index, &line, &a);
            l = typed<D, Definition>(input_line_in(w.line0, line));
        }
        const int64_t steps = w.reverse ? l.axis - a : a + 1;
        const uint64_t bits = input_bits(D, l, a, (uint64_t)index);
        if (steps == 1)
            acc = { Definition::identity(), true };
        acc.own = Definition::combine(acc.own, Definition::lift(D, bits, a));
        see(l, steps, index, acc.own, bits);
    }
    return acc;
}

template <enum dtype D, class Definition>
static __global__ void segment_accs(walk w,
                                    typename segmented<Definition>::acc *accs)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, w.chunks * shape.inner)) {
        const int64_t c = item / shape.inner, first = c * kChunk;
        accs[item] = walk_segments<D, Definition>(
            w, item % shape.inner, first, min(first + kChunk, shape.axis),
            segmented<Definition>::identity(), [](auto...) {});
    }
}

/* Compares the input, and the output that each step ends. */
template <enum dtype D, class Definition>
static __global__ void
check_segments(const __grid_constant__ walk w,
               const typename segmented<Definition>::acc *prefixes, judge by,
               gathered *g)
{
    const struct shape shape = w.p.shape;
    const bool scan = op_is_scan(w.p.op);
    seen s = nothing_seen();
    bool changed = false;
    by.cancelling = false;
    for (GRID_STRIDE(item, w.chunks * shape.inner)) {
        const int64_t c = item / shape.inner, first = c * kChunk;
        walk_segments<D, Definition>(
            w, item % shape.inner, first, min(first + kChunk, shape.axis),
            prefixes[item],
            [&](const struct input_line &l, int64_t steps, int64_t index,
                const typename Definition::acc &acc, uint64_t bits) {
                changed |= bits_at<D>(w.p.in, index) != bits;
                if (!scan && steps < l.axis)
                    return;
                const int64_t at = scan ? index : l.line;
                judge_output(&s, verify_allows(by.allowance, l.axis), at,
                             Definition::error(D, out_bits<D>(w, at), acc, acc,
                                               steps, by));
            });
    }
    if (changed)
        g->input_changed = 1;
    gather(s, g);
}

/* Compares the reductions of empty segments. */
template <enum dtype D, class Definition>
static __global__ void check_empty(const __grid_constant__ walk w, judge by,
                                   gathered *g)
{
    const auto none = Definition::identity();
    seen s = nothing_seen();
    for (GRID_STRIDE(line, w.p.segments * w.p.shape.inner))
        if (input_line_in(w.line0, line).axis == 0)
            judge_output(
                &s, verify_allows(by.allowance, 0), line,
                Definition::error(D, out_bits<D>(w, line), none, none, 0, by));
    gather(s, g);
}

/* The prefixes of the last problem. */
static struct {
    bool valid;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    struct input input;
    void *prefixes; /* of the chunks; the lines' wholes lie behind */
    size_t bytes;   /* capacity of the memory */
} kept;

void kernels_forget(void)
{
    cudaFree(kept.prefixes);
    kept = {};
}

/* Number of accs kept for lines of several chunks. */
static int64_t kept_items(struct shape shape, int64_t chunks)
{
    return shape_lines(shape) + prefix_items(shape, chunks);
}

int64_t kernels_reference_bytes(enum op op, struct shape shape)
{
    shape.lines.kind = LINES_PLAIN; /* the axis is uncut */
    const int64_t chunks = (shape.axis + kChunk - 1) / kChunk;
    const size_t most = sizeof(struct op_acc) > sizeof(total)
                            ? sizeof(struct op_acc)
                            : sizeof(total);
    if (!(op_is_scan(op) || op_is_reduction(op)) || chunks <= 1)
        return 0;
    return kept_items(shape, chunks) * (int64_t)most;
}

[[maybe_unused]] static bool is_kept(const walk &w)
{
    return kept.valid && kept.op == w.p.op && kept.dtype == w.p.dtype &&
           shape_equal(kept.shape, w.p.shape) &&
           kept.input.kind == w.input.kind &&
           kept.input.version == w.input.version;
}

/* Computes the chunks' prefixes, the lines' wholes and coarser levels, from
 * what `accs` writes of each chunk. */
template <class Definition>
static int keep_prefixes(const walk &w,
                         void (*accs)(walk, typename Definition::acc *))
{
    using acc = typename Definition::acc;
    const int64_t lines = shape_lines(w.flat);
    const size_t bytes = (size_t)kept_items(w.flat, w.chunks) * sizeof(acc);
    if (is_kept(w))
        return cudaSuccess;
    kept.valid = false;
    if (bytes > kept.bytes) {
        kernels_forget();
        const int error = cudaMalloc(&kept.prefixes, bytes);
        if (error)
            return error;
        kept.bytes = bytes;
    }
    acc *const prefixes = (acc *)kept.prefixes;
    acc *const wholes = prefixes + lines * w.chunks;
    accs<<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(w, prefixes);
    const int error = to_prefixes<Definition>(w.flat, w.chunks, wholes,
                                              prefixes, wholes + lines);
    if (error)
        return error;
    kept.op = w.p.op;
    kept.dtype = w.p.dtype;
    kept.shape = w.p.shape;
    kept.input = w.input;
    kept.valid = true;
    return cudaSuccess;
}

template <enum dtype D, class Definition>
static int check(const walk &w, judge by, gathered *g)
{
    using acc = typename Definition::acc;
    const int64_t lines = shape_lines(w.p.shape);
    const bool chunked = w.chunks > 1;
    const int error =
        chunked ? keep_prefixes<Definition>(w, chunk_accs<D, Definition>)
                : cudaSuccess;
    if (error)
        return error;
    const acc *const prefixes = chunked ? (const acc *)kept.prefixes : NULL;
    const acc *const wholes = chunked ? prefixes + lines * w.chunks : NULL;
    if (w.elems > 0)
        check_steps<D, Definition>
            <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(
                w, prefixes, wholes, by, g);
    if (op_is_reduction(w.p.op) && w.chunks != 1 && lines > 0)
        check_wholes<D, Definition>
            <<<(unsigned)blocks_for(lines), kThreads>>>(w, wholes, by, g);
    return cudaGetLastError();
}

template <enum dtype D, class Definition>
static int check_ragged(const walk &w, judge by, gathered *g)
{
    const int64_t items = w.chunks * w.p.shape.inner;
    const int64_t lines = w.p.segments * w.p.shape.inner;
    if (items > 0) {
        const int error = keep_prefixes<segmented<Definition>>(
            w, segment_accs<D, Definition>);
        if (error)
            return error;
        check_segments<D, Definition>
            <<<(unsigned)blocks_for(items), kThreads>>>(
                w, (typename segmented<Definition>::acc *)kept.prefixes, by, g);
    }
    if (op_is_reduction(w.p.op) && lines > 0)
        check_empty<D, Definition>
            <<<(unsigned)blocks_for(lines), kThreads>>>(w, by, g);
    return cudaGetLastError();
}

int defined_check(const walk &w, bool exact, bool cancelling, double bound,
                  struct allowance allowance, gathered *g)
{
    const judge by = { exact, cancelling, bound, allowance };
    int error = cudaErrorNotSupported;
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        /* Floats share an identity, and kernels that need only that. */
        constexpr enum dtype kLike =
            dtype_is_integer<kDtype> ? kDtype : DTYPE_F64;
#define CHECK(id, prefix, dtypes, ...)                                         \
    case id:                                                                   \
        if constexpr (is_reducer_built(id) && ((dtypes)&DTYPE_BIT(kDtype))) {  \
            using definition = prefix##_definition<kLike>;                     \
            if constexpr (REDUCERS_RAGGED >> (id)&1)                           \
                if (w.p.offsets)                                               \
                    error = check_ragged<kDtype, definition>(w, by, g);        \
            if (!w.p.offsets)                                                  \
                error = check<kDtype, definition>(w, by, g);                   \
        }                                                                      \
        break;
        switch (op_reducer(w.p.op)) {
            CHECK(REDUCER_ADD, sum, DTYPES_FLOAT)
            CHECK(REDUCER_AFFINE, affine, DTYPES_FLOAT)
            DEFINITIONS(CHECK)
        }
        switch (op_reducer(w.p.op)) {
            INTEGER_DEFINITIONS(CHECK)
        }
#undef CHECK
    });
    return error;
}
