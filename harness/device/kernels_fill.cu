/* SPDX-License-Identifier: MIT
 *
 * Inputs, and their changes.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_walk.h"

template <enum dtype D>
static __device__ __forceinline__ void store_bits(const void *in, int64_t index,
                                                  uint64_t bits)
{
    ((bits_t<D> *)in)[index] = (bits_t<D>)bits;
}

template <enum dtype D>
static __global__ void fill_kernel(walk w)
{
    walk_elements(w, [&](const struct input_line &l, int64_t a, int64_t index) {
        store_bits<D>(w.p.in, index, input_bits(D, l, a, (uint64_t)index));
        if (w.masked)
            ((uint8_t *)w.p.mask)[index] = input_mask(l, a, (uint64_t)index);
    });
}

template <enum dtype D>
static __global__ void initial_kernel(walk w, gathered *g)
{
    for (GRID_STRIDE(line, w.p.shape.outer * w.p.shape.inner)) {
        const uint64_t bits = input_initial(input_line_at(w.line0, line));
        if (!g)
            store_bits<D>(w.p.initial, line, bits);
        else if (bits_at<D>(w.p.initial, line) != bits)
            g->input_changed = 1;
    }
}

int initial_elements(const walk &w, gathered *g)
{
    const unsigned blocks = (unsigned)blocks_for(shape_lines(w.p.shape));
    if (w.p.initial)
        with_dtype<DTYPES_FLOAT>(w.p.dtype, [&](auto d) {
            initial_kernel<decltype(d)::value><<<blocks, kThreads>>>(w, g);
        });
    return cudaGetLastError();
}

const char *kernels_fill(const struct problem *problem, struct input input)
{
    const walk w = walk_of(problem, input);
    if (w.elems == 0 || !op_has_input(problem->op))
        return NULL;
    with_dtype<DTYPES_ALL>(problem->dtype, [&](auto d) {
        const unsigned blocks = (unsigned)blocks_for(w.elems);
        fill_kernel<decltype(d)::value><<<blocks, kThreads>>>(w);
        if (w.line0.two)
            fill_kernel<decltype(d)::value><<<blocks, kThreads>>>(second_of(w));
    });
    TRY(initial_elements(w, NULL));
    return NULL;
}

/* One thread per piece of a line. */
template <enum dtype D>
static __global__ void change_kernel(walk before, walk after)
{
    const struct shape shape = after.p.shape;
    const int64_t pieces = input_pieces(after.line0);
    for (GRID_STRIDE(item, shape.outer * pieces * shape.inner)) {
        const auto [o, piece, i] = place_of(item, pieces, shape.inner);
        const int64_t line = o * shape.inner + i;
        const struct input_line l = input_line_at(after.line0, line);
        const struct input_change changes[2] = {
            input_change_in(input_line_at(before.line0, line), piece),
            input_change_in(l, piece)
        };
        for (int k = 0; k < 2; ++k)
            for (int64_t a = changes[k].first; a <= changes[k].last; ++a) {
                const int64_t index = (o * shape.axis + a) * shape.inner + i;
                store_bits<D>(after.p.in, index,
                              input_bits(D, l, a, (uint64_t)index));
            }
    }
}

const char *kernels_change(const struct problem *problem, uint64_t from,
                           uint64_t to)
{
    walk before = walk_of(problem, { INPUT_REAL, from });
    walk after = walk_of(problem, { INPUT_REAL, to });
    if (after.line0.two) {
        before = second_of(before);
        after = second_of(after);
    }
    if (after.elems == 0 || !op_has_input(problem->op))
        return NULL;
    if (problem->offsets)
        return kernels_fill(problem, { INPUT_REAL, to });
    const int64_t items =
        shape_lines(problem->shape) * input_pieces(after.line0);
    with_dtype<DTYPES_ALL>(problem->dtype, [&](auto d) {
        change_kernel<decltype(d)::value>
            <<<(unsigned)blocks_for(items), kThreads>>>(before, after);
    });
    TRY(cudaGetLastError());
    return NULL;
}
