/* SPDX-License-Identifier: MIT
 *
 * Within one run: how much faster each variant is than a named one, wherever
 * both were timed.
 */
#include "harness/cli/compare_speedups.h"

#include <stdlib.h>

#include "harness/tally.h"

/* Keeps the order of the groups, and puts the fastest of each first. */
static int fastest_first(const void *left, const void *right)
{
    const struct speedup *l = left, *r = right;
    int order = run_group_order(l->side.row, r->side.row);
    if (order)
        return order;
    double faster = l->change.ratio - r->change.ratio;
    return faster > 0   ? -1
           : faster < 0 ? 1
                        : run_cell_order(l->side.row, r->side.row);
}

/* The sides of a group's variants, from row `first` on; returns where the
 * next group starts. */
static size_t add_group(struct speedups *found, const struct run_rows *rows,
                        size_t first, const char *variant)
{
    const struct limits limits = { 0 };
    const struct speedup none = { 0 };
    size_t start = found->count, row = first;
    struct run_cell base = { 0 };
    while (row < rows->count &&
           run_group_order(&rows->row[first], &rows->row[row]) == 0) {
        size_t count = rows->count - row;
        struct speedup one = none;
        one.side = run_cell_of(&rows->row[row], &count);
        if (strcmp(rows->row[row].variant, variant) == 0)
            base = one.side;
        if (run_cell_timed(&one.side))
            found->all[found->count++] = one;
        row += count;
    }
    if (!base.row || !run_cell_timed(&base)) {
        found->without += found->count - start;
        found->count = start;
    }
    for (size_t s = start; s < found->count; ++s) {
        found->all[s].base = base;
        found->all[s].change =
            change_of(&found->all[s].side.timing, &base.timing, &limits);
    }
    return row;
}

static struct speedups find_speedups(const struct run_rows *rows,
                                     const char *variant)
{
    struct speedups found = { .all = malloc(rows->count * sizeof *found.all) };
    if (!found.all)
        abort();
    for (size_t row = 0; row < rows->count;)
        row = add_group(&found, rows, row, variant);
    if (found.count)
        qsort(found.all, found.count, sizeof *found.all, fastest_first);
    return found;
}

static bool known_variant(const struct run_rows *rows, const char *variant)
{
    const char **names = malloc(rows->count * sizeof *names);
    bool known = false;
    if (!names)
        abort();
    for (size_t r = 0; r < rows->count; ++r) {
        names[r] = rows->row[r].variant;
        known = known || strcmp(names[r], variant) == 0;
    }
    if (!known)
        compare_unknown("variant", variant, names, rows->count);
    free(names);
    return known;
}

int compare_against(const struct run_folder *run,
                    const struct compare_options *options)
{
    if (!known_variant(&run->rows, options->against))
        return EXIT_BAD;
    struct speedups found = find_speedups(&run->rows, options->against);
    if (found.count)
        speedups_write(&found, options->format);
    if (found.without)
        fprintf(stderr,
                "scanbench: %zu timed cells are left out: %s has no time "
                "there\n",
                found.without, options->against);
    free(found.all);
    return found.count ? EXIT_OK : EXIT_BAD;
}
