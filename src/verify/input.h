/* SPDX-License-Identifier: MIT
 *
 * Inputs are functions of the element's index, so that the host, the device and
 * the verifier make the same bits without sharing a buffer.
 *
 * exact    Whole numbers, the differences of a sequence of levels: a prefix
 *          telescopes to a level itself, so that every output is exact, and
 *          different from its neighbours. A level is a hash of as many bits as
 *          the axis allows: sums of any elements, such as one lane's, wander,
 *          among n of them by 0.41 * 2^bits * sqrt(n) in standard deviation,
 *          and 6 of those are held exactly by what a dtype is summed in. In f32
 *          and f64, half of that room is for an offset of all levels of a line,
 *          and once more of the last one: prefixes and suffixes then have all
 *          digits but one, so that a carry of a few less is found out. Half
 *          types have as many bits as their outputs hold. Under a mask the
 *          differences are those of the kept elements.
 * special  As exact, in units other than 1: so small that most elements are
 *          subnormal, or so large that sums come near the largest number; a
 *          third of the lines are zeros, of both signs.
 * bits     For operations that move data: bits of all kinds, one element in
 *          four an extreme (zeros, subnormals, the largest, infinities, NaNs
 *          quiet and signalling, of either sign).
 * real     Which distribution a line has follows from its number and the axis:
 *          uniform in [0, 1); normal (a sum of eight uniform bytes, in units of
 *          its standard deviation); uniform behind a large first element. Three
 *          lines in a row have all three, and of shapes with a single line some
 *          have each. In f16 long lines are scaled down by a power of two so
 *          that no sum overflows. Where a mask is 0, one element in eight is
 *          NaN or infinite: masked means selected, not multiplied by 0.
 *
 * For operations that take the largest or the smallest element, or its place,
 * exact and special lines are peaks instead: whole numbers that rise along the
 * line, that fall, or of which the largest lies at a random place and at one in
 * eight behind it, with ties among the others; in the special units, a third
 * zeros of both signs or -inf, behind which some have whole numbers and -inf
 * in turn, a few of these also inf, and half of the others with NaNs. For the
 * smallest, all elements but the bits are negated. A sum of exponentials has
 * peaks, too, and no lines of zeros alone.
 *
 * For products, exact elements are 1 or -1 at random, and up to 64 elements of
 * a line step between prefixes of 1, 2, 4 and 8 in magnitude: the product of
 * any elements, such as one lane's, is a power of two that a float holds. Real
 * elements are 1 on average, with a spread that keeps products of the whole
 * line normal numbers in f16; of long lines most elements are 1, so that few
 * multiplications round. Changed ones are larger or smaller by a 16th to an
 * 8th. Special elements are exact ones, of which one is 0, or one and an eighth
 * of those behind it; a third of the lines are zeros. Half of all zeros are -0,
 * so that the sign of a product of 0 depends on every factor.
 *
 * Integers and bools have neither special nor exact input, but bits of the
 * whole range: one element in four is an extreme or a small number; half of the
 * bools are false, the others have any byte. In products, all but one element
 * of a line are odd, since even ones soon multiply to 0. Exact peaks remain:
 * half of the lines of i32 and i64 lie so far from 0 that a float or a double
 * holds many of their numbers as one. Real elements are in the lower half of
 * the range, changed ones in the upper half. One real bool in eight is true,
 * and all changed ones; in a maximum only changed ones are, and in a minimum or
 * a product only they are false.
 *
 * A mask keeps half of all elements, in no pattern. Of the inputs that are not
 * timed, some lines are kept whole, or not at all, or in long runs.
 *
 * The real input has versions. Version 0 is timed. In any other, the changed
 * input, each line is cut into 64 to 128 pieces, a shorter one into pieces of
 * 16 elements, and one element of each piece becomes a large one; a hash of the
 * version's number decides which. A variant that compares a few elements takes
 * this for the same input, but no sum after the first change is within its
 * bound of version 0's, and a part of a line holds as large a part of the sum.
 * Half of the versions are rare: they change about RARE_PIECES pieces of the
 * whole tensor, against variants that compare whole pieces.
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
};

/* Returns the significant bits of the type that a dtype is summed in. */
static inline HOST_DEVICE int input_sum_bits(enum dtype dtype)
{
    return dtype == DTYPE_F64 ? 53 : 24;
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
    return (uint64_t)((l.line / l.inner * l.axis + a) * l.inner +
                      l.line % l.inner);
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

/* True of versions that change few pieces; see above. */
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

static inline HOST_DEVICE struct input_line
input_line_of(struct input input, enum dtype dtype, bool masked,
              struct shape shape, int64_t line)
{
    int64_t axis = shape.axis;
    struct input_line l;
    l.input = input;
    l.dtype = dtype;
    l.masked = masked;
    l.reducer = REDUCER_ADD;
    l.axis = axis;
    l.inner = shape.inner;
    l.first = (int)((split_mix_hash((uint64_t)axis) >> 32) % 3);
    l.scale = 1;
    l.key = 0;
    for (l.piece_bits = LEAST_PIECE_BITS;
         (axis - 1) >> l.piece_bits >= MOST_PIECES;)
        ++l.piece_bits;
    const uint64_t pieces =
        (uint64_t)(input_pieces(l) * shape.outer) * (uint64_t)shape.inner;
    const bool rare = input_is_rare(input.version);
    l.one_of = rare && pieces >= 2 * RARE_PIECES ? pieces / RARE_PIECES : 1;
    if (l.one_of >> 32)
        l.one_of = ((uint64_t)1 << 32) - 1;
    input_set_levels(&l);
    /* Keeps the sum of `axis` numbers below 1 under the largest f16. */
    if (dtype == DTYPE_F16)
        for (; axis > 16384; axis /= 2)
            l.scale /= 2;
    l.head = dtype == DTYPE_F16 ? 0x1p13 * l.scale : 0x1p26;
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
    input_set_factors(&l);
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
               (op_adds(op) || l.reducer == REDUCER_MUL || input_has_peaks(l));
    case INPUT_BITS:
        return !op_rounds(op, dtype);
    default:
        return true;
    }
}

/* ----------------------------------------------------------------- exact */

/* Returns the exact sum of the elements up to a. */
static inline HOST_DEVICE int64_t input_level(struct input_line l, int64_t a)
{
    if (a < 0)
        return 0;
    const uint64_t key = (uint64_t)l.line * 0xd1342543de82ef95u + (uint64_t)a;
    return (int64_t)(split_mix_hash(key) >> l.shift) +
           (a == l.axis - 1 ? 2 * l.offset : l.offset);
}

static inline HOST_DEVICE int64_t input_exact(struct input_line l, int64_t a,
                                              uint64_t index)
{
    const int64_t before = l.masked && input_mask(l, a, index)
                               ? input_kept_before(l, a, index)
                               : a - 1;
    return input_level(l, a) - input_level(l, before);
}

/* ----------------------------------------------------------------- peaks */

enum { PEAKS_RISE, PEAKS_FALL, PEAKS_ONE };

/* True at the place that the hash chooses, and at one in eight behind it. */
static inline HOST_DEVICE bool input_repeats(struct input_line l, uint64_t hash,
                                             int64_t a, uint64_t index)
{
    const int64_t place = (int64_t)(hash % (uint64_t)l.axis);
    return a == place || (a > place && !(split_mix_hash(~index) >> 61));
}

/* Returns a whole number of at most 8 bits in bf16, in types of a byte and in
 * sums of exponentials, 11 in f16, else 23, and its sign. */
static inline HOST_DEVICE int64_t input_peak(struct input_line l, int64_t a,
                                             uint64_t index)
{
    const uint64_t of_line = split_mix_hash((uint64_t)l.line);
    const int kind = (int)((uint64_t)(l.distribution + (int)l.input.kind) % 3);
    const bool few = l.dtype == DTYPE_BF16 || dtype_bytes(l.dtype) == 1 ||
                     l.reducer == REDUCER_LOGADDEXP;
    const int64_t most = (int64_t)1 << (few                    ? 7
                                        : l.dtype == DTYPE_F16 ? 10
                                                               : 22);
    const int64_t noise = (int64_t)(split_mix_hash(index) >> 40) % (most / 16);
    const int64_t range = 2 * most - most / 16;
    const bool is_signed = dtype_bytes(l.dtype) > 1;
    const int64_t below = /* all are negative */
        is_signed && of_line >> 63 ? most : 0;
    if (kind == PEAKS_ONE)
        return (input_repeats(l, of_line, a, index) ? most - 1
                                                    : noise - most / 32) -
               below;
    const int64_t step = kind == PEAKS_RISE ? a : l.axis - 1 - a;
    return (int64_t)((double)step * (double)range / (double)l.axis) - most +
           noise;
}

/* True of the NaNs of special lines with peaks. */
static inline HOST_DEVICE bool input_peaks_nan(struct input_line l, int64_t a,
                                               uint64_t index)
{
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    return l.distribution != SPECIAL_ZEROS && !(hash & 1) &&
           input_repeats(l, hash >> 1, a, index);
}

/* True of special lines that begin with, or consist of, -inf: those of zeros in
 * sums of exponentials, half of them with other peaks. */
static inline HOST_DEVICE bool input_is_nothing(struct input_line l)
{
    return l.reducer == REDUCER_LOGADDEXP ||
           (input_has_peaks(l) && split_mix_hash(~(uint64_t)l.line) >> 63);
}

static inline HOST_DEVICE double input_nothing(struct input_line l, int64_t a)
{
    const uint64_t line = split_mix_hash((uint64_t)l.line);
    const uint64_t element = split_mix_hash(line ^ (uint64_t)a);
    if (!(line & 1) || a < (int64_t)((line >> 1) % (uint64_t)l.axis) ||
        element % 4 == 0)
        return -infinity_of_double();
    return line >> 62 == 0 && element % 8 == 1 ? infinity_of_double()
                                               : (double)(element >> 60) - 8;
}

static inline HOST_DEVICE double input_peaks_unit(struct input_line l)
{
    return l.input.kind == INPUT_EXACT       ? 1
           : l.distribution == SPECIAL_SMALL ? l.small
           : l.dtype == DTYPE_F64            ? 0x1p1000
           : l.dtype == DTYPE_F16            ? 32
                                             : 0x1p104;
}

/* --------------------------------------------------------------- factors */

/* Returns the exponent of the exact product up to the step. */
static inline HOST_DEVICE int input_exponent(struct input_line l, int64_t step)
{
    const uint64_t key = (uint64_t)l.line * 0xd1342543de82ef95u;
    return step < 0 ? 0 : (int)(split_mix_hash(key + (uint64_t)step) >> 62);
}

static inline HOST_DEVICE double input_factor(struct input_line l, int64_t a,
                                              uint64_t index)
{
    const int64_t step = a >> l.step_bits;
    const double sign = split_mix_hash(index) >> 63 ? -1 : 1;
    if (a != step << l.step_bits)
        return sign;
    return sign *
           input_power(input_exponent(l, step) - input_exponent(l, step - 1));
}

/* A factor of the special input: the exact one, or a zero of its sign. */
static inline HOST_DEVICE double input_factor_or_zero(struct input_line l,
                                                      int64_t a, uint64_t index)
{
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    const bool zero = l.distribution == SPECIAL_SMALL
                          ? a == (int64_t)(hash % (uint64_t)l.axis)
                          : input_repeats(l, hash, a, index);
    const double factor = input_factor(l, a, index);
    return zero ? 0 * factor : factor;
}

static inline HOST_DEVICE double input_near_one(struct input_line l,
                                                uint64_t index, bool changed)
{
    const uint64_t hash = split_mix_hash(index);
    const double sign = l.distribution == 2 && hash & 1 ? -1 : 1;
    if (changed) {
        const uint64_t version = split_mix_hash(index ^ l.key);
        const double by = 1.0625 + (double)(version >> 40) * 0x1p-28;
        return sign * (version & 1 ? by : 1 / by);
    }
    if (hash >> 1 & (((uint64_t)1 << l.ones_bits) - 1))
        return sign;
    return sign * (1 + l.spread * ((double)(hash >> 40) * 0x1p-23 - 1));
}

/* Most real factors of a line that are not 1 or -1. */
static inline HOST_DEVICE int64_t input_most_factors(struct input_line l)
{
    const int64_t most = 2 * (l.axis >> l.ones_bits) + 2 * MOST_PIECES;
    return most < l.axis ? most : l.axis;
}

/* --------------------------------------------------------------- special */

/* Elements of a line of zeros that are -0, from the first on; then a +0. */
static inline HOST_DEVICE int64_t input_negative_zeros(struct input_line l)
{
    return (int64_t)(split_mix_hash(~(uint64_t)l.line) >> 62);
}

static inline HOST_DEVICE double input_zero(struct input_line l, int64_t a,
                                            uint64_t index)
{
    const int64_t first = input_negative_zeros(l);
    const bool last = a == l.axis - 1 || a == first;
    const bool negative = a < first || (!last && split_mix_hash(index) >> 63);
    return negative ? -0.0 : 0.0;
}

/* Returns the unit of a special line without zeros. */
static inline HOST_DEVICE double input_unit(struct input_line l)
{
    return l.distribution == SPECIAL_SMALL ? l.small : l.large;
}

/* ------------------------------------------------------------------ bits */

/* Cycles through two infinities and six NaNs, quiet and signalling. */
static inline HOST_DEVICE uint64_t input_nonfinite(enum dtype dtype,
                                                   unsigned which)
{
    const int fraction = dtype == DTYPE_F64   ? 52
                         : dtype == DTYPE_F32 ? 23
                         : dtype == DTYPE_F16 ? 10
                                              : 7;
    const uint64_t sign = (uint64_t)1 << (8 * dtype_bytes(dtype) - 1);
    const uint64_t quiet = (uint64_t)1 << (fraction - 1);
    const uint64_t infinite = sign - ((uint64_t)1 << fraction);
    switch (which % 8) {
    case 0:
        return infinite;
    case 1:
        return infinite | sign;
    case 2:
        return infinite | quiet;
    case 3:
        return infinite | quiet | sign;
    case 4:
        return infinite | quiet | (quiet - 1);
    case 5:
        return infinite | 1; /* signalling */
    case 6:
        return infinite | (quiet - 1) | sign;
    default:
        return infinite | quiet | quiet >> 1;
    }
}

static inline HOST_DEVICE uint64_t input_extreme(enum dtype dtype,
                                                 unsigned which)
{
    const uint64_t sign = (uint64_t)1 << (8 * dtype_bytes(dtype) - 1);
    const uint64_t infinite = input_nonfinite(dtype, 0);
    const uint64_t least_normal = infinite & (0 - infinite);
    const uint64_t of_this_sign = which & 1 ? sign : 0;
    switch (which / 2 % 4) {
    case 0:
        return of_this_sign; /* zero */
    case 1:
        return of_this_sign | 1; /* subnormals */
    case 2:
        return of_this_sign | (least_normal - 1);
    default:
        return of_this_sign | (infinite - 1); /* the largest */
    }
}

static inline HOST_DEVICE uint64_t input_any_bits(enum dtype dtype,
                                                  uint64_t index)
{
    const uint64_t hash = split_mix_hash(index ^ 0x6269747300000000u);
    const unsigned which = (unsigned)(hash >> 2) & 15;
    if ((hash & 3) == 0)
        return which < 8 ? input_nonfinite(dtype, which)
                         : input_extreme(dtype, which);
    return hash >> (64 - 8 * dtype_bytes(dtype));
}

/* ------------------------------------------------------------------ real */

static inline HOST_DEVICE double input_real(struct input_line l, int64_t a,
                                            uint64_t index)
{
    uint64_t hash = split_mix_hash(index);
    if (l.distribution == 1) {
        /* Eight bytes of mean 127.5, variance 5461.25: added in four pairs,
         * which the product adds up in its highest 16 bits. */
        const uint64_t low = 0x00ff00ff00ff00ff;
        const uint64_t pairs = (hash & low) + (hash >> 8 & low);
        const int sum = (int)(pairs * 0x0001000100010001 >> 48) - 1020;
        return sum * (1 / 209.0) * l.scale;
    }
    if (l.distribution == 2 && a == 0)
        return l.head;
    return (double)(hash >> 40) * 0x1p-24 * l.scale;
}

/* Returns the piece of element a. */
static inline HOST_DEVICE int64_t input_piece_of(struct input_line l, int64_t a)
{
    const int64_t piece = a >> l.piece_bits, last = input_pieces(l) - 1;
    return piece < last ? piece : last;
}

/* Elements that a version changes; none if last < first. */
struct input_change {
    int64_t first, last;
};

/* Returns the element that is drawn in the piece. */
static inline HOST_DEVICE int64_t input_drawn(struct input_line l,
                                              int64_t piece)
{
    const int64_t start = piece << l.piece_bits;
    const int64_t steps = piece + 1 < input_pieces(l)
                              ? (int64_t)1 << l.piece_bits
                              : l.axis - start;
    const uint64_t hash = split_mix_hash(l.key + (uint64_t)piece) >> 33;
    return start + (int64_t)(hash * (uint64_t)steps >> 31);
}

/* True if the version changes anything in the piece. */
static inline HOST_DEVICE bool input_has_change(struct input_line l,
                                                int64_t piece)
{
    if (!l.input.version || l.one_of == 1)
        return l.input.version;
    const uint64_t hash =
        split_mix_hash((l.key ^ 0x7069656365000000u) + (uint64_t)piece);
    return (hash >> 32) * l.one_of >> 32 == 0;
}

/* True if the version changes element a: the drawn one and, under a mask, those
 * before it back to one that is kept. */
static inline HOST_DEVICE bool input_is_changed(struct input_line l, int64_t a,
                                                uint64_t index)
{
    const int64_t piece = input_piece_of(l, a);
    if (!input_has_change(l, piece))
        return false;
    int64_t ahead = input_drawn(l, piece) - a;
    if (!l.masked || ahead < 0 || ahead >= CHANGED_TRIES)
        return ahead == 0;
    for (; ahead > 0; --ahead)
        if (input_mask(l, a + ahead, index + (uint64_t)(ahead * l.inner)))
            return false;
    return true;
}

/* Returns the elements of a piece for which input_is_changed(). */
static inline HOST_DEVICE struct input_change
input_change_in(struct input_line l, int64_t piece)
{
    struct input_change change = { 0, -1 };
    if (!input_has_change(l, piece))
        return change;
    const int64_t start = piece << l.piece_bits;
    change.last = change.first = input_drawn(l, piece);
    while (l.masked && change.first > start &&
           change.last - change.first + 1 < CHANGED_TRIES &&
           !input_mask(l, change.first, input_index(l, change.first)))
        --change.first;
    return change;
}

/* Returns a large value; those of a line differ, and sum finitely in f16. */
static inline HOST_DEVICE double input_changed(struct input_line l,
                                               uint64_t index)
{
    const double most = input_has_peaks(l)     ? 2 * l.head
                        : l.dtype == DTYPE_F16 ? 0x1p15 / (double)MOST_PIECES
                                               : 0x1p26;
    const uint64_t hash = split_mix_hash(index ^ l.key);
    return most * (0.75 + (double)(hash >> 40) * 0x1p-26);
}

/* ----------------------------------------------------- integers and bool */

static inline HOST_DEVICE uint64_t input_any_integer(struct input_line l,
                                                     int64_t a, uint64_t index)
{
    const enum dtype d = l.dtype;
    const uint64_t hash = split_mix_hash(index ^ 0x6269747300000000u);
    const uint64_t place = split_mix_hash((uint64_t)l.line) >> 1;
    const uint64_t odd =
        l.reducer == REDUCER_MUL && (uint64_t)a != place % (uint64_t)l.axis;
    const uint64_t any = hash >> (64 - 8 * dtype_bytes(d));
    if (d == DTYPE_BOOL && hash & 1)
        return odd;
    switch (hash >> 1 & 15) {
    case 0:
        return dtype_least_bits(d) | odd;
    case 1:
        return dtype_mask(d) ^ dtype_least_bits(d);
    case 2:
        return dtype_mask(d);
    case 3:
        return (hash >> 8 & 3) | odd;
    default:
        return any | odd;
    }
}

static inline HOST_DEVICE uint64_t input_integer_peak(struct input_line l,
                                                      int64_t a, uint64_t index)
{
    const int64_t peak = input_peak(l, a, index);
    const int bits = 8 * (int)dtype_bytes(l.dtype);
    const int64_t beside = (int64_t)1 << (bits - 2);
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    if (l.dtype == DTYPE_BOOL)
        return peak > 64;
    if (l.dtype == DTYPE_U8)
        return (uint64_t)(peak + 128);
    if (hash >> 63)
        return (uint64_t)(peak / 4096 + (hash >> 62 & 1 ? beside : -beside));
    return (uint64_t)(peak * ((int64_t)1 << (bits - 24)));
}

static inline HOST_DEVICE uint64_t input_real_integer(struct input_line l,
                                                      uint64_t index,
                                                      bool changed)
{
    const int bits = 8 * (int)dtype_bytes(l.dtype);
    const uint64_t hash = split_mix_hash(changed ? index ^ l.key : index);
    const uint64_t half = hash >> (65 - bits);
    const uint64_t upper = (uint64_t)changed << (bits - 1);
    const bool product = l.reducer == REDUCER_MUL;
    if (l.dtype == DTYPE_BOOL) {
        const bool some = !product && !input_has_peaks(l) && !(hash >> 61);
        return (changed || some) != product;
    }
    return (dtype_least_bits(l.dtype) ^ (half | upper)) | product;
}

static inline HOST_DEVICE uint64_t input_integer(struct input_line l, int64_t a,
                                                 uint64_t index, bool changed)
{
    if (l.input.kind == INPUT_BITS)
        return input_any_integer(l, a, index);
    const uint64_t bits = l.input.kind == INPUT_REAL
                              ? input_real_integer(l, index, changed)
                              : input_integer_peak(l, a, index);
    const uint64_t most = l.dtype == DTYPE_BOOL ? 1 : dtype_mask(l.dtype);
    return (input_is_smallest(l) ? ~bits : bits) & most;
}

/* -------------------------------------------------------------- elements */

/* Returns element a of the line before rounding to dtype, but not of
 * INPUT_BITS; `index` is its place in memory. */
static inline HOST_DEVICE double input_value_as(struct input_line l, int64_t a,
                                                uint64_t index, bool changed)
{
    if (l.input.kind == INPUT_SPECIAL && l.distribution == SPECIAL_ZEROS)
        return input_is_nothing(l) ? input_nothing(l, a)
                                   : input_zero(l, a, index);
    if (l.reducer == REDUCER_MUL)
        return l.input.kind == INPUT_REAL ? input_near_one(l, index, changed)
               : l.input.kind == INPUT_EXACT
                   ? input_factor(l, a, index)
                   : input_factor_or_zero(l, a, index);
    if (l.input.kind == INPUT_REAL)
        return changed ? input_changed(l, index) : input_real(l, a, index);
    if (input_has_peaks(l))
        return (double)input_peak(l, a, index) * input_peaks_unit(l);
    return (double)input_exact(l, a, index) *
           (l.input.kind == INPUT_SPECIAL ? input_unit(l) : 1);
}

/* True of a masked-off real element that is NaN or infinite. */
static inline HOST_DEVICE bool input_hidden(struct input_line l, int64_t a,
                                            uint64_t index)
{
    return l.input.kind == INPUT_REAL && l.masked && !input_mask(l, a, index) &&
           (split_mix_hash(~index) & 7) == 0;
}

/* Returns an element's bits if it is known whether the version changes it. */
static inline HOST_DEVICE uint64_t input_bits_as(enum dtype dtype,
                                                 struct input_line l, int64_t a,
                                                 uint64_t index, bool changed)
{
    if (!dtype_is_float(dtype))
        return input_integer(l, a, index, changed);
    if (l.input.kind == INPUT_BITS)
        return input_any_bits(dtype, index);
    if (input_hidden(l, a, index))
        return input_nonfinite(dtype, (unsigned)(split_mix_hash(~index) >> 3));
    if (l.input.kind == INPUT_SPECIAL && input_has_peaks(l) &&
        input_peaks_nan(l, a, index))
        return input_nonfinite(dtype, 2 + (unsigned)l.line % 6);
    const double value = input_value_as(l, a, index, changed);
    return dtype_bits(dtype, input_is_smallest(l) ? -value : value);
}

static inline HOST_DEVICE uint64_t input_bits(enum dtype dtype,
                                              struct input_line l, int64_t a,
                                              uint64_t index)
{
    return input_bits_as(dtype, l, a, index, input_is_changed(l, a, index));
}
