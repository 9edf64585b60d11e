/* SPDX-License-Identifier: MIT
 *
 * Shared by the instrument's kernels: how they walk a problem. For nvcc only.
 */
#pragma once

#include "harness/device/kernels.h"

#include <cuda_runtime.h>
#include <type_traits>

/* Chunks of a line are walked in parallel, from prefixes summed before. */
constexpr int kChunk = 256;
constexpr int kThreads = 256;

/* Enough for any GPU; with more, atomic additions would queue at the end. */
constexpr int64_t kMaxBlocks = 16384;

/* A sum and the sum of magnitudes. */
struct total {
    struct two_sum sum;
    double magnitude;
};

/* A problem, walked line by line: step s is element s or, in reverse,
 * axis - 1 - s. */
struct walk {
    struct problem p;
    struct input input;
    bool masked, reverse;
    struct shape flat;       /* the shape; of a ragged one, its axis uncut */
    int64_t elems, chunks;   /* of the tensor; of a line, or of that axis */
    struct input_line line0; /* input_line_in() makes the others of it, and
                                of a plain shape input_line_at() */
};

static inline walk walk_of(const struct problem *p, struct input input)
{
    walk w;
    w.p = *p;
    w.input = input;
    w.masked = op_has_mask(p->op);
    w.reverse = op_is_reverse(p->op) || p->op == OP_FLIP;
    w.flat = p->shape;
    w.flat.lines.kind = LINES_PLAIN;
    w.elems = shape_elems(p->shape);
    w.chunks = (p->shape.axis + kChunk - 1) / kChunk;
    w.line0 = input_line_for(input, p->op, p->dtype, p->shape, 0);
    w.line0.offsets = p->offsets;
    return w;
}

/* The same problem, with the second input as `in`. */
static inline walk second_of(walk w)
{
    w.p.in = w.p.in2;
    w.line0 = input_second(w.line0);
    return w;
}

/* Finds the line of an element of the tensor, and its place in the line. */
static __device__ __forceinline__ void locate(const walk &w, int64_t index,
                                              int64_t *line, int64_t *a)
{
    const struct shape shape = w.p.shape;
    if (w.p.offsets) {
        const int64_t at = index / shape.inner;
        const int bytes = w.p.offset_bytes;
        const int64_t g = offset_find(w.p.offsets, bytes, w.p.segments, at);
        *line = g * shape.inner + index % shape.inner;
        *a = at - offset_at(w.p.offsets, bytes, g);
        return;
    }
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

/* An element's bits. */
template <enum dtype D>
using bits_t = std::conditional_t<
    D == DTYPE_F64 || D == DTYPE_I64, uint64_t,
    std::conditional_t<D == DTYPE_F32 || D == DTYPE_I32, uint32_t,
                       std::conditional_t<D == DTYPE_F16 || D == DTYPE_BF16,
                                          uint16_t, uint8_t>>>;

template <enum dtype D>
__device__ __forceinline__ uint64_t bits_at(const void *array, int64_t index)
{
    return ((const bits_t<D> *)array)[index];
}

template <enum dtype D>
constexpr bool dtype_is_integer = (DTYPES_INTEGER & DTYPE_BIT(D)) != 0;

/* An output's bits. */
template <enum dtype D>
__device__ __forceinline__ uint64_t out_bits(const walk &w, int64_t index)
{
    const bool wide = dtype_is_integer<D> ? op_out_dtype(w.p.op, D) == DTYPE_I64
                                          : op_gives_index(w.p.op);
    return wide ? ((const uint64_t *)w.p.out)[index]
                : bits_at<D>(w.p.out, index);
}

template <enum dtype D>
struct dtype_tag {
    static constexpr enum dtype value = D;
};

/* Built operations and dtypes. kernels_check() verifies a plugin's others on
 * the host. */
constexpr unsigned kBuiltDtypes = SCANBENCH_DTYPES;
#define BUILT(op) op,
constexpr int kBuiltOps[] = { SCANBENCH_OPS OP_NONE };

constexpr bool is_built(int op)
{
    for (int built : kBuiltOps)
        if (built == op)
            return true;
    return false;
}

constexpr bool is_reducer_built(int reducer)
{
    for (int built : kBuiltOps)
        if (built >> 8 == reducer)
            return true;
    return false;
}

/* Calls run(dtype_tag<…>) if the dtype is one of these. */
template <unsigned Dtypes = kBuiltDtypes, class Run>
static inline void with_dtype(enum dtype dtype, Run run)
{
    switch (dtype) {
#define CASE(id)                                                               \
    case id:                                                                   \
        if constexpr ((Dtypes & DTYPE_BIT(id)) != 0)                           \
            run(dtype_tag<id>{});                                              \
        return;
        CASE(DTYPE_F32)
        CASE(DTYPE_F64)
        CASE(DTYPE_F16)
        CASE(DTYPE_BF16)
        CASE(DTYPE_I32)
        CASE(DTYPE_I64)
        CASE(DTYPE_U8)
        CASE(DTYPE_BOOL)
#undef CASE
    default:
        return;
    }
}

static inline int64_t blocks_for(int64_t items)
{
    const int64_t blocks = (items + kThreads - 1) / kThreads;
    return blocks < kMaxBlocks ? blocks : kMaxBlocks;
}

/* The place of an item in an array (outer, n, inner). */
struct place {
    int64_t o, c, i;
};

static __device__ __forceinline__ place place_of(int64_t item, int64_t n,
                                                 int64_t inner)
{
    const int64_t row = item / inner;
    return { row / n, row % n, item % inner };
}

#define GRID_STRIDE(item, items)                                               \
    int64_t item = blockIdx.x * (int64_t)kThreads + threadIdx.x;               \
    item < (items);                                                            \
    item += gridDim.x * (int64_t)kThreads

/* Calls see(line, a, index) for every element. Lanes take neighbours; a thread
 * takes up to kRows elements of a column, and seldom needs another line. */
template <class See>
__device__ __forceinline__ void walk_elements(const walk &w, See see)
{
    constexpr int kRows = 32;
    const int64_t apart = 31 / w.p.shape.inner + 1;
    const int64_t wide = apart * w.p.shape.inner;
    for (GRID_STRIDE(item, (w.elems / (wide * kRows) + 1) * wide)) {
        const int64_t first = item / wide * wide * kRows + item % wide;
        const int64_t end = min(first + wide * kRows, w.elems);
        struct input_line l;
        int64_t line, a = 0;
        for (int64_t index = first; index < end; index += wide, a += apart) {
            if (index == first || a >= l.axis) {
                locate(w, index, &line, &a);
                l = input_line_in(w.line0, line);
            }
            see(l, a, index);
        }
    }
}

/* Results of comparing. Doubles from 0 on compare like their bits. */
struct gathered {
    unsigned long long checked, wrong, first_wrong, max_error_bits;
    unsigned input_changed, expected_word, found_word;
};

/* Writes the initial elements, or with `g` compares them with the input's.
 * Returns a cudaError_t. */
int initial_elements(const walk &w, gathered *g);
