/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/escape.h"
#include "cli/common/runs.h"
#include "cli/common/options_parts.h"
#include "cli/show/show_parts.h"
#include "cli/common/text_table.h"
#include "harness/sweep/progress.h"
#include "src/base/exit_status.h"
#include "src/model/shape.h"

/* ------------------------------------------------------------------ a line */

static const char *const headings[] = { "shape", "class", "fastest", ">us",
                                        ">GB/s", ">%",    ">CUB",    "notes" };
enum { COLUMNS = sizeof headings / sizeof *headings };

static void add_rate(struct text_table *table, double rate)
{
    if (rate > 0)
        text_table_add(table, "%.*f", rate < 10 ? 2 : rate < 100, rate);
    else
        text_table_add(table, "%s", "");
}

static void add_us(struct text_table *table, double us)
{
    text_table_add(table, "%.*f", us < 100 ? 2 : us < 1000, us);
}

static void add_share(struct text_table *table, const struct run_cell *cell)
{
    if (cell->marks & MARK_ABOVE_CEILING)
        text_table_add(table, ">120"); /* how much means nothing */
    else if (cell->pct_ceiling > 0)
        text_table_add(table, "%.0f", cell->pct_ceiling);
    else
        text_table_add(table, "%s", "");
}

static void add_cub(struct text_table *table, const struct lead *lead)
{
    if (!lead->cub)
        text_table_add(table, "%s", "");
    else if (lead->cub == lead->first)
        text_table_add(table, "%s", "it is");
    else
        text_table_add(table, "%.2fx%s", lead->cub->us / lead->first->us,
                       lead->cub->tied ? "=" : "");
}

enum { NOTES_BYTES = 512 };

static void note(char notes[NOTES_BYTES], const char *what, const char *more)
{
    const size_t used = strlen(notes);
    snprintf(notes + used, NOTES_BYTES - used, "%s%s%s", used ? "; " : "", what,
             more);
}

static void add_notes(struct text_table *table, const struct lead *lead)
{
    enum { NAMED = 2 };
    const struct run_cell *cell = lead->first;
    char notes[NOTES_BYTES] = "", text[64];
    if (!standing_firm(cell))
        note(notes, "? ", status_name(cell->status));
    for (size_t k = 0; k < lead->tied && k < NAMED; ++k)
        note(notes, "= ", lead_tied(lead, k));
    if (lead->tied > NAMED) {
        snprintf(text, sizeof text, "= %zu more", lead->tied - NAMED);
        note(notes, text, "");
    }
    if (lead->won < lead->shapes) {
        snprintf(text, sizeof text, "ahead at %zu of %zu shapes", lead->won,
                 lead->shapes);
        note(notes, text, "");
    }
    if (cell->marks)
        note(notes, marks_text(cell->marks), "");
    text_table_add(table, "%s", notes);
}

static void add_untimed(struct text_table *table, const struct lead *lead)
{
    const struct run_cell *cell = lead->cells;
    text_table_add(table, "(no time)");
    for (int c = 3; c + 1 < COLUMNS; ++c)
        text_table_add(table, "%s", "");
    text_table_add(table, "%s%s%s", status_name(cell->status),
                   *cell->reason ? ": " : "", cell->reason);
}

static void add_line(struct text_table *table, const struct lead *lead,
                     bool classes)
{
    char shape[SHAPE_TEXT_BYTES];
    const struct shape of = lead->cells->row->shape;
    text_table_add(table, "  %s", shape_format(of, shape));
    text_table_add(table, "%s",
                   classes ? shape_class_name(shape_class_of(of)) : "");
    if (!lead->first) {
        add_untimed(table, lead);
        return;
    }
    text_table_add(table, "%s", lead->first->row->family);
    add_us(table, lead->first->us);
    add_rate(table, lead->first->gbps);
    add_share(table, lead->first);
    add_cub(table, lead);
    add_notes(table, lead);
}

/* A line for the operation, type and cache, with their largest ceiling. */
static void add_group(struct text_table *table, const struct run_folder *run,
                      const struct row *row)
{
    const enum op twin = op_twin(row->op);
    const double gbps = run->ceilings.of[twin][row->dtype][row->cache].gbps;
    text_table_add(table, "%s %s%s", op_name(row->op), dtype_name(row->dtype),
                   row->cache == CACHE_HOT ? " hot" : "");
    text_table_add(table, "%s", "");
    if (gbps > 0)
        text_table_add(table, "ceiling: %s", op_name(twin));
    else
        text_table_add(table, "%s", "");
    text_table_add(table, "%s", "");
    add_rate(table, gbps);
    for (int c = 5; c < COLUMNS; ++c)
        text_table_add(table, "%s", "");
}

static struct text_table table_of(const struct show *show, bool classes)
{
    struct text_table table = { .headings = headings, .columns = COLUMNS };
    const struct row *before = NULL;
    for (size_t k = 0; k < show->count; ++k) {
        const struct row *row = show->leads[k].cells->row;
        if (!before || before->op != row->op || before->dtype != row->dtype ||
            before->cache != row->cache)
            add_group(&table, show->run, row);
        add_line(&table, &show->leads[k], classes);
        before = row;
    }
    return table;
}

/* ----------------------------------------------------------------- writing */

/* Words, in lines of at most `wide` columns, that begin with two blanks. */
static void write_wrapped(FILE *file, const char *text, int wide)
{
    int used = 0;
    while (*(text += strspn(text, " "))) {
        const int chars = (int)strcspn(text, " ");
        if (used && used + 1 + chars > wide) {
            fputs("\n  ", file);
            used = 2;
        } else if (used) {
            fputc(' ', file);
            ++used;
        }
        char word[WARNING_BYTES];
        snprintf(word, sizeof word, "%.*s", chars, text);
        write_plain(file, word);
        used += chars;
        text += chars;
    }
    fputc('\n', file);
}

void show_text(const struct show *show, FILE *file, int wide)
{
    enum { ROOM_FOR_CLASSES = 100 };
    struct text_table table = table_of(show, wide >= ROOM_FOR_CLASSES);
    text_table_write(&table, file, wide);
    text_table_free(&table);
    write_wrapped(file,
                  "%: of the ceiling; CUB: its time over the fastest's; =: "
                  "within noise; ?: doubtful",
                  wide);
    for (int k = 0; k < show->warnings.count; ++k) {
        char text[WARNING_BYTES + 16];
        snprintf(text, sizeof text, "warning: %s", show->warnings.text[k]);
        write_wrapped(file, text, wide);
    }
}

void show_markdown(const struct show *show)
{
    struct text_table table = table_of(show, true);
    text_table_markdown(&table);
    text_table_free(&table);
    for (int k = 0; k < show->warnings.count; ++k) {
        fputs("\n> ", stdout);
        put_markdown(show->warnings.text[k]);
        fputc('\n', stdout);
    }
}

/* ------------------------------------------------------------- the command */

static int class_of(struct shape shape)
{
    return (int)shape_class_of(shape);
}

/* Plain traffic is what the others are held to: shown if asked for, or alone.
 */
static void drop_twins(const struct filter *select, struct run_rows *rows)
{
    struct filter plain = { .ops = OPS_ALL & ~(unsigned)OPS_TWIN };
    bool other = false;
    for (size_t r = 0; r < rows->count; ++r)
        other = other || select_wants(&plain, &rows->row[r]);
    if (other && !select->ops)
        select_rows(&plain, rows);
}

/* What stands under one heading stays together; then by class, or shape. */
static int show_order(const void *left, const void *right)
{
    const struct lead *l = left, *r = right;
    const struct row *lr = l->cells->row, *rr = r->cells->row;
    int order = (int)lr->op - (int)rr->op;
    order = order ? order : (int)lr->dtype - (int)rr->dtype;
    order = order ? order : (int)lr->cache - (int)rr->cache;
    order = order ? order : class_of(lr->shape) - class_of(rr->shape);
    return order ? order : run_group_order(lr, rr);
}

static bool show_run_samples(const struct run_folder *run,
                             enum show_format format)
{
    struct run_samples samples;
    read_samples(&samples, run);
    const bool some = show_samples(run, &samples, format);
    run_samples_free(&samples);
    return some;
}

static bool show_run(struct run_folder *run, const struct show_options *options,
                     FILE *file)
{
    size_t cells;
    struct run_cell *whole = standing_make(run, &cells);
    struct show show = { .run = run,
                         .warnings = warnings_of(run, whole, cells) };
    free(whole);
    if (!select_rows(&options->filter, &run->rows))
        return false;
    if (options->samples)
        return show_run_samples(run, (enum show_format)options->format);
    drop_twins(&options->filter, &run->rows);
    struct run_cell *all = standing_make(run, &cells);
    show.leads = leads_make(all, cells, &show.count);
    if (!options->all)
        show.count = leads_by_class(show.leads, show.count, class_of);
    qsort(show.leads, show.count, sizeof *show.leads, show_order);
    switch ((enum show_format)options->format) {
    case SHOW_TEXT:
        show_text(&show, file, terminal_room(fileno(file)));
        break;
    case SHOW_MARKDOWN:
        show_markdown(&show);
        break;
    case SHOW_CSV:
        show_csv(&show);
        break;
    case SHOW_JSON:
        show_json(&show);
        break;
    }
    free(show.leads);
    free(all);
    return true;
}

static int show(const struct show_options *options)
{
    struct run_folder run = { 0 };
    int status = EXIT_BAD;
    if (read_run(&run, options->run)) {
        status = show_run(&run, options, stdout) ? EXIT_OK : EXIT_NOTHING;
        if (status != EXIT_OK)
            fprintf(stderr,
                    "scanbench: %s has no such cell%s\n"
                    "scanbench table lists what it has\n",
                    options->run,
                    options->samples
                        ? " with samples, which run --samples keeps"
                        : "");
    }
    run_folder_free(&run);
    return status;
}

int show_command(int argc, char **argv)
{
    static struct show_options options; /* its patterns stay until the end */
    struct words words;
    int status;
    options = (struct show_options){ .run = NULL };
    if (!command_parse(COMMAND_SHOW, argc, argv, &options, &words, &status))
        return status;
    options.run = words.word[0];
    options.all |= options.filter.shape_count > 0;
    return show(&options);
}

void show_at_end(const char *folder, bool all)
{
    const struct show_options options = { .run = folder, .all = all };
    struct run_folder run = { 0 };
    if (run_folder_read(&run, folder, NULL))
        show_run(&run, &options, stderr);
    run_folder_free(&run);
}
