/* SPDX-License-Identifier: MIT */
#include "src/runs/ceiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"

struct line {
    const char *kind;
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
    COLUMN(line, phase, ceiling.phase, TEXT, NEEDED),
};

const struct columns ceiling_columns = COLUMNS_OF(columns);

void ceiling_write(FILE *file, const struct ceiling *ceiling)
{
    struct line line = { "traffic", *ceiling };
    line.ceiling.gflops = NAN;
    if (ceiling->twin < 0)
        line = (struct line){ "add",
                              { .twin = -1,
                                .dtype = ceiling->dtype,
                                .cache = ceiling->cache,
                                .elems = -1,
                                .bytes = -1,
                                .gbps = NAN,
                                .gflops = ceiling->gflops,
                                .variant = "",
                                .process = ceiling->process,
                                .phase = ceiling->phase } };
    columns_write(file, &ceiling_columns, &line);
}

struct reader {
    struct line line; /* first, as columns_read_file() gets it */
    void (*take)(void *context, const struct ceiling *ceiling);
    void *context;
};

static const char *take_line(void *record, int64_t number, char *problem)
{
    (void)number, (void)problem;
    struct reader *reader = record;
    const struct ceiling *ceiling = &reader->line.ceiling;
    const bool probe = strcmp(reader->line.kind, "traffic") == 0;
    const bool known = probe ? ceiling->twin >= 0 && ceiling->elems > 0 &&
                                   ceiling->bytes > 0 && ceiling->gbps > 0 &&
                                   *ceiling->variant
                             : strcmp(reader->line.kind, "add") == 0 &&
                                   ceiling->twin < 0 && ceiling->gflops > 0;
    const bool phase = strcmp(ceiling->phase, "start") == 0 ||
                       strcmp(ceiling->phase, "end") == 0;
    if (!known || !phase || ceiling->process < 0 ||
        ceiling->process > INT16_MAX)
        return "no ceiling";
    reader->take(reader->context, ceiling);
    return NULL;
}

size_t ceilings_read(const char *folder,
                     void (*take)(void *context, const struct ceiling *),
                     void *context, const struct listener *listener)
{
    struct reader reader = { .take = take, .context = context };
    return columns_read_file(
        &(struct columns_file){ .columns = &ceiling_columns,
                                .folder = folder,
                                .name = CEILINGS_FILE,
                                .optional = true,
                                .record = &reader,
                                .take = take_line,
                                .listener = listener });
}

/* ------------------------------------------------- the ceiling of a cell */

static int sign(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* The order of two curves, whatever the bytes. */
static int curve_order(const struct ceiling *l, const struct ceiling *r)
{
    int order = sign(op_index((enum op)l->twin), op_index((enum op)r->twin));
    order = order ? order : sign(l->dtype, r->dtype);
    order = order ? order : sign(l->cache, r->cache);
    return order ? order : sign(l->process, r->process);
}

static int probe_order(const void *left, const void *right)
{
    const struct ceiling *l = left, *r = right;
    const int order = curve_order(l, r);
    return order ? order : sign(l->bytes, r->bytes);
}

void ceiling_sort(struct ceiling *probes, size_t count)
{
    if (count)
        qsort(probes, count, sizeof *probes, probe_order);
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
static double twin_us(const struct ceiling *sorted, size_t count,
                      const struct ceiling *like, enum op twin, double bytes)
{
    struct ceiling key = *like;
    key.twin = (int)twin;
    size_t first = 0, end;
    while (first < count && curve_order(&sorted[first], &key) < 0)
        ++first;
    for (end = first; end < count && !curve_order(&sorted[end], &key);)
        ++end;
    return end > first ? curve_us(&sorted[first], end - first, bytes) : NAN;
}

bool ceiling_mixes(enum op op, struct shape shape)
{
    return op_is_reduction(op) && shape.axis > 0 &&
           shape.axis <= CEILING_SHORT_AXIS;
}

double ceiling_gbps(const struct ceiling *sorted, size_t count,
                    const struct ceiling *like, enum op op, struct shape shape)
{
    const double bytes = (double)op_bytes(op, like->dtype, shape);
    double us = twin_us(sorted, count, like, op_twin(op, like->dtype), bytes);
    if (ceiling_mixes(op, shape)) {
        const enum op copying = op_copying(op, like->dtype);
        const double written = (double)op_out_bytes(op, like->dtype, shape);
        const double copied = fmin(
            1, written / bytes * (double)op_bytes(copying, like->dtype, shape) /
                   (double)op_out_bytes(copying, like->dtype, shape));
        const double copy_us = twin_us(sorted, count, like, copying, bytes);
        if (!isnan(copy_us))
            us = copied * copy_us + (1 - copied) * us;
    }
    return us > 0 ? bytes / (us * 1e3) : 0;
}

/* ----------------------------------------------------------- for comparing */

static void add_probe(struct run_ceilings *ceilings, const struct ceiling *line)
{
    ceilings->probe =
        memory_more(ceilings->probe, ceilings->count, sizeof *ceilings->probe);
    struct ceiling *probe = &ceilings->probe[ceilings->count++];
    *probe = *line;
    probe->variant = probe->phase = NULL;
}

static void take_ceiling(void *context, const struct ceiling *line)
{
    struct run_ceilings *ceilings = context;
    double *roof = &ceilings->roof_gflops[line->dtype][line->cache];
    if (line->twin < 0)
        *roof = fmax(*roof, line->gflops);
    else if (strcmp(line->phase, "start") == 0)
        add_probe(ceilings, line);
}

void run_ceilings_read(struct run_ceilings *ceilings, const char *folder,
                       const struct listener *listener)
{
    *ceilings = (struct run_ceilings){ 0 };
    ceilings->damaged = ceilings_read(folder, take_ceiling, ceilings, listener);
    ceiling_sort(ceilings->probe, ceilings->count);
}

void run_ceilings_add(struct run_ceilings *ceilings,
                      const struct run_ceilings *more)
{
    for (size_t k = 0; k < more->count; ++k)
        add_probe(ceilings, &more->probe[k]);
}

void run_ceilings_free(struct run_ceilings *ceilings)
{
    free(ceilings->probe);
    *ceilings = (struct run_ceilings){ 0 };
}

const struct ceiling *run_ceilings_best(const struct run_ceilings *ceilings,
                                        enum op twin, enum dtype dtype,
                                        enum cache cache)
{
    const struct ceiling *best = NULL;
    for (size_t k = 0; k < ceilings->count; ++k) {
        const struct ceiling *probe = &ceilings->probe[k];
        if (probe->twin == (int)twin && probe->dtype == dtype &&
            probe->cache == cache &&
            (!best || probe->elems > best->elems ||
             (probe->elems == best->elems && probe->gbps > best->gbps)))
            best = probe;
    }
    return best;
}
