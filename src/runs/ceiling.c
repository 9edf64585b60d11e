/* SPDX-License-Identifier: MIT */
#include "src/runs/ceiling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/memory.h"

enum {
#define AT(name, meaning) AT_##name,
    CEILING_COLUMNS(AT)
#undef AT
};

static const char *const names[CEILING_COLUMN_COUNT] = {
#define NAME(name, meaning) #name,
    CEILING_COLUMNS(NAME)
#undef NAME
};

/* ----------------------------------------------------------------- writing */

bool ceiling_write_header(FILE *file)
{
    bool ok = true;
    for (int c = 0; c < CEILING_COLUMN_COUNT; ++c)
        ok = csv_write_field(file, c == 0, names[c]) && ok;
    return csv_write_end(file) && ok;
}

bool ceiling_write(FILE *file, const struct ceiling *ceiling)
{
    const bool traffic = ceiling->twin >= 0;
    csv_write_field(file, true, traffic ? "traffic" : "add");
    csv_write_field(file, false,
                    traffic ? op_name((enum op)ceiling->twin) : "");
    csv_write_field(file, false, dtype_name(ceiling->dtype));
    csv_write_field(file, false, cache_name(ceiling->cache));
    csv_write_integer(file, false, traffic ? ceiling->elems : -1);
    csv_write_integer(file, false, traffic ? ceiling->bytes : -1);
    csv_write_real(file, false, traffic ? ceiling->gbps : NAN);
    csv_write_real(file, false, traffic ? NAN : ceiling->gflops);
    csv_write_field(file, false,
                    traffic && ceiling->variant ? ceiling->variant : "");
    csv_write_integer(file, false, ceiling->process);
    csv_write_field(file, false, ceiling->phase);
    return csv_write_end(file);
}

/* ----------------------------------------------------------------- reading */

bool ceiling_is_header(char *const *fields, size_t count)
{
    bool same = count == CEILING_COLUMN_COUNT;
    for (size_t c = 0; same && c < count; ++c)
        same = strcmp(fields[c], names[c]) == 0;
    return same;
}

static bool read_traffic(struct ceiling *ceiling, char *const *fields)
{
    enum op twin;
    if (!op_parse(fields[AT_twin], &twin) ||
        !csv_read_integer(fields[AT_elems], &ceiling->elems) ||
        !csv_read_integer(fields[AT_bytes], &ceiling->bytes) ||
        !csv_read_real(fields[AT_gbps], &ceiling->gbps))
        return false;
    ceiling->twin = (int)twin;
    ceiling->variant = fields[AT_variant];
    return ceiling->elems > 0 && ceiling->bytes > 0 && ceiling->gbps > 0 &&
           *ceiling->variant;
}

bool ceiling_read(struct ceiling *ceiling, char *const *fields, size_t count)
{
    int64_t process = -1;
    if (count != CEILING_COLUMN_COUNT)
        return false;
    *ceiling = (struct ceiling){ .twin = -1,
                                 .elems = -1,
                                 .bytes = -1,
                                 .gbps = NAN,
                                 .gflops = NAN,
                                 .phase = fields[AT_phase] };
    if (!csv_read_integer(fields[AT_process], &process) || process < 0 ||
        process > INT16_MAX ||
        (strcmp(ceiling->phase, "start") && strcmp(ceiling->phase, "end")) ||
        !dtype_parse(fields[AT_dtype], &ceiling->dtype) ||
        !cache_parse(fields[AT_cache], &ceiling->cache))
        return false;
    ceiling->process = (int)process;
    if (strcmp(fields[AT_kind], "add") == 0)
        return csv_read_real(fields[AT_gflops], &ceiling->gflops) &&
               ceiling->gflops > 0;
    return strcmp(fields[AT_kind], "traffic") == 0 &&
           read_traffic(ceiling, fields);
}

/* -------------------------------------------------- what a cell is held to */

static int sign(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* But for the bytes. */
static int curve_order(const struct ceiling_probe *l,
                       const struct ceiling_probe *r)
{
    int order = sign(l->twin, r->twin);
    order = order ? order : sign(l->dtype, r->dtype);
    order = order ? order : sign(l->cache, r->cache);
    return order ? order : sign(l->process, r->process);
}

static int probe_order(const void *left, const void *right)
{
    const struct ceiling_probe *l = left, *r = right;
    const int order = curve_order(l, r);
    return order ? order : sign(l->bytes, r->bytes);
}

void ceiling_sort(struct ceiling_probe *probes, size_t count)
{
    if (count)
        qsort(probes, count, sizeof *probes, probe_order);
}

/* From the probes of one curve. Beyond the ends the line is continued, as far
 * as it is one of a fixed part and a rate. */
static double curve_us(const struct ceiling_probe *at, size_t count,
                       double bytes)
{
    size_t k = 0;
    while (k + 2 < count && bytes > (double)at[k + 1].bytes)
        ++k;
    const struct ceiling_probe *end = &at[k], *next = &at[k + (count > 1)];
    const double proportional = end->us / (double)end->bytes;
    double us_a_byte = proportional;
    if (next->bytes > end->bytes)
        us_a_byte = (next->us - end->us) / (double)(next->bytes - end->bytes);
    if (bytes > (double)next->bytes)
        end = next;
    if (bytes < (double)at[0].bytes || bytes > (double)next->bytes)
        us_a_byte = fmin(fmax(us_a_byte, 0), end->us / (double)end->bytes);
    return end->us + us_a_byte * (bytes - (double)end->bytes);
}

/* NaN: it has no probe. */
static double twin_us(const struct ceiling_probe *sorted, size_t count,
                      const struct ceiling_probe *like, enum op twin,
                      double bytes)
{
    struct ceiling_probe key = *like;
    key.twin = twin;
    size_t first = 0, end;
    while (first < count && curve_order(&sorted[first], &key) < 0)
        ++first;
    for (end = first; end < count && !curve_order(&sorted[end], &key);)
        ++end;
    return end > first ? curve_us(&sorted[first], end - first, bytes) : NAN;
}

bool ceiling_mixes(enum op op, struct shape shape)
{
    return op == OP_SUM && shape.axis > 0 && shape.axis <= CEILING_SHORT_AXIS;
}

double ceiling_gbps(const struct ceiling_probe *sorted, size_t count,
                    const struct ceiling_probe *like, enum op op,
                    struct shape shape)
{
    const double bytes = (double)op_bytes(op, like->dtype, shape);
    double us = twin_us(sorted, count, like, op_twin(op), bytes);
    if (ceiling_mixes(op, shape)) {
        const double copied =
            2 * (double)op_out_bytes(op, like->dtype, shape) / bytes;
        const double copy_us = twin_us(sorted, count, like, OP_COPY, bytes);
        if (!isnan(copy_us))
            us = copied * copy_us + (1 - copied) * us;
    }
    return us > 0 ? bytes / (us * 1e3) : 0;
}

/* ----------------------------------------------------------- for comparing */

static void add_probe(struct run_ceilings *ceilings, const struct ceiling *line)
{
    if (ceilings->count == ceilings->room) {
        ceilings->room = ceilings->room ? 2 * ceilings->room : 64;
        ceilings->probe = memory_grown(ceilings->probe, ceilings->room,
                                       sizeof *ceilings->probe);
    }
    ceilings->probe[ceilings->count++] = (struct ceiling_probe){
        .twin = (enum op)line->twin,
        .dtype = line->dtype,
        .cache = line->cache,
        .process = line->process,
        .bytes = line->bytes,
        .us = (double)line->bytes / (line->gbps * 1e3),
    };
}

static void raise(struct run_ceilings *ceilings, const struct ceiling *line)
{
    double *roof = &ceilings->roof_gflops[line->dtype][line->cache];
    if (line->twin < 0 && line->gflops > *roof)
        *roof = line->gflops;
    if (line->twin < 0 || strcmp(line->phase, "start") != 0)
        return; /* flat roofs, and the probes once more */
    add_probe(ceilings, line);
    struct run_ceiling *best =
        &ceilings->of[line->twin][line->dtype][line->cache];
    if (line->elems > best->elems ||
        (line->elems == best->elems && line->gbps > best->gbps))
        *best = (struct run_ceiling){ line->elems, line->gbps };
}

static void tell(struct run_ceilings *ceilings, const char *path, int64_t line,
                 const struct listener *listener, const char *problem,
                 const char *remedy)
{
    ++ceilings->damaged;
    listener->hear(listener->context, path, line, problem, remedy);
}

static void read_lines(struct run_ceilings *ceilings, struct csv_reader *reader,
                       const char *path, const struct listener *listener)
{
    enum { MAX_FIELDS = 2 * CEILING_COLUMN_COUNT };
    char *fields[MAX_FIELDS];
    struct ceiling line;
    size_t count = csv_read(reader, fields, MAX_FIELDS);
    if (!ceiling_is_header(fields, count)) {
        tell(ceilings, path, reader->line, listener,
             reader->problem ? reader->problem
                             : "not the columns of ceilings.csv",
             "ceilings are not compared");
        return;
    }
    while ((count = csv_read(reader, fields, MAX_FIELDS)) || reader->problem)
        if (!reader->torn && ceiling_read(&line, fields, count))
            raise(ceilings, &line);
        else
            tell(ceilings, path, reader->line, listener,
                 reader->problem ? reader->problem : "no ceiling",
                 reader->unreadable ? "the rest is left out"
                                    : "the line is left out");
}

void run_ceilings_read(struct run_ceilings *ceilings, const char *path,
                       const struct listener *listener)
{
    struct csv_reader reader = { .file = fopen(path, "r") };
    *ceilings = (struct run_ceilings){ 0 };
    if (!reader.file) {
        if (errno != ENOENT)
            tell(ceilings, path, 0, listener, strerror(errno),
                 "ceilings are not compared");
        return;
    }
    read_lines(ceilings, &reader, path, listener);
    ceiling_sort(ceilings->probe, ceilings->count);
    csv_read_end(&reader);
    fclose(reader.file);
}

void run_ceilings_free(struct run_ceilings *ceilings)
{
    free(ceilings->probe);
    *ceilings = (struct run_ceilings){ 0 };
}
