/* SPDX-License-Identifier: MIT
 *
 * The loops over a strip, for one element type. It has no include guard: host.h
 * defines NAME, ELEMENT, SUM, SUMS, LOAD and STORE, and includes it, once for
 * each type.
 */

/* Inlined, since `lines` is mostly a constant: a single line's sum then stays
 * in a register, and a full row is a few vectors. */
static inline __attribute__((always_inline)) void
NAME(scan_rows)(const struct problem *p, struct strip strip, int lines,
                SUM *sums)
{
    const ELEMENT *restrict in = p->in;
    const uint8_t *restrict mask = p->mask;
    ELEMENT *restrict out = p->out;
    const bool reverse = op_is_reverse(p->op);
    const bool exclusive = op_is_exclusive(p->op);
    const bool masked = op_has_mask(p->op);
    const int64_t step = reverse ? -p->shape.inner : p->shape.inner;
    int64_t at = strip.first + (reverse ? strip.rows - 1 : 0) * p->shape.inner;
    SUM sum[STRIP_LINES];
    for (int l = 0; l < lines; ++l)
        sum[l] = sums[l];
    for (int64_t row = 0; row < strip.rows; ++row, at += step)
        for (int l = 0; l < lines; ++l) {
            const SUM before = sum[l];
            sum[l] += LOAD(in[at + l], masked ? mask[at + l] != 0 : 1);
            out[at + l] = STORE(exclusive ? before : sum[l]);
        }
}

/* Steps of the recurrence; `sums` are its states. */
static inline __attribute__((always_inline)) void
NAME(recur_rows)(const struct problem *p, struct strip strip, int lines,
                 SUM *sums)
{
    const ELEMENT *restrict by = p->in;
    const ELEMENT *restrict more = p->in2;
    ELEMENT *restrict out = p->out;
    const bool reverse = op_is_reverse(p->op);
    const int64_t step = reverse ? -p->shape.inner : p->shape.inner;
    int64_t at = strip.first + (reverse ? strip.rows - 1 : 0) * p->shape.inner;
    SUM h[STRIP_LINES];
    for (int l = 0; l < lines; ++l)
        h[l] = sums[l];
    for (int64_t row = 0; row < strip.rows; ++row, at += step)
        for (int l = 0; l < lines; ++l) {
            h[l] = LOAD(by[at + l], 1) * h[l] + LOAD(more[at + l], 1);
            out[at + l] = STORE(h[l]);
        }
}

static inline __attribute__((always_inline)) void
NAME(add_rows)(const struct problem *p, struct strip strip, int lines,
               SUM *sums)
{
    const ELEMENT *restrict in = p->in;
    const uint8_t *restrict mask = p->mask;
    const bool masked = op_has_mask(p->op);
    int64_t at = strip.first;
    SUM sum[STRIP_LINES];
    for (int l = 0; l < lines; ++l)
        sum[l] = sums[l];
    for (int64_t row = 0; row < strip.rows; ++row, at += p->shape.inner)
        for (int l = 0; l < lines; ++l)
            sum[l] += LOAD(in[at + l], masked ? mask[at + l] != 0 : 1);
    for (int l = 0; l < lines; ++l)
        sums[l] = sum[l];
}

/* Calls the walk over rows with the number of lines as a constant, where it is
 * that of most strips. */
#define STRIP(name, rows)                                                      \
    static inline void NAME(name)(const struct problem *p, struct strip strip, \
                                  union sums *sums)                            \
    {                                                                          \
        if (strip.lines == 1)                                                  \
            NAME(rows)(p, strip, 1, SUMS(sums));                               \
        else if (strip.lines == STRIP_LINES)                                   \
            NAME(rows)(p, strip, STRIP_LINES, SUMS(sums));                     \
        else                                                                   \
            NAME(rows)(p, strip, strip.lines, SUMS(sums));                     \
    }
STRIP(strip_scan, scan_rows)
STRIP(strip_recur, recur_rows)
STRIP(strip_add, add_rows)
#undef STRIP

/* The initial states of the strip's lines, from the first line's number. */
static inline void NAME(strip_start)(const struct problem *p, int64_t line,
                                     int lines, union sums *sums)
{
    const ELEMENT *initial = p->initial;
    for (int l = 0; l < lines; ++l)
        SUMS(sums)[l] = initial ? LOAD(initial[line + l], 1) : 0;
}

/* Maps the first state h of a strip of one line: returned * h + *sums. */
static inline SUM NAME(strip_map)(const struct problem *p, struct strip strip,
                                  union sums *sums)
{
    const ELEMENT *restrict by = p->in;
    const ELEMENT *restrict more = p->in2;
    const bool reverse = op_is_reverse(p->op);
    SUM factor = 1, h = 0;
    for (int64_t row = 0; row < strip.rows; ++row) {
        const int64_t at = strip.first + (reverse ? strip.rows - 1 - row : row);
        const SUM a = LOAD(by[at], 1);
        factor *= a;
        h = a * h + LOAD(more[at], 1);
    }
    SUMS(sums)[0] = h;
    return factor;
}

static inline void NAME(strip_store)(const struct problem *p, int64_t at,
                                     int lines, const union sums *sums)
{
    ELEMENT *out = (ELEMENT *)p->out + at;
    for (int l = 0; l < lines; ++l)
        out[l] = STORE(SUMS(sums)[l]);
}

#undef NAME
#undef ELEMENT
#undef SUM
#undef SUMS
#undef LOAD
#undef STORE
