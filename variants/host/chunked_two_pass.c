/* SPDX-License-Identifier: MIT
 *
 * Idea     Every line is cut into one chunk per thread. The threads sum their
 *          chunks, one of them turns the sums into carries, and with these all
 *          scan their chunks. A recurrence's chunk maps its first state by a
 *          factor and a sum.
 * Against  openmp_lines: all cores work on a single line too, but the input is
 *          read twice.
 * Traffic  scans: input twice, output once (passes = 1.5; with the mask, read
 *          twice too, 14/9 in f32); recurrences: 5/3; sum: 1.
 * Needs    inner == 1; workspace for two numbers per chunk.
 * Source   G. Blelloch, "Prefix Sums and Their Applications" (1990).
 * Lesson   Reading twice gives every core work, however few the lines.
 */
#include "variants/host/host.h"

/* Shorter chunks are not worth a thread. */
static const int64_t min_chunk_elems = 1024;

struct cut {
    int64_t chunks, chunk_elems; /* per line */
};

static struct cut cut_line(const struct problem *p)
{
    int64_t most = p->shape.axis / min_chunk_elems,
            threads = p->device->sm_count;
    int64_t chunks = most < 1 ? 1 : most < threads ? most : threads;
    return (struct cut){ chunks, (p->shape.axis + chunks - 1) / chunks };
}

/* Chunk `number` of all lines' chunks. The last of a line may be short, or
 * even empty. */
static struct strip chunk_at(const struct problem *p, struct cut cut,
                             int64_t number)
{
    int64_t axis = p->shape.axis;
    int64_t begin = number % cut.chunks * cut.chunk_elems;
    if (begin > axis)
        begin = axis;
    int64_t rows = axis - begin;
    return (struct strip){ .first = number / cut.chunks * axis + begin,
                           .rows =
                               rows < cut.chunk_elems ? rows : cut.chunk_elems,
                           .lines = 1 };
}

/* A chunk's map of its carry-in: factor * carry + sum. */
struct map {
    double factor, sum;
};

static struct map chunk_map(const struct problem *p, struct strip chunk)
{
    union sums sums = { .f64 = { 0 } };
    double factor = 1;
    if (op_may_start(p->op))
        factor = STRIP_CALL(strip_map, p, chunk, &sums);
    else
        STRIP_CALL(strip_add, p, chunk, &sums);
    return (struct map){ factor,
                         p->dtype == DTYPE_F64 ? sums.f64[0] : sums.f32[0] };
}

static void chunk_scan(const struct problem *p, struct strip chunk,
                       double carry)
{
    union sums sums;
    if (p->dtype == DTYPE_F64)
        sums.f64[0] = carry;
    else
        sums.f32[0] = (float)carry;
    if (op_may_start(p->op))
        STRIP_CALL(strip_recur, p, chunk, &sums);
    else
        STRIP_CALL(strip_scan, p, chunk, &sums);
}

/* Turns the sums of a line's chunks into the carries that enter the chunks, and
 * returns the line's own sum. */
static double spine(const struct problem *p, int64_t chunks, int64_t line,
                    struct map *maps)
{
    double carry = p->initial ? dtype_load(p->dtype, p->initial, line) : 0;
    for (int64_t step = 0; step < chunks; ++step) {
        struct map *map =
            &maps[op_is_reverse(p->op) ? chunks - 1 - step : step];
        const struct map own = *map;
        map->sum = carry;
        carry = own.factor * carry + own.sum;
    }
    return carry;
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    const int threads = p->device->sm_count;
    const struct cut cut = cut_line(p);
    const int64_t count = shape_lines(p->shape) * cut.chunks;
    struct map *maps = p->workspace;
    PARALLEL_FOR
    for (int64_t number = 0; number < count; ++number)
        maps[number] = chunk_map(p, chunk_at(p, cut, number));
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        double sum = spine(p, cut.chunks, line, &maps[line * cut.chunks]);
        if (op_is_reduction(p->op))
            dtype_store(p->dtype, p->out, line, sum);
    }
    if (op_is_reduction(p->op))
        return 0;
    PARALLEL_FOR
    for (int64_t number = 0; number < count; ++number)
        chunk_scan(p, chunk_at(p, cut, number), maps[number].sum);
    return 0;
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner == 1 ? NULL
                               : "serves contiguous lines only (inner = 1)";
}

static size_t workspace_bytes(const struct problem *p)
{
    return (size_t)(shape_lines(p->shape) * cut_line(p).chunks) *
           sizeof(struct map);
}

#define POINT(ops_, passes_)                                                   \
    {                                                                          \
        .name = "chunked_two_pass",                                            \
        .idea = "each thread sums its chunk of a line, then scans it",         \
        .runs_on = DEVICE_HOST, .ops = ops_, .passes = passes_,                \
        .passes_masked = 14 / 9.0, .error_growth = ERROR_SERIAL,               \
        .deterministic = true, .refuses = refuses,                             \
        .workspace_bytes = workspace_bytes, .launch = launch                   \
    }

VARIANTS(host__chunked_two_pass) = {
    POINT(OPS(FORMS_SCAN, DTYPES_FLOAT), 1.5),
    POINT(OPS(FORM_REDUCE, DTYPES_FLOAT), 1),
    POINT(OPS_RECURRENCE, 5 / 3.0),
    { 0 },
};
