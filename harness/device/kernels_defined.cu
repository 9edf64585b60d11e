/* SPDX-License-Identifier: MIT
 *
 * Chunks of lines are combined first, in walk order, and then walked in
 * parallel from the accs that precede them.
 */
#include "harness/device/kernels_defined.h"

#include "harness/device/kernels_prefixes.cuh"
#include "src/model/definition.h"

template <int Reducer>
struct definition;

#define DEFINITION(id, prefix)                                                 \
    template <>                                                                \
    struct definition<id> {                                                    \
        using acc = struct op_acc;                                             \
        static __device__ acc identity(void)                                   \
        {                                                                      \
            return prefix##_identity(DTYPE_F64);                               \
        }                                                                      \
        static __device__ acc lift(enum dtype d, uint64_t bits, int64_t a)     \
        {                                                                      \
            return prefix##_lift(d, bits, a);                                  \
        }                                                                      \
        static __device__ acc combine(acc earlier, acc later)                  \
        {                                                                      \
            return prefix##_combine(earlier, later);                           \
        }                                                                      \
        static __device__ bool accepts(enum dtype d, uint64_t bits, acc acc,   \
                                       int64_t count)                          \
        {                                                                      \
            return prefix##_accepts(d, bits, acc, count);                      \
        }                                                                      \
    };
DEFINITIONS(DEFINITION)

/* One thread's walk over steps [first, end) of a line. Calls see(step, index,
 * before, acc, bits, mask) for each. */
template <enum dtype D, class Definition, class See>
__device__ __forceinline__ struct op_acc
walk_steps(const walk &w, int64_t o, int64_t i, int64_t first, int64_t end,
           struct op_acc acc, See see)
{
    const struct shape shape = w.p.shape;
    const struct input_line l = line_of(w, o * shape.inner + i);
    for (int64_t step = first; step < end; ++step) {
        const int64_t a = w.reverse ? shape.axis - 1 - step : step;
        const int64_t index = (o * shape.axis + a) * shape.inner + i;
        const uint64_t bits = input_bits(D, l, a, (uint64_t)index);
        const uint8_t mask = l.masked ? input_mask(l, a, (uint64_t)index) : 1;
        const struct op_acc before = acc;
        if (mask)
            acc = Definition::combine(acc, Definition::lift(D, bits, a));
        see(step, index, before, acc, bits, mask);
    }
    return acc;
}

template <enum dtype D, class Definition>
static __global__ void chunk_accs(walk w, struct op_acc *accs)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        accs[item] = walk_steps<D, Definition>(
            w, o, i, c * kChunk, min((c + 1) * kChunk, shape.axis),
            Definition::identity(), [](auto...) {});
    }
}

static __device__ void judge_bits(gathered *seen, int64_t index, bool right)
{
    ++seen->checked;
    if (right)
        return;
    ++seen->wrong;
    seen->first_wrong = min(seen->first_wrong, (unsigned long long)index);
}

static __device__ void gather_bits(const gathered &seen, gathered *g)
{
    if (seen.input_changed)
        g->input_changed = 1;
    atomicAdd(&g->checked, seen.checked);
    if (!seen.wrong)
        return;
    const double infinite = HUGE_VAL;
    atomicAdd(&g->wrong, seen.wrong);
    atomicMin(&g->first_wrong, seen.first_wrong);
    atomicMax(&g->max_error_bits,
              (unsigned long long)__double_as_longlong(infinite));
}

/* Compares the input and, of a scan, the output. Where a line is a single
 * chunk, there are no prefixes, and the results of reductions are compared,
 * too. */
template <enum dtype D, class Definition>
static __global__ void check_steps(const __grid_constant__ walk w,
                                   const struct op_acc *prefixes, gathered *g)
{
    const struct shape shape = w.p.shape;
    const bool scan = op_is_scan(w.p.op), exclusive = op_is_exclusive(w.p.op);
    gathered seen = {};
    seen.first_wrong = ~0ull;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        const struct op_acc whole = walk_steps<D, Definition>(
            w, o, i, c * kChunk, min((c + 1) * kChunk, shape.axis),
            prefixes ? prefixes[item] : Definition::identity(),
            [&](int64_t step, int64_t index, struct op_acc before,
                struct op_acc acc, uint64_t bits, uint8_t mask) {
                seen.input_changed |= bits_at<D>(w.p.in, index) != bits;
                if (w.masked)
                    seen.input_changed |= w.p.mask[index] != mask;
                if (scan)
                    judge_bits(
                        &seen, index,
                        Definition::accepts(D, bits_at<D>(w.p.out, index),
                                            exclusive ? before : acc,
                                            exclusive ? step : step + 1));
            });
        const int64_t line = o * shape.inner + i;
        if (!scan && !prefixes)
            judge_bits(&seen, line,
                       Definition::accepts(D, bits_at<D>(w.p.out, line), whole,
                                           shape.axis));
    }
    gather_bits(seen, g);
}

template <enum dtype D, class Definition>
static __global__ void check_wholes(walk w, const struct op_acc *whole,
                                    gathered *g)
{
    gathered seen = {};
    seen.first_wrong = ~0ull;
    for (GRID_STRIDE(line, w.p.shape.outer * w.p.shape.inner))
        judge_bits(
            &seen, line,
            Definition::accepts(D, bits_at<D>(w.p.out, line),
                                whole ? whole[line] : Definition::identity(),
                                w.p.shape.axis));
    gather_bits(seen, g);
}

/* The prefixes of the last problem. */
static struct {
    bool valid;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    struct input input;
    struct op_acc *prefixes; /* of the chunks; the lines' wholes lie behind */
    int64_t items;           /* that the memory has room for */
} kept;

void defined_forget(void)
{
    cudaFree(kept.prefixes);
    kept = {};
}

static bool is_kept(const walk &w)
{
    return kept.valid && kept.op == w.p.op && kept.dtype == w.p.dtype &&
           shape_equal(kept.shape, w.p.shape) &&
           kept.input.kind == w.input.kind &&
           kept.input.version == w.input.version;
}

/* Returns the place of the wholes, which the coarser levels follow. */
static struct op_acc *wholes(const walk &w)
{
    return kept.prefixes + w.chunks * shape_lines(w.p.shape);
}

template <enum dtype D, class Definition>
static int keep_prefixes(const walk &w)
{
    const int64_t lines = shape_lines(w.p.shape);
    const int64_t items = lines + prefix_items(w.p.shape, w.chunks);
    if (is_kept(w))
        return cudaSuccess;
    kept.valid = false;
    if (items > kept.items) {
        defined_forget();
        const int error =
            cudaMalloc(&kept.prefixes, (size_t)items * sizeof *kept.prefixes);
        if (error)
            return error;
        kept.items = items;
    }
    chunk_accs<D, Definition>
        <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(w,
                                                               kept.prefixes);
    const int error = to_prefixes<Definition>(w.p.shape, w.chunks, wholes(w),
                                              kept.prefixes, wholes(w) + lines);
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
static int check(const walk &w, gathered *g)
{
    const int64_t lines = shape_lines(w.p.shape);
    const bool chunked = w.chunks > 1;
    const int error = chunked ? keep_prefixes<D, Definition>(w) : cudaSuccess;
    if (error)
        return error;
    if (w.elems > 0)
        check_steps<D, Definition>
            <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(
                w, chunked ? kept.prefixes : NULL, g);
    if (op_is_reduction(w.p.op) && w.chunks != 1 && lines > 0)
        check_wholes<D, Definition><<<(unsigned)blocks_for(lines), kThreads>>>(
            w, chunked ? wholes(w) : NULL, g);
    return cudaGetLastError();
}

int defined_check(const walk &w, gathered *g)
{
    int error = cudaErrorNotSupported;
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
#define CHECK(id, prefix)                                                      \
    case id:                                                                   \
        error = check<kDtype, definition<id>>(w, g);                           \
        break;
        switch (op_reducer(w.p.op)) {
            DEFINITIONS(CHECK)
        }
#undef CHECK
    });
    return error;
}
