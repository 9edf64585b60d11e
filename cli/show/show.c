/* SPDX-License-Identifier: MIT
 *
 * scanbench show: the best variants, by time or error, of each shape or class.
 */
#include "cli/common/commands.h"

#include <math.h>
#include <string.h>

#include "cli/common/rows.h"
#include "cli/common/options_parts.h"
#include "cli/common/runs.h"
#include "harness/sweep/progress.h"
#include "src/analyse/standing.h"
#include "src/analyse/warnings.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/choose/measured.h"

/* The leads of a run, and warnings about its figures. */
struct show {
    const struct run_folder *run;
    const struct filter *filter;
    struct lead *leads;
    size_t count;
    bool by_error;
    struct notes warnings;
};

/* -------------------------------------------------------------- the table */

static void add_blanks(struct text_table *table, int count)
{
    while (count-- > 0)
        text_table_add(table, "%s", "");
}

static void add_rate(struct text_table *table, double rate)
{
    if (rate > 0)
        text_table_add(table, "%.*f", rate < 10 ? 2 : rate < 100, rate);
    else
        add_blanks(table, 1);
}

/* "= FAMILY; ahead at 3 of 5 shapes; near_empty" beside the first. */
static void add_notes(struct text_table *table, const struct lead *lead,
                      const struct run_cell *cell)
{
    enum { NAMED = 2 };
    const bool leads = cell == lead->first;
    char *notes = NULL;
    size_t bytes;
    FILE *file = memory_open(&notes, &bytes);
    if (!standing_firm(cell))
        fprintf(file, "; ? %s", status_names[cell->status]);
    if (cell != lead->fastest)
        fprintf(file, "; %.2fx the fastest's time",
                cell->us / lead->fastest->us);
    for (size_t k = 0; leads && k < lead->tied && k < NAMED; ++k)
        fprintf(file, "; = %s", lead_tied(lead, k));
    if (leads && lead->tied > NAMED)
        fprintf(file, "; = %zu more", lead->tied - NAMED);
    if (leads && lead->won < lead->shapes)
        fprintf(file, "; ahead at %zu of %zu shapes", lead->won, lead->shapes);
    if (cell->marks)
        fprintf(file, "; %s", marks_text(cell->marks));
    memory_close(file, &notes);
    text_table_add(table, "%s", *notes ? notes + strlen("; ") : "");
    free(notes);
}

/* Adds the cell's family, and its figures or status. */
static void add_figures(struct text_table *table, const struct lead *lead,
                        const struct run_cell *cell)
{
    text_table_add(table, "%s", cell->row->family);
    if (cell == lead->first)
        text_table_strong(table);
    if (!standing_timed(cell)) {
        add_blanks(table, 5);
        text_table_add(table, "%s%s%s", status_names[cell->status],
                       *cell->reason ? ": " : "", cell->reason);
        return;
    }
    text_table_add(table, "%.*f", cell->us < 100 ? 2 : cell->us < 1000,
                   cell->us);
    add_rate(table, cell->gbps);
    if (cell->marks & MARK_ABOVE_CEILING)
        text_table_add(table, ">120"); /* the figure is meaningless */
    else
        text_table_real(table, "%.0f", cell->pct_ceiling);
    text_table_real(table, cell->max_err < 10 ? "%.2g" : "%.0f", cell->max_err);
    if (lead->cub && lead->cub != cell)
        text_table_add(table, "%.2fx%s", lead->cub->us / cell->us,
                       lead->cub->tied ? "=" : "");
    else
        text_table_add(table, "%s", lead->cub ? "it is" : "");
    add_notes(table, lead, cell);
}

/* True if no file of this tree has the family. */
static bool is_foreign(const char *own)
{
    char family[ROW_TEXT_BYTES];
    for (const struct catalogue_point *p = variant_points; p->name; ++p) {
        variant_family(p->name, family, sizeof family);
        if (strcmp(family, own) == 0)
            return false;
    }
    return true;
}

/* True for the cell that stands for its family: the ranked or the first one. */
static bool stands(const struct lead *lead, const struct run_cell *cell)
{
    bool stands = true;
    for (size_t k = 0; k < lead->count && !cell->rank; ++k) {
        const struct run_cell *other = &lead->cells[k];
        stands = stands && (strcmp(other->row->family, cell->row->family) ||
                            (!other->rank && other >= cell));
    }
    return stands;
}

/* True if the lead's families were named: each, or a few by a pattern. */
static bool are_named(const struct filter *filter, const struct lead *lead)
{
    enum { FEW = 5 };
    int families = 0;
    for (size_t k = 0; filter->filters.count && k < lead->count; ++k)
        families += stands(lead, &lead->cells[k]);
    return filter->family || (families && families <= FEW);
}

/* True if the cell is named, within --top, or came with a plugin. */
static bool is_listed(const struct show *show, const struct run_cell *cell,
                      bool named)
{
    const int top = show->filter->top;
    return named || !top || (cell->rank && cell->rank <= top) ||
           (*run_fact(show->run, "plugins") && is_foreign(cell->row->family));
}

/* Adds the first cell, even without a time, then listed ones by rank. */
static void add_lead(struct text_table *table, const struct show *show,
                     const struct lead *lead, bool classes)
{
    char shape[SHAPE_TEXT_BYTES];
    const struct run_cell *head = lead->first ? lead->first : lead->cells;
    const struct shape of = head->row->shape;
    const size_t last = lead->count + 1; /* rank of those without one */
    const bool named = are_named(show->filter, lead);
    text_table_add(table, "  %s", shape_format(of, shape));
    text_table_add(table, "%s",
                   classes ? shape_class_name(shape_class_of(of)) : "");
    if (show->by_error && !lead->first) {
        text_table_add(table, "no error known");
        add_blanks(table, 6);
        return;
    }
    add_figures(table, lead, head);
    for (size_t rank = 1; rank <= last; ++rank)
        for (size_t k = 0; k < lead->count; ++k) {
            const struct run_cell *cell = &lead->cells[k];
            if (cell == head ||
                (cell->rank ? (size_t)cell->rank : last) != rank ||
                !is_listed(show, cell, named) || !stands(lead, cell))
                continue;
            add_blanks(table, 2);
            add_figures(table, lead, cell);
        }
}

/* Adds a line for the operation, type and cache, with their largest ceiling. */
static void add_group(struct text_table *table, const struct run_folder *run,
                      const struct row *row)
{
    const enum op twin = op_twin(row->op, row->dtype);
    const struct ceiling *ceiling =
        ceilings_best(&run->ceilings, twin, row->dtype, row->cache);
    text_table_add(table, "%s %s%s", op_name(row->op), dtype_name(row->dtype),
                   cache_suffix(row->cache));
    add_blanks(table, 1);
    text_table_add(table, "%s%s", ceiling ? "ceiling: " : "",
                   ceiling ? op_name(twin) : "");
    add_blanks(table, 1);
    add_rate(table, ceiling ? ceiling->gbps : 0);
    add_blanks(table, 4);
}

static struct text_table table_of(const struct show *show, bool classes)
{
    static const char *headings[] = { "shape",  "class", "fastest",
                                      ">us",    ">GB/s", ">%",
                                      ">error", ">CUB",  "notes" };
    struct text_table table = { .headings = headings, .columns = 9 };
    headings[2] = show->by_error ? "most accurate" : headings[2];
    const struct row *before = NULL;
    for (size_t k = 0; k < show->count; ++k) {
        const struct row *row = show->leads[k].cells->row;
        if (!before || before->op != row->op || before->dtype != row->dtype ||
            before->cache != row->cache)
            add_group(&table, show->run, row);
        add_lead(&table, show, &show->leads[k], classes);
        before = row;
    }
    return table;
}

static void show_text(const struct show *show, FILE *file, int wide)
{
    enum { ROOM_FOR_CLASSES = 100 };
    struct text_table table = table_of(show, wide >= ROOM_FOR_CLASSES);
    text_table_write(&table, file, wide);
    text_table_free(&table);
    write_wrapped(file,
                  "%: of that size's ceiling; error: the largest, in "
                  "roundings of the magnitude; CUB: its time over this one's; "
                  "=: tied; ?: doubtful",
                  0, 2, wide);
    for (int k = 0; k < show->warnings.count; ++k) {
        char text[NOTE_BYTES + 16];
        snprintf(text, sizeof text, "warning: %s", show->warnings.text[k]);
        write_wrapped(file, text, 0, 2, wide);
    }
}

/* ------------------------------------------------------------ for programs */

static void record_lead(struct records *records, const struct lead *lead)
{
    const struct row *row = lead->cells->row;
    const struct run_cell *first = lead->first, *cub = lead->cub;
    const struct run_cell *cell = first ? first : lead->cells;
    record_text(records, "op", op_name(row->op));
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "class", shape_class_name(shape_class_of(row->shape)));
    record_text(records, "cache", cache_names[row->cache]);
    record_text(records, "family", first ? cell->row->family : NULL);
    record_text(records, "variant", first ? cell->row->variant : NULL);
    record_figures(records, cell);
    record_real(records, "max_err", cell->max_err);
    record_whole(records, "tied", (int64_t)lead->tied);
    record_text(records, "cub_variant", cub ? cub->row->variant : NULL);
    record_real(records, "cub_us", cub ? cub->us : NAN);
    record_whole(records, "shapes", (int64_t)lead->shapes);
    record_whole(records, "won", (int64_t)lead->won);
    record_end(records);
}

/* JSON has the run's facts in front, and the warnings behind; CSV's warnings go
 * to stderr. */
static void show_records(const struct show *show, bool json)
{
    struct records records = { .json = json };
    fputs(json ? "{\n\"run\": {\"folder\": " : "", stdout);
    if (json)
        write_json(stdout, show->run->path);
    for (int k = 0; json && k < MANIFEST_KEY_COUNT; ++k) {
        printf(", \"%s\": ", manifest_keys[k].name);
        write_json(stdout, run_fact(show->run, manifest_keys[k].name));
    }
    fputs(json ? "},\n\"leads\": " : "", stdout);
    for (size_t k = 0; k < show->count; ++k)
        record_lead(&records, &show->leads[k]);
    records_end(&records);
    fputs(json ? ",\"warnings\": [" : "", stdout);
    for (int k = 0; k < show->warnings.count; ++k) {
        fputs(!json ? "scanbench: warning: "
              : k   ? ",\n"
                    : "\n",
              json ? stdout : stderr);
        (json ? write_json : write_plain)(json ? stdout : stderr,
                                          show->warnings.text[k]);
        fputs(json ? "" : "\n", stderr);
    }
    fputs(json ? "\n]\n}\n" : "", stdout);
}

/* ------------------------------------------------------------- the command */

/* Twins are shown if they are selected, or if there is nothing else. */
static void drop_twins(const struct filter *select, struct run_rows *rows)
{
    struct filter plain = { .ops = ops_where(op_is_along_lines) };
    bool other = false;
    for (size_t r = 0; r < rows->count; ++r)
        other = other || select_wants(&plain, &rows->row[r]);
    if (other && !select->ops)
        select_rows(&plain, rows);
}

/* By heading (operation, type, cache), then by class and shape. */
static int show_order(const void *left, const void *right)
{
    const struct lead *l = left, *r = right;
    const struct row *lr = l->cells->row, *rr = r->cells->row;
    int order = op_index(lr->op) - op_index(rr->op);
    order = order ? order : (int)lr->dtype - (int)rr->dtype;
    order = order ? order : (int)lr->cache - (int)rr->cache;
    order =
        order ? order
              : (int)shape_class_of(lr->shape) - (int)shape_class_of(rr->shape);
    return order ? order : run_group_order(lr, rr);
}

static bool show_run(struct run_folder *run, const struct show_options *options,
                     FILE *file)
{
    size_t cells;
    struct show show = { .run = run,
                         .filter = &options->filter,
                         .by_error = options->by,
                         .warnings = warnings_of(run) };
    if (!select_rows(&options->filter, &run->rows))
        return false;
    drop_twins(&options->filter, &run->rows);
    struct run_cell *all = standing_make(run, variant_points, &cells);
    if (show.by_error)
        standing_by_error(all, cells, variant_points);
    show.leads = leads_make(all, cells, &show.count);
    if (!options->all)
        show.count = leads_by_class(show.leads, show.count);
    qsort(show.leads, show.count, sizeof *show.leads, show_order);
    const int format = options->filter.format;
    if (format_is_records(format))
        show_records(&show, format == FORMAT_JSON);
    else if (format == FORMAT_MARKDOWN) {
        struct text_table table = table_of(&show, true);
        text_table_print(&table, FORMAT_MARKDOWN, 0);
        for (int k = 0; k < show.warnings.count; ++k) {
            fputs("\n> ", stdout);
            put_markdown(show.warnings.text[k]);
            fputc('\n', stdout);
        }
    } else
        show_text(&show, file, terminal_room(fileno(file)));
    free(show.leads);
    free(all);
    return true;
}

/* Prints that the run lacks what the filter selects, and the shape nearest to
 * the filter's first. Returns the exit status. */
static int report_nothing(const struct run_folder *run,
                          const struct show_options *options)
{
    struct filter others = options->filter;
    const struct shape wanted = others.shapes[0], *nearest = NULL;
    double least = INFINITY;
    char text[SHAPE_TEXT_BYTES];
    others.shape_count = 0;
    for (size_t r = 0; options->filter.shape_count && r < run->rows.count;
         ++r) {
        const struct shape *shape = &run->rows.row[r].shape;
        const double apart = measured_octaves(*shape, wanted);
        if (apart < least && select_wants(&others, &run->rows.row[r])) {
            nearest = shape;
            least = apart;
        }
    }
    fprintf(stderr, "scanbench: %s has no such cell", run->path);
    if (nearest && least > 0)
        fprintf(stderr, "; the nearest shape: --shape %s",
                shape_format(*nearest, text));
    fputs(
        "\nscanbench table lists what it has, and scanbench which answers for "
        "any shape\n",
        stderr);
    return EXIT_NOTHING;
}

int show_command(int argc, char **argv)
{
    static struct show_options options; /* its patterns stay until the end */
    struct run_folder run;
    int status;
    if (open_run(COMMAND_SHOW, argc, argv, &options, &run, &status)) {
        options.all |= options.filter.shape_count > 0;
        bool some = false;
        for (size_t r = 0; r < run.rows.count && !some; ++r)
            some = select_wants(&options.filter, &run.rows.row[r]);
        status = some && show_run(&run, &options, stdout)
                     ? EXIT_OK
                     : report_nothing(&run, &options);
    }
    run_folder_free(&run);
    return status;
}

void show_at_end(const char *folder, const struct filter *filter)
{
    const struct show_options options = { .filter = { .family = filter->family,
                                                      .filters =
                                                          filter->filters,
                                                      .top = 1 },
                                          .all = filter->shape_count > 0 };
    struct run_folder run = { 0 };
    if (run_folder_read(&run, folder, NULL))
        show_run(&run, &options, stderr);
    run_folder_free(&run);
}
