/* SPDX-License-Identifier: MIT
 *
 * scanbench compare --gpus: runs of several GPUs side by side; --cards, each
 * card by itself.
 */
#include "cli/compare/compare.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/rows.h"
#include "src/analyse/gpus.h"
#include "src/base/exit.h"
#include "src/base/memory.h"

static void record_figure(struct records *records, const struct gpus *gpus,
                          const struct gpu_row *row, size_t g)
{
    const struct gpu_figure *f = &row->figure[g];
    record_text(records, "op", op_name(row->op));
    record_text(records, "shape_class", shape_class_name(row->class));
    record_whole(records, "cells", (int64_t)row->problems);
    record_text(records, "gpu", gpus_label(gpus, g));
    record_real(records, "gbps", f->gbps);
    record_real(records, "pct_ceiling", f->pct_ceiling);
    record_text(records, "winner", f->winner);
    record_whole(records, "wins", (int64_t)f->wins);
    record_whole(records, "winners_differ", row->differ);
    record_end(records);
}

static void add_line(struct text_table *table, const struct gpus *gpus,
                     const struct gpu_row *row, size_t g)
{
    const struct gpu_figure *f = &row->figure[g];
    text_table_add(table, "%s", op_name(row->op));
    text_table_add(table, "%s", shape_class_name(row->class));
    text_table_add(table, "%zu", row->problems);
    text_table_add(table, "%s", gpus_label(gpus, g));
    text_table_add(table, "%.0f", f->gbps);
    text_table_add(table, "%.2f", f->gbps / row->figure[0].gbps);
    text_table_real(table, "%.1f %%", f->pct_ceiling);
    text_table_add(table, "%s", row->differ ? "*" : "");
    text_table_add(table, "%s (%zu)", f->winner, f->wins);
}

static void print_table(const struct gpus *gpus,
                        const struct compare_options *options)
{
    static const char *const headings[] = {
        "operation", "class",           ">cells", "GPU",   ">GB/s",
        ">ratio",    ">of its ceiling", "",       "winner"
    };
    struct text_table table = { .headings = headings, .columns = 9 };
    const int format = options->filter.format;
    struct records records = { .json = format == FORMAT_JSON };
    size_t rows = gpus->row_count;
    if (options->filter.top && (size_t)options->filter.top < rows)
        rows = (size_t)options->filter.top;
    for (size_t k = 0; k < rows * gpus->count; ++k) {
        const struct gpu_row *row = &gpus->row[k / gpus->count];
        if (format_is_records(format))
            record_figure(&records, gpus, row, k % gpus->count);
        else
            add_line(&table, gpus, row, k % gpus->count);
    }
    records_end(&records);
    if (format == FORMAT_TEXT)
        puts("Each problem's winner: GB/s, their ratio to the first GPU's, and "
             "the share of the\nGPU's own ceiling (geometric means over the "
             "problems that all GPUs have timed),\nthe family that wins most "
             "of them, and how many; * where that differs.\n");
    if (table.count)
        text_table_print(&table, format, INT_MAX);
    if (rows < gpus->row_count)
        fprintf(stderr, "scanbench: %zu of %zu rows (--top 0 lists all)\n",
                rows, gpus->row_count);
}

void compare_print_classes(const struct compare_report *report)
{
    const struct gpu_run runs[] = {
        { report->base, run_fact(report->base, "device_name") },
        { report->now, run_fact(report->now, "device_name") },
    };
    struct gpus gpus;
    gpus_compare(&gpus, runs, 2, false, variant_points);
    if (gpus.count > 1 && gpus.row_count) {
        putchar('\n');
        print_table(&gpus, report->options);
    }
    gpus_free(&gpus);
}

/* Prints how cards of one name differ, and the cost of running together. */
static void print_pairs(const struct gpus *gpus, FILE *text)
{
    for (size_t l = 0; l < gpus->count; ++l)
        for (size_t r = 0; r < gpus->count; ++r) {
            const enum gpu_pair pair = gpus_pair(gpus, l, r);
            if (pair == GPUS_APART)
                continue;
            if (pair == GPUS_SPREAD)
                fprintf(text, "%s to ", gpus_label(gpus, l));
            fprintf(text, "%s: %+.2f %% %s\n", gpus_label(gpus, r),
                    100 * (gpus_ratio(gpus, l, r) - 1),
                    pair == GPUS_SPREAD ? "GB/s" : "of its GB/s alone");
        }
}

/* Returns why there is no table, or NULL. */
static const char *lacking(const struct gpus *gpus, bool by_card)
{
    if (gpus->count < 2 && by_card)
        return "all these runs are of one card, run in one way: name runs of "
               "two cards, or of one alone and together with others";
    if (gpus->count < 2)
        return "all these runs are of one GPU: name runs of two at least, or "
               "two builds on one card as NAME=RUN";
    if (!gpus->row_count)
        return "no operation, type and shape of these that all GPUs have "
               "timed in a cold cache: measure the same grid on each";
    return NULL;
}

/* The runs of all words on the command line, each with its GPU's name. */
struct gathered {
    struct published *set; /* per word */
    char **label;          /* per word; NULL for device_name of each run */
    int words;
    struct gpu_run *run;
    size_t count, damaged;
};

/* A word is NAME=FOLDER, or a folder. */
static bool gather_word(struct gathered *all, char *word,
                        const struct compare_options *options)
{
    struct published *set = &all->set[all->words];
    char **label = &all->label[all->words++];
    char *folder = word;
    char *equals = access(word, F_OK) ? strchr(word, '=') : NULL;
    if (equals == word) {
        fprintf(stderr, "scanbench: %s: a name is missing before the =\n",
                word);
        return false;
    }
    if (equals) {
        *label = memory_copy(word);
        (*label)[equals - word] = '\0';
        folder = equals + 1;
    }
    if (!published_read(set, &folder, 1))
        return false;
    for (size_t k = 0; k < set->count; ++k) {
        const struct run_folder *run = &set->run[k];
        const char *name = *label ? *label : run_fact(run, "device_name");
        all->run = memory_more(all->run, all->count, sizeof *all->run);
        all->run[all->count++] = (struct gpu_run){ run, name };
        all->damaged += run->damaged;
        select_rows(&options->filter, &set->run[k].rows);
    }
    return true;
}

static int compare(struct gathered *all, const struct compare_options *options)
{
    struct gpus gpus;
    gpus_compare(&gpus, all->run, all->count, options->cards, variant_points);
    const char *why = lacking(&gpus, options->cards);
    if (why)
        fprintf(stderr, "scanbench: %s\n", why);
    else
        print_table(&gpus, options);
    if (!why && options->cards) {
        fflush(stdout);
        print_pairs(&gpus, format_is_records(options->filter.format) ? stderr
                                                                     : stdout);
    }
    if (all->damaged)
        fprintf(stderr,
                "scanbench: %zu damaged lines or lost files were left out\n",
                all->damaged);
    gpus_free(&gpus);
    return why || all->damaged ? EXIT_BAD : EXIT_OK;
}

int compare_gpus(const struct compare_options *options)
{
    const size_t words = (size_t)options->run_count;
    struct gathered all = { .set = memory_for(words, sizeof *all.set),
                            .label = memory_for(words, sizeof *all.label) };
    bool ok = true;
    for (size_t k = 0; k < words && ok; ++k)
        ok = gather_word(&all, options->runs[k], options);
    const int status = ok ? compare(&all, options) : EXIT_BAD;
    for (int k = 0; k < all.words; ++k) {
        published_free(&all.set[k]);
        free(all.label[k]);
    }
    free(all.set);
    free(all.label);
    free(all.run);
    return status;
}
