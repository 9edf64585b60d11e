/* SPDX-License-Identifier: MIT
 *
 * The maps of a recurrence, h -> a h + b, as the verifier defines them, on the
 * host and on the device: a and b are unevaluated sums of two doubles, as in
 * src/model/definition.h.
 *
 * Expanded, h[t] is a sum of terms a[t] … a[s + 1] b[s]. In whichever order a
 * variant combines windows, a term goes through t - s multiplications and
 * through no more additions than lie on the longest path, each of which adds a
 * rounding of the terms' magnitudes. `size` is the sum of these, `aged` that of
 * (t - s) times each. This holds while no product of a window's a leaves the
 * range of the type computed in: a product that overflows may meet a 0.
 */
#pragma once

#include "src/model/definition.h"

struct affine {
    double a, a_low, b, b_low;
    double size, aged;
    double steps; /* elements */
};

static inline HOST_DEVICE double affine_abs(double x)
{
    return x < 0 ? -x : x;
}

/* Without steps, b is the initial h. */
static inline HOST_DEVICE struct affine affine_of(double a, double b,
                                                  double steps)
{
    const struct affine map = { a, 0, b, 0, affine_abs(b), 0, steps };
    return map;
}

static inline HOST_DEVICE struct affine affine_combine(struct affine earlier,
                                                       struct affine later)
{
    /* fma() keeps compilers from joining these products with an addition. */
    const double a = fma(later.a, earlier.a, 0.0);
    const double b = fma(later.a, earlier.b, 0.0);
    const double a_low = later.a * earlier.a_low + later.a_low * earlier.a;
    const double b_low = later.a * earlier.b_low + later.a_low * earlier.b;
    const double decay = affine_abs(later.a);
    struct affine map;
    map.a = a;
    map.a_low = fma(later.a, earlier.a, -a) + a_low;
    map.b = b + later.b;
    map.b_low = lost_by_adding(b, later.b) + fma(later.a, earlier.b, -b) +
                b_low + later.b_low;
    map.size = decay * earlier.size + later.size;
    map.aged = decay * (earlier.aged + later.steps * earlier.size) + later.aged;
    map.steps = earlier.steps + later.steps;
    return map;
}

/* Returns h; beside an infinity, b_low is NaN. */
static inline HOST_DEVICE double affine_value(struct affine map)
{
    return map.b - map.b == 0 ? map.b + map.b_low : map.b;
}

/* As a reducer's error(), in additions on the path. */
static inline HOST_DEVICE double affine_error(enum dtype dtype, bool exact,
                                              uint64_t bits, struct affine map)
{
    const double y = dtype_value(dtype, bits), r = affine_value(map);
    const double rounding = output_rounding(dtype, r);
    if (y != y || r - r != 0)
        return y == r || (y != y && r != r) ? 0 : infinity_of_double();
    if (exact || r == 0 || !(map.aged < infinity_of_double()))
        return rounding_error(dtype, exact, y, r, rounding, map.size);
    const double beyond = affine_abs(y - r) - rounding;
    const double error = beyond / dtype_acc_roundoff(dtype) - map.aged;
    return error > 0 ? error / map.size : 0;
}
