/* SPDX-License-Identifier: MIT
 *
 * Bytes that a profiler counted at the DRAM: counters.csv beside a device's
 * sets, a metric a line, of each kernel that a cell launched.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/cli/chart.h"

#include "src/base/csv.h"
#include "src/base/memory.h"

static const struct {
    const char *text;
    double times;
} units[] = { { "byte", 1 },    { "Kbyte", 1e3 }, { "Mbyte", 1e6 },
              { "Gbyte", 1e9 }, { "ns", 1e-9 },   { "us", 1e-6 },
              { "ms", 1e-3 },   { "s", 1 } };

static double value_of(const char *number, const char *unit)
{
    double value = 0;
    if (!csv_read_real(number, &value))
        return 0;
    for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
        if (strcmp(unit, units[k].text) == 0)
            return value * units[k].times;
    return 0;
}

/* "op/variant/dtype/shape", which is cut in place. */
static bool take_cell(char *id, struct chart_counted *counted)
{
    char *part[4], *rest = id;
    for (int k = 0; k < 4; ++k) {
        part[k] = rest;
        rest = strchr(rest, '/');
        if (!rest != (k == 3))
            return false;
        if (rest)
            *rest++ = '\0';
    }
    return op_parse(part[0], &counted->op) &&
           dtype_parse(part[2], &counted->dtype) &&
           !shape_parse(part[3], &counted->shape);
}

/* The cell's, which the last may be. */
static struct chart_counted *entry(struct chart_counters *counters,
                                   const char *id)
{
    char *copy = memory_copy(id);
    struct chart_counted counted = { .bytes = 0 };
    const bool ok = take_cell(copy, &counted);
    free(copy);
    if (!ok)
        return NULL;
    if (counters->count &&
        strcmp(counters->cell[counters->count - 1].id, id) == 0)
        return &counters->cell[counters->count - 1];
    if (counters->count == CHART_COUNTED || strlen(id) >= sizeof counted.id)
        return NULL;
    strcpy(counted.id, id);
    counters->cell[counters->count] = counted;
    return &counters->cell[counters->count++];
}

void chart_counters_read(struct chart_counters *counters, const char *path)
{
    enum { CELL, KERNEL, METRIC, VALUE, UNIT, FIELDS = 16 };
    char *fields[FIELDS], name[4096];
    counters->count = 0;
    snprintf(name, sizeof name, "%s/../counters.csv", path);
    struct csv_reader reader = { .file = csv_open(name) };
    if (!reader.file)
        return;
    for (size_t count;
         (count = csv_read(&reader, fields, FIELDS)) || reader.problem;) {
        struct chart_counted *counted =
            count > UNIT ? entry(counters, fields[CELL]) : NULL;
        if (!counted)
            continue;
        const double value = value_of(fields[VALUE], fields[UNIT]);
        if (strncmp(fields[METRIC], "dram__bytes_", 12) == 0)
            counted->bytes += value;
        else if (strcmp(fields[METRIC], "gpu__time_duration.sum") == 0)
            counted->seconds += value;
    }
    csv_read_end(&reader);
    fclose(reader.file);
}
