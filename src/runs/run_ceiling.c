/* SPDX-License-Identifier: MIT */
#include "src/runs/run_ceiling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/csv.h"

enum { MAX_FIELDS = 64 };

enum column {
    KIND,
    TWIN,
    DTYPE,
    CACHE,
    ELEMS,
    GBPS,
    GFLOPS,
    PHASE,
    COLUMN_COUNT
};

static const char *const names[COLUMN_COUNT] = { "kind",   "twin",  "dtype",
                                                 "cache",  "elems", "gbps",
                                                 "gflops", "phase" };

/* Where each column stands; false if one is missing. */
static bool find_columns(size_t at[COLUMN_COUNT], char *const *fields,
                         size_t count)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        for (at[c] = 0; at[c] < count; ++at[c])
            if (strcmp(fields[at[c]], names[c]) == 0)
                break;
        if (at[c] == count)
            return false;
    }
    return true;
}

/* The flat roof of a type: additions in registers. */
static bool take_roof(struct run_ceilings *ceilings, char *const *fields,
                      const size_t at[COLUMN_COUNT])
{
    enum dtype dtype;
    enum cache cache;
    const double gflops = strtod(fields[at[GFLOPS]], NULL);
    if (!dtype_parse(fields[at[DTYPE]], &dtype) ||
        !cache_parse(fields[at[CACHE]], &cache) || !isfinite(gflops))
        return false;
    ceilings->roof_gflops[dtype][cache] =
        fmax(ceilings->roof_gflops[dtype][cache], gflops);
    return true;
}

/* False if the line is no ceiling. */
static bool take(struct run_ceilings *ceilings, char *const *fields,
                 const size_t at[COLUMN_COUNT])
{
    enum op twin;
    enum dtype dtype;
    enum cache cache;
    if (strcmp(fields[at[KIND]], "add") == 0)
        return take_roof(ceilings, fields, at);
    if (strcmp(fields[at[KIND]], "traffic") != 0 ||
        strcmp(fields[at[PHASE]], "start") != 0)
        return true; /* the probes once more */
    int64_t elems = strtoll(fields[at[ELEMS]], NULL, 10);
    double gbps = strtod(fields[at[GBPS]], NULL);
    if (!op_parse(fields[at[TWIN]], &twin) ||
        !dtype_parse(fields[at[DTYPE]], &dtype) ||
        !cache_parse(fields[at[CACHE]], &cache) || elems <= 0 ||
        !(gbps > 0 && isfinite(gbps)))
        return false;
    struct run_ceiling *best = &ceilings->of[twin][dtype][cache];
    if (elems > best->elems || (elems == best->elems && gbps > best->gbps))
        *best = (struct run_ceiling){ elems, gbps };
    return true;
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
    char *fields[MAX_FIELDS];
    size_t at[COLUMN_COUNT], columns = csv_read(reader, fields, MAX_FIELDS);
    if (!find_columns(at, fields, columns)) {
        tell(ceilings, path, reader->line, listener,
             "not the columns of ceilings.csv", "ceilings are not compared");
        return;
    }
    for (size_t count; (count = csv_read(reader, fields, MAX_FIELDS)) ||
                       (reader->problem && !ferror(reader->file));)
        if (count != columns || reader->torn || !take(ceilings, fields, at))
            tell(ceilings, path, reader->line, listener,
                 reader->problem ? reader->problem : "no ceiling",
                 "the line is left out");
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
    csv_read_end(&reader);
    fclose(reader.file);
}
