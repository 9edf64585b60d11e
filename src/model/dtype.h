/* SPDX-License-Identifier: MIT
 *
 * The element types. Half types accumulate and carry in float and are rounded
 * once, at the store (to nearest, ties to even). Integers are two's complement,
 * and sums and products of them wrap modulo 2^64. A bool is a byte, true unless
 * it is 0; results are 0 or 1.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The functions below run on the host and, in the instrument's own kernels, on
 * the device, and must give the same bits on both. */
#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are part of the contract with plugins. */
enum dtype {
    DTYPE_F32,
    DTYPE_F64,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_I32,
    DTYPE_I64,
    DTYPE_U8,
    DTYPE_BOOL,
    DTYPE_COUNT
};

#define DTYPE_BIT(dtype) (1u << (dtype))
#define DTYPES_ALL ((1u << DTYPE_COUNT) - 1)
#define DTYPES_FLOAT (DTYPE_BIT(DTYPE_I32) - 1) /* the half types included */
#define DTYPES_INTEGER (DTYPES_ALL & ~DTYPES_FLOAT) /* bool included */

extern const char *const dtype_names[DTYPE_COUNT + 1]; /* ends with NULL */
const char *dtype_name(enum dtype dtype);              /* "f32" … */
bool dtype_parse(const char *name, enum dtype *dtype);

static inline HOST_DEVICE bool dtype_is_float(enum dtype dtype)
{
    return DTYPES_FLOAT & DTYPE_BIT(dtype);
}

static inline HOST_DEVICE bool dtype_is_half(enum dtype dtype)
{
    return dtype == DTYPE_F16 || dtype == DTYPE_BF16;
}

static inline HOST_DEVICE size_t dtype_bytes(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F64:
    case DTYPE_I64:
        return 8;
    case DTYPE_F32:
    case DTYPE_I32:
        return 4;
    case DTYPE_F16:
    case DTYPE_BF16:
        return 2;
    default:
        return 1;
    }
}

/* Reads and writes the bits of an array's element. */
static inline HOST_DEVICE uint64_t dtype_element(enum dtype dtype,
                                                 const void *array,
                                                 int64_t index)
{
    const size_t bytes = dtype_bytes(dtype);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + (size_t)index * bytes, bytes);
    return bits;
}

static inline HOST_DEVICE void dtype_put(enum dtype dtype, void *array,
                                         int64_t index, uint64_t bits)
{
    const size_t bytes = dtype_bytes(dtype);
    memcpy((char *)array + (size_t)index * bytes, &bits, bytes);
}

/* ----------------------------------------------------- integers and bool */

/* The bits of an element with all bits set. */
static inline HOST_DEVICE uint64_t dtype_mask(enum dtype dtype)
{
    return ~(uint64_t)0 >> (64 - 8 * dtype_bytes(dtype));
}

/* The value of an element's bits modulo 2^64. */
static inline HOST_DEVICE uint64_t dtype_integer(enum dtype dtype,
                                                 uint64_t bits)
{
    switch (dtype) {
    case DTYPE_I64:
        return bits;
    case DTYPE_I32:
        return (uint64_t)(int32_t)(uint32_t)bits;
    case DTYPE_U8:
        return bits & 0xff;
    default:
        return (bits & 0xff) != 0;
    }
}

/* The bits of the least and the largest value. */
static inline HOST_DEVICE uint64_t dtype_least_bits(enum dtype dtype)
{
    return dtype == DTYPE_I64   ? (uint64_t)1 << 63
           : dtype == DTYPE_I32 ? (uint64_t)1 << 31
                                : 0;
}

static inline HOST_DEVICE uint64_t dtype_most_bits(enum dtype dtype)
{
    return dtype == DTYPE_BOOL ? 1
                               : dtype_mask(dtype) ^ dtype_least_bits(dtype);
}

/* ---------------------------------------------------------------- floats */

/* Half an ulp of 1: of the dtype, and of the type of its sums. */
static inline HOST_DEVICE double dtype_roundoff(enum dtype dtype)
{
    return dtype == DTYPE_F64   ? 0x1p-53
           : dtype == DTYPE_F32 ? 0x1p-24
           : dtype == DTYPE_F16 ? 0x1p-11
                                : 0x1p-8;
}

static inline HOST_DEVICE double dtype_acc_roundoff(enum dtype dtype)
{
    return dtype == DTYPE_F64 ? 0x1p-53 : 0x1p-24;
}

static inline HOST_DEVICE uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline HOST_DEVICE float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline HOST_DEVICE float bf16_to_float(uint16_t half)
{
    return float_from_bits((uint32_t)half << 16);
}

static inline HOST_DEVICE uint16_t bf16_from_float(float value)
{
    uint32_t bits = float_bits(value);
    if (value != value)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline HOST_DEVICE float f16_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    if (exponent == 0x1f)
        return float_from_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) {
        /* Subnormal: fraction * 2^-24 is exact in a float. */
        float tiny = (float)fraction * 0x1p-24f;
        return sign ? -tiny : tiny;
    }
    return float_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

static inline HOST_DEVICE uint16_t f16_from_float(float value)
{
#ifdef __CUDA_ARCH__ /* the same bits in one instruction */
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
#else
    uint32_t bits = float_bits(value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return 0x7fff;
    if (size >= 0x477ff000) /* 65520 and above round to infinity */
        return sign | 0x7c00;
    if (size < 0x38800000) {
        /* Below 2^-14: adding 0.5 lines the f16 subnormal grid up with the
         * float's last bit, so the addition does the rounding. */
        float aligned = float_from_bits(size) + 0.5f;
        return sign | (uint16_t)(float_bits(aligned) - 0x3f000000);
    }
    uint32_t rounded = size + 0xfff + (size >> 13 & 1);
    return sign | (uint16_t)((rounded - 0x38000000) >> 13);
#endif
}

/* The exact value of the bits of one float. */
static inline HOST_DEVICE double dtype_value(enum dtype dtype, uint64_t bits)
{
    double value;
    switch (dtype) {
    case DTYPE_F32:
        return float_from_bits((uint32_t)bits);
    case DTYPE_F64:
        memcpy(&value, &bits, sizeof value);
        return value;
    case DTYPE_F16:
        return f16_to_float((uint16_t)bits);
    default:
        return bf16_to_float((uint16_t)bits);
    }
}

/* The bits that dtype_store() stores. */
static inline HOST_DEVICE uint64_t dtype_bits(enum dtype dtype, double value)
{
    uint64_t bits;
    switch (dtype) {
    case DTYPE_F32:
        return float_bits((float)value);
    case DTYPE_F64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    case DTYPE_F16:
        return f16_from_float((float)value);
    default:
        return bf16_from_float((float)value);
    }
}

/* Element `index` of an array of floats of `dtype`, as an exact double. */
static inline HOST_DEVICE double dtype_load(enum dtype dtype, const void *array,
                                            int64_t index)
{
    return dtype_value(dtype, dtype_element(dtype, array, index));
}

/* Rounds `value`, for the half types first to float, and stores it. */
static inline HOST_DEVICE void dtype_store(enum dtype dtype, void *array,
                                           int64_t index, double value)
{
    dtype_put(dtype, array, index, dtype_bits(dtype, value));
}

/* Largest finite value. */
static inline HOST_DEVICE double dtype_max(enum dtype dtype)
{
    return dtype == DTYPE_F64   ? 0x1.fffffffffffffp1023
           : dtype == DTYPE_F32 ? 0x1.fffffep127
           : dtype == DTYPE_F16 ? 65504.0
                                : 0x1.fep127;
}

static inline HOST_DEVICE double infinity_of_double(void)
{
    return dtype_max(DTYPE_F64) * 2;
}

#ifdef __cplusplus
}
#endif
