/* SPDX-License-Identifier: MIT
 *
 * The common part of the host's variants: a parallel loop, and the walk over a
 * strip of neighbouring lines for every element type. Where inner > 1, a strip
 * reads and writes whole cache lines and keeps one running sum per line; where
 * inner is 1, it is a single line.
 */
#ifndef VARIANTS_HOST_HOST_H
#define VARIANTS_HOST_HOST_H

#include "src/model/reducer.h"
#include "src/variant.h"

/* Before a for loop: `threads` threads share its iterations. Without OpenMP
 * they run one after the other. */
#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for num_threads(threads)")
#else
#define PARALLEL_FOR (void)threads;
#endif

enum { STRIP_LINES = 64 };

/* The running sums of a strip's lines, in f64 for f64 and else in f32. */
union sums {
    float f32[STRIP_LINES];
    double f64[STRIP_LINES];
};

/* `rows` rows of `lines` lines side by side; `first` is the index of the first
 * row's first element. */
struct strip {
    int64_t first, rows;
    int lines;
};

/* Returns x if keep is 1, and 0 if it is 0, even if x is NaN. It masks the
 * bits, since a branch on a random mask would be mispredicted. */
static inline uint16_t keep_u16(uint16_t x, uint32_t keep)
{
    return (uint16_t)(x & (0 - keep));
}

static inline float keep_f32(float x, uint32_t keep)
{
    return float_from_bits(float_bits(x) & (0 - keep));
}

static inline double keep_f64(double x, uint64_t keep)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0 - keep;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Instances of strip.h, which is C's way to a template. */
#define NAME(stem) stem##_f32
#define ELEMENT float
#define SUM float
#define SUMS(sums) (sums)->f32
#define LOAD(element, keep) keep_f32(element, keep)
#define STORE(sum) (sum)
#include "variants/host/strip.h"

#define NAME(stem) stem##_f64
#define ELEMENT double
#define SUM double
#define SUMS(sums) (sums)->f64
#define LOAD(element, keep) keep_f64(element, keep)
#define STORE(sum) (sum)
#include "variants/host/strip.h"

#define NAME(stem) stem##_f16
#define ELEMENT uint16_t
#define SUM float
#define SUMS(sums) (sums)->f32
#define LOAD(element, keep) f16_to_float(keep_u16(element, keep))
#define STORE(sum) f16_from_float(sum)
#include "variants/host/strip.h"

#define NAME(stem) stem##_bf16
#define ELEMENT uint16_t
#define SUM float
#define SUMS(sums) (sums)->f32
#define LOAD(element, keep) bf16_to_float(keep_u16(element, keep))
#define STORE(sum) bf16_from_float(sum)
#include "variants/host/strip.h"

/* Calls the function's instance for the problem's dtype, which is a float's. */
#define STRIP_CALL(function, p, ...)                                           \
    ((p)->dtype == DTYPE_F32   ? function##_f32(p, __VA_ARGS__)                \
     : (p)->dtype == DTYPE_F64 ? function##_f64(p, __VA_ARGS__)                \
     : (p)->dtype == DTYPE_F16 ? function##_f16(p, __VA_ARGS__)                \
                               : function##_bf16(p, __VA_ARGS__))

/* Strips per outer index; strips are numbered in memory order. */
static inline int64_t strips_an_outer(struct shape shape)
{
    return (shape.inner + STRIP_LINES - 1) / STRIP_LINES;
}

static inline int64_t strip_count(struct shape shape)
{
    return shape.outer * strips_an_outer(shape);
}

/* Computes a line by the reducer's definition; `first` is the index of its
 * first element, and `line` its number. */
static inline void line_by_definition(const struct problem *p, int64_t first,
                                      int64_t line)
{
    const struct reducer *reducer = reducer_of(p->op, p->dtype);
    const size_t bytes = dtype_bytes(p->dtype);
    const size_t out_bytes = op_out_elem_bytes(p->op, p->dtype);
    const int64_t axis = p->shape.axis;
    struct op_acc acc = reducer->identity(p->dtype);
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        const int64_t at = first + a * p->shape.inner;
        const struct op_acc before = acc;
        uint64_t bits = 0;
        memcpy(&bits, (const char *)p->in + (size_t)at * bytes, bytes);
        if (!op_has_mask(p->op) || p->mask[at])
            acc = reducer->combine(acc, reducer->lift(p->dtype, bits, a));
        const bool exclusive = op_is_exclusive(p->op);
        bits = reducer->lower(p->dtype, exclusive ? before : acc,
                              exclusive ? step : step + 1);
        if (op_is_scan(p->op))
            memcpy((char *)p->out + (size_t)at * out_bytes, &bits, out_bytes);
    }
    const uint64_t whole = reducer->lower(p->dtype, acc, axis);
    if (op_is_reduction(p->op))
        memcpy((char *)p->out + (size_t)line * out_bytes, &whole, out_bytes);
}

/* `word` has the elements' size. */
#define FLIP_ROWS(word)                                                        \
    do {                                                                       \
        const word *restrict in = (const word *)p->in + strip.first;           \
        word *restrict out = (word *)p->out + strip.first;                     \
        for (int64_t at = 0; at <= last; at += p->shape.inner)                 \
            for (int l = 0; l < strip.lines; ++l)                              \
                out[at + l] = in[last - at + l];                               \
    } while (0)

static inline void strip_flip(const struct problem *p, struct strip strip)
{
    const int64_t last = (strip.rows - 1) * p->shape.inner;
    switch (dtype_bytes(p->dtype)) {
    case 8:
        FLIP_ROWS(uint64_t);
        break;
    case 4:
        FLIP_ROWS(uint32_t);
        break;
    case 2:
        FLIP_ROWS(uint16_t);
        break;
    default:
        FLIP_ROWS(uint8_t);
    }
}

/* Scans, reduces or flips the whole strip `number`. */
static inline void strip_run(const struct problem *p, int64_t number)
{
    const struct shape shape = p->shape;
    const int64_t outer = number / strips_an_outer(shape);
    const int64_t inner = number % strips_an_outer(shape) * STRIP_LINES;
    const int64_t lines = shape.inner - inner;
    struct strip strip = { .first = outer * shape.axis * shape.inner + inner,
                           .rows = shape.axis,
                           .lines =
                               lines < STRIP_LINES ? (int)lines : STRIP_LINES };
    union sums sums = { .f64 = { 0 } };
    if (op_may_start(p->op)) {
        STRIP_CALL(strip_start, p, outer * shape.inner + inner, strip.lines,
                   &sums);
        STRIP_CALL(strip_recur, p, strip, &sums);
    } else if (reducer_of(p->op, p->dtype)) {
        for (int l = 0; l < strip.lines; ++l)
            line_by_definition(p, strip.first + l,
                               outer * shape.inner + inner + l);
    } else if (p->op == OP_FLIP) {
        strip_flip(p, strip);
    } else if (op_is_reduction(p->op)) {
        STRIP_CALL(strip_add, p, strip, &sums);
        STRIP_CALL(strip_store, p, outer * shape.inner + inner, strip.lines,
                   &sums);
    } else {
        STRIP_CALL(strip_scan, p, strip, &sums);
    }
}

/* The problem of one segment of a ragged shape. */
static inline struct problem segment_of(const struct problem *p,
                                        int64_t segment)
{
    const int64_t first = offset_at(p->offsets, p->offset_bytes, segment);
    const int64_t end = offset_at(p->offsets, p->offset_bytes, segment + 1);
    const int64_t to = op_is_reduction(p->op) ? segment : first;
    struct problem one = *p;
    one.shape = (struct shape){ 1, end - first, p->shape.inner };
    one.in = (const char *)p->in +
             (size_t)(first * p->shape.inner) * dtype_bytes(p->dtype);
    one.out = (char *)p->out + (size_t)(to * p->shape.inner) *
                                   op_out_elem_bytes(p->op, p->dtype);
    return one;
}

static inline void segment_run(const struct problem *p, int64_t segment)
{
    const struct problem one = segment_of(p, segment);
    for (int64_t number = 0; number < strip_count(one.shape); ++number)
        strip_run(&one, number);
}

/* Units of work, each of which is whole lines: strips, or segments. */
static inline int64_t host_units(const struct problem *p)
{
    return p->offsets ? p->segments : strip_count(p->shape);
}

static inline void host_run(const struct problem *p, int64_t unit)
{
    if (p->offsets)
        segment_run(p, unit);
    else
        strip_run(p, unit);
}

#endif
