/* SPDX-License-Identifier: MIT
 *
 * scanbench compare --gpus: runs of several GPUs side by side.
 */
#include "cli/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/escape.h"
#include "cli/common/runs.h"
#include "src/base/csv.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"
#include "src/analyse/gpus.h"

static void write_csv(const struct gpus *gpus, const struct gpu_row *row)
{
    for (size_t g = 0; g < gpus->count; ++g) {
        const struct gpu_figure *f = &row->figure[g];
        put_csv(true, op_name(row->op));
        put_csv(false, shape_class_name(row->class));
        csv_write_integer(stdout, false, (int64_t)row->problems);
        put_csv(false, gpus_label(gpus, g));
        csv_write_real(stdout, false, f->gbps);
        csv_write_real(stdout, false, f->pct_ceiling);
        put_csv(false, f->winner);
        csv_write_integer(stdout, false, (int64_t)f->wins);
        csv_write_integer(stdout, false, row->differ);
        csv_write_end(stdout);
    }
}

static void write_markdown(const struct gpus *gpus, const struct gpu_row *row)
{
    for (size_t g = 0; g < gpus->count; ++g) {
        const struct gpu_figure *f = &row->figure[g];
        printf("| %s | %s | %zu | ", op_name(row->op),
               shape_class_name(row->class), row->problems);
        put_markdown(gpus_label(gpus, g));
        printf(" | %.0f | ", f->gbps);
        if (isfinite(f->pct_ceiling))
            printf("%.1f %%", f->pct_ceiling);
        fputs(" | ", stdout);
        fputs(row->differ ? "**" : "", stdout);
        put_markdown(f->winner);
        printf("%s (%zu) |\n", row->differ ? "**" : "", f->wins);
    }
}

/* Of the column of names. */
static int label_columns(const struct gpus *gpus)
{
    size_t most = strlen("GPU");
    for (size_t g = 0; g < gpus->count; ++g) {
        const size_t length = strlen(gpus_label(gpus, g));
        most = length > most ? length : most;
    }
    return (int)most;
}

static void write_text(const struct gpus *gpus, const struct gpu_row *row)
{
    for (size_t g = 0; g < gpus->count; ++g) {
        const struct gpu_figure *f = &row->figure[g];
        printf("%-16s  %-12s  %5zu  ", op_name(row->op),
               shape_class_name(row->class), row->problems);
        put_plain(gpus_label(gpus, g));
        printf("%*s  %6.0f  ",
               label_columns(gpus) - (int)strlen(gpus_label(gpus, g)), "",
               f->gbps);
        if (isfinite(f->pct_ceiling))
            printf("%7.1f", f->pct_ceiling);
        else
            printf("%7s", "-");
        fputs(row->differ ? "  * " : "    ", stdout);
        put_plain(f->winner);
        printf(" (%zu)\n", f->wins);
    }
}

static void write_table(const struct gpus *gpus,
                        const struct compare_options *options)
{
    static void (*const write[])(const struct gpus *,
                                 const struct gpu_row *) = {
        [FORMAT_TEXT] = write_text,
        [FORMAT_MARKDOWN] = write_markdown,
        [FORMAT_CSV] = write_csv,
    };
    static const char *const heads[] = {
        [FORMAT_TEXT] =
            "GB/s and the share of the GPU's own ceiling, per cent, of each "
            "problem's winner\n(geometric means over the problems that all "
            "GPUs have timed), the family that wins\nmost of them, and how "
            "many; * where that is not the same on all.\n\n"
            "operation         class         cells  GPU",
        [FORMAT_MARKDOWN] =
            "| operation | class | cells | GPU | GB/s | of its ceiling | "
            "winner (cells that it wins; bold: not the same on all) |\n"
            "| --- | --- | ---: | --- | ---: | ---: | --- |",
        [FORMAT_CSV] = "op,shape_class,cells,gpu,gbps,pct_ceiling,winner,"
                       "wins,winners_differ",
    };
    size_t rows = gpus->row_count;
    if (options->top && (size_t)options->top < rows)
        rows = (size_t)options->top;
    fputs(heads[options->format], stdout);
    if (options->format == FORMAT_TEXT)
        printf("%*s    GB/s  ceiling    winner",
               label_columns(gpus) - (int)strlen("GPU"), "");
    putchar('\n');
    for (size_t r = 0; r < rows; ++r)
        write[options->format](gpus, &gpus->row[r]);
    if (rows < gpus->row_count)
        fprintf(stderr, "scanbench: %zu of %zu rows (--top 0 lists all)\n",
                rows, gpus->row_count);
}

/* What cards of one name differ by, run in the same way, and what running
 * together costs each. A host has no hash. */
static void tell_cards(const struct gpus *gpus, FILE *text)
{
    for (size_t l = 0; l < gpus->count; ++l)
        for (size_t r = 0; r < gpus->count; ++r) {
            const struct gpu *left = &gpus->gpu[l], *right = &gpus->gpu[r];
            const double pct = 100 * (gpus_ratio(gpus, l, r) - 1);
            const char *blank = *left->hash ? " " : "";
            const enum gpu_pair pair = gpus_pair(gpus, l, r);
            if (pair == GPUS_TOGETHER)
                fprintf(text,
                        "%s%s%.4s: with %s at a time %+.2f %% of its GB/s "
                        "alone\n",
                        left->name, blank, left->hash, right->together, pct);
            else if (pair == GPUS_SPREAD)
                fprintf(text, "%s%s%.4s to %.4s, %s at a time: %+.2f %% GB/s\n",
                        left->name, blank, left->hash,
                        *right->hash ? right->hash : "none", left->together,
                        pct);
        }
}

/* Why there is no table, or NULL. */
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

/* The runs of all words in turn, each with its GPU's name. */
struct gathered {
    struct published *set; /* one a word */
    char **label;          /* of a word, NULL: its runs' device_name */
    int words;
    struct gpu_run *run;
    size_t count, damaged;
};

/* NAME=FOLDER, unless there is a folder of that whole name. */
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
        (*label)[equals - word] = 0;
        folder = equals + 1;
    }
    if (!published_read(set, &folder, 1))
        return false;
    all->run =
        memory_grown(all->run, all->count + set->count + 1, sizeof *all->run);
    for (size_t k = 0; k < set->count; ++k) {
        const struct run_folder *run = &set->run[k];
        all->run[all->count++] =
            (struct gpu_run){ run,
                              *label ? *label : run_fact(run, "device_name") };
        all->damaged += run->damaged;
        select_rows(&options->filter, &set->run[k].rows);
    }
    return true;
}

static void gathered_free(struct gathered *all)
{
    for (int k = 0; k < all->words; ++k) {
        published_free(&all->set[k]);
        free(all->label[k]);
    }
    free(all->set);
    free(all->label);
    free(all->run);
}

static int compare(struct gathered *all, const struct compare_options *options)
{
    struct gpus gpus;
    gpus_compare(&gpus, all->run, all->count, options->cards);
    const char *why = lacking(&gpus, options->cards);
    if (why)
        fprintf(stderr, "scanbench: %s\n", why);
    else
        write_table(&gpus, options);
    if (!why && options->cards) {
        fflush(stdout);
        tell_cards(&gpus, options->format == FORMAT_CSV ? stderr : stdout);
    }
    if (all->damaged)
        fprintf(stderr,
                "scanbench: %zu damaged lines or lost files were left "
                "out\n",
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
    gathered_free(&all);
    return status;
}
