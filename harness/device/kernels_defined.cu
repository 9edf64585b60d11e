/* SPDX-License-Identifier: MIT
 *
 * Chunks of lines are combined first, in walk order, and then walked in
 * parallel from the accs that precede them.
 */
#include "harness/device/kernels_defined.h"

#include "harness/device/kernels_prefixes.cuh"
#include "src/model/definition.h"

/* The judgement of outputs. */
struct judge {
    bool exact, cancelling;
    double bound;
};

/* The definitions on the device: error() of an output is at most the bound if
 * it is right. `whole` is the acc of its line. */
template <enum dtype D>
struct sum_definition : sums {
    static __device__ acc lift(enum dtype d, uint64_t bits, int64_t)
    {
        const double x = dtype_value(d, bits);
        return { { x, 0 }, fabs(x) };
    }
    static __device__ double error(enum dtype d, uint64_t bits, const acc &a,
                                   const acc &whole, int64_t, judge by)
    {
        return rounding_error(d, by.exact, dtype_value(d, bits),
                              two_sum_value(a.sum),
                              by.cancelling ? whole.magnitude : a.magnitude);
    }
};

#define DEFINITION(id, prefix, ...)                                            \
    template <enum dtype D>                                                    \
    struct prefix##_definition {                                               \
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

/* One thread's walk over steps [first, end) of a line. Calls see(step, index,
 * before, acc, bits, mask) for each. */
template <enum dtype D, class Definition, class See>
__device__ __forceinline__ typename Definition::acc
walk_steps(const walk &w, int64_t o, int64_t i, int64_t first, int64_t end,
           typename Definition::acc acc, See see)
{
    const struct shape shape = w.p.shape;
    const struct input_line l = line_of(w, o * shape.inner + i);
    for (int64_t step = first; step < end; ++step) {
        const int64_t a = w.reverse ? shape.axis - 1 - step : step;
        const int64_t index = (o * shape.axis + a) * shape.inner + i;
        const uint64_t bits = input_bits(D, l, a, (uint64_t)index);
        const uint8_t mask = l.masked ? input_mask(l, a, (uint64_t)index) : 1;
        const auto before = acc;
        if (mask)
            acc = Definition::combine(acc, Definition::lift(D, bits, a));
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
static __global__ void check_steps(const __grid_constant__ walk w,
                                   const typename Definition::acc *prefixes,
                                   const typename Definition::acc *wholes,
                                   judge by, gathered *g)
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
            prefixes ? prefixes[item] : Definition::identity(),
            [&](int64_t step, int64_t index, const acc &before, const acc &upto,
                uint64_t bits, uint8_t mask) {
                changed |= bits_at<D>(w.p.in, index) != bits;
                if (w.masked)
                    changed |= w.p.mask[index] != mask;
                if (scan)
                    judge_output(
                        &s, by.bound, index,
                        Definition::error(D, out_bits<D>(w, index),
                                          exclusive ? before : upto, whole,
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

void defined_forget(void)
{
    cudaFree(kept.prefixes);
    kept = {};
}

[[maybe_unused]] static bool is_kept(const walk &w)
{
    return kept.valid && kept.op == w.p.op && kept.dtype == w.p.dtype &&
           shape_equal(kept.shape, w.p.shape) &&
           kept.input.kind == w.input.kind &&
           kept.input.version == w.input.version;
}

/* Computes the chunks' prefixes, the lines' wholes and coarser levels. */
template <enum dtype D, class Definition>
static int keep_prefixes(const walk &w)
{
    using acc = typename Definition::acc;
    const int64_t lines = shape_lines(w.p.shape);
    const size_t bytes =
        (size_t)(lines + prefix_items(w.p.shape, w.chunks)) * sizeof(acc);
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
    chunk_accs<D, Definition>
        <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(w, prefixes);
    const int error = to_prefixes<Definition>(w.p.shape, w.chunks, wholes,
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
    const int error = chunked ? keep_prefixes<D, Definition>(w) : cudaSuccess;
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

int defined_check(const walk &w, bool exact, bool cancelling, double bound,
                  gathered *g)
{
    const judge by = { exact, cancelling, bound };
    int error = cudaErrorNotSupported;
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        /* Floats share an identity, and kernels that need only that. */
        constexpr enum dtype kLike =
            dtype_is_integer<kDtype> ? kDtype : DTYPE_F64;
#define CHECK(id, prefix, dtypes, ...)                                         \
    case id:                                                                   \
        if constexpr (is_reducer_built(id) && ((dtypes)&DTYPE_BIT(kDtype)))    \
            error = check<kDtype, prefix##_definition<kLike>>(w, by, g);       \
        break;
        switch (op_reducer(w.p.op)) {
            CHECK(REDUCER_ADD, sum, DTYPES_FLOAT)
            DEFINITIONS(CHECK)
        }
        switch (op_reducer(w.p.op)) {
            INTEGER_DEFINITIONS(CHECK)
        }
#undef CHECK
    });
    return error;
}
