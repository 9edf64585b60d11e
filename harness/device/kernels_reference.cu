/* SPDX-License-Identifier: MIT
 *
 * Inputs, and the float64 reference: chunk totals are summed upward, level by
 * level, then turned downward into what precedes each chunk.
 */
#include "harness/device/kernels_walk.h"

/* ----------------------------------------------------------------- fill */

template <enum dtype D>
static __global__ void fill_kernel(walk w, void *in, uint8_t *mask)
{
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        const struct input_line l = line_of(w, line);
        input_at<D>(l, a, index, &bits);
        if constexpr (D == DTYPE_F64)
            ((uint64_t *)in)[index] = bits;
        else if constexpr (D == DTYPE_F32)
            ((uint32_t *)in)[index] = (uint32_t)bits;
        else
            ((uint16_t *)in)[index] = (uint16_t)bits;
        if (w.masked)
            mask[index] = input_mask(l, a, (uint64_t)index);
    }
}

int kernels_fill(const struct problem *problem, struct input input)
{
    const walk w = walk_of(problem, input);
    if (w.elems == 0 || !op_has_input(problem->op))
        return cudaSuccess;
    with_dtype(problem->dtype, [&](auto d) {
        fill_kernel<decltype(d)::value>
            <<<(unsigned)blocks_for(w.elems), kThreads>>>(
                w, (void *)problem->in, (uint8_t *)problem->mask);
    });
    return cudaGetLastError();
}

static __global__ void garbage_kernel(void *memory, int64_t bytes,
                                      uint64_t seed)
{
    for (GRID_STRIDE(word, bytes / 4))
        ((uint32_t *)memory)[word] = garbage_word(seed, (uint64_t)word);
    if (blockIdx.x == 0 && threadIdx.x < bytes % 4)
        ((uint8_t *)memory)[bytes / 4 * 4 + threadIdx.x] = 1;
}

int kernels_garbage(void *memory, size_t bytes, uint64_t seed)
{
    if (bytes == 0)
        return cudaSuccess;
    garbage_kernel<<<(unsigned)blocks_for((int64_t)bytes / 4 + 1), kThreads>>>(
        memory, (int64_t)bytes, seed);
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
        totals[item] = span_total<D>(w, o, i, c * kChunk,
                                     min((c + 1) * kChunk, shape.axis));
    }
}

/* coarse (outer, ceil(n / kChunk), inner) = sums of spans of fine (outer,
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

static struct reference references[2]; /* of INPUT_EXACT, INPUT_REAL */

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

/* Memory for it, unless it has as much. */
static int reference_room(struct reference *r, const walk &w)
{
    const int64_t lines = shape_lines(w.p.shape), items = lines * w.chunks;
    if (r->prefixes && shape_equal(r->shape, w.p.shape))
        return cudaSuccess;
    reference_release(r);
    int error = cudaMalloc(&r->prefixes, (size_t)items * sizeof(total));
    if (!error)
        error = cudaMalloc(&r->whole, (size_t)lines * sizeof(total));
    if (error)
        reference_release(r);
    return error;
}

int reference_of(const walk &w, const struct reference **reference)
{
    struct reference *r = &references[w.input.kind == INPUT_REAL];
    *reference = r;
    if (r->valid && r->op == w.p.op && r->dtype == w.p.dtype &&
        shape_equal(r->shape, w.p.shape) && r->edition == w.input.edition)
        return cudaSuccess;
    if (w.chunks <= 1) {
        reference_release(r);
        return cudaSuccess;
    }
    int error = reference_room(r, w);
    r->valid = false;
    if (error)
        return error;
    r->op = w.p.op;
    r->dtype = w.p.dtype;
    r->shape = w.p.shape;
    r->edition = w.input.edition;
    const int64_t items = shape_lines(w.p.shape) * w.chunks;
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
