/* SPDX-License-Identifier: MIT
 *
 * scanbench compare --gpus: runs of several GPUs side by side.
 */
#include "harness/cli/compare_parts.h"

#include <math.h>
#include <stdlib.h>

#include "harness/cli/escape.h"
#include "harness/cli/published.h"
#include "harness/tally.h"
#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/judge/gpus.h"

static const char *name_of(const struct gpus *gpus, size_t gpu)
{
    return *gpus->name[gpu] ? gpus->name[gpu] : "unknown device";
}

static void write_csv(const struct gpus *gpus, const struct gpu_row *row)
{
    for (size_t g = 0; g < gpus->count; ++g) {
        const struct gpu_figure *f = &row->figure[g];
        put_csv(true, op_name(row->op));
        put_csv(false, shape_class_name(row->class));
        csv_write_integer(stdout, false, (int64_t)row->problems);
        put_csv(false, name_of(gpus, g));
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
        put_markdown(name_of(gpus, g));
        printf(" | %.0f | ", f->gbps);
        if (isfinite(f->pct_ceiling))
            printf("%.1f %%", f->pct_ceiling);
        fputs(" | ", stdout);
        fputs(row->differ ? "**" : "", stdout);
        put_markdown(f->winner);
        printf("%s (%zu) |\n", row->differ ? "**" : "", f->wins);
    }
}

static void write_text(const struct gpus *gpus, const struct gpu_row *row)
{
    for (size_t g = 0; g < gpus->count; ++g) {
        const struct gpu_figure *f = &row->figure[g];
        printf("%-16s  %-12s  %5zu  ", op_name(row->op),
               shape_class_name(row->class), row->problems);
        put_plain(name_of(gpus, g));
        printf("%*s  %6.0f  ", 32 - (int)strlen(name_of(gpus, g)), "", f->gbps);
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
            "GB/s and the share of the own ceiling, per cent, of each "
            "problem's winner (geometric\nmeans over the problems that all "
            "GPUs have timed), the family that wins most of\nthem, and how "
            "many; * where that is not the same on all.\n\n"
            "operation         class         cells  GPU"
            "                                 GB/s  ceiling    winner",
        [FORMAT_MARKDOWN] =
            "| operation | class | cells | GPU | GB/s | of its ceiling | "
            "winner (of so many cells; bold: not the same on all) |\n"
            "| --- | --- | ---: | --- | ---: | ---: | --- |",
        [FORMAT_CSV] = "op,shape_class,cells,gpu,gbps,pct_ceiling,winner,"
                       "wins,winners_differ",
    };
    size_t rows = gpus->row_count;
    if (options->top && options->top < rows)
        rows = options->top;
    puts(heads[options->format]);
    for (size_t r = 0; r < rows; ++r)
        write[options->format](gpus, &gpus->row[r]);
    if (rows < gpus->row_count)
        fprintf(stderr, "scanbench: %zu of %zu rows (--top 0 lists all)\n",
                rows, gpus->row_count);
}

/* Why there is no table, or NULL. */
static const char *lacking(const struct gpus *gpus)
{
    if (gpus->count < 2)
        return "all these runs are of one GPU: name runs of two at least";
    if (!gpus->row_count)
        return "no operation, type and shape of these that all GPUs have "
               "timed in a cold cache: measure the same grid on each";
    return NULL;
}

static int compare(struct published *set, const struct compare_options *options)
{
    const struct run_folder **runs = memory_for(set->count, sizeof *runs);
    struct gpus gpus;
    size_t damaged = 0;
    for (size_t k = 0; k < set->count; ++k) {
        runs[k] = &set->run[k];
        damaged += set->run[k].damaged;
        select_rows(&options->select, &set->run[k].rows);
    }
    gpus_compare(&gpus, runs, set->count);
    const char *why = lacking(&gpus);
    if (why)
        fprintf(stderr, "scanbench: %s\n", why);
    else
        write_table(&gpus, options);
    if (damaged)
        fprintf(stderr,
                "scanbench: %zu damaged lines or lost files were left "
                "out\n",
                damaged);
    gpus_free(&gpus);
    free(runs);
    return why || damaged ? EXIT_BAD : EXIT_OK;
}

int compare_gpus(const struct compare_options *options)
{
    struct published set = { 0 };
    const int status = published_read(&set, options->runs, options->run_count)
                           ? compare(&set, options)
                           : EXIT_BAD;
    published_free(&set);
    return status;
}
