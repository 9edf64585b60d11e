/* SPDX-License-Identifier: MIT
 *
 * The facts of a line from which its elements follow, and its mask.
 */
#pragma once

#include "src/model/reducer.h"
#include "src/model/split_mix.h"

enum input_kind {
    INPUT_EXACT,
    INPUT_REAL,
    INPUT_SPECIAL,
    INPUT_BITS,
    INPUT_KINDS
};

struct input {
    enum input_kind kind;
    uint64_t version; /* of INPUT_REAL; else 0 */
};

/* Most pieces of a line, and the log2 of the shortest piece. */
enum { MOST_PIECES = 128, LEAST_PIECE_BITS = 4 };

/* Changed pieces of a tensor in a rare version. */
enum { RARE_PIECES = 16 };

/* Elements that are changed in a piece until one is kept by the mask. */
enum { CHANGED_TRIES = 8 };

/* Kinds of lines of the special input. */
enum { SPECIAL_ZEROS, SPECIAL_SMALL, SPECIAL_LARGE };

/* Kinds of masks of a line. */
enum { MASK_NOISE, MASK_NONE, MASK_ALL, MASK_RUNS };
enum { RUN_BITS = 10, RUN = 1 << RUN_BITS };

/* Facts of a line, computed once for its elements. */
struct input_line {
    struct input input;
    enum dtype dtype;
    int reducer;
    bool masked;
    int mask;
    int64_t line, axis, inner;
    int first;           /* line 0's distribution */
    int distribution;    /* 0 uniform, 1 normal, 2 uniform behind a head; of the
                            special input, the kind of line */
    double scale, head;  /* head: the first element, where there is one */
    int shift;           /* of a hash, to a level */
    int64_t offset;      /* of a level */
    double small, large; /* the special units */
    int piece_bits;      /* log2 of a piece's elements */
    uint64_t key;        /* seed of the places in the pieces */
    uint64_t one_of;     /* pieces, below 2^32: the share that is changed */
    int step_bits;       /* of a product: log2 of the elements between steps */
    double spread;       /* of a product's real elements around 1 */
    int ones_bits;       /* one in 2^ones_bits of them is not 1 */
    bool two, second;    /* of an operation of two inputs; of the second */
    bool reverse;
    const void *offsets; /* of a ragged shape, or NULL */
    int offset_bytes;
    int64_t start; /* of a ragged shape's line along the axis */
};

/* Returns the significant bits of the type that a dtype is summed in. */
static inline HOST_DEVICE int input_sum_bits(enum dtype dtype)
{
    return dtype == DTYPE_F64 ? 53 : 24;
}

/* Returns the bits of the fraction, without the leading one. */
static inline HOST_DEVICE int input_fraction_bits(enum dtype dtype)
{
    return dtype == DTYPE_F64   ? 52
           : dtype == DTYPE_F32 ? 23
           : dtype == DTYPE_F16 ? 10
                                : 7;
}

/* Returns the bits of levels if sums of a line may have sum_bits: 6 standard
 * deviations, 2.45 * 2^bits * sqrt(axis), stay below 2^sum_bits. */
static inline HOST_DEVICE int input_free_bits(int sum_bits, int64_t axis)
{
    int log2_of_6_axis = 3;
    for (; (int64_t)1 << log2_of_6_axis < 6 * axis && log2_of_6_axis < 62;)
        ++log2_of_6_axis;
    return (2 * sum_bits - log2_of_6_axis) / 2;
}

static inline HOST_DEVICE double input_power(int exponent)
{
    double small = 1;
    for (; exponent < -1022; ++exponent) /* a subnormal double */
        small /= 2;
    return small * dtype_value(DTYPE_F64, (uint64_t)(exponent + 1023) << 52);
}

static inline HOST_DEVICE void input_set_levels(struct input_line *l)
{
    const enum dtype d = l->dtype;
    const int sum_bits = input_sum_bits(d);
    const bool half = dtype_is_half(d);
    const int most = d == DTYPE_F16 ? 11 : d == DTYPE_BF16 ? 8 : 64;
    const int room = half ? sum_bits : sum_bits - 1;
    const int free_bits = input_free_bits(room, l->axis);
    const int bits = free_bits < most ? free_bits : most;
    l->shift = 64 - bits;
    l->offset = half ? 0 : (int64_t)1 << (sum_bits - 2);
    l->small = input_power(d == DTYPE_F64   ? -1074
                           : d == DTYPE_F32 ? -149
                           : d == DTYPE_F16 ? -24
                                            : -133);
    l->large = input_power(d == DTYPE_F64    ? 1023 - sum_bits
                           : d == DTYPE_F32  ? 127 - sum_bits
                           : d == DTYPE_BF16 ? 127 - sum_bits + free_bits - bits
                                             : 16 - bits);
}

static inline HOST_DEVICE uint64_t input_index(struct input_line l, int64_t a)
{
    const int64_t start = l.offsets ? l.start : l.line / l.inner * l.axis;
    return (uint64_t)((start + a) * l.inner + l.line % l.inner);
}

/* Half of the untimed lines have masks of 0, 1, or runs of RUN and more. */
static inline HOST_DEVICE int input_mask_of(struct input_line l)
{
    const uint64_t hash =
        split_mix_hash((uint64_t)l.line ^ (uint64_t)l.axis << 32);
    if (!l.masked || l.input.kind == INPUT_REAL)
        return MASK_NOISE;
    switch (hash >> 61) {
    case 0:
        return MASK_NONE;
    case 1:
        return MASK_ALL;
    case 2:
    case 3:
        return MASK_RUNS;
    default:
        return MASK_NOISE;
    }
}

/* Returns a place in the runs, whose start differs from line to line. */
static inline HOST_DEVICE uint64_t input_run_place(struct input_line l,
                                                   int64_t a)
{
    return (uint64_t)a + ((uint64_t)l.line * 389 & (RUN - 1));
}

/* Returns the mask: half of a line at random or in runs, none, or all. */
static inline HOST_DEVICE uint8_t input_mask(struct input_line l, int64_t a,
                                             uint64_t index)
{
    if (l.mask == MASK_NONE || l.mask == MASK_ALL)
        return l.mask == MASK_ALL;
    if (l.mask == MASK_RUNS)
        index = (uint64_t)l.line << 32 ^ input_run_place(l, a) >> RUN_BITS;
    return (uint8_t)(split_mix_hash(index ^ 0x6d61736b00000000u) >> 63);
}

/* Returns the kept element before a in its line, or -1. */
static inline HOST_DEVICE int64_t input_kept_before(struct input_line l,
                                                    int64_t a, uint64_t index)
{
    if (l.mask == MASK_NONE)
        return -1;
    do {
        --a;
        index -= (uint64_t)l.inner;
        if (a >= 0 && l.mask == MASK_RUNS && !input_mask(l, a, index))
            a -= (int64_t)(input_run_place(l, a) & (RUN - 1)); /* its start */
    } while (a >= 0 && !input_mask(l, a, index));
    return a < 0 ? -1 : a;
}

/* The last piece includes the rest of the line: a rest of one element would
 * change in every version, and its comparison would tell versions apart. */
static inline HOST_DEVICE int64_t input_pieces(struct input_line l)
{
    const int64_t whole = l.axis >> l.piece_bits;
    return whole ? whole : l.axis > 0;
}

/* True for versions that change about RARE_PIECES of the tensor. */
static inline HOST_DEVICE bool input_is_rare(uint64_t version)
{
    return version && split_mix_hash(version ^ 0x7261726500000000u) >> 63;
}

/* Returns the line of that number (o * inner + i), given any of its shape. */
static inline HOST_DEVICE struct input_line input_line_at(struct input_line l,
                                                          int64_t line)
{
    l.line = line;
    l.distribution = (int)(((unsigned)l.first + (unsigned)(line % 3)) % 3);
    l.mask = input_mask_of(l);
    if (l.input.version)
        l.key = split_mix_hash((uint64_t)line ^ l.input.version);
    return l;
}

/* Sets what follows from the line's length. */
static inline HOST_DEVICE void input_set_axis(struct input_line *l,
                                              int64_t axis)
{
    l->axis = axis;
    l->first = (int)((split_mix_hash((uint64_t)axis) >> 32) % 3);
    l->scale = 1;
    for (l->piece_bits = LEAST_PIECE_BITS;
         (axis - 1) >> l->piece_bits >= MOST_PIECES;)
        ++l->piece_bits;
    input_set_levels(l);
    /* Keeps the sum of `axis` numbers below 1 under the largest f16. */
    if (l->dtype == DTYPE_F16)
        for (; axis > 16384; axis /= 2)
            l->scale /= 2;
    l->head = l->dtype == DTYPE_F16 ? 0x1p13 * l->scale : 0x1p26;
}

/* The same, also for a ragged shape with its offsets. */
static inline HOST_DEVICE struct input_line input_line_in(struct input_line l,
                                                          int64_t line)
{
    if (l.offsets) {
        const int64_t segment = line / l.inner;
        l.start = offset_at(l.offsets, l.offset_bytes, segment);
        input_set_axis(&l, offset_at(l.offsets, l.offset_bytes, segment + 1) -
                               l.start);
    }
    return input_line_at(l, line);
}

/* Takes a ragged shape as evened. */
static inline HOST_DEVICE struct input_line
input_line_of(struct input input, enum dtype dtype, bool masked,
              struct shape shape, int64_t line)
{
    struct input_line l;
    shape = shape_evened(shape);
    l.input = input;
    l.dtype = dtype;
    l.masked = masked;
    l.two = l.second = l.reverse = false;
    l.reducer = REDUCER_ADD;
    l.inner = shape.inner;
    l.offsets = NULL;
    l.offset_bytes = shape.lines.offset_bytes;
    l.start = 0;
    l.key = 0;
    input_set_axis(&l, shape.axis);
    const uint64_t pieces =
        (uint64_t)(input_pieces(l) * shape.outer) * (uint64_t)shape.inner;
    const bool rare = input_is_rare(input.version);
    l.one_of = rare && pieces >= 2 * RARE_PIECES ? pieces / RARE_PIECES : 1;
    if (l.one_of >> 32)
        l.one_of = ((uint64_t)1 << 32) - 1;
    return input_line_at(l, line);
}

static inline HOST_DEVICE void input_set_factors(struct input_line *l)
{
    const double least = l->dtype == DTYPE_BF16 ? 0x1p-5 : 0x1p-6;
    double squares = (double)l->axis / 16;
    l->step_bits = l->ones_bits = 0;
    while (l->axis >> l->step_bits >= 64)
        ++l->step_bits;
    for (l->spread = 0.25; l->spread > least && squares > 4; squares /= 4)
        l->spread /= 2;
    for (; squares > 4; squares /= 2)
        ++l->ones_bits;
}

static inline HOST_DEVICE struct input_line
input_line_for(struct input input, enum op op, enum dtype dtype,
               struct shape shape, int64_t line)
{
    struct input_line l =
        input_line_of(input, dtype, op_has_mask(op), shape, line);
    l.reducer = op_reducer(op);
    l.two = op_inputs(op) == 2;
    l.reverse = op_is_reverse(op);
    input_set_factors(&l);
    return l;
}

/* The same line of the second input. */
static inline HOST_DEVICE struct input_line input_second(struct input_line l)
{
    l.second = true;
    return l;
}

static inline HOST_DEVICE bool input_has_peaks(struct input_line l)
{
    return l.reducer >= REDUCER_MAX && l.reducer <= REDUCER_LOGADDEXP;
}

static inline HOST_DEVICE bool input_is_smallest(struct input_line l)
{
    return l.reducer == REDUCER_MIN || l.reducer == REDUCER_ARGMIN;
}

/* True if the operation is verified on inputs of this kind. */
static inline bool input_serves(enum input_kind kind, enum op op,
                                enum dtype dtype)
{
    const struct input_line l = { .reducer = op_reducer(op) };
    switch (kind) {
    case INPUT_EXACT:
        return op_rounds(op, dtype) || input_has_peaks(l);
    case INPUT_SPECIAL:
        return dtype_is_float(dtype) &&
               (op_adds(op) || l.reducer == REDUCER_MUL || input_has_peaks(l) ||
                l.reducer == REDUCER_AFFINE);
    case INPUT_BITS:
        return !op_rounds(op, dtype);
    default:
        return true;
    }
}
