/* SPDX-License-Identifier: MIT */
#include "harness/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tally.h"
#include "harness/tune_table.h"
#include "variants/registry.h"

static const char help_text[] =
    "Which tuning point is the best here? Measures all that the build has.\n"
    "\n"
    "  scanbench tune cumsum 32768x32768:1\n"
    "  scanbench tune sum 128x4096x4095:1 --dtype f16 --family "
    "sum/period_vectors\n"
    "\n"
    "      --dtype D         f32 (default) f64 f16 bf16, or several: D,D\n"
    "      --family F        only the variants of this file\n"
    "      --format F        text (default) or csv\n"
    "      --launches N      repeat in N fresh processes: the intervals then\n"
    "                        hold from one process to the next, too\n"
    "      --budget MS       sampling time a variant (default 200)\n"
    "\n"
    "and what else scanbench run takes (--help). A margin is within noise if\n"
    "the 95 % interval of the ratio of the two has 1 in it. The rows are kept\n"
    "in a results folder, whose name goes to stderr.\n";

static bool complain(const char *what, const char *why)
{
    fprintf(stderr,
            "scanbench: %s: %s\nscanbench tune --help says how to use it\n",
            what, why);
    return false;
}

static bool take_format(struct tune *tune, const char *format)
{
    tune->csv = format && strcmp(format, "csv") == 0;
    return tune->csv || (format && strcmp(format, "text") == 0) ||
           complain("--format", "it is text or csv");
}

/* The user's words behind OP and SHAPE, but for --format. */
static bool pass_words(struct tune *tune, int argc, char **argv, char **words,
                       int *count)
{
    bool dtype = false;
    for (int k = 4; k < argc; ++k) {
        if (strncmp(argv[k], "--format=", 9) == 0) {
            if (!take_format(tune, argv[k] + 9))
                return false;
        } else if (strcmp(argv[k], "--format") == 0) {
            if (!take_format(tune, argv[++k]))
                return false;
        } else {
            dtype |= strncmp(argv[k], "--dt", 4) == 0;
            words[(*count)++] = argv[k];
        }
    }
    if (!dtype) {
        words[(*count)++] = "--dtype";
        words[(*count)++] = "f32";
    }
    return true;
}

bool tune_words(struct tune *tune, int *argc, char ***argv, int *status)
{
    *status = EXIT_BAD;
    if (*argc < 2 || strcmp((*argv)[1], "tune") != 0)
        return true;
    tune->asked = true;
    for (int k = 2; k < *argc; ++k)
        if (strcmp((*argv)[k], "--help") == 0 ||
            strcmp((*argv)[k], "-h") == 0) {
            fputs(help_text, stdout);
            *status = EXIT_OK;
            return false;
        }
    if (*argc < 4 || (*argv)[2][0] == '-' || (*argv)[3][0] == '-')
        return complain("tune", "an operation and a shape come first");
    char *start[] = { (*argv)[0], "run",      "--op",     (*argv)[2],
                      "--shape",  (*argv)[3], "--budget", "200" };
    int count = sizeof start / sizeof *start;
    char **words = calloc((size_t)(*argc + count + 3), sizeof *words);
    if (!words)
        abort();
    memcpy(words, start, sizeof start);
    if (!pass_words(tune, *argc, *argv, words, &count)) {
        free(words);
        return false;
    }
    *argc = count;
    *argv = words; /* kept: options point into the words */
    return true;
}

bool tune_options(struct tune *tune, struct options *options)
{
    int op = 0;
    if (!tune->asked)
        return true;
    while (!(options->ops & OP_BIT(op)))
        ++op;
    tune->op = (enum op)op;
    if (options->ops != OP_BIT(op) || options->shape_count != 1 ||
        options->grid_count)
        return complain("tune", "one operation and one shape");
    if (options->dry_run || options->profile || options->resume ||
        options->broken)
        return complain("tune", "it measures all variants: no --dry-run, "
                                "--profile, --resume or --broken");
    options->folder = tune->folder;
    options->folder_bytes = sizeof tune->folder;
    return true;
}

/* ---------------------------------------------------------------- the table */

static const char *family_of(const struct run_row *row, enum device_kind kind)
{
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v->runs_on == kind && (v->ops & OP_BIT(row->op)) &&
                strcmp(v->name, row->variant) == 0)
                return f->id;
    return "";
}

static int fastest_first(const void *left, const void *right)
{
    const struct tuned *l = left, *r = right;
    const double l_us = timing_us(&l->side.timing);
    const double r_us = timing_us(&r->side.timing);
    if (isnan(l_us) || isnan(r_us))
        return isnan(l_us) - isnan(r_us);
    return (l_us > r_us) - (l_us < r_us);
}

/* Sorted by time, the first of a family is its best: brings the others up to
 * it, without changing their order. */
static void join_families(struct tune_table *table)
{
    for (size_t k = 0; k < table->count;) {
        const char *family = table->all[k].family;
        for (size_t other = ++k; other < table->count; ++other)
            if (strcmp(table->all[other].family, family) == 0) {
                const struct tuned one = table->all[other];
                memmove(&table->all[k + 1], &table->all[k],
                        (other - k) * sizeof one);
                table->all[k++] = one;
            }
    }
}

size_t tune_family_size(const struct tune_table *table, size_t first)
{
    size_t size = 1;
    while (first + size < table->count &&
           strcmp(table->all[first].family, table->all[first + size].family) ==
               0)
        ++size;
    return size;
}

bool tune_noise(const struct change *behind)
{
    return !(behind->low > 1 && isfinite(behind->high));
}

/* Ranks and margins of a family, which begins at `best`. */
static void rank(struct tuned *best, size_t size)
{
    const struct limits limits = { 0 };
    for (size_t k = 0; k < size && side_timed(&best[k].side); ++k) {
        best[k].rank = k + 1;
        if (k)
            best[k].behind =
                change_of(&best->side.timing, &best[k].side.timing, &limits);
    }
    if (size > 1)
        best->behind = best[1].behind;
}

/* Makes the table of the rows from `first` on; returns where the next cell
 * starts. */
static size_t make_table(struct tune_table *table, size_t first,
                         enum device_kind kind)
{
    const struct run_rows *rows = &table->run->rows;
    size_t row = first;
    table->count = 0;
    while (row < rows->count &&
           run_group_order(&rows->row[first], &rows->row[row]) == 0) {
        size_t count = rows->count - row;
        struct tuned one = { .side = side_of(&rows->row[row], &count) };
        if (!side_timed(&one.side))
            one.side.timing = (struct timing){ 0 };
        one.family = family_of(&rows->row[row], kind);
        table->all[table->count++] = one;
        row += count;
    }
    qsort(table->all, table->count, sizeof *table->all, fastest_first);
    join_families(table);
    for (size_t k = 0; k < table->count; k += tune_family_size(table, k))
        rank(&table->all[k], tune_family_size(table, k));
    return row;
}

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    fprintf(stderr, "scanbench: %s:%lld: %s (%s)\n", path, (long long)line,
            problem, remedy);
}

int tune_report(const struct tune *tune, enum device_kind kind)
{
    struct run_folder run = { 0 };
    const struct listener listener = { hear, NULL };
    struct tune_table table = { .run = &run };
    bool timed = false;
    if (!run_folder_read(&run, tune->folder, &listener)) {
        run_folder_free(&run);
        return EXIT_BAD;
    }
    table.all = calloc(run.rows.count, sizeof *table.all);
    if (!table.all)
        abort();
    if (tune->csv)
        tune_write_csv_header();
    for (size_t row = 0; row < run.rows.count;) {
        const enum op op = run.rows.row[row].op;
        row = make_table(&table, row, kind);
        if (op != tune->op)
            continue;
        timed |= table.all[0].rank > 0;
        if (tune->csv)
            tune_write_csv(&table);
        else
            tune_write_text(&table);
    }
    free(table.all);
    run_folder_free(&run);
    if (!timed)
        fputs("scanbench: nothing could be timed\n", stderr);
    if (fflush(stdout) || ferror(stdout)) {
        perror("scanbench: stdout");
        return EXIT_BAD;
    }
    return timed ? EXIT_OK : EXIT_BAD;
}
