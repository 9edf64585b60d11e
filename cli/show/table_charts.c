/* SPDX-License-Identifier: MIT
 *
 * The charts of a run, a file each.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/common/options_parts.h"
#include "cli/common/runs.h"
#include "cli/charts/chart.h"
#include "cli/show/show.h"
#include "src/base/memory.h"

struct charts {
    const struct table_options *options;
    const char *suffix; /* "" or "_hot" */
    int count;
    bool failed;
};

/* Writes the chart, if it could be drawn, to its file. */
static void keep(struct charts *charts, const char *op, const char *name,
                 const char *kind, bool drawable, char *text)
{
    char path[4096];
    if (drawable) {
        snprintf(path, sizeof path, "%s/%s%s%s%s.%s", charts->options->charts,
                 op, *op ? "_" : "", name, charts->suffix, kind);
        charts->failed |= page_write(path, text) != EXIT_OK;
        ++charts->count;
    }
    free(text);
}

/* `call` writes to `file`. */
#define KEEP(charts, op, name, kind, call)                                     \
    do {                                                                       \
        char *text = NULL;                                                     \
        size_t bytes;                                                          \
        FILE *file = memory_open(&text, &bytes);                               \
        const bool drawable = call;                                            \
        memory_close(file, &text);                                             \
        keep(charts, op, name, kind, drawable, text);                          \
    } while (0)

/* Twins have no lines: their charts are by size alone. */
static void draw_op(struct charts *charts, const struct chart_run *of,
                    enum op op)
{
    struct chart_grid grid = chart_grid_make(of, op);
    const char *name = op_name(op);
    const bool twin = op_twin(op) == op;
    KEEP(charts, name, twin ? "ladder" : "ladder_contiguous", "ladder",
         chart_ladder(&grid, false, file));
    if (!twin) {
        KEEP(charts, name, "ladder_strided", "ladder",
             chart_ladder(&grid, true, file));
        KEEP(charts, name, "bandwidth_length", "bandwidth",
             chart_bandwidth(&grid, true, file));
    }
    KEEP(charts, name, "bandwidth_size", "bandwidth",
         chart_bandwidth(&grid, false, file));
    chart_grid_free(&grid);
}

static void draw_cache(struct charts *charts, const struct chart_run *of)
{
    KEEP(charts, "", "roofline", "roofline", chart_roofline(of, file));
    KEEP(charts, "", "distribution", "distribution",
         chart_distribution(of, file));
    for (int op = 0; op < op_count(); ++op)
        if (!charts->options->filter.ops ||
            charts->options->filter.ops >> op & 1)
            draw_op(charts, of, op_at(op));
}

static bool has(const struct chart_run *of, enum dtype dtype, enum cache cache)
{
    for (size_t k = 0; k < of->count; ++k) {
        const struct row *row = of->all[k].row;
        if (row->dtype == dtype && row->cache == cache &&
            standing_timed(&of->all[k]))
            return true;
    }
    return false;
}

/* Picks the first selected type that was timed; f32 comes first. */
static bool pick_dtype(struct chart_run *of, unsigned asked)
{
    for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
        if ((!asked || asked & 1u << dtype) &&
            (has(of, (enum dtype)dtype, CACHE_COLD) ||
             has(of, (enum dtype)dtype, CACHE_HOT))) {
            of->dtype = (enum dtype)dtype;
            return true;
        }
    return false;
}

int table_charts(const struct table_options *options,
                 const struct run_folder *run, const struct rules *rules,
                 const struct run_cell *all, size_t count)
{
    struct run_cell *wanted = memory_for(count, sizeof *wanted);
    struct chart_run of = { .run = run, .all = wanted, .rules = rules };
    struct charts charts = { .options = options, .suffix = "" };
    if (mkdir(options->charts, 0777) && errno != EEXIST) {
        cannot_write(options->charts);
        free(wanted);
        return -1;
    }
    for (size_t k = 0; k < count; ++k)
        if ((!options->filter.filters.count &&
             !options->filter.excludes.count) ||
            select_wants(&options->filter, all[k].row))
            wanted[of.count++] = all[k];
    if (pick_dtype(&of, options->filter.dtypes))
        for (int cache = 0; cache < CACHE_COUNT; ++cache) {
            of.cache = (enum cache)cache;
            if (!has(&of, of.dtype, of.cache) ||
                (options->filter.caches &&
                 !(options->filter.caches & 1u << cache)))
                continue;
            draw_cache(&charts, &of);
            charts.suffix = "_hot";
        }
    free(wanted);
    if (!charts.count)
        fprintf(stderr, "scanbench: %s has nothing to draw\n", options->run);
    return charts.failed ? -1 : charts.count;
}
