/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: a walk along a line of another float than f32,
 *          in which one expression is wrong.
 * Shows    sums near the largest number, of more bits than a float has, or with
 *          a NaN that NAN is not.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

/* Clamps a finite sum at the largest number of f16. */
static double within_f16(double sum)
{
    const double most = dtype_max(DTYPE_F16);
    return isinf(sum) ? sum : sum > most ? most : sum < -most ? -most : sum;
}

/* True of a NaN of bf16 whose highest bit of the fraction is not set. */
static bool signals(const void *in, int64_t at)
{
    const int magnitude = ((const uint16_t *)in)[at] & 0x7fff;
    return magnitude > 0x7f80 && magnitude < 0x7fc0;
}

/* X(name, OPERATION, DTYPE, sum with the next element x, what is stored, bug).
 */
#define FLOAT_BUGS(X)                                                          \
    X(clamps_half, CUMSUM, F16, acc + x, acc > 30000 ? 30000 : acc,            \
      "sums in f16 are clamped at 30000")                                      \
    X(clamps_overflow, CUMSUM, F16, acc + x, within_f16(acc),                  \
      "a finite sum that overflows ends at the largest number")                \
    X(float_carry, CUMSUM, F64, (a % 1024 ? acc : (double)(float)acc) + x,     \
      acc, "sums of doubles are carried in float every 1024 elements")         \
    X(drops_signalling, SUM, BF16, signals(p->in, at) ? acc : acc + x, acc,    \
      "a signalling NaN counts as 0")

#define FLOAT_WALK(name, operation, dtype, joined, stored, bug)                \
    static void name##_walk(const struct problem *p, int64_t first,            \
                            int64_t line)                                      \
    {                                                                          \
        double acc = 0;                                                        \
        for (int64_t a = 0; a < p->shape.axis; ++a) {                          \
            const int64_t at = first + a * p->shape.inner;                     \
            const double x = dtype_load(DTYPE_##dtype, p->in, at);             \
            acc = joined;                                                      \
            dtype_store(DTYPE_##dtype, p->out,                                 \
                        op_is_scan(OP_##operation) ? at : line, stored);       \
        }                                                                      \
    }

FLOAT_BUGS(FLOAT_WALK)
FLOAT_BUGS(WALK_LAUNCH)

#define FLOAT_ROW(name_, operation, dtype, joined, stored, bug)                \
    { BROKEN_FIELDS(#name_, "bug: " bug, ERROR_SERIAL,                         \
                    OPS(FORM_OF(OP_##operation), DTYPE_BIT(DTYPE_##dtype))),   \
      .launch = launch_##name_ },

VARIANTS(broken__host_float_bugs) = { FLOAT_BUGS(FLOAT_ROW){ 0 } };
