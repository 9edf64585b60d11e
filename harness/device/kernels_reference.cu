/* SPDX-License-Identifier: MIT
 *
 * Inputs, and the float64 reference.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_defined.h"
#include "harness/device/kernels_prefixes.cuh"

/* ----------------------------------------------------------------- fill */

template <enum dtype D>
static __device__ __forceinline__ void store_bits(void *in, int64_t index,
                                                  uint64_t bits)
{
    ((bits_t<D> *)in)[index] = (bits_t<D>)bits;
}

template <enum dtype D>
static __global__ void fill_kernel(walk w, void *in, uint8_t *mask)
{
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        const struct input_line l = line_of(w, line);
        input_at<D>(l, a, index, &bits);
        store_bits<D>(in, index, bits);
        if (w.masked)
            mask[index] = input_mask(l, a, (uint64_t)index);
    }
}

const char *kernels_fill(const struct problem *problem, struct input input)
{
    const walk w = walk_of(problem, input);
    if (w.elems == 0 || !op_has_input(problem->op))
        return NULL;
    with_dtype<DTYPES_ALL>(problem->dtype, [&](auto d) {
        fill_kernel<decltype(d)::value>
            <<<(unsigned)blocks_for(w.elems), kThreads>>>(
                w, (void *)problem->in, (uint8_t *)problem->mask);
    });
    TRY(cudaGetLastError());
    return NULL;
}

/* One thread per piece of a line. */
template <enum dtype D>
static __global__ void change_kernel(walk before, walk after, void *in)
{
    const struct shape shape = after.p.shape;
    const int64_t pieces = input_pieces(after.line0);
    for (GRID_STRIDE(item, shape.outer * pieces * shape.inner)) {
        const auto [o, piece, i] = place_of(item, pieces, shape.inner);
        const int64_t line = o * shape.inner + i;
        const struct input_line l = line_of(after, line);
        const struct input_change changes[2] = {
            input_change_in(line_of(before, line), piece),
            input_change_in(l, piece)
        };
        for (int k = 0; k < 2; ++k)
            for (int64_t a = changes[k].first; a <= changes[k].last; ++a) {
                const int64_t index = (o * shape.axis + a) * shape.inner + i;
                uint64_t bits;
                input_at<D>(l, a, index, &bits);
                store_bits<D>(in, index, bits);
            }
    }
}

const char *kernels_change(const struct problem *problem, uint64_t from,
                           uint64_t to)
{
    const walk before = walk_of(problem, { INPUT_REAL, from });
    const walk after = walk_of(problem, { INPUT_REAL, to });
    if (after.elems == 0 || !op_has_input(problem->op))
        return NULL;
    const int64_t items =
        shape_lines(problem->shape) * input_pieces(after.line0);
    with_dtype<DTYPES_ALL>(problem->dtype, [&](auto d) {
        change_kernel<decltype(d)::value>
            <<<(unsigned)blocks_for(items), kThreads>>>(before, after,
                                                        (void *)problem->in);
    });
    TRY(cudaGetLastError());
    return NULL;
}

/* ------------------------------------------------------------ reference */

/* totals[(o * chunks + c) * inner + i] of every chunk. */
template <enum dtype D>
static __global__ void chunk_totals(walk w, total *totals)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        totals[item] = span_total<D>(w, o, i, c * kChunk,
                                     min((c + 1) * kChunk, shape.axis));
    }
}

/* Turns the totals of version 0 into those of w's; one thread per chunk. */
template <enum dtype D>
static __global__ void change_totals(walk w, total *totals)
{
    const struct shape shape = w.p.shape;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        const int64_t step = c * kChunk, end = min(step + kChunk, shape.axis);
        const int64_t low = w.reverse ? shape.axis - end : step;
        const int64_t high = low + (end - step) - 1;
        const struct input_line l = line_of(w, o * shape.inner + i);
        struct input_line before = l;
        before.input.version = 0;
        total sum = totals[item];
        for (int64_t piece = input_piece_of(l, low);
             piece <= input_piece_of(l, high); ++piece) {
            const struct input_change change = input_change_in(l, piece);
            for (int64_t a = max(change.first, low);
                 a <= min(change.last, high); ++a) {
                const int64_t index = (o * shape.axis + a) * shape.inner + i;
                const double was = term_at<D>(before, a, index);
                const double is = term_at<D>(l, a, index);
                sum.sum = two_sum_add(two_sum_add(sum.sum, -was), is);
                sum.magnitude += fabs(is) - fabs(was);
            }
        }
        totals[item] = sum;
    }
}

static struct reference references[2]; /* of INPUT_EXACT, INPUT_REAL */

static void reference_release(struct reference *r)
{
    cudaFree(r->totals);
    *r = {};
}

void kernels_forget(void)
{
    reference_release(&references[0]);
    reference_release(&references[1]);
    defined_forget();
}

/* Number of totals that a reference keeps: twice the chunks', the lines', and
 * those of all levels above the chunks. */
static int64_t reference_items(struct shape shape, int64_t chunks)
{
    return (chunks + 1) * shape_lines(shape) + prefix_items(shape, chunks);
}

/* Allocates memory, unless there is memory for that shape. */
static int reference_room(struct reference *r, const walk &w)
{
    const int64_t items = shape_lines(w.p.shape) * w.chunks;
    if (r->totals && shape_equal(r->shape, w.p.shape))
        return cudaSuccess;
    reference_release(r);
    const int error =
        cudaMalloc(&r->totals, (size_t)reference_items(w.p.shape, w.chunks) *
                                   sizeof(total));
    if (error) {
        r->totals = NULL;
        return error;
    }
    r->shape = w.p.shape;
    r->prefixes = r->totals + items;
    r->whole = r->prefixes + items;
    return cudaSuccess;
}

/* Sums the chunks' totals of version 0. */
static int sum_chunks(struct reference *r, const walk &w)
{
    if (r->summed && r->op == w.p.op && r->dtype == w.p.dtype &&
        shape_equal(r->shape, w.p.shape))
        return cudaSuccess;
    const walk first = walk_of(&w.p, { w.input.kind, 0 });
    r->summed = r->valid = false;
    int error = reference_room(r, w);
    if (error)
        return error;
    r->op = w.p.op;
    r->dtype = w.p.dtype;
    with_dtype<kBuiltFloats>(w.p.dtype, [&](auto d) {
        chunk_totals<decltype(d)::value>
            <<<(unsigned)blocks_for(shape_lines(w.p.shape) * w.chunks),
               kThreads>>>(first, r->totals);
    });
    error = cudaGetLastError();
    r->summed = !error;
    return error;
}

int reference_of(const walk &w, const struct reference **reference)
{
    struct reference *r = &references[w.input.kind == INPUT_REAL];
    const int64_t items = shape_lines(w.p.shape) * w.chunks;
    *reference = r;
    if (w.chunks <= 1) {
        reference_release(r);
        return cudaSuccess;
    }
    defined_forget(); /* only one of them has memory */
    int error = sum_chunks(r, w);
    if (error || (r->valid && r->version == w.input.version))
        return error;
    r->valid = false;
    r->version = w.input.version;
    error =
        cudaMemcpyAsync(r->prefixes, r->totals, (size_t)items * sizeof(total),
                        cudaMemcpyDeviceToDevice, 0);
    if (!error && w.input.version)
        with_dtype<kBuiltFloats>(w.p.dtype, [&](auto d) {
            change_totals<decltype(d)::value>
                <<<(unsigned)blocks_for(items), kThreads>>>(w, r->prefixes);
        });
    if (!error)
        error = to_prefixes<sums>(r->shape, w.chunks, r->whole, r->prefixes,
                                  r->whole + shape_lines(w.p.shape));
    r->valid = !error;
    return error;
}

int64_t kernels_reference_bytes(enum op op, struct shape shape)
{
    const int64_t chunks = (shape.axis + kChunk - 1) / kChunk;
    if (!(op_is_scan(op) || op_is_reduction(op)) || chunks <= 1)
        return 0;
    return 2 * reference_items(shape, chunks) * (int64_t)sizeof(total);
}
