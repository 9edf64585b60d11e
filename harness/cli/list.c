/* SPDX-License-Identifier: MIT */
#include "harness/cli/list.h"

#include "harness/cli/points.h"
#include "harness/cli/suggest.h"
#include "harness/cli/text_table.h"
#include "harness/plan.h"
#include "harness/tally.h"
#include "harness/terminal.h"
#include "harness/worker.h"
#include "src/base/shape_class.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of a terminal; what is read by a program is not cut. */
static void put_table(struct text_table *table)
{
    enum { ENDLESS = 1 << 20 };
    text_table_write(table, stdout,
                     isatty(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO)
                                           : ENDLESS);
    text_table_free(table);
}

/* --------------------------------------------------------------------- ids */

static void print_ids(const struct plan *plan)
{
    char id[CELL_ID_BYTES];
    for (size_t k = 0; k < plan->count; ++k)
        puts(cell_id(&plan->cells[k], id));
}

/* Why there is no device of that kind and number; NULL: there is one. */
static const char *open_device(struct worker *worker, enum device_kind kind,
                               int index)
{
    static const struct options plainly = { .command = COMMAND_LIST };
    bool absent;
    const char *why = worker_start(worker, kind, index, &plainly, &absent);
    if (!why)
        worker_stop(worker);
    return why;
}

static void tell_unusable(size_t count)
{
    struct worker worker;
    const char *why = open_device(&worker, DEVICE_CUDA, 0);
    if (why)
        fprintf(stderr,
                "scanbench: %zu of these are of GPU variants and cannot run "
                "here: %s\n",
                count, why);
}

static int list_ids(const struct options *options)
{
    static const enum device_kind kinds[] = { DEVICE_CUDA, DEVICE_HOST };
    unsigned looked_at = 0;
    size_t found = 0;
    bool ok = true;
    for (int k = 0; k < 2 && ok; ++k) {
        struct plan plan;
        if (options->device_given ? kinds[k] != options->kind
                                  : !device_of(kinds[k]))
            continue;
        looked_at |= 1u << kinds[k];
        ok = plan_make(&plan, options, kinds[k]);
        if (ok)
            print_ids(&plan);
        if (ok && plan.count && kinds[k] == DEVICE_CUDA)
            tell_unusable(plan.count);
        found += plan.count;
        plan_free(&plan);
    }
    if (ok && found == 0)
        suggest_tell_empty(options, looked_at);
    return ok && found > 0 ? EXIT_OK : EXIT_BAD;
}

/* ---------------------------------------------------------------- families */

static bool is_built(const char *id)
{
    const struct family *f = registry;
    while (f->id && strcmp(f->id, id) != 0)
        ++f;
    return f->id;
}

static int list_families(const struct options *options)
{
    static const char *const headings[] = { "family", "here", "idea" };
    struct text_table table = { .headings = headings, .columns = 3 };
    for (const struct catalogue_point *p = variant_points; p->name; ++p) {
        const struct family family = { .id = p->id };
        if ((p > variant_points && strcmp(p->id, p[-1].id) == 0) ||
            !plan_has_family(options, &family))
            continue;
        text_table_add(&table, "%s", p->id);
        text_table_add(&table, "%s", is_built(p->id) ? "" : "not built");
        text_table_add(&table, "%s", p->idea);
    }
    const bool any = table.count > 0;
    if (any)
        put_table(&table);
    else
        suggest_tell_empty(options, 1u << DEVICE_CUDA | 1u << DEVICE_HOST);
    return any ? EXIT_OK : EXIT_BAD;
}

/* ----------------------------------------------------------------- devices */

static void add_device(struct text_table *table, const struct worker *worker)
{
    const struct device_facts *facts = &worker->facts;
    const bool cuda = facts->kind == DEVICE_CUDA;
    if (cuda)
        text_table_add(table, "cuda:%d", worker->index);
    else
        text_table_add(table, "host");
    text_table_add(table, "%s", worker->driver.name);
    text_table_add(table, "%d %s", facts->sm_count, cuda ? "SMs" : "threads");
    text_table_add(table, "%.1f", (double)facts->memory_bytes * 1e-9);
    text_table_add(table, "%.1f", (double)facts->l2_bytes * 1e-6);
    if (cuda)
        text_table_add(table, "sm_%d", facts->compute_capability);
    else
        text_table_add(table, "%s", "");
}

static int list_devices(void)
{
    static const char *const headings[] = { "device",    "name",
                                            ">units",    ">memory GB",
                                            ">cache MB", "architecture" };
    enum { MOST = 64 };
    struct text_table table = { .headings = headings, .columns = 6 };
    struct worker worker;
    const char *why = NULL;
    int gpus = 0;
    for (; gpus < MOST && device_of(DEVICE_CUDA) && !why; gpus += !why)
        if (!(why = open_device(&worker, DEVICE_CUDA, gpus)))
            add_device(&table, &worker);
    if (!gpus)
        fprintf(stderr, "scanbench: no usable GPU: %s\n",
                why ? why : "this build has no CUDA");
    why = open_device(&worker, DEVICE_HOST, 0);
    if (!why)
        add_device(&table, &worker);
    put_table(&table);
    return why ? EXIT_BAD : EXIT_OK;
}

/* ------------------------------------------------------------------ shapes */

/* Into the first item of the same shape, if there is one. */
static bool is_repeated(struct grid *grid, size_t place)
{
    const struct grid_item *item = &grid->items[place];
    for (size_t k = 0; k < place; ++k) {
        struct grid_item *before = &grid->items[k];
        if (!shape_equal(before->shape, item->shape) || !before->ops)
            continue;
        before->ops |= item->ops;
        before->dtypes |= item->dtypes;
        return true;
    }
    return false;
}

/* Of items that have one of the ops and dtypes; the same shape once. */
static void keep_wanted(struct grid *grid, const struct options *options)
{
    for (size_t k = 0; k < grid->count; ++k) {
        struct grid_item *item = &grid->items[k];
        item->ops &= options->ops;
        item->dtypes &= options->dtypes;
        if (item->ops & ~(unsigned)OPS_TWIN)
            item->ops &= ~(unsigned)OPS_TWIN;
        if (!item->ops || !item->dtypes || is_repeated(grid, k))
            item->ops = 0;
    }
}

static void add_shape(struct text_table *table, const struct grid_item *item)
{
    char shape[SHAPE_TEXT_BYTES], words[256] = "";
    text_table_add(table, "%s", shape_format(item->shape, shape));
    text_table_add(table, "%s", shape_class_name(shape_class_of(item->shape)));
    text_table_add(table, "%lld", (long long)shape_elems(item->shape));
    for (int op = 0; op < OP_COUNT; ++op)
        if (item->ops & OP_BIT(op))
            snprintf(words + strlen(words), sizeof words - strlen(words),
                     "%s%s", *words ? "," : "", op_name((enum op)op));
    text_table_add(table, "%s", words);
    *words = '\0';
    for (int d = 0; d < DTYPE_COUNT; ++d)
        if (item->dtypes & DTYPE_BIT(d))
            snprintf(words + strlen(words), sizeof words - strlen(words),
                     "%s%s", *words ? "," : "", dtype_name((enum dtype)d));
    text_table_add(table, "%s", words);
}

static int list_shapes(const struct options *options)
{
    static const char *const headings[] = { "shape", "class", ">elements",
                                            "operations", "types" };
    struct text_table table = { .headings = headings, .columns = 5 };
    struct grid grid = { 0 };
    const bool ok = plan_grid(
        &grid, options, options->device_given ? options->kind : DEVICE_CUDA);
    if (!ok)
        fputs("scanbench: no memory for the grid\n", stderr);
    keep_wanted(&grid, options);
    for (size_t k = 0; ok && k < grid.count; ++k)
        if (grid.items[k].ops)
            add_shape(&table, &grid.items[k]);
    grid_free(&grid);
    const bool any = table.count > 0;
    if (any)
        put_table(&table);
    else if (ok)
        fputs("scanbench: no shape of the grid is of these operations and "
              "types\n",
              stderr);
    return any ? EXIT_OK : EXIT_BAD;
}

int list_command(const struct options *options)
{
    if (options->families)
        return list_families(options);
    if (options->devices)
        return list_devices();
    if (options->shapes_only)
        return list_shapes(options);
    return list_ids(options);
}
