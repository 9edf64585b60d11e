/* SPDX-License-Identifier: MIT
 *
 * The table of tune: the tuning points of each family in one cell.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/rows.h"
#include "cli/common/runs.h"
#include "src/analyse/comparison.h"
#include "src/analyse/standing.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"
#include "variants/registry.h"

/* A variant in the cell that is tuned. */
struct tuned {
    struct run_cell side;
    const char *family;   /* its id in the registry, or "" */
    size_t rank;          /* in its family, from 1; 0 if not timed */
    struct change behind; /* from the best of its family */
};

/* One operation, type, shape and cache. Families are in the order of their best
 * points, and points in the order of time; those not timed come last. */
struct tune_table {
    const struct run_folder *run;
    struct tuned *all;
    size_t count;
};

/* Returns how many points, from `first` on, belong to its family. */
static size_t family_size(const struct tune_table *table, size_t first)
{
    size_t size = 1;
    while (first + size < table->count &&
           strcmp(table->all[first].family, table->all[first + size].family) ==
               0)
        ++size;
    return size;
}

/* -------------------------------------------------------------- the points */

static const char *family_of(const struct plugins *plugins,
                             const struct row *row, enum device_kind kind)
{
    for (const struct family *f = plugins_families(plugins); f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v->runs_on == kind && (v->ops & OP_BIT(row->op)) &&
                strcmp(v->name, row->variant) == 0)
                return f->id;
    return "";
}

static int fastest_first(const void *left, const void *right)
{
    const struct tuned *l = left, *r = right;
    const double l_us = l->side.us, r_us = r->side.us;
    if (isnan(l_us) || isnan(r_us))
        return isnan(l_us) - isnan(r_us);
    return (l_us > r_us) - (l_us < r_us);
}

/* Moves the points of each family behind its first one, which is its best, and
 * keeps their order. */
static void join_families(struct tune_table *table)
{
    for (size_t k = 0; k < table->count;) {
        const char *family = table->all[k].family;
        for (size_t other = ++k; other < table->count; ++other)
            if (strcmp(table->all[other].family, family) == 0) {
                const struct tuned one = table->all[other];
                memmove(&table->all[k + 1], &table->all[k],
                        (other - k) * sizeof one);
                table->all[k++] = one;
            }
    }
}

/* Ranks the timed points of a family. */
static void rank(struct tuned *best, size_t size)
{
    for (size_t k = 0; k < size && run_cell_timed(&best[k].side); ++k) {
        best[k].rank = k + 1;
        if (k)
            best[k].behind =
                change_of(&best->side.timing, &best[k].side.timing);
    }
}

/* Puts the points of a cell in order, with ranks and margins. */
static void arrange(struct tune_table *table)
{
    qsort(table->all, table->count, sizeof *table->all, fastest_first);
    join_families(table);
    for (size_t k = 0, size; k < table->count; k += size) {
        size = family_size(table, k);
        rank(&table->all[k], size);
    }
}

/* ------------------------------------------------------------------- text */

static void write_behind(const struct change *behind)
{
    printf("%+8.2f %%  ", 100 * (behind->ratio - 1));
    if (isfinite(behind->high))
        printf("[%+6.2f, %+6.2f]", 100 * (behind->low - 1),
               100 * (behind->high - 1));
    else
        printf("%-16s", "[no interval]");
}

static void write_point(const struct tuned *one, const struct change *behind)
{
    printf("  %12.3f us  ", one->side.us);
    if (one->side.marks & MARK_ABOVE_CEILING)
        printf("%6s %%  ", ">120"); /* the figure is meaningless */
    else
        put_real("%6.2f %%  ", one->side.pct_ceiling, "          ");
    if (behind)
        write_behind(behind);
    else
        printf("%8s  %18s", "best", "");
    printf("  %s%s%s%s\n", one->side.row->variant, one->side.marks ? " (" : "",
           marks_text(one->side.marks), one->side.marks ? ")" : "");
}

/* "NAME is the best by 1.2 %", or why the margin is not clear. */
static void write_margin(const char *name, const char *next,
                         const struct change *behind)
{
    printf("  %s is the %s", name, next ? "best" : "only one\n");
    if (!next)
        return;
    if (change_is_noise(behind))
        printf(isfinite(behind->high) && behind->ratio < 1.1
                   ? ", but within noise: %s is %.2f %% behind, and the "
                     "intervals overlap\n"
                   : ", but nothing is clear: %s took %.0f %% longer, and the "
                     "intervals overlap (--processes 5)\n",
               next, 100 * (behind->ratio - 1));
    else
        printf(" by %.2f %%; next: %s\n", 100 * (behind->ratio - 1), next);
}

static void write_family(const struct tuned *points, size_t size)
{
    size_t timed = 0;
    printf("\n%s\n", points->family);
    for (; timed < size && points[timed].rank; ++timed)
        write_point(&points[timed], timed ? &points[timed].behind : NULL);
    for (size_t k = timed; k < size; ++k)
        printf("  %s: %s %s\n", status_name(points[k].side.status),
               points[k].side.row->variant, points[k].side.reason);
    if (timed)
        write_margin(points->side.row->variant,
                     timed > 1 ? points[1].side.row->variant : NULL,
                     &points[timed > 1].behind);
}

/* The best of each family; families are in the order of time. */
static void write_bests(const struct tune_table *table)
{
    const struct tuned *best = &table->all[0], *next = NULL;
    struct change margin = { 0 };
    puts("\nthe best of each family");
    for (size_t k = 0; k < table->count && table->all[k].rank;
         k += family_size(table, k)) {
        const struct tuned *one = &table->all[k];
        const struct change behind =
            change_of(&best->side.timing, &one->side.timing);
        write_point(one, k ? &behind : NULL);
        if (k && !next) {
            next = one;
            margin = behind;
        }
    }
    write_margin(best->family, next ? next->family : NULL, &margin);
}

static void write_text(const struct tune_table *table)
{
    char shape[SHAPE_TEXT_BYTES];
    const struct row *row = table->all[0].side.row;
    printf("%s %s %s %s on %s: median, share of the ceiling, behind the best\n",
           op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_name(row->cache),
           run_fact(table->run, "device_name"));
    for (size_t k = 0, size; k < table->count; k += size) {
        size = family_size(table, k);
        write_family(&table->all[k], size);
    }
    if (table->all[0].rank && family_size(table, 0) < table->count)
        write_bests(table);
    putchar('\n');
}

/* ------------------------------------------------------------- the command */

/* The best of a family is 0 % behind. */
static void record_behind(struct records *records, const struct tuned *one)
{
    const struct change *behind = &one->behind;
    const bool has = one->rank > 1;
    record_real(records, "behind_pct",
                has         ? 100 * (behind->ratio - 1)
                : one->rank ? 0
                            : NAN);
    record_real(records, "behind_low_pct",
                has && behind->low > 0 ? 100 * (behind->low - 1) : NAN);
    record_real(records, "behind_high_pct",
                has ? 100 * (behind->high - 1) : NAN);
    record_whole(records, "within_noise", has ? change_is_noise(behind) : -1);
}

static void record_point(struct records *records, const struct tuned *one)
{
    const struct row *row = one->side.row;
    record_text(records, "op", op_name(row->op));
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "cache", cache_name(row->cache));
    record_text(records, "family", one->family);
    record_whole(records, "rank", (int64_t)one->rank);
    record_text(records, "variant", row->variant);
    record_text(records, "status", status_name(one->side.status));
    record_text(records, "reason", one->side.reason);
    record_real(records, "median_us", one->side.us);
    record_real(records, "pct_ceiling", one->side.pct_ceiling);
    record_behind(records, one);
    record_end(records);
}

int tune_report(const struct options *options, enum device_kind kind)
{
    struct run_folder run = { 0 };
    struct tune_table table = { .run = &run };
    struct records records = { .json = false };
    size_t count;
    bool timed = false;
    if (!read_run(&run, options->folder)) {
        run_folder_free(&run);
        return EXIT_BAD;
    }
    struct run_cell *cells = standing_make(&run, &count);
    table.all = memory_for(count, sizeof *table.all);
    for (size_t k = 0; k < count; ++k) {
        const struct row *row = cells[k].row;
        if (!(options->filter.ops & OP_BIT(row->op)))
            continue;
        if (!run_cell_timed(&cells[k]))
            cells[k].us = NAN;
        table.all[table.count++] = (struct tuned){
            .side = cells[k],
            .family = family_of(options->plugins, row, kind),
        };
        if (k + 1 < count && !run_group_order(row, cells[k + 1].row))
            continue;
        arrange(&table);
        timed |= table.all[0].rank > 0;
        if (!options->format)
            write_text(&table);
        for (size_t p = 0; options->format && p < table.count; ++p)
            record_point(&records, &table.all[p]);
        table.count = 0;
    }
    free(table.all);
    free(cells);
    run_folder_free(&run);
    if (!timed)
        fputs("scanbench: nothing could be timed\n", stderr);
    return timed ? EXIT_OK : EXIT_BAD;
}
