/* SPDX-License-Identifier: MIT
 *
 * nvbench's JSON 1.0.0, as far as its scripts read it: a benchmark for each
 * operation and variant, with the axes Type, Shape and Cache.
 */
#include "harness/cli/export_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cannot_write.h"
#include "harness/cli/escape.h"
#include "src/base/memory.h"
#include "src/base/whole_file.h"

static const char *const axes[] = { "Type", "Shape", "Cache" };

static void put_summary(const char *tag, const char *name, const char *hint,
                        double value, bool last)
{
    printf("{\"tag\": \"%s\", \"name\": \"%s\", \"hint\": \"%s\", \"data\": "
           "[{\"name\": \"value\", \"type\": \"float64\", \"value\": "
           "\"%.17g\"}]}%s",
           tag, name, hint, value, last ? "" : ", ");
}

static void put_axis_value(const char *name, const char *value, bool last)
{
    printf("{\"name\": \"%s\", \"type\": \"string\", \"value\": \"%s\"}%s",
           name, value, last ? "" : ", ");
}

/* The noise is the share that nvbench means by it: of one measurement. */
static double noise_of(const struct run_cell *cell)
{
    const double arm = standing_arm(cell) / 1.96;
    return isfinite(arm) ? arm : 0;
}

/* Counts are whole numbers there, and come as texts. */
static void put_count(const char *name, int64_t count)
{
    printf("{\"name\": \"%s\", \"type\": \"int64\", \"value\": \"%lld\"}", name,
           (long long)count);
}

/* ----------------------------------------------------------------- samples */

/* "OUT-bin/7.bin": of the cell with that number; its folder alone. */
static char *samples_path(const struct exported *exported, size_t number,
                          bool folder)
{
    char *path = NULL;
    size_t bytes;
    FILE *text = memory_open(&path, &bytes);
    fprintf(text, "%s-bin", exported->out);
    if (!folder)
        fprintf(text, "/%zu.bin", number);
    memory_close(text, &path);
    return path;
}

/* Seconds, as floats of 32 bits, little-endian. */
static bool write_seconds(const char *path, const double *us, size_t count)
{
    struct whole_file whole;
    if (!whole_file_replace(&whole, path))
        return false;
    for (size_t k = 0; k < count; ++k) {
        const float seconds = (float)(us[k] * 1e-6);
        uint32_t bits;
        memcpy(&bits, &seconds, sizeof bits);
        for (int b = 0; b < 32; b += 8)
            putc((int)(bits >> b & 255), whole.file);
    }
    return whole_file_close(&whole);
}

static bool write_cell(const struct exported *exported, size_t number)
{
    size_t count;
    double *us = run_samples_pooled(&exported->samples,
                                    &exported->cells[number].cell, &count);
    char *folder = samples_path(exported, number, true);
    char *path = samples_path(exported, number, false);
    const bool ok = !count || ((mkdir(folder, 0777) == 0 || errno == EEXIST) &&
                               write_seconds(path, us, count));
    if (!ok)
        cannot_write(path);
    free(path);
    free(folder);
    free(us);
    return ok;
}

bool export_nvbench_samples(const struct exported *exported)
{
    bool ok = true;
    for (size_t k = export_next(exported, 0); ok && k < exported->count;
         k = export_next(exported, k + 1))
        ok = write_cell(exported, k);
    return ok;
}

/* Where they are, from the document's folder. */
static void put_samples(const struct exported *exported, size_t number)
{
    size_t count = 0;
    if (exported->out)
        free(run_samples_pooled(&exported->samples,
                                &exported->cells[number].cell, &count));
    if (!count)
        return;
    char *path = samples_path(exported, number, false);
    const char *slash = strrchr(exported->out, '/');
    fputs("{\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"name\": "
          "\"Samples Times File\", \"hint\": \"file/sample_times\", \"hide\": "
          "\"Not needed in table.\", \"data\": [{\"name\": \"filename\", "
          "\"type\": \"string\", \"value\": ",
          stdout);
    write_json(stdout, slash ? path + (slash - exported->out) + 1 : path);
    fputs("}, ", stdout);
    put_count("size", (int64_t)count);
    fputs("]}, ", stdout);
    free(path);
}

/* ------------------------------------------------------------------ states */

static void put_state(const struct exported *exported, size_t number)
{
    const struct run_cell *cell = &exported->cells[number].cell;
    char shape[SHAPE_TEXT_BYTES];
    const struct run_row *row = cell->row;
    int64_t samples = 0;
    shape_format(row->shape, shape);
    for (size_t r = 0; r < cell->rows; ++r)
        samples += row[r].samples > 0 ? row[r].samples : 0;
    printf("{\"name\": \"Device=0 Type=%s Shape=%s Cache=%s\", \"device\": 0, "
           "\"type_config_index\": 0, \"axis_values\": [",
           dtype_name(row->dtype), shape, cache_name(row->cache));
    put_axis_value(axes[0], dtype_name(row->dtype), false);
    put_axis_value(axes[1], shape, false);
    put_axis_value(axes[2], cache_name(row->cache), true);
    fputs("], \"summaries\": [", stdout);
    put_samples(exported, number);
    fputs("{\"tag\": \"nv/cold/sample_size\", \"name\": \"Samples\", "
          "\"hint\": \"sample_size\", \"data\": [",
          stdout);
    put_count("value", samples);
    fputs("]}, ", stdout);
    put_summary("nv/cold/time/gpu/mean", "GPU Time", "duration",
                1e-6 * cell->us, false);
    put_summary("nv/cold/time/gpu/stdev/relative", "Noise", "percentage",
                noise_of(cell), !(cell->gbps > 0));
    if (cell->gbps > 0)
        put_summary("nv/cold/bw/global/bytes_per_second", "GlobalMem BW",
                    "byte_rate", 1e9 * cell->gbps, true);
    fputs("], \"is_skipped\": false}", stdout);
}

/* -------------------------------------------------------------- benchmarks */

/* A timed cell, and its place among the exported. */
struct numbered {
    const struct run_row *row;
    size_t number;
};

/* The same operation and variant: 0. */
static int benchmark_order(const struct run_row *left,
                           const struct run_row *right)
{
    const int order = (int)left->op - (int)right->op;
    return order ? order : strcmp(left->variant, right->variant);
}

static int by_benchmark(const void *left, const void *right)
{
    const struct numbered *l = left, *r = right;
    const int order = benchmark_order(l->row, r->row);
    return order ? order : (l->number > r->number) - (l->number < r->number);
}

/* The timed cells, each benchmark's together. */
static size_t sort_cells(const struct exported *exported, struct numbered *cell)
{
    size_t count = 0;
    for (size_t k = export_next(exported, 0); k < exported->count;
         k = export_next(exported, k + 1))
        cell[count++] = (struct numbered){ exported->cells[k].cell.row, k };
    qsort(cell, count, sizeof *cell, by_benchmark);
    return count;
}

/* The one that begins at *at; *at becomes where the next one does. */
static void put_benchmark(const struct exported *exported,
                          const struct numbered *cell, size_t count, size_t *at,
                          size_t index)
{
    const struct run_row *row = cell[*at].row;
    char name[EXPORT_NAME_BYTES];
    const char *comma = "";
    snprintf(name, sizeof name, "%s/%s", op_name(row->op), row->variant);
    putchar('{');
    export_text("name", name);
    printf(", \"index\": %zu, \"devices\": [0], \"axes\": [", index);
    for (int a = 0; a < 3; ++a)
        printf("%s{\"name\": \"%s\", \"type\": \"string\", \"flags\": \"\", "
               "\"values\": []}",
               a ? ", " : "", axes[a]);
    fputs("], \"states\": [", stdout);
    for (; *at < count && !benchmark_order(row, cell[*at].row); ++*at) {
        fputs(comma, stdout);
        put_state(exported, cell[*at].number);
        comma = ",\n";
    }
    fputs("]}", stdout);
}

void export_nvbench(const struct exported *exported)
{
    struct numbered *cell = memory_for(exported->count, sizeof *cell);
    const size_t count = sort_cells(exported, cell);
    size_t index = 0;
    fputs("{\n\"meta\": {\"argv\": [\"scanbench\"], \"version\": {\"json\": "
          "{\"major\": 1, \"minor\": 0, \"patch\": 0, \"string\": "
          "\"1.0.0\"}}},\n\"devices\": [{\"id\": 0, ",
          stdout);
    export_text("name", run_fact(exported->run, "device_name"));
    fputs("}],\n\"benchmarks\": [", stdout);
    for (size_t at = 0; at < count; ++index) {
        fputs(index ? ",\n" : "\n", stdout);
        put_benchmark(exported, cell, count, &at, index);
    }
    puts("\n]\n}");
    free(cell);
}
