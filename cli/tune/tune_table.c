/* SPDX-License-Identifier: MIT */
#include "cli/tune/tune_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/escape.h"
#include "src/base/csv.h"

size_t tune_family_size(const struct tune_table *table, size_t first)
{
    size_t size = 1;
    while (first + size < table->count &&
           strcmp(table->all[first].family, table->all[first + size].family) ==
               0)
        ++size;
    return size;
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
        printf("%6s %%  ", ">120"); /* how much means nothing */
    else if (isfinite(one->side.pct_ceiling))
        printf("%6.2f %%  ", one->side.pct_ceiling);
    else
        printf("%8s  ", "");
    if (behind)
        write_behind(behind);
    else
        printf("%8s  %18s", "best", "");
    printf("  %s%s%s%s\n", one->side.row->variant, one->side.marks ? " (" : "",
           marks_text(one->side.marks), one->side.marks ? ")" : "");
}

/* "NAME is best, by 1.2 %", and whether that is to be believed. */
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
                     &points->behind);
}

/* The best of each family, which stand in order of time. */
static void write_bests(const struct tune_table *table)
{
    const struct tuned *best = &table->all[0], *next = NULL;
    struct change margin = { 0 };
    puts("\nthe best of each family");
    for (size_t k = 0; k < table->count && table->all[k].rank;
         k += tune_family_size(table, k)) {
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

void tune_write_text(const struct tune_table *table)
{
    char shape[SHAPE_TEXT_BYTES];
    const struct row *row = table->all[0].side.row;
    printf("%s %s %s %s on %s: median, share of the ceiling, behind the best\n",
           op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_name(row->cache),
           run_fact(table->run, "device_name"));
    for (size_t k = 0; k < table->count; k += tune_family_size(table, k))
        write_family(&table->all[k], tune_family_size(table, k));
    if (table->all[0].rank && tune_family_size(table, 0) < table->count)
        write_bests(table);
    putchar('\n');
}

/* -------------------------------------------------------------------- CSV */

static void write_text(const char *text)
{
    put_csv(false, text);
}

void tune_write_csv_header(void)
{
    puts("op,dtype,outer,axis,inner,cache,family,rank,variant,status,reason,"
         "median_us,pct_ceiling,behind_pct,behind_low_pct,behind_high_pct,"
         "within_noise");
}

/* The family's best is 0 % behind; the others' intervals are theirs. */
static void write_behind_csv(const struct tuned *one)
{
    if (one->rank <= 1) {
        write_text(one->rank ? "0" : "");
        for (int k = 0; k < 3; ++k)
            write_text("");
        return;
    }
    csv_write_real(stdout, false, 100 * (one->behind.ratio - 1));
    csv_write_real(stdout, false,
                   one->behind.low > 0 ? 100 * (one->behind.low - 1) : NAN);
    csv_write_real(stdout, false, 100 * (one->behind.high - 1));
    write_text(change_is_noise(&one->behind) ? "1" : "0");
}

void tune_write_csv(const struct tune_table *table)
{
    for (size_t k = 0; k < table->count; ++k) {
        const struct tuned *one = &table->all[k];
        const struct row *row = one->side.row;
        csv_write_field(stdout, true, op_name(row->op));
        write_text(dtype_name(row->dtype));
        csv_write_integer(stdout, false, row->shape.outer);
        csv_write_integer(stdout, false, row->shape.axis);
        csv_write_integer(stdout, false, row->shape.inner);
        write_text(cache_name(row->cache));
        write_text(one->family);
        csv_write_integer(stdout, false, (int64_t)one->rank);
        write_text(row->variant);
        write_text(status_name(one->side.status));
        write_text(one->side.reason);
        csv_write_real(stdout, false, one->side.us);
        csv_write_real(stdout, false, one->side.pct_ceiling);
        write_behind_csv(one);
        csv_write_end(stdout);
    }
}
