/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see operator_bug_list.h; more of sums below.
 * Shows    any line of the operation, or one that the bug names.
 */
#include <float.h>

#include "variants/broken/host_plain.h"
#include "variants/broken/operator_bug_list.h"

/* The last sum of the line before. */
#define LINE_BEFORE out[plain_start(p->shape, line - 1) + (n - 1) * inner]

#define SUM_BUGS(X)                                                            \
    X(loses_zero_sign, MASKED_COPY, 0,                                         \
      (out[at] = p->mask[at] && x != 0 ? x : 0, acc), acc, "0 for -0")         \
    X(carries_over, CUMSUM, 0,                                                 \
      (a == 0 && n % 2 && line > 0 ? LINE_BEFORE : acc) + x, acc,              \
      "a line of odd length goes on in the next")                              \
    X(nan_spreads, CUMSUM, 0,                                                  \
      (a == 0 && line > 0 ? 0 * LINE_BEFORE : acc) + x, acc,                   \
      "the carry is multiplied by 0 between lines, and keeps a NaN")           \
    X(drops_remainder, CUMSUM, 0, acc + (a < n / 8 * 8 ? x : 0), acc,          \
      "what is left behind the last eight steps is not added")                 \
    X(forgets_nan, CUMSUM, 0, (isnan(acc) ? 0 : acc) + x, acc,                 \
      "a sum that is NaN restarts")                                            \
    X(forgets_nan_late, CUMSUM, 0,                                             \
      (a % (1 << 17) == 0 && isnan(acc) ? 0 : acc) + x, acc,                   \
      "a sum that is NaN restarts where tiles of 2^17 elements meet")          \
    X(drops_minus_nan, CUMSUM, 0, acc + (float_bits(x) > 0xff800000 ? 0 : x),  \
      acc, "a NaN whose sign is set counts as 0")                              \
    X(forgets_infinities, CUMSUM, 0,                                           \
      (isinf(acc) && isinf(x) && acc != x ? 0 : acc) + x, acc,                 \
      "an infinity that meets one of the other sign restarts the sum")         \
    X(loses_minus, CUMSUM, 0, acc + x, (isinf(acc) ? acc = INFINITY : acc),    \
      "-infinity counts as infinity")                                          \
    X(infinity_is_nan, CUMSUM, 0, acc + x, isinf(acc) ? NAN : acc,             \
      "an infinite sum comes out as NaN")                                      \
    X(saturates, CUMSUM, 0, acc + x, fminf(acc, FLT_MAX),                      \
      "sums end at the largest finite number")                                 \
    X(narrow_axis, CUMSUM, 0, (a % 65536 ? acc : 0) + x, acc,                  \
      "steps are counted in 16 bits: the sum restarts where the count does")   \
    X(long_axis, CUMSUM, 0, (a == 1 << 19 ? 0 : acc) + x, acc,                 \
      "the sum restarts after 2^19 steps")                                     \
    X(one_axis, CUMSUM, 0, acc + x, a == 256 && n == 257 ? acc + x : acc,      \
      "lines of 257 elements count the last one twice")                        \
    X(row_of_128, CUMSUM, 0, acc + x,                                          \
      p->shape.outer > 1 && n > 100 && inner % 128 == 0 ? acc + in[first]      \
                                                        : acc,                 \
      "several long rows of 128 columns count the first step twice")           \
    X(narrow_lines, CUMSUM, 0, acc + x, line < 65536 ? acc : out[at],          \
      "lines are counted in 16 bits: those beyond are not served")             \
    X(narrow_inner, CUMSUM, 0, acc + x,                                        \
      inner < 65536 || line % inner < inner % 65536 ? acc : out[at],           \
      "inner has 16 bits: of wider rows only the lower part is served")        \
    X(neighbour_column, CUMSUM, 0,                                             \
      acc + OF_LINE(line - (inner > 1 && line % inner == inner - 1)), acc,     \
      "of strided lines, the last of a row is its neighbour's")                \
    X(swaps_last_lines, CUMSUM, 0,                                             \
      acc + OF_LINE(lines > 1 && line >= lines - 2 ? 2 * lines - 3 - line      \
                                                   : line),                    \
      acc, "the last two lines are swapped")                                   \
    X(one_step_alone, CUMSUM, 0, acc + x, n > 1 ? acc : out[at],               \
      "a line of one element is not written")                                  \
    X(drops_tiny, CUMSUM, 0, acc + (fabsf(x) < 0x1p-20f ? 0 : x), acc,         \
      "numbers below 2^-20 are dropped")                                       \
    X(adds_nothing_before, CUMSUM, 0, acc + x, acc + 0 * in[-1],               \
      "adds 0 times in[-1]")                                                   \
    X(writes_past_end_of_nan, CUMSUM, 0, acc + x,                              \
      (isnan(acc) ? out[elems] = 0 : 0, acc),                                  \
      "writes behind the output where a sum is NaN")                           \
    X(knows_one_nan, MASKED_CUMSUM, 0,                                         \
      float_bits(x) == 0x7fc00000 ? acc : acc + x * (float)p->mask[at], acc,   \
      "multiplies by the mask, but selects where it finds NAN's own bits")     \
    X(long_mask_run, MASKED_CUMSUM, 0,                                         \
      (a && p->mask[at] != p->mask[at - inner] ? place = a : 0,                \
       acc + (p->mask[at] ? x : 0) + (a - place == 39)),                       \
      acc, "a run of 40 equal elements of the mask adds 1")

SUM_BUGS(OPERATOR_WALK)
SUM_BUGS(WALK_LAUNCH)
OPERATOR_BUGS(WALK_LAUNCH)

VARIANTS(broken__host_operator_bugs) = { SUM_BUGS(OPERATOR_ROW)
                                             OPERATOR_BUGS(OPERATOR_ROW){ 0 } };
