/* SPDX-License-Identifier: MIT
 *
 * scanbench list: cells, families, devices or shapes; and a dry run's plan.
 */
#include "cli/common/commands.h"

#include "cli/common/options_parts.h"
#include "cli/common/rows.h"
#include "cli/common/runs.h"
#include "harness/sweep/progress.h"
#include "harness/sweep/plan.h"
#include "src/base/exit.h"
#include "src/model/shape.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* --------------------------------------------------------------------- ids */

/* Opens and closes a device; returns NULL, or why it cannot be used. */
static const char *open_device(struct worker *worker, enum device_kind kind,
                               int index, const struct options *options)
{
    bool absent;
    const char *why = worker_start(worker, kind, index, options, &absent);
    if (!why)
        worker_stop(worker);
    return why;
}

static int list_ids(const struct options *options)
{
    static const enum device_kind kinds[] = { DEVICE_CUDA, DEVICE_HOST };
    static const char *const headings[] = { "`id" };
    struct text_table table = { .headings = headings, .columns = 1 };
    char id[CELL_ID_BYTES];
    const int format = options->filter.format;
    struct worker worker = { 0 };
    unsigned listed = 0;
    size_t found = 0;
    for (int k = 0; k < 2; ++k) {
        if (options->device_given ? kinds[k] != options->kind
                                  : !device_of(kinds[k]))
            continue;
        listed |= 1u << kinds[k];
        struct plan plan = plan_make(options, kinds[k]);
        for (size_t c = 0; c < plan.count; ++c)
            if (format == FORMAT_TEXT) /* at once */
                puts(cell_id(&plan.cells[c], id));
            else
                text_table_add(&table, "%s", cell_id(&plan.cells[c], id));
        if (plan.count && kinds[k] == DEVICE_CUDA &&
            open_device(&worker, DEVICE_CUDA, 0, options))
            fprintf(stderr,
                    "scanbench: %zu of these need a GPU, and none is usable "
                    "(why: scanbench list --devices)\n",
                    plan.count);
        found += plan.count;
        plan_free(&plan);
    }
    if (table.count)
        text_table_print(&table, format, INT_MAX);
    return found > 0 ? EXIT_OK : list_nothing_matches(options, listed);
}

/* ---------------------------------------------------------------- families */

static void add_family(struct text_table *table, const char *id,
                       const char *here, unsigned contracts, const char *idea)
{
    text_table_add(table, "%s", id);
    text_table_add(table, "%s", here);
    text_table_add(table, "%s", marks_text(contracts * MARK_CONTRACTS));
    text_table_add(table, "%s", idea);
}

/* A family keeps the contracts that all its points declare. */
static int list_families(const struct options *options)
{
    static const char *const headings[] = { "family", "here", "keeps", "idea" };
    struct text_table table = { .headings = headings, .columns = 4 };
    const struct catalogue_point *first = variant_points;
    unsigned kept = CONTRACTS;
    for (const struct catalogue_point *p = first; p->name; ++p) {
        const struct family family = { .id = p->id }, *built = registry;
        while (built->id && strcmp(built->id, p->id) != 0)
            ++built;
        kept &= p->contracts;
        if (p[1].name && strcmp(p->id, p[1].id) == 0)
            continue;
        if (plan_has_family(options, &family) &&
            filter_wants(&options->filter, p->id))
            add_family(&table, p->id, built->id ? "" : "not built", kept,
                       first->idea);
        kept = CONTRACTS;
        first = p + 1;
    }
    for (const struct family *f = plan_families(options); f->id; ++f) {
        const struct plugin_file *file = plugins_of(options->plugins, f);
        char here[ROW_ID_BYTES];
        if (!file || !plan_has_family(options, f) ||
            !filter_wants(&options->filter, f->id))
            continue;
        snprintf(here, sizeof here, "plugin %s", file->name);
        kept = CONTRACTS;
        for (const struct variant *v = f->variants; v->name; ++v)
            kept &= variant_declares(v);
        add_family(&table, f->id, here, kept, f->variants->idea);
    }
    if (!table.count)
        return list_nothing_matches(options,
                                    1u << DEVICE_CUDA | 1u << DEVICE_HOST);
    text_table_print(&table, options->filter.format,
                     terminal_room(STDOUT_FILENO));
    return EXIT_OK;
}

/* ----------------------------------------------------------------- devices */

static void add_device(struct text_table *table, const struct worker *worker)
{
    const struct device_facts *facts = &worker->facts;
    const bool cuda = facts->kind == DEVICE_CUDA;
    text_table_add(table, cuda ? "cuda:%d" : "host", worker->index);
    text_table_add(table, "%s", worker->driver.name);
    text_table_add(table, "%d %s", facts->sm_count, cuda ? "SMs" : "threads");
    text_table_add(table, "%.1f", (double)facts->memory_bytes * 1e-9);
    text_table_add(table, "%.1f", (double)facts->l2_bytes * 1e-6);
    text_table_add(table, cuda ? "sm_%d" : "", facts->compute_capability);
}

static int list_devices(const struct options *options)
{
    static const char *const headings[] = { "device",    "name",
                                            ">units",    ">memory GB",
                                            ">cache MB", "architecture" };
    enum { MOST = 64 };
    struct text_table table = { .headings = headings, .columns = 6 };
    struct worker worker = { 0 };
    const char *why = NULL;
    int gpus = 0;
    for (; gpus < MOST && device_of(DEVICE_CUDA) && !why; gpus += !why)
        if (!(why = open_device(&worker, DEVICE_CUDA, gpus, options)))
            add_device(&table, &worker);
    if (!gpus)
        fprintf(stderr, "scanbench: no usable GPU: %s\n",
                why ? why : "this build has no CUDA");
    why = open_device(&worker, DEVICE_HOST, 0, options);
    if (!why)
        add_device(&table, &worker);
    text_table_print(&table, options->filter.format,
                     terminal_room(STDOUT_FILENO));
    return why ? EXIT_BAD : EXIT_OK;
}

/* ------------------------------------------------------------------ shapes */

/* True if an operation of the item, or a twin, and a type are selected. */
static bool is_selected(const struct options *options,
                        const struct grid_item *item)
{
    const uint64_t ops = item->ops | ops_where(op_is_twin);
    return (ops & options->filter.ops) &&
           (item->dtypes & options->filter.dtypes);
}

/* True if the item is the first selected one of its shape. */
static bool is_first(const struct options *options, const struct grid *grid,
                     size_t at)
{
    bool first = is_selected(options, &grid->items[at]);
    for (size_t k = 0; first && k < at; ++k)
        first = !shape_equal(grid->items[k].shape, grid->items[at].shape) ||
                !is_selected(options, &grid->items[k]);
    return first;
}

/* Returns the kind of device that `run` would use. */
static enum device_kind kind_here(const struct options *options)
{
    struct worker worker = { 0 };
    if (options->device_given)
        return options->kind;
    if (device_of(DEVICE_CUDA) &&
        !open_device(&worker, DEVICE_CUDA, 0, options))
        return DEVICE_CUDA;
    fputs("scanbench: no GPU: shapes of a host (a GPU's: --device cuda:0)\n",
          stderr);
    return DEVICE_HOST;
}

/* On a terminal, class and elements stand beside the shape. */
static int list_shapes(const struct options *options)
{
    static const char *const headings[] = { "shape", "class", ">elements" };
    struct text_table table = { .headings = headings, .columns = 3 };
    const bool person = isatty(STDOUT_FILENO) || options->filter.format;
    size_t found = 0;
    struct grid grid = { 0 };
    plan_grid(&grid, options, kind_here(options));
    for (size_t k = 0; k < grid.count; ++k) {
        char text[SHAPE_TEXT_BYTES];
        const struct shape shape = grid.items[k].shape;
        if (!is_first(options, &grid, k))
            continue;
        ++found;
        if (!person) {
            puts(shape_format(shape, text));
            continue;
        }
        text_table_add(&table, "%s", shape_format(shape, text));
        text_table_add(&table, "%s", shape_class_name(shape_class_of(shape)));
        text_table_add(&table, "%lld", (long long)shape_elems(shape));
    }
    grid_free(&grid);
    if (table.count)
        text_table_print(&table, options->filter.format,
                         terminal_room(STDOUT_FILENO));
    if (!found)
        fputs("scanbench: no shape of these operations and types\n", stderr);
    return found ? EXIT_OK : EXIT_BAD;
}

int list_command(const struct options *options)
{
    if (options->families)
        return list_families(options);
    if (options->devices)
        return list_devices(options);
    if (options->only_shapes)
        return list_shapes(options);
    return list_ids(options);
}

/* True if a selected operation is defined for a selected type, may keep one of
 * the contracts, if any, and passes `also`. */
static bool any_is_defined(const struct filter *filter, bool on_gpu,
                           unsigned contracts, bool (*also)(enum op op))
{
    bool any = false;
    for (int op = 0; op < op_count(); ++op)
        for (enum dtype d = 0; d < DTYPE_COUNT; ++d)
            any |= filter->ops >> op & 1 && filter->dtypes & DTYPE_BIT(d) &&
                   op_has_dtype(op_at(op), d) &&
                   (!contracts ||
                    contracts & contracts_kept(contracts, op_at(op), d)) &&
                   (!on_gpu || OP_HAS_KERNELS(op_at(op), d)) &&
                   (!also || also(op_at(op)));
    return any;
}

/* Returns why nothing can match, after ": ", or NULL. */
static const char *undefined(const struct options *options, bool on_gpu)
{
    const struct filter *filter = &options->filter;
    bool ragged = filter->shape_count > 0;
    for (int k = 0; k < filter->shape_count; ++k)
        ragged &= shape_is_ragged(filter->shapes[k]);
    if (!any_is_defined(filter, on_gpu, 0, NULL))
        return filter->dtypes == DTYPES_FLOAT
                   ? ": no operation of --op is of floats, the default of "
                     "--dtype"
                   : ": no operation of --op has a type of --dtype";
    if (!any_is_defined(filter, on_gpu, filter->contracts, NULL))
        return ": no operation of --op may keep what --contract names";
    if (ragged && !any_is_defined(filter, on_gpu, 0, op_may_be_ragged))
        return ": no operation of --op is defined on ragged lines";
    return NULL;
}

int list_nothing_matches(const struct options *options, unsigned kinds)
{
    enum { MOST = 2048 };
    const bool gpu = kinds == 1u << DEVICE_CUDA;
    const char *why = options->families ? NULL : undefined(options, gpu);
    const char *names[MOST], *family = plan_unknown_family(options);
    char word[96];
    bool known = false;
    if (family) {
        size_t count = 0;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(family, ","), family);
        for (; variant_points[count].name && count < MOST; ++count) {
            names[count] = variant_points[count].id;
            known |= strcmp(names[count], word) == 0;
        }
        const struct plugins *plugins = options->plugins;
        for (size_t k = 0; plugins && k < plugins->family_count; ++k)
            if (count < MOST)
                names[count++] = plugins->families[k].id;
        if (!known)
            unknown_name("list --families", "family", word, names, count);
        else if (!options->families)
            complain("family", word, "not built here");
        if (!known || !options->families)
            return EXIT_BAD;
    }
    if (!why && kinds == 1u << DEVICE_HOST)
        why = device_of(DEVICE_CUDA)
                  ? " on the host (GPU variants need a usable GPU)"
                  : " on the host (this build has no GPU variants)";
    fprintf(stderr,
            "scanbench: nothing matches%s%s\n"
            "scanbench list lists what there is\n",
            why ? why : "",
            gpu && !undefined(options, false) ? " on the GPU" : "");
    return EXIT_BAD;
}

int list_plan(const struct plan *plan, const struct options *options,
              const struct worker *worker)
{
    const struct device_facts *facts = &worker->facts;
    double total_ms = 0;
    size_t skipped = 0;
    struct records records = { .json = false };
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        const char *skip = cell_skip(cell, facts);
        const double ms =
            skip ? 0 : estimate_ms(cell, options->budget_ms, worker);
        char id[CELL_ID_BYTES], guess[32];
        snprintf(guess, sizeof guess, "%.1f", ms);
        record_text(&records, "id", cell_id(cell, id));
        record_text(&records, "cache", cache_names[cell->cache]);
        record_whole(&records, "bytes",
                     op_bytes(cell->op, cell->dtype, cell->shape));
        record_whole(&records, "memory_bytes", cell_bytes(cell, facts));
        record_text(&records, "guess_ms", guess);
        record_text(&records, "skip", skip);
        record_end(&records);
        total_ms += ms;
        skipped += skip != NULL;
    }
    fprintf(stderr,
            "scanbench: cells: %zu (ceilings' probes: %zu, skipped: %zu), "
            "roughly %.0f s\n",
            plan->count, plan->probes, skipped, total_ms * 1e-3);
    return EXIT_OK;
}
