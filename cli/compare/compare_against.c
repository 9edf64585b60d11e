/* SPDX-License-Identifier: MIT
 *
 * scanbench compare --against: within one run, the speed-up of each variant
 * over a named one, or over the best of a named family, wherever both were
 * timed. tune: over the fastest.
 */
#include "cli/compare/compare.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "cli/common/commands.h"
#include "cli/common/rows.h"
#include "cli/common/options_parts.h"
#include "src/analyse/standing.h"
#include "src/base/exit.h"
#include "src/base/memory.h"

struct speedup {
    struct run_cell cell, base;
    struct change change; /* from the variant to the base: above 1 is faster */
};

/* Grouped by operation, type, shape and cache; the fastest of a group first. */
struct speedups {
    struct speedup *all;
    size_t count;
    size_t without; /* timed cells where the base has no time */
    size_t top;     /* listed per group; 0 for all */
    int format;     /* enum format */
};

/* ----------------------------------------------------------------- finding */

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

/* A NULL name fits any variant. */
static bool is_named(const struct row *row, const char *name)
{
    return !name || strcmp(row->variant, name) == 0 ||
           strcmp(row->family, name) == 0;
}

/* The filter selects what is listed; the base needs not pass it. */
static struct speedups find_speedups(const struct run_folder *run,
                                     const struct compare_options *options)
{
    size_t count;
    struct run_cell *cells = standing_make(run, variant_points, &count);
    struct speedups found = { .all = memory_for(count, sizeof *found.all),
                              .top = (size_t)options->filter.top,
                              .format = options->filter.format };
    for (size_t first = 0, next; first < count; first = next) {
        const struct run_cell *base = NULL;
        next = first + standing_group(&cells[first], count - first);
        for (size_t k = first; k < next; ++k)
            if (run_cell_timed(&cells[k]) &&
                is_named(cells[k].row, options->against) &&
                (!base || !(base->us < cells[k].us)))
                base = &cells[k];
        for (size_t k = first; k < next; ++k) {
            if (!run_cell_timed(&cells[k]) ||
                !select_wants(&options->filter, cells[k].row))
                continue;
            if (base)
                found.all[found.count++] = (struct speedup){
                    cells[k], *base, change_of(&cells[k].timing, &base->timing)
                };
            else
                ++found.without;
        }
    }
    free(cells);
    qsort(found.all, found.count, sizeof *found.all, fastest_first);
    return found;
}

/* ---------------------------------------------------------------- printing */

/* The base has no speed-up of its own, and no interval. */
static bool is_base(const struct speedup *one)
{
    return strcmp(one->cell.row->variant, one->base.row->variant) == 0;
}

static void add_line(struct text_table *table, const struct speedup *one)
{
    const struct change *change = &one->change;
    text_table_add(table, "%.3f", change->ratio);
    if (is_base(one))
        text_table_add(table, "%s", "");
    else if (compare_is_wide(change))
        text_table_add(table, "too wide");
    else
        text_table_add(table, "%.3f to %.3f", change->low, change->high);
    text_table_add(table, "%.2f", one->cell.us);
    text_table_real(table, "%.1f %%", one->cell.pct_ceiling);
    text_table_add(table, "%s", one->cell.row->variant);
}

/* Prints the group that begins at `first`; returns its size. */
static size_t print_group(const struct speedups *found, size_t first)
{
    static const char *const headings[] = { ">speed-up", "95 % interval", ">us",
                                            ">of ceiling", "`variant" };
    struct text_table table = { .headings = headings, .columns = 5 };
    const struct speedup *group = &found->all[first];
    const struct row *row = group->cell.row;
    const bool markdown = found->format == FORMAT_MARKDOWN;
    char shape[SHAPE_TEXT_BYTES];
    size_t size = 0, shown = 0;
    printf("%s%s %s %s %s%s: how many times as fast as ", markdown ? "**" : "",
           op_name(row->op), dtype_name(row->dtype),
           shape_format(row->shape, shape), cache_names[row->cache],
           markdown ? "**" : "");
    (markdown ? put_code : put_plain)(group->base.row->variant);
    puts(markdown ? "\n" : "");
    for (; first + size < found->count &&
           run_group_order(row, group[size].cell.row) == 0;
         ++size)
        if (!found->top || size < found->top || is_base(&group[size])) {
            add_line(&table, &group[size]);
            ++shown;
        }
    text_table_print(&table, found->format, INT_MAX);
    if (shown < size && found->format == FORMAT_TEXT)
        printf("%zu of %zu (--top 0 lists all)\n", shown, size);
    return size;
}

/* Prints the base's ten widest leads, and the next fastest variant there. */
static void print_leads(const struct speedups *found)
{
    static const char *const headings[] = { ">speed-up", "`next", "`of" };
    struct text_table table = { .headings = headings, .columns = 3 };
    struct speedup *leads = memory_for(found->count, sizeof *leads);
    char shape[SHAPE_TEXT_BYTES];
    size_t count = 0;
    const struct speedup *const second = found->all + 1;
    for (const struct speedup *one = second; one < found->all + found->count;
         ++one)
        if (one->change.ratio < 1 && is_base(one - 1) &&
            !run_group_order(one[-1].cell.row, one->cell.row) &&
            (one == second || run_group_order(one[-2].cell.row, one->cell.row)))
            leads[count++] = *one;
    for (size_t k = 0; k < count && k < 10; ++k) {
        struct speedup *one = leads;
        for (size_t s = 1; s < count; ++s)
            one = leads[s].change.ratio < one->change.ratio ? &leads[s] : one;
        const struct row *row = one->cell.row;
        text_table_add(&table, "%.3f", one->change.ratio);
        one->change.ratio = INFINITY; /* printed */
        text_table_add(&table, "%s", row->variant);
        text_table_add(&table, "%s %s %s %s", op_name(row->op),
                       dtype_name(row->dtype), shape_format(row->shape, shape),
                       cache_names[row->cache]);
    }
    free(leads);
    if (!count)
        return;
    printf("\nThe base is the fastest at %zu:\n\n", count);
    text_table_print(&table, found->format, INT_MAX);
}

static void print_records(const struct speedups *found, bool json)
{
    struct records records = { .json = json };
    for (size_t s = 0; s < found->count; ++s) {
        const struct speedup *one = &found->all[s];
        const struct row *row = one->cell.row;
        const bool bare = is_base(one) || !(one->change.low > 0);
        record_text(&records, "op", op_name(row->op));
        record_text(&records, "dtype", dtype_name(row->dtype));
        record_shape(&records, row->shape);
        record_text(&records, "cache", cache_names[row->cache]);
        record_text(&records, "variant", row->variant);
        record_text(&records, "against", one->base.row->variant);
        record_real(&records, "speedup", one->change.ratio);
        record_real(&records, "speedup_low", bare ? NAN : one->change.low);
        record_real(&records, "speedup_high", bare ? NAN : one->change.high);
        record_whole(&records, "processes",
                     (int64_t)one->cell.timing.processes);
        record_real(&records, "median_us", one->cell.us);
        record_real(&records, "against_us", one->base.us);
        record_real(&records, "pct_ceiling", one->cell.pct_ceiling);
        record_end(&records);
    }
    records_end(&records);
}

/* ------------------------------------------------------- geometric means */

static int by_variant(const void *left, const void *right)
{
    const struct row *l = ((const struct speedup *)left)->cell.row;
    const struct row *r = ((const struct speedup *)right)->cell.row;
    int order = op_index(l->op) - op_index(r->op);
    return order ? order : strcmp(l->variant, r->variant);
}

/* A variant's mean speed-up over the groups of an operation, and the least. */
struct mean_of {
    const struct row *row; /* of the least */
    double mean, least;
    size_t cells;
};

static int fastest_mean_first(const void *left, const void *right)
{
    const struct mean_of *l = left, *r = right;
    const int order = op_index(l->row->op) - op_index(r->row->op);
    if (order)
        return order;
    return l->mean != r->mean ? (l->mean < r->mean) - (l->mean > r->mean)
                              : strcmp(l->row->variant, r->row->variant);
}

/* Sorts the speed-ups by variant. */
static size_t make_means(struct speedups *found, struct mean_of *means)
{
    struct speedup *all = found->all;
    size_t count = 0;
    qsort(all, found->count, sizeof *all, by_variant);
    for (size_t s = 0, next; s < found->count; s = next) {
        struct mean_of mean = { .row = all[s].cell.row, .least = INFINITY };
        for (next = s; next < found->count && !by_variant(&all[s], &all[next]);
             ++next) {
            mean.mean += log(all[next].change.ratio);
            if (all[next].change.ratio < mean.least) {
                mean.least = all[next].change.ratio;
                mean.row = all[next].cell.row;
            }
        }
        mean.cells = next - s;
        mean.mean = exp(mean.mean / (double)mean.cells);
        if (!is_base(&all[s]))
            means[count++] = mean;
    }
    qsort(means, count, sizeof *means, fastest_mean_first);
    return count;
}

/* Prints the leads, then the means if any is over several groups. */
static void print_means(struct speedups *found)
{
    static const char *const headings[] = { "`operation", ">geometric mean",
                                            ">cells",     "`variant",
                                            ">least",     "`of" };
    struct text_table table = { .headings = headings, .columns = 6 };
    char shape[SHAPE_TEXT_BYTES];
    print_leads(found); /* before make_means() sorts */
    struct mean_of *means = memory_for(found->count, sizeof *means);
    const size_t count = make_means(found, means);
    size_t most = 0, place = 0;
    for (size_t k = 0; k < count; ++k)
        most = means[k].cells > most ? means[k].cells : most;
    for (size_t k = 0; most > 1 && k < count; ++k) {
        const bool first = k == 0 || means[k].row->op != means[k - 1].row->op;
        place = first ? 0 : place + 1;
        if (found->top && place >= found->top)
            continue;
        text_table_add(&table, "%s", op_name(means[k].row->op));
        text_table_add(&table, "%.3f", means[k].mean);
        text_table_add(&table, "%zu", means[k].cells);
        text_table_add(&table, "%s", means[k].row->variant);
        text_table_add(&table, "%.3f", means[k].least);
        text_table_add(&table, "%s %s", dtype_name(means[k].row->dtype),
                       shape_format(means[k].row->shape, shape));
    }
    free(means);
    if (!table.count)
        return;
    putchar('\n');
    text_table_print(&table, found->format, INT_MAX);
}

/* ----------------------------------------------------------------- command */

static bool known_variant(const struct run_rows *rows, const char *variant)
{
    const char **names = memory_for(rows->count, sizeof *names);
    bool known = !variant;
    for (size_t r = 0; r < rows->count; ++r) {
        names[r] = rows->row[r].variant;
        known = known || is_named(&rows->row[r], variant);
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
    struct speedups found = find_speedups(run, options);
    if (format_is_records(options->filter.format)) {
        print_records(&found, options->filter.format == FORMAT_JSON);
    } else if (found.count) {
        for (size_t s = 0; s < found.count; s += print_group(&found, s))
            fputs(s ? "\n" : "", stdout);
        if (options->against)
            print_means(&found);
    }
    fflush(stdout);
    if (found.without)
        fprintf(stderr,
                "scanbench: timed cells left out, as %s has no time there: "
                "%zu\n",
                options->against, found.without);
    else if (!found.count)
        fputs("scanbench: nothing could be timed\n", stderr);
    free(found.all);
    return found.count ? EXIT_OK : EXIT_BAD;
}

int tune_report(const struct options *options)
{
    const struct compare_options all = { .filter = options->filter };
    struct run_folder run = { 0 };
    const int status = read_run(&run, options->folder)
                           ? compare_against(&run, &all)
                           : EXIT_BAD;
    run_folder_free(&run);
    return status;
}
