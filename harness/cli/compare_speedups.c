/* SPDX-License-Identifier: MIT */
#include "harness/cli/compare_speedups.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/csv.h"

static bool same_group(const struct speedup *left, const struct speedup *right)
{
    return run_group_order(left->side.row, right->side.row) == 0;
}

/* The base's line is told apart: its interval says nothing. */
static bool is_base(const struct speedup *one)
{
    return strcmp(one->side.row->variant, one->base.row->variant) == 0;
}

static void write_text(const struct speedups *found)
{
    char id[PAIR_TEXT_BYTES], shape[SHAPE_TEXT_BYTES];
    for (size_t s = 0; s < found->count; ++s) {
        const struct speedup *one = &found->all[s];
        const struct run_row *row = one->side.row;
        if (s == 0 || !same_group(one - 1, one)) {
            snprintf(id, sizeof id, "%s %s %s %s", op_name(row->op),
                     dtype_name(row->dtype), shape_format(row->shape, shape),
                     cache_name(row->cache));
            printf("%s%s, against %s\n", s ? "\n" : "", id,
                   one->base.row->variant);
        }
        printf("%9.3f x  ", one->change.ratio);
        if (is_base(one) || !isfinite(one->change.high))
            printf("%-20s", "");
        else
            printf("[%8.3f, %8.3f]", one->change.low, one->change.high);
        printf("  %12.2f us  ", timing_us(&one->side.timing));
        if (isfinite(one->side.pct_ceiling))
            printf("%5.1f %%  ", one->side.pct_ceiling);
        else
            fputs("         ", stdout);
        puts(row->variant);
    }
}

static void write_markdown(const struct speedups *found)
{
    char shape[SHAPE_TEXT_BYTES];
    for (size_t s = 0; s < found->count; ++s) {
        const struct speedup *one = &found->all[s];
        const struct run_row *row = one->side.row;
        if (s == 0 || !same_group(one - 1, one))
            printf("%s**%s %s %s %s**, against `%s`\n\n"
                   "| variant | speed-up | 95 %% interval | µs | of ceiling |\n"
                   "| :-- | --: | --: | --: | --: |\n",
                   s ? "\n" : "", op_name(row->op), dtype_name(row->dtype),
                   shape_format(row->shape, shape), cache_name(row->cache),
                   one->base.row->variant);
        printf("| `%s` | %.3f | ", row->variant, one->change.ratio);
        if (!is_base(one) && isfinite(one->change.high))
            printf("%.3f … %.3f", one->change.low, one->change.high);
        printf(" | %.2f | ", timing_us(&one->side.timing));
        if (isfinite(one->side.pct_ceiling))
            printf("%.1f %%", one->side.pct_ceiling);
        puts(" |");
    }
}

static void write_real(double number)
{
    char digits[32] = "";
    if (isfinite(number) && number > 0)
        snprintf(digits, sizeof digits, "%.9g", number);
    csv_write_field(stdout, false, digits);
}

/* ------------------------------------------------------- geometric means */

static int by_variant(const void *left, const void *right)
{
    const struct run_row *l = ((const struct speedup *)left)->side.row;
    const struct run_row *r = ((const struct speedup *)right)->side.row;
    int order = (int)l->op - (int)r->op;
    return order ? order : strcmp(l->variant, r->variant);
}

static void write_geomean(const struct speedup *one, double mean, size_t cells,
                          bool markdown)
{
    const char *op = op_name(one->side.row->op);
    if (markdown)
        printf("| `%s` | `%s` | %.3f | %zu |\n", op, one->side.row->variant,
               mean, cells);
    else
        printf("%-16s  %-40s  %9.3f x of %zu cells\n", op,
               one->side.row->variant, mean, cells);
}

/* Over all groups of an operation in which both were timed. */
static void write_geomeans(const struct speedups *found, bool markdown)
{
    struct speedup *all = malloc(found->count * sizeof *all);
    if (!all)
        abort();
    memcpy(all, found->all, found->count * sizeof *all);
    qsort(all, found->count, sizeof *all, by_variant);
    puts(markdown
             ? "\n| operation | variant | speed-up, geometric mean | cells "
               "|\n| :-- | :-- | --: | --: |"
             : "\nspeed-up, geometric mean");
    for (size_t s = 0, next; s < found->count; s = next) {
        double logs = 0;
        for (next = s; next < found->count && !by_variant(&all[s], &all[next]);
             ++next)
            logs += log(all[next].change.ratio);
        if (!is_base(&all[s]))
            write_geomean(&all[s], exp(logs / (double)(next - s)), next - s,
                          markdown);
    }
    free(all);
}

/* --------------------------------------------------------------------- CSV */

static void write_csv(const struct speedups *found)
{
    puts("op,dtype,outer,axis,inner,cache,variant,against,speedup,speedup_low,"
         "speedup_high,launches,median_us,against_us,pct_ceiling");
    for (size_t s = 0; s < found->count; ++s) {
        const struct speedup *one = &found->all[s];
        const struct run_row *row = one->side.row;
        const bool base = is_base(one);
        printf("%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s", op_name(row->op),
               dtype_name(row->dtype), row->shape.outer, row->shape.axis,
               row->shape.inner, cache_name(row->cache));
        csv_write_field(stdout, false, row->variant);
        csv_write_field(stdout, false, one->base.row->variant);
        write_real(one->change.ratio);
        write_real(base ? NAN : one->change.low);
        write_real(base ? NAN : one->change.high);
        printf(",%zu", one->side.timing.processes);
        write_real(timing_us(&one->side.timing));
        write_real(timing_us(&one->base.timing));
        write_real(one->side.pct_ceiling);
        csv_write_end(stdout);
    }
}

void speedups_write(const struct speedups *found, enum compare_format format)
{
    switch (format) {
    case FORMAT_TEXT:
        write_text(found);
        write_geomeans(found, false);
        return;
    case FORMAT_MARKDOWN:
        write_markdown(found);
        write_geomeans(found, true);
        return;
    case FORMAT_CSV:
        write_csv(found);
        return;
    }
}
