/* SPDX-License-Identifier: MIT
 *
 * Within one run: how much faster each variant is than a named one, or than the
 * best of a named family, wherever both were timed.
 */
#include "cli/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>

#include "cli/common/escape.h"
#include "cli/common/messages.h"
#include "src/base/csv.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"

struct speedup {
    struct run_cell cell, base;
    struct change change; /* its ratio is base / variant: above 1 is faster */
};

/* Sorted by operation, type, shape and cache; the fastest of each first. */
struct speedups {
    struct speedup *all;
    size_t count;
    size_t without; /* timed cells where the base has no time */
    size_t top;     /* of each group; 0: all */
    const char *against;
};

/* ----------------------------------------------------------------- finding */

/* Keeps the order of the groups, and puts the fastest of each first. */
static int fastest_first(const void *left, const void *right)
{
    const struct speedup *l = left, *r = right;
    int order = run_group_order(l->cell.row, r->cell.row);
    if (order)
        return order;
    double faster = l->change.ratio - r->change.ratio;
    return faster > 0   ? -1
           : faster < 0 ? 1
                        : run_cell_order(l->cell.row, r->cell.row);
}

static bool is_named(const struct run_cell *cell, const char *name)
{
    return strcmp(cell->row->variant, name) == 0 ||
           strcmp(cell->row->family, name) == 0;
}

/* The cells of a group's variants, from row `first` on; returns where the next
 * group starts. */
static size_t add_group(struct speedups *found, const struct run_rows *rows,
                        size_t first, const struct filter *select)
{
    size_t start = found->count, row = first;
    struct run_cell base = { .rows = 0 };
    while (row < rows->count &&
           run_group_order(&rows->row[first], &rows->row[row]) == 0) {
        size_t count = rows->count - row;
        const struct run_cell cell = run_cell_of(&rows->row[row], &count);
        if (is_named(&cell, found->against) &&
            (!base.row || (run_cell_timed(&cell) && !(base.us < cell.us))))
            base = cell;
        if (run_cell_timed(&cell) && select_wants(select, cell.row))
            found->all[found->count++].cell = cell;
        row += count;
    }
    if (!base.row || !run_cell_timed(&base)) {
        found->without += found->count - start;
        found->count = start;
    }
    for (size_t s = start; s < found->count; ++s) {
        found->all[s].base = base;
        found->all[s].change =
            change_of(&found->all[s].cell.timing, &base.timing);
    }
    return row;
}

static struct speedups find_speedups(const struct run_rows *rows,
                                     const struct compare_options *options)
{
    struct speedups found = { .all = memory_for(rows->count, sizeof *found.all),
                              .top = (size_t)options->top,
                              .against = options->against };
    for (size_t row = 0; row < rows->count;)
        row = add_group(&found, rows, row, &options->filter);
    if (found.count)
        qsort(found.all, found.count, sizeof *found.all, fastest_first);
    return found;
}

/* ----------------------------------------------------------------- writing */

static bool same_group(const struct speedup *left, const struct speedup *right)
{
    return run_group_order(left->cell.row, right->cell.row) == 0;
}

/* The base's line is told apart: its interval says nothing. */
static bool is_base(const struct speedup *one)
{
    return strcmp(one->cell.row->variant, one->base.row->variant) == 0;
}

static void write_group(const struct row *row)
{
    char shape[SHAPE_TEXT_BYTES];
    printf("%s %s %s %s", op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_name(row->cache));
}

/* Where the group that starts at `first` ends. */
static size_t end_of_group(const struct speedups *found, size_t first)
{
    size_t next = first + 1;
    while (next < found->count &&
           same_group(&found->all[first], &found->all[next]))
        ++next;
    return next;
}

/* The base is listed wherever it stands. */
static bool listed(const struct speedups *found, size_t s, size_t place)
{
    return !found->top || place < found->top || is_base(&found->all[s]);
}

static void write_text_one(const struct speedup *one)
{
    printf("%9.3f x  ", one->change.ratio);
    if (is_base(one) || compare_is_wide(&one->change))
        printf("%-20s", is_base(one) ? "" : "[too wide]");
    else
        printf("[%8.3f, %8.3f]", one->change.low, one->change.high);
    printf("  %12.2f us  ", one->cell.us);
    if (isfinite(one->cell.pct_ceiling))
        printf("%5.1f %%  ", one->cell.pct_ceiling);
    else
        fputs("         ", stdout);
    put_plain(one->cell.row->variant);
    putchar('\n');
}

static void write_text(const struct speedups *found)
{
    for (size_t first = 0, next; first < found->count; first = next) {
        next = end_of_group(found, first);
        const size_t count = next - first;
        fputs(first ? "\n" : "", stdout);
        write_group(found->all[first].cell.row);
        fputs(": how many times as fast as ", stdout);
        put_plain(found->all[first].base.row->variant);
        printf("\n%11s  %-20s  %12s     %s  variant\n", "speed-up",
               "95 % interval", "time", "ceiling");
        for (size_t place = 0; place < count; ++place)
            if (listed(found, first + place, place))
                write_text_one(&found->all[first + place]);
        if (found->top && count > found->top)
            printf("%9s    of %zu (--top 0 lists all)\n", "", count);
    }
}

static void write_markdown_one(const struct speedup *one)
{
    fputs("| ", stdout);
    put_code(one->cell.row->variant);
    printf(" | %.3f | ", one->change.ratio);
    if (!is_base(one) && !compare_is_wide(&one->change))
        printf("%.3f … %.3f", one->change.low, one->change.high);
    printf(" | %.2f | ", one->cell.us);
    if (isfinite(one->cell.pct_ceiling))
        printf("%.1f %%", one->cell.pct_ceiling);
    puts(" |");
}

static void write_markdown(const struct speedups *found)
{
    for (size_t first = 0, next; first < found->count; first = next) {
        next = end_of_group(found, first);
        fputs(first ? "\n**" : "**", stdout);
        write_group(found->all[first].cell.row);
        fputs("**, against ", stdout);
        put_code(found->all[first].base.row->variant);
        puts("\n\n| variant | speed-up | 95 % interval | µs | of ceiling |"
             "\n| :-- | --: | --: | --: | --: |");
        for (size_t s = first; s < next; ++s)
            if (listed(found, s, s - first))
                write_markdown_one(&found->all[s]);
    }
}

static void write_csv(const struct speedups *found)
{
    puts("op,dtype,outer,axis,inner,cache,variant,against,speedup,speedup_low,"
         "speedup_high,processes,median_us,against_us,pct_ceiling");
    for (size_t s = 0; s < found->count; ++s) {
        const struct speedup *one = &found->all[s];
        const struct row *row = one->cell.row;
        const bool bare = is_base(one) || !(one->change.low > 0);
        csv_write_field(stdout, true, op_name(row->op));
        csv_write_field(stdout, false, dtype_name(row->dtype));
        csv_write_integer(stdout, false, row->shape.outer);
        csv_write_integer(stdout, false, row->shape.axis);
        csv_write_integer(stdout, false, row->shape.inner);
        csv_write_field(stdout, false, cache_name(row->cache));
        put_csv(false, row->variant);
        put_csv(false, one->base.row->variant);
        csv_write_real(stdout, false, one->change.ratio);
        csv_write_real(stdout, false, bare ? NAN : one->change.low);
        csv_write_real(stdout, false, bare ? NAN : one->change.high);
        csv_write_integer(stdout, false, (int64_t)one->cell.timing.processes);
        csv_write_real(stdout, false, one->cell.us);
        csv_write_real(stdout, false, one->base.us);
        csv_write_real(stdout, false, one->cell.pct_ceiling);
        csv_write_end(stdout);
    }
}

/* ------------------------------------------------------- geometric means */

static int by_variant(const void *left, const void *right)
{
    const struct row *l = ((const struct speedup *)left)->cell.row;
    const struct row *r = ((const struct speedup *)right)->cell.row;
    int order = (int)l->op - (int)r->op;
    return order ? order : strcmp(l->variant, r->variant);
}

/* A variant's over the groups of an operation in which both were timed. */
struct mean_of {
    const struct row *row;
    double mean;
    size_t cells;
};

static int fastest_mean_first(const void *left, const void *right)
{
    const struct mean_of *l = left, *r = right;
    const int order = (int)l->row->op - (int)r->row->op;
    if (order)
        return order;
    return l->mean != r->mean ? (l->mean < r->mean) - (l->mean > r->mean)
                              : strcmp(l->row->variant, r->row->variant);
}

static void write_mean(const struct mean_of *one, bool markdown)
{
    if (!markdown) {
        printf("%-16s  %9.3f x of %4zu cells  ", op_name(one->row->op),
               one->mean, one->cells);
        put_plain(one->row->variant);
        putchar('\n');
        return;
    }
    printf("| `%s` | ", op_name(one->row->op));
    put_code(one->row->variant);
    printf(" | %.3f | %zu |\n", one->mean, one->cells);
}

static size_t make_means(const struct speedups *found, struct mean_of *means)
{
    struct speedup *all = memory_for(found->count, sizeof *all);
    size_t count = 0;
    memcpy(all, found->all, found->count * sizeof *all);
    qsort(all, found->count, sizeof *all, by_variant);
    for (size_t s = 0, next; s < found->count; s = next) {
        double logs = 0;
        for (next = s; next < found->count && !by_variant(&all[s], &all[next]);
             ++next)
            logs += log(all[next].change.ratio);
        if (!is_base(&all[s]))
            means[count++] =
                (struct mean_of){ all[s].cell.row,
                                  exp(logs / (double)(next - s)), next - s };
    }
    free(all);
    qsort(means, count, sizeof *means, fastest_mean_first);
    return count;
}

/* Of one group they would say what it said. */
static void write_means(const struct speedups *found, bool markdown)
{
    struct mean_of *means = memory_for(found->count, sizeof *means);
    const size_t count = make_means(found, means);
    size_t most = 0, place = 0;
    for (size_t k = 0; k < count; ++k)
        most = means[k].cells > most ? means[k].cells : most;
    if (most > 1)
        puts(markdown
                 ? "\n| operation | variant | speed-up, geometric mean | cells "
                   "|\n| :-- | :-- | --: | --: |"
                 : "\nspeed-up, geometric mean");
    for (size_t k = 0; most > 1 && k < count; ++k) {
        const bool first = k == 0 || means[k].row->op != means[k - 1].row->op;
        place = first ? 0 : place + 1;
        if (!found->top || place < found->top)
            write_mean(&means[k], markdown);
    }
    free(means);
}

/* ----------------------------------------------------------------- command */

static bool known_variant(const struct run_rows *rows, const char *variant)
{
    const char **names = memory_for(rows->count, sizeof *names);
    bool known = false;
    for (size_t r = 0; r < rows->count; ++r) {
        names[r] = rows->row[r].variant;
        known = known || strcmp(names[r], variant) == 0 ||
                strcmp(rows->row[r].family, variant) == 0;
    }
    if (!known)
        unknown_name("table RUN", "variant", variant, names, rows->count);
    free(names);
    return known;
}

int compare_against(const struct run_folder *run,
                    const struct compare_options *options)
{
    if (!known_variant(&run->rows, options->against))
        return EXIT_BAD;
    struct speedups found = find_speedups(&run->rows, options);
    const bool markdown = options->format == FORMAT_MARKDOWN;
    if (found.count && options->format == FORMAT_CSV) {
        write_csv(&found);
    } else if (found.count) {
        (markdown ? write_markdown : write_text)(&found);
        write_means(&found, markdown);
    }
    if (found.without)
        fprintf(stderr,
                "scanbench: %zu timed cells are left out: %s has no time "
                "there\n",
                found.without, options->against);
    free(found.all);
    return found.count ? EXIT_OK : EXIT_BAD;
}
