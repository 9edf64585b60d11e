/* SPDX-License-Identifier: MIT
 *
 * The steps on the host, where ranks run one after the other: what a rank waits
 * for has been published, or never will be.
 */
#include "variants/ranks/local.h"

#include <string.h>

static bool reverse(const struct ranks *ranks)
{
    return op_is_reverse(ranks->op);
}

/* Totals are f64 for f64, and else f32. */
static double get(const struct ranks *ranks, const void *values, int64_t at)
{
    return ranks->dtype == DTYPE_F64 ? ((const double *)values)[at]
                                     : ((const float *)values)[at];
}

static void put(const struct ranks *ranks, void *values, int64_t at, double sum)
{
    if (ranks->dtype == DTYPE_F64)
        ((double *)values)[at] = sum;
    else
        ((float *)values)[at] = (float)sum;
}

static double rounded(const struct ranks *ranks, double sum)
{
    return ranks->dtype == DTYPE_F64 ? sum : (float)sum;
}

/* Returns the index of a line's element a of the part without its room. */
static int64_t place(const struct ranks *ranks, const struct rank *r,
                     int64_t line, int64_t a)
{
    const struct shape s = r->part.shape;
    const int64_t row = (reverse(ranks) ? 0 : r->carry_rows) + a;
    return (line / s.inner * s.axis + row) * s.inner + line % s.inner;
}

static int totals(const struct ranks *ranks, int rank, struct lines lines,
                  void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    const struct problem *p = &r->part;
    (void)stream;
    if (ranks->only_exchange)
        return 0;
    for (int64_t k = lines.first; k < lines.first + lines.count; ++k) {
        double sum = 0;
        for (int64_t a = 0; a < p->shape.axis - r->carry_rows; ++a) {
            const int64_t at = place(ranks, r, k, a);
            if (!p->mask || p->mask[at])
                sum = rounded(ranks, sum + dtype_load(p->dtype, p->in, at));
        }
        put(ranks, r->totals, k, sum);
    }
    return 0;
}

static int last(const struct ranks *ranks, int rank, void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    const struct problem *p = &r->part;
    const int64_t own = p->shape.axis - r->carry_rows;
    (void)stream;
    if (ranks->only_exchange)
        return 0;
    for (int64_t k = 0; k < ranks->lines; ++k) {
        const int64_t at = place(ranks, r, k, reverse(ranks) ? 0 : own - 1);
        double sum = own > 0 ? dtype_load(p->dtype, p->out, at) : 0;
        if (own > 0 && op_is_exclusive(p->op))
            sum = rounded(ranks, sum + dtype_load(p->dtype, p->in, at));
        put(ranks, r->totals, k, sum);
    }
    return 0;
}

static int publish(const struct ranks *ranks, int rank, struct lines lines,
                   int stage, void *stream)
{
    (void)stream;
    for (int q = 0; q < ranks->count; ++q) {
        if (!rank_before(ranks->op, rank, q))
            continue;
        for (int64_t k = lines.first; k < lines.first + lines.count; ++k)
            put(ranks, ranks->rank[q].gathered, rank * ranks->lines + k,
                get(ranks, ranks->rank[rank].totals, k));
        ranks->rank[q].flags[stage * RANKS_MOST + rank] = ranks->ticket;
    }
    return 0;
}

/* A flag that is not raised yet never will be. */
static int await(const struct ranks *ranks, int rank, int stage)
{
    for (int q = 0; q < ranks->count && stage != GATHERED; ++q)
        if (rank_before(ranks->op, q, rank) &&
            ranks->rank[rank].flags[stage * RANKS_MOST + q] != ranks->ticket)
            return -1;
    return 0;
}

/* Returns the sum of the line's elements before the rank's part. */
static double before(const struct ranks *ranks, int rank, int64_t line)
{
    const bool back = reverse(ranks);
    double sum = 0;
    for (int step = 0; step < ranks->count; ++step) {
        const int q = back ? ranks->count - 1 - step : step;
        if (back ? q > rank : q < rank)
            sum = rounded(ranks, sum + get(ranks, ranks->rank[rank].gathered,
                                           q * ranks->lines + line));
    }
    return sum;
}

/* Returns the next of the elements that add up to `left`: a carry beyond the
 * type's range takes several, the last of which may be infinite. */
static double next_piece(enum dtype dtype, double left, bool is_last)
{
    const double piece = dtype_value(dtype, dtype_bits(dtype, left));
    const double most = dtype_max(dtype);
    if (is_last || piece - piece == 0 || left - left != 0)
        return piece;
    return left > 0 ? most : -most;
}

static int carry(const struct ranks *ranks, int rank, struct lines lines,
                 int stage, void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    const struct problem *p = &r->part;
    const struct shape s = p->shape;
    const int error = await(ranks, rank, stage);
    (void)stream;
    if (error || ranks->only_exchange)
        return error;
    for (int64_t k = lines.first; k < lines.first + lines.count; ++k) {
        double left = before(ranks, rank, k);
        for (int64_t row = 0; row < r->carry_rows; ++row) {
            const int64_t a =
                reverse(ranks) ? s.axis - r->carry_rows + row : row;
            const int64_t at =
                (k / s.inner * s.axis + a) * s.inner + k % s.inner;
            const double piece =
                next_piece(p->dtype, left, row + 1 == r->carry_rows);
            dtype_store(p->dtype, (void *)p->in, at, piece);
            if (p->mask)
                ((uint8_t *)p->mask)[at] = 1;
            left = left - piece == left - piece ? left - piece : 0; /* inf */
        }
    }
    return 0;
}

static int add(const struct ranks *ranks, int rank, int stage, void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    const struct problem *p = &r->part;
    const int error = await(ranks, rank, stage);
    (void)stream;
    if (error || ranks->only_exchange)
        return error;
    for (int64_t k = 0; k < ranks->lines; ++k) {
        const double sum = before(ranks, rank, k);
        for (int64_t a = 0; a < p->shape.axis; ++a) {
            const int64_t at = place(ranks, r, k, a);
            dtype_store(p->dtype, p->out, at,
                        rounded(ranks, dtype_load(p->dtype, p->out, at) + sum));
        }
    }
    return 0;
}

static int sum_all(const struct ranks *ranks, int rank, int stage, void *stream)
{
    const struct rank *r = &ranks->rank[rank];
    const int error = await(ranks, rank, stage);
    (void)stream;
    if (error || ranks->only_exchange)
        return error;
    for (int64_t k = 0; k < ranks->lines; ++k) {
        double sum = 0;
        for (int q = 0; q < ranks->count; ++q)
            sum = rounded(ranks,
                          sum + get(ranks, r->gathered, q * ranks->lines + k));
        dtype_store(ranks->dtype, r->part.out, k, sum);
    }
    return 0;
}

const struct local local_host = { totals, last, publish, carry, add, sum_all };
