/* SPDX-License-Identifier: MIT */
#include "src/model/dtype.h"

#include <math.h>

#include "src/base/test.h"

/* A 16-bit format. */
struct half {
    const char *name;
    enum dtype dtype;
    int exponent_bits, fraction_bits;
    float (*to_float)(uint16_t);
    uint16_t (*from_float)(float);
};

static const struct half halves[] = {
    { "f16", DTYPE_F16, 5, 10, f16_to_float, f16_from_float },
    { "bf16", DTYPE_BF16, 8, 7, bf16_to_float, bf16_from_float },
};

static int biggest_exponent(const struct half *half)
{
    return (1 << half->exponent_bits) - 1;
}

/* The value of a pattern by IEEE 754's formula. */
static double worth(const struct half *half, unsigned bits)
{
    const int exponent = (bits & 0x7fff) >> half->fraction_bits;
    const int fraction = (int)bits & ((1 << half->fraction_bits) - 1);
    const int bias = biggest_exponent(half) / 2;
    double value = ldexp((1 << half->fraction_bits) + fraction,
                         exponent - bias - half->fraction_bits);
    if (exponent == 0)
        value = ldexp(fraction, 1 - bias - half->fraction_bits);
    if (exponent == biggest_exponent(half))
        value = fraction ? (double)NAN : (double)INFINITY;
    return bits & 0x8000 ? -value : value;
}

static bool same(double left, double right)
{
    return isnan(left) ? isnan(right)
                       : left == right && !signbit(left) == !signbit(right);
}

/* All 65536 patterns have the formula's value and survive a round trip, except
 * that a NaN may become another. */
static void check_patterns(const struct half *half)
{
    int wrong_worth = 0, wrong_back = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float value = half->to_float((uint16_t)bits);
        wrong_worth += !same(value, worth(half, bits));
        const uint16_t back = half->from_float(value);
        wrong_back += isnan(value) ? !isnan(worth(half, back)) : back != bits;
    }
    CHECK_FOR(wrong_worth == 0, "%s: %d patterns", half->name, wrong_worth);
    CHECK_FOR(wrong_back == 0, "%s: %d patterns", half->name, wrong_back);
}

/* Between all neighbours, the middle rounds to even, and numbers below and
 * above it to the nearer one. Infinity takes the place of the number above the
 * largest. */
static void check_rounding(const struct half *half)
{
    const unsigned infinity = (unsigned)biggest_exponent(half)
                              << half->fraction_bits;
    int ties = 0, below = 0, above = 0;
    for (unsigned bits = 0; bits < infinity; ++bits) {
        double low = worth(half, bits), high = worth(half, bits + 1);
        if (bits + 1 == infinity)
            high = 2 * low - worth(half, bits - 1);
        const float middle = (float)(low + (high - low) / 2);
        const unsigned even = bits & 1 ? bits + 1 : bits;
        for (int sign = 0; sign < 2; ++sign) {
            const float s = sign ? -1.0f : 1.0f;
            const unsigned top = sign ? 0x8000 : 0;
            ties += half->from_float(s * middle) != (even | top);
            below +=
                half->from_float(s * nextafterf(middle, 0)) != (bits | top);
            above += half->from_float(s * nextafterf(middle, INFINITY)) !=
                     ((bits + 1) | top);
        }
    }
    CHECK_FOR(ties == 0, "%s: %d ties", half->name, ties);
    CHECK_FOR(below == 0, "%s: %d", half->name, below);
    CHECK_FOR(above == 0, "%s: %d", half->name, above);
}

static void check_extremes(const struct half *half)
{
    const unsigned infinity = (unsigned)biggest_exponent(half)
                              << half->fraction_bits;
    const float largest = half->to_float((uint16_t)(infinity - 1));
    CHECK_FOR(half->from_float(3.4028234e38f) == infinity, "%s", half->name);
    /* NaNs whose upper bits are those of an infinity, or round up to -0. */
    static const uint32_t nans[] = { 0x7fc00000, 0x7f800001, 0x7fffffff,
                                     0xffffffff };
    for (int k = 0; k < 4; ++k)
        CHECK_FOR(
            isnan(half->to_float(half->from_float(float_from_bits(nans[k])))),
            "%s: %d", half->name, k);
    CHECK_FOR(half->from_float(0x1p-149f) == 0, "%s", half->name);
    CHECK_FOR((double)largest == dtype_max(half->dtype), "%s: %g", half->name,
              (double)largest);
}

/* The roundoff is half the distance from 1 to the next number. */
static void check_roundoff(enum dtype dtype)
{
    static const double stored[] = { 2, 1.25, 0.75 }, loaded[] = { 2, 2, 0 };
    const double u = dtype_roundoff(dtype);
    unsigned char array[16];
    for (int k = 0; k < 3; ++k) {
        dtype_store(dtype, array, 0, 1 + stored[k] * u);
        CHECK_FOR(dtype_load(dtype, array, 0) == 1 + loaded[k] * u, "%s: %g",
                  dtype_name(dtype), stored[k]);
    }
    CHECK_FOR(dtype_acc_roundoff(dtype) <= u, "%s", dtype_name(dtype));
}

/* Stores leave neighbours as they are, and each element can be read back. */
static void check_arrays(enum dtype dtype)
{
    union {
        uint64_t aligned;
        unsigned char bytes[64];
    } array;
    memset(&array, 0x5a, sizeof array);
    const size_t bytes = dtype_bytes(dtype);
    for (int index = 1; index < 5; ++index)
        dtype_store(dtype, &array, index, index - 2.5);
    for (int index = 1; index < 5; ++index)
        CHECK_FOR(dtype_load(dtype, &array, index) == index - 2.5, "%s[%d]",
                  dtype_name(dtype), index);
    bool untouched = true;
    for (size_t k = 0; k < bytes; ++k)
        untouched &=
            array.bytes[k] == 0x5a && array.bytes[5 * bytes + k] == 0x5a;
    CHECK_FOR(untouched, "%s", dtype_name(dtype));
}

static void check_names(void)
{
    enum dtype back = DTYPE_COUNT;
    for (int d = 0; d < DTYPE_COUNT; ++d)
        CHECK_FOR(dtype_parse(dtype_name((enum dtype)d), &back) &&
                      back == (enum dtype)d,
                  "%s", dtype_name((enum dtype)d));
    CHECK(!dtype_parse("", &back) && !dtype_parse("f3", &back));
    CHECK(!dtype_parse("f322", &back) && !dtype_parse("F32", &back));
    CHECK(dtype_is_half(DTYPE_F16) && dtype_is_half(DTYPE_BF16));
    CHECK(!dtype_is_half(DTYPE_F32) && !dtype_is_half(DTYPE_F64));
}

/* An element's bits, the bytes that it has, and its value. */
static void check_integers(void)
{
    static const struct {
        enum dtype dtype;
        size_t bytes;
        uint64_t bits;
        int64_t value;
    } cases[] = {
        { DTYPE_I32, 4, 0, 0 },
        { DTYPE_I32, 4, 0xffffffff, -1 },
        { DTYPE_I32, 4, 0x80000000, INT32_MIN },
        { DTYPE_I32, 4, 0x7fffffff, INT32_MAX },
        { DTYPE_I64, 8, 0x7fffffffffffffff, INT64_MAX },
        { DTYPE_I64, 8, 0x8000000000000001, -INT64_MAX },
        { DTYPE_I64, 8, 0xffffffff, 0xffffffff },
        { DTYPE_U8, 1, 0x7f, 127 },
        { DTYPE_U8, 1, 0xff, 255 },
        { DTYPE_BOOL, 1, 0, 0 },
        { DTYPE_BOOL, 1, 1, 1 },
        { DTYPE_BOOL, 1, 2, 1 },
        { DTYPE_BOOL, 1, 0x80, 1 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const enum dtype d = cases[k].dtype;
        CHECK_FOR(!dtype_is_float(d) && !dtype_is_half(d) &&
                      dtype_bytes(d) == cases[k].bytes &&
                      dtype_integer(d, cases[k].bits) ==
                          (uint64_t)cases[k].value,
                  "%s: %llx", dtype_name(d), (unsigned long long)cases[k].bits);
        const int64_t least = (int64_t)dtype_integer(d, dtype_least_bits(d));
        const int64_t most = (int64_t)dtype_integer(d, dtype_most_bits(d));
        CHECK_FOR(least <= cases[k].value && cases[k].value <= most, "%s",
                  dtype_name(d));
    }
    CHECK(dtype_least_bits(DTYPE_I32) == 0x80000000);
    CHECK(dtype_most_bits(DTYPE_I64) == INT64_MAX);
    CHECK(dtype_most_bits(DTYPE_U8) == 255 && dtype_most_bits(DTYPE_BOOL) == 1);
}

int main(void)
{
    for (int h = 0; h < 2; ++h) {
        check_patterns(&halves[h]);
        check_rounding(&halves[h]);
        check_extremes(&halves[h]);
    }
    CHECK(dtype_max(DTYPE_F32) == 3.4028234663852886e38);
    CHECK(isfinite(dtype_max(DTYPE_F64)) && isinf(dtype_max(DTYPE_F64) * 2));
    for (int d = 0; d <= DTYPE_BF16; ++d) {
        CHECK(dtype_is_float((enum dtype)d));
        check_roundoff((enum dtype)d);
        check_arrays((enum dtype)d);
    }
    check_integers();
    check_names();
    return test_end();
}
