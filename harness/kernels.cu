/* SPDX-License-Identifier: MIT */
#include "harness/kernels.h"

#include <cuda_runtime.h>

/* Elements that one thread walks; a line's chunks are walked in parallel from
 * prefixes that were summed beforehand, chunk totals upward, then downward. */
constexpr int kChunk = 256;
constexpr int kThreads = 256;

/* Plenty for any GPU, and few enough that what the blocks gather at their end
 * does not queue up. */
constexpr int64_t kMaxBlocks = 16384;

/* A sum and the sum of magnitudes. */
struct total {
    struct two_sum sum;
    double magnitude;
};

static __device__ __forceinline__ total total_join(total left, total right)
{
    total joined = left;
    joined.sum =
        two_sum_add(two_sum_add(left.sum, right.sum.high), right.sum.low);
    joined.magnitude += right.magnitude;
    return joined;
}

/* A problem as the kernels see it; step s of a line is element s, or, in
 * reverse, element axis - 1 - s. */
struct walk {
    struct problem p;
    enum input_kind kind;
    bool masked, reverse;
    int64_t elems, chunks; /* of the tensor; of a line */
};

static walk walk_of(const struct problem *p, enum input_kind kind)
{
    walk w;
    w.p = *p;
    w.kind = kind;
    w.masked = op_has_mask(p->op);
    w.reverse = p->op == OP_CUMSUM_REVERSE || p->op == OP_FLIP;
    w.elems = shape_elems(p->shape);
    w.chunks = (p->shape.axis + kChunk - 1) / kChunk;
    return w;
}

static __device__ struct input_line line_of(const walk &w, enum dtype dtype,
                                            int64_t line)
{
    return input_line_of(w.kind, dtype, w.masked, w.p.shape, line);
}

/* The input's element as the dtype holds it, and its bits. */
template <enum dtype D>
__device__ __forceinline__ double
input_at(const struct input_line &l, int64_t a, int64_t index, uint64_t *bits)
{
    *bits = 0;
    dtype_store(D, bits, 0, input_value(l, a, (uint64_t)index));
    return dtype_load(D, bits, 0);
}

/* The same, 0 where it is masked off. */
template <enum dtype D>
__device__ __forceinline__ double term_at(const struct input_line &l, int64_t a,
                                          int64_t index)
{
    uint64_t bits;
    if (l.masked && !input_mask((uint64_t)index))
        return 0;
    return input_at<D>(l, a, index, &bits);
}

/* Where an element of the tensor lies: its line and place in it. */
static __device__ void locate(const walk &w, int64_t index, int64_t *line,
                              int64_t *a)
{
    const struct shape shape = w.p.shape;
    if (w.elems >> 32 == 0) { /* 32-bit divisions are several times faster */
        const uint32_t at = (uint32_t)index, inner = (uint32_t)shape.inner;
        const uint32_t row = at / inner, axis = (uint32_t)shape.axis;
        *line = (int64_t)(row / axis) * shape.inner + at % inner;
        *a = row % axis;
        return;
    }
    const int64_t row = index / shape.inner, i = index % shape.inner;
    *line = row / shape.axis * shape.inner + i;
    *a = row % shape.axis;
}

template <enum dtype D>
__device__ __forceinline__ uint64_t bits_at(const void *array, int64_t index)
{
    if constexpr (D == DTYPE_F64)
        return ((const uint64_t *)array)[index];
    else if constexpr (D == DTYPE_F32)
        return ((const uint32_t *)array)[index];
    else
        return ((const uint16_t *)array)[index];
}

template <enum dtype D>
struct dtype_tag {
    static constexpr enum dtype value = D;
};

/* Calls run(dtype_tag<…>) for the dtype. */
template <class Run>
static void with_dtype(enum dtype dtype, Run run)
{
    switch (dtype) {
    case DTYPE_F32:
        return run(dtype_tag<DTYPE_F32>{});
    case DTYPE_F64:
        return run(dtype_tag<DTYPE_F64>{});
    case DTYPE_F16:
        return run(dtype_tag<DTYPE_F16>{});
    default:
        return run(dtype_tag<DTYPE_BF16>{});
    }
}

static int64_t blocks_for(int64_t items)
{
    const int64_t blocks = (items + kThreads - 1) / kThreads;
    return blocks < kMaxBlocks ? blocks : kMaxBlocks;
}

#define GRID_STRIDE(item, items)                                               \
    int64_t item = blockIdx.x * (int64_t)kThreads + threadIdx.x;               \
    item < (items);                                                            \
    item += gridDim.x * (int64_t)kThreads

/* ----------------------------------------------------------------- fill */

template <enum dtype D>
static __global__ void fill_kernel(walk w, void *in, uint8_t *mask)
{
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        input_at<D>(line_of(w, D, line), a, index, &bits);
        if constexpr (D == DTYPE_F64)
            ((uint64_t *)in)[index] = bits;
        else if constexpr (D == DTYPE_F32)
            ((uint32_t *)in)[index] = (uint32_t)bits;
        else
            ((uint16_t *)in)[index] = (uint16_t)bits;
        if (w.masked)
            mask[index] = input_mask((uint64_t)index);
    }
}

int kernels_fill(const struct problem *problem, enum input_kind kind)
{
    const walk w = walk_of(problem, kind);
    if (w.elems == 0 || !op_has_input(problem->op))
        return cudaSuccess;
    with_dtype(problem->dtype, [&](auto d) {
        fill_kernel<decltype(d)::value>
            <<<(unsigned)blocks_for(w.elems), kThreads>>>(
                w, (void *)problem->in, (uint8_t *)problem->mask);
    });
    return cudaGetLastError();
}

/* ------------------------------------------------------------ reference */

/* totals[(o * chunks + c) * inner + i] of every chunk. */
template <enum dtype D>
static __global__ void chunk_totals(walk w, total *totals)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const int64_t i = item % shape.inner, row = item / shape.inner;
        const int64_t c = row % w.chunks, o = row / w.chunks;
        const int64_t end = min((c + 1) * kChunk, shape.axis);
        const struct input_line l = line_of(w, D, o * shape.inner + i);
        total sum = {};
        for (int64_t step = c * kChunk; step < end; ++step) {
            const int64_t a = w.reverse ? shape.axis - 1 - step : step;
            const double x =
                term_at<D>(l, a, (o * shape.axis + a) * shape.inner + i);
            sum.sum = two_sum_add(sum.sum, x);
            sum.magnitude += fabs(x);
        }
        totals[item] = sum;
    }
}

/* coarse (outer, ceil(n / kChunk), inner) = sums of stretches of fine (outer,
 * n, inner). */
static __global__ void totals_up(int64_t outer, int64_t n, int64_t inner,
                                 const total *fine, total *coarse)
{
    const int64_t m = (n + kChunk - 1) / kChunk;
    for (GRID_STRIDE(item, outer * m * inner)) {
        const int64_t i = item % inner, row = item / inner;
        const int64_t c = row % m, o = row / m;
        total sum = {};
        for (int64_t k = c * kChunk; k < min((c + 1) * kChunk, n); ++k)
            sum = total_join(sum, fine[(o * n + k) * inner + i]);
        coarse[item] = sum;
    }
}

/* Replaces every fine total by the sum of those before it, given the coarse
 * ones already so replaced (NULL: zeros). */
static __global__ void totals_down(int64_t outer, int64_t n, int64_t inner,
                                   total *fine, const total *coarse)
{
    const int64_t m = (n + kChunk - 1) / kChunk;
    for (GRID_STRIDE(item, outer * m * inner)) {
        const int64_t i = item % inner, row = item / inner;
        const int64_t c = row % m, o = row / m;
        total before = {};
        if (coarse)
            before = coarse[item];
        for (int64_t k = c * kChunk; k < min((c + 1) * kChunk, n); ++k) {
            total *here = &fine[(o * n + k) * inner + i];
            const total own = *here;
            *here = before;
            before = total_join(before, own);
        }
    }
}

/* The prefixes of one problem and kind, kept between calls. `whole` holds
 * every line's total. */
struct reference {
    bool valid;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    total *prefixes, *whole;
};

static struct reference references[2]; /* by enum input_kind */

static int levels_above(struct reference *r, int64_t n, total *fine)
{
    const struct shape s = r->shape;
    if (n == 1) {
        cudaError_t error = cudaMemcpyAsync(
            r->whole, fine, (size_t)(s.outer * s.inner) * sizeof(total),
            cudaMemcpyDeviceToDevice, 0);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(
                fine, 0, (size_t)(s.outer * s.inner) * sizeof(total), 0);
        return error;
    }
    const int64_t m = (n + kChunk - 1) / kChunk, items = s.outer * m * s.inner;
    total *coarse;
    int error = cudaMalloc(&coarse, (size_t)items * sizeof(total));
    if (error)
        return error;
    totals_up<<<(unsigned)blocks_for(items), kThreads>>>(s.outer, n, s.inner,
                                                         fine, coarse);
    error = levels_above(r, m, coarse);
    if (!error) {
        totals_down<<<(unsigned)blocks_for(items), kThreads>>>(
            s.outer, n, s.inner, fine, coarse);
        error = cudaGetLastError();
    }
    cudaFree(coarse);
    return error;
}

static void reference_release(struct reference *r)
{
    cudaFree(r->prefixes);
    cudaFree(r->whole);
    *r = {};
}

void kernels_release(void)
{
    reference_release(&references[0]);
    reference_release(&references[1]);
}

static int reference_build(const walk &w, struct reference *r)
{
    if (r->valid && r->op == w.p.op && r->dtype == w.p.dtype &&
        shape_equal(r->shape, w.p.shape))
        return cudaSuccess;
    reference_release(r);
    r->op = w.p.op;
    r->dtype = w.p.dtype;
    r->shape = w.p.shape;
    const int64_t lines = shape_lines(w.p.shape), items = lines * w.chunks;
    int error = cudaMalloc(&r->prefixes, (size_t)items * sizeof(total));
    if (!error)
        error = cudaMalloc(&r->whole, (size_t)lines * sizeof(total));
    if (error)
        return error;
    with_dtype(w.p.dtype, [&](auto d) {
        chunk_totals<decltype(d)::value>
            <<<(unsigned)blocks_for(items), kThreads>>>(w, r->prefixes);
    });
    error = levels_above(r, w.chunks, r->prefixes);
    r->valid = !error;
    return error;
}

int64_t kernels_reference_bytes(enum op op, struct shape shape)
{
    const int64_t chunks = (shape.axis + kChunk - 1) / kChunk;
    if (!(op_is_scan(op) || op == OP_SUM) || chunks <= 1)
        return 0;
    return 2 * shape_lines(shape) * (chunks + 1) * (int64_t)sizeof(total) *
           102 / 100;
}

/* -------------------------------------------------------------- compare */

/* What the comparing kernels gather; NaN-free doubles >= 0 compare as their
 * bits do. */
struct gathered {
    unsigned long long checked, wrong, first_wrong, max_error_bits;
    unsigned input_changed, expected_word, found_word;
};

/* What one thread saw; added to the whole by one warp at a time. */
struct seen {
    unsigned long long checked, wrong, first_wrong;
    double max_error;
};

static __device__ void judge(seen *s, double bound, int64_t index, double error)
{
    ++s->checked;
    s->max_error = fmax(s->max_error, error);
    if (error <= bound)
        return;
    ++s->wrong;
    s->first_wrong = min(s->first_wrong, (unsigned long long)index);
}

/* Called by whole warps: one lane adds for all. */
static __device__ void gather(seen s, gathered *g)
{
    for (int lanes = 16; lanes; lanes /= 2) {
        s.checked += __shfl_xor_sync(0xffffffffu, s.checked, lanes);
        s.wrong += __shfl_xor_sync(0xffffffffu, s.wrong, lanes);
        s.first_wrong = min(s.first_wrong,
                            __shfl_xor_sync(0xffffffffu, s.first_wrong, lanes));
        s.max_error =
            fmax(s.max_error, __shfl_xor_sync(0xffffffffu, s.max_error, lanes));
    }
    if (threadIdx.x % 32)
        return;
    atomicAdd(&g->checked, s.checked);
    if (s.wrong) {
        atomicAdd(&g->wrong, s.wrong);
        atomicMin(&g->first_wrong, s.first_wrong);
    }
    if (s.max_error > 0)
        atomicMax(&g->max_error_bits,
                  (unsigned long long)__double_as_longlong(s.max_error));
}

constexpr unsigned long long kNone = ~0ull;

/* Steps whose loads are all in flight before the first is judged. */
constexpr int kAhead = 8;

/* One chunk of a line. The loads of kAhead steps go first: a thread's chunk is
 * contiguous where inner is 1, so they share sectors while those are still in
 * the L1. */
template <enum dtype D>
static __device__ void compare_chunk(const walk &w, int64_t o, int64_t i,
                                     int64_t first, int64_t end, total before,
                                     double whole, bool cancelling, bool exact,
                                     double bound, seen *s, bool *changed)
{
    const struct shape shape = w.p.shape;
    const struct input_line l = line_of(w, D, o * shape.inner + i);
    const bool exclusive = w.p.op == OP_CUMSUM_EXCLUSIVE;
    for (int64_t base = first; base < end; base += kAhead) {
        double y[kAhead];
        uint64_t memory[kAhead];
        uint8_t mask[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int64_t step = min(base + k, end - 1);
            const int64_t a = w.reverse ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            y[k] = dtype_load(D, w.p.out, index);
            memory[k] = bits_at<D>(w.p.in, index);
            mask[k] = w.masked ? w.p.mask[index] : 1;
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int64_t step = base + k;
            if (step >= end)
                break;
            const int64_t a = w.reverse ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            uint64_t bits;
            double x = input_at<D>(l, a, index, &bits);
            *changed |= bits != memory[k];
            if (w.masked) {
                const uint8_t m = input_mask((uint64_t)index);
                *changed |= m != mask[k];
                x = m ? x : 0;
            }
            total upto = before;
            upto.sum = two_sum_add(before.sum, x);
            upto.magnitude += fabs(x);
            const double r = two_sum_value(exclusive ? before.sum : upto.sum);
            const double against = cancelling  ? whole
                                   : exclusive ? before.magnitude
                                               : upto.magnitude;
            judge(s, bound, index, verify_error(D, exact, y[k], r, against));
            before = upto;
        }
    }
}

template <enum dtype D>
static __global__ void compare_scan(walk w, const total *prefixes,
                                    const total *whole, bool cancelling,
                                    bool exact, double bound, gathered *g)
{
    const struct shape shape = w.p.shape;
    seen s = { 0, 0, kNone, 0 };
    bool changed = false;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const int64_t i = item % shape.inner, row = item / shape.inner;
        const int64_t c = row % w.chunks, o = row / w.chunks;
        const double magnitude =
            cancelling ? whole[o * shape.inner + i].magnitude : 0;
        compare_chunk<D>(w, o, i, c * kChunk, min((c + 1) * kChunk, shape.axis),
                         prefixes[item], magnitude, cancelling, exact, bound,
                         &s, &changed);
    }
    if (changed)
        g->input_changed = 1;
    gather(s, g);
}

static __global__ void compare_sum(walk w, const total *whole, bool exact,
                                   double bound, gathered *g)
{
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(line, w.p.shape.outer * w.p.shape.inner)) {
        const total r = whole ? whole[line] : total{};
        judge(&s, bound, line,
              verify_error(w.p.dtype, exact,
                           dtype_load(w.p.dtype, w.p.out, line),
                           two_sum_value(r.sum), r.magnitude));
    }
    gather(s, g);
}

template <enum dtype D>
static __global__ void compare_moves(walk w, gathered *g)
{
    const struct shape shape = w.p.shape;
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(index, w.elems)) {
        uint64_t pattern = 0x0101010101010101u * WRITE_BYTE;
        double r = dtype_load(D, &pattern, 0);
        if (w.p.op != OP_WRITE) {
            int64_t line, a;
            locate(w, index, &line, &a);
            const int64_t from = w.reverse ? shape.axis - 1 - a : a;
            r = term_at<D>(line_of(w, D, line), from,
                           index + (from - a) * shape.inner);
        }
        judge(&s, 0, index,
              verify_error(D, true, dtype_load(D, w.p.out, index), r, 0));
    }
    gather(s, g);
}

/* The input must still be what it was, and gives read's checksum. */
template <enum dtype D>
static __global__ void compare_input(walk w, gathered *g)
{
    unsigned word = 0, changed = 0;
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        input_at<D>(line_of(w, D, line), a, index, &bits);
        changed |= bits_at<D>(w.p.in, index) != bits;
        if (w.masked)
            changed |= w.p.mask[index] != input_mask((uint64_t)index);
        word ^= verify_word(D, bits, index);
    }
    if (changed)
        g->input_changed = 1;
    for (int lanes = 16; lanes; lanes /= 2)
        word ^= __shfl_xor_sync(0xffffffffu, word, lanes);
    if (threadIdx.x % 32 == 0)
        atomicXor(&g->expected_word, word);
}

static __global__ void fold_slots(const unsigned *slots, gathered *g)
{
    unsigned word = 0;
    for (int slot = threadIdx.x; slot < READ_SLOTS; slot += kThreads)
        word ^= slots[slot];
    atomicXor(&g->found_word, word);
}

static int compare(const walk &w, const struct variant *variant, bool exact,
                   double bound, gathered *g)
{
    const bool sums = op_is_scan(w.p.op) || w.p.op == OP_SUM;
    struct reference *r = &references[w.kind];
    if (sums && w.elems > 0) {
        const int error = reference_build(w, r);
        if (error)
            return error;
    }
    const int64_t lines = shape_lines(w.p.shape);
    const unsigned blocks = (unsigned)blocks_for(w.elems);
    if (w.p.op == OP_SUM)
        compare_sum<<<(unsigned)blocks_for(lines), kThreads>>>(
            w, w.elems ? r->whole : NULL, exact, bound, g);
    else if (sums)
        with_dtype(w.p.dtype, [&](auto d) {
            compare_scan<decltype(d)::value>
                <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(
                    w, r->prefixes, r->whole,
                    variant->error_growth == ERROR_CANCELLING, exact, bound, g);
        });
    else if (w.p.op == OP_READ)
        fold_slots<<<1, kThreads>>>((const unsigned *)w.p.out, g);
    else
        with_dtype(w.p.dtype, [&](auto d) {
            compare_moves<decltype(d)::value><<<blocks, kThreads>>>(w, g);
        });
    /* compare_scan() looks at the input itself. */
    if (op_has_input(w.p.op) && !op_is_scan(w.p.op) && w.elems > 0)
        with_dtype(w.p.dtype, [&](auto d) {
            compare_input<decltype(d)::value><<<blocks, kThreads>>>(w, g);
        });
    return cudaGetLastError();
}

int kernels_check(const struct problem *problem, const struct variant *variant,
                  enum input_kind kind, struct verdict *verdict)
{
    const walk w = walk_of(problem, kind);
    const bool sums = op_is_scan(problem->op) || problem->op == OP_SUM;
    const bool exact = kind == INPUT_EXACT || !sums;
    const double bound = exact ? 0 : verify_bound(variant, problem->shape.axis);
    gathered found = { 0, 0, kNone, 0, 0, 0, 0 }, *g;
    int error = cudaMalloc(&g, sizeof *g);
    if (error)
        return error;
    error = cudaMemcpy(g, &found, sizeof found, cudaMemcpyHostToDevice);
    if (!error)
        error = compare(w, variant, exact, bound, g);
    if (!error)
        error = cudaMemcpy(&found, g, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(g);

    *verdict = {};
    verdict->checked = (int64_t)found.checked;
    verdict->wrong = (int64_t)found.wrong;
    verdict->first_wrong =
        found.first_wrong == kNone ? -1 : (int64_t)found.first_wrong;
    memcpy(&verdict->max_error, &found.max_error_bits, sizeof(double));
    verdict->bound = bound;
    verdict->input_changed = found.input_changed;
    if (problem->op == OP_READ) {
        verdict->checked = READ_SLOTS;
        verdict->wrong = found.expected_word != found.found_word;
        verdict->first_wrong = verdict->wrong ? 0 : -1;
    }
    return error;
}

/* -------------------------------------------- flush, gate, clocks, roofs */

static __global__ void flush_kernel(const uint4 *memory, int64_t vectors,
                                    unsigned *sink)
{
    unsigned word = 0;
    for (GRID_STRIDE(v, vectors)) {
        const uint4 x = memory[v];
        word |= x.x | x.y | x.z | x.w;
    }
    if (word == 0x5ca9b37cu) /* never, but the compiler cannot know */
        *sink = word;
}

int kernels_flush(const void *memory, size_t bytes)
{
    const int64_t vectors = (int64_t)(bytes / 16);
    flush_kernel<<<(unsigned)blocks_for((vectors + 3) / 4), kThreads>>>(
        (const uint4 *)memory, vectors, (unsigned *)memory);
    return cudaGetLastError();
}

static __device__ long long global_ns()
{
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __global__ void gate_kernel(struct gate *gate, unsigned ticket,
                                   long long patience_ns)
{
    const long long start = global_ns();
    gate->arrived = ticket;
    while ((int)(gate->opened - ticket) < 0)
        if (global_ns() - start > patience_ns) {
            gate->gave_up = ticket;
            return;
        }
}

int kernels_gate(struct gate *gate, unsigned ticket, double patience_us)
{
    gate_kernel<<<1, 1>>>(gate, ticket, (long long)(patience_us * 1e3));
    return cudaGetLastError();
}

static __global__ void empty_kernel()
{
}

int kernels_empty(void *stream)
{
    empty_kernel<<<1, 32, 0, (cudaStream_t)stream>>>();
    return cudaGetLastError();
}

static __global__ void stamp_kernel(struct stamp *stamps, int sm_count)
{
    int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm < sm_count)
        stamps[sm] = { clock64(), global_ns() };
}

int kernels_stamp(struct stamp *stamps, int sm_count)
{
    stamp_kernel<<<sm_count, 1>>>(stamps, sm_count);
    return cudaGetLastError();
}

constexpr int kChains = 8, kUnroll = 64;

/* Eight independent chains of additions a thread. */
template <class T>
__global__ void adds_kernel(T step, int rounds, T *sink)
{
    T sum[kChains];
    for (int k = 0; k < kChains; ++k)
        sum[k] = T(threadIdx.x + k);
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int u = 0; u < kUnroll; ++u)
#pragma unroll
            for (int k = 0; k < kChains; ++k)
                sum[k] += step;
    T all = 0;
    for (int k = 0; k < kChains; ++k)
        all += sum[k];
    if (all == T(-1)) /* never */
        *sink = all;
}

int kernels_adds(bool is_double, int sm_count, int rounds, double *adds)
{
    const int blocks = sm_count * 8;
    if (is_double)
        adds_kernel<double><<<blocks, kThreads>>>(1.0, rounds, NULL);
    else
        adds_kernel<float><<<blocks, kThreads>>>(1.0f, rounds, NULL);
    *adds = (double)blocks * kThreads * rounds * kUnroll * kChains;
    return cudaGetLastError();
}
