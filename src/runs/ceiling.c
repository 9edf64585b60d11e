/* SPDX-License-Identifier: MIT */
#include "src/runs/ceiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"

struct line {
    const char *kind, *phase;
    struct ceiling ceiling;
};

static const struct csv_column columns[] = {
    COLUMN(line, kind, kind, TEXT, NEEDED),
    COLUMN(line, twin, ceiling.twin, OP, NEEDED),
    COLUMN(line, dtype, ceiling.dtype, DTYPE, NEEDED),
    COLUMN(line, cache, ceiling.cache, CACHE, NEEDED),
    COLUMN(line, elems, ceiling.elems, INTEGER, NEEDED),
    COLUMN(line, bytes, ceiling.bytes, INTEGER, NEEDED),
    COLUMN(line, gbps, ceiling.gbps, REAL, NEEDED),
    COLUMN(line, gflops, ceiling.gflops, REAL, NEEDED),
    COLUMN(line, variant, ceiling.variant, TEXT, NEEDED),
    COLUMN(line, process, ceiling.process, INTEGER, NEEDED),
    COLUMN(line, phase, phase, TEXT, NEEDED),
};

const struct columns ceiling_columns = COLUMNS_OF(columns);

struct ceiling ceiling_unknown(void)
{
    struct line line;
    columns_clear(&ceiling_columns, &line);
    line.ceiling.at_end = false;
    return line.ceiling;
}

void ceiling_write(FILE *file, const struct ceiling *ceiling)
{
    const struct line line = { ceiling->twin < 0 ? "add" : "traffic",
                               ceiling->at_end ? "end" : "start", *ceiling };
    columns_write(file, &ceiling_columns, &line);
}

struct reader {
    struct line line; /* first, as columns_read_file() gets it */
    struct ceilings *to;
};

static const char *take_line(void *record, int64_t number, char *problem)
{
    (void)number, (void)problem;
    struct reader *reader = record;
    struct ceiling *ceiling = &reader->line.ceiling;
    const bool probe = strcmp(reader->line.kind, "traffic") == 0;
    const bool known = probe ? ceiling->twin >= 0 && ceiling->elems > 0 &&
                                   ceiling->bytes > 0 && ceiling->gbps > 0 &&
                                   *ceiling->variant
                             : strcmp(reader->line.kind, "add") == 0 &&
                                   ceiling->twin < 0 && ceiling->gflops > 0;
    ceiling->at_end = strcmp(reader->line.phase, "end") == 0;
    if (!known || ceiling->process < 0 || ceiling->process > INT16_MAX ||
        (!ceiling->at_end && strcmp(reader->line.phase, "start") != 0))
        return "no ceiling";
    ceiling->variant = ""; /* the text is the line's */
    ceilings_add(reader->to, ceiling);
    return NULL;
}

void ceilings_add(struct ceilings *ceilings, const struct ceiling *line)
{
    ceilings->line =
        memory_more(ceilings->line, ceilings->count, sizeof *ceilings->line);
    ceilings->line[ceilings->count++] = *line;
}

/* The order of two curves, whatever the bytes. */
static int curve_order(const struct ceiling *l, const struct ceiling *r)
{
    int order = int64_order(l->at_end, r->at_end);
    order = order ? order
                  : int64_order(op_index((enum op)l->twin),
                                op_index((enum op)r->twin));
    order = order ? order : int64_order(l->dtype, r->dtype);
    order = order ? order : int64_order(l->cache, r->cache);
    return order ? order : int64_order(l->process, r->process);
}

struct ceiling *ceilings_find(const struct ceilings *ceilings,
                              const struct ceiling *like)
{
    for (size_t k = 0; k < ceilings->count; ++k) {
        struct ceiling *line = &ceilings->line[k];
        if (curve_order(line, like) == 0 &&
            (like->twin < 0 || line->elems == like->elems))
            return line;
    }
    return NULL;
}

void ceilings_free(struct ceilings *ceilings)
{
    free(ceilings->line);
    *ceilings = (struct ceilings){ 0 };
}

void ceilings_read(struct ceilings *ceilings, const char *folder,
                   const struct listener *listener)
{
    struct reader reader = { .to = ceilings };
    ceilings->damaged +=
        columns_read_file(&(struct columns_file){ .columns = &ceiling_columns,
                                                  .folder = folder,
                                                  .name = CEILINGS_FILE,
                                                  .optional = true,
                                                  .record = &reader,
                                                  .take = take_line,
                                                  .listener = listener });
    ceilings_sort(ceilings);
}

/* ------------------------------------------------- the ceiling of a cell */

static int probe_order(const void *left, const void *right)
{
    const struct ceiling *l = left, *r = right;
    const int order = curve_order(l, r);
    return order ? order : int64_order(l->bytes, r->bytes);
}

void ceilings_sort(struct ceilings *ceilings)
{
    if (ceilings->count)
        qsort(ceilings->line, ceilings->count, sizeof *ceilings->line,
              probe_order);
}

static double probe_us(const struct ceiling *probe)
{
    return (double)probe->bytes / (probe->gbps * 1e3);
}

/* Interpolates the probes of one curve. Beyond the ends the line is continued
 * with a slope that a fixed time and a rate can have. */
static double curve_us(const struct ceiling *at, size_t count, double bytes)
{
    size_t k = 0;
    while (k + 2 < count && bytes > (double)at[k + 1].bytes)
        ++k;
    const struct ceiling *end = &at[k], *next = &at[k + (count > 1)];
    double us_a_byte = 1 / (end->gbps * 1e3);
    if (next->bytes > end->bytes)
        us_a_byte = (probe_us(next) - probe_us(end)) /
                    (double)(next->bytes - end->bytes);
    if (bytes > (double)next->bytes)
        end = next;
    if (bytes < (double)at[0].bytes || bytes > (double)next->bytes)
        us_a_byte = fmin(fmax(us_a_byte, 0), 1 / (end->gbps * 1e3));
    return probe_us(end) + us_a_byte * (bytes - (double)end->bytes);
}

/* NaN if the twin has no probe. */
static double twin_us(const struct ceilings *sorted, const struct ceiling *like,
                      enum op twin, double bytes)
{
    struct ceiling key = *like;
    key.twin = (int)twin;
    size_t first = 0, end;
    while (first < sorted->count && curve_order(&sorted->line[first], &key) < 0)
        ++first;
    for (end = first;
         end < sorted->count && !curve_order(&sorted->line[end], &key);)
        ++end;
    return end > first ? curve_us(&sorted->line[first], end - first, bytes)
                       : NAN;
}

bool ceiling_mixes(enum op op, struct shape shape)
{
    shape = shape_evened(shape);
    return op_is_reduction(op) && shape.axis > 0 &&
           shape.axis <= CEILING_SHORT_AXIS;
}

double ceiling_gbps(const struct ceilings *sorted, const struct ceiling *like,
                    enum op op, struct shape shape)
{
    const double bytes = (double)op_bytes(op, like->dtype, shape);
    double us = twin_us(sorted, like, op_twin(op, like->dtype), bytes);
    if (ceiling_mixes(op, shape)) {
        const enum op copying = op_copying(op, like->dtype);
        const double written = (double)op_out_bytes(op, like->dtype, shape);
        const double copied = fmin(
            1, written / bytes * (double)op_bytes(copying, like->dtype, shape) /
                   (double)op_out_bytes(copying, like->dtype, shape));
        const double copy_us = twin_us(sorted, like, copying, bytes);
        if (!isnan(copy_us))
            us = copied * copy_us + (1 - copied) * us;
    }
    return us > 0 ? bytes / (us * 1e3) : 0;
}

/* ----------------------------------------------------------- for comparing */

const struct ceiling *ceilings_best(const struct ceilings *ceilings,
                                    enum op twin, enum dtype dtype,
                                    enum cache cache)
{
    const struct ceiling *best = NULL;
    for (size_t k = 0; k < ceilings->count; ++k) {
        const struct ceiling *probe = &ceilings->line[k];
        if (!probe->at_end && probe->twin == (int)twin &&
            probe->dtype == dtype && probe->cache == cache &&
            (!best || probe->elems > best->elems ||
             (probe->elems == best->elems && probe->gbps > best->gbps)))
            best = probe;
    }
    return best;
}
