/* SPDX-License-Identifier: MIT
 *
 * scanbench rules: fits rules for `best` to runs, and judges them.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/page.h"
#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/choose/code_run.h"
#include "src/choose/learner.h"
#include "src/pretend.h"
#include "src/choose/rules.h"

/* --------------------------------------------------------------- the file */

/* Writes nothing if the value is unknown. */
static void write_line(FILE *file, const char *key, const char *value)
{
    if (!*value)
        return;
    csv_write_field(file, true, key);
    csv_write_field(file, false, value);
    fputc('\n', file);
}

enum { MOST_BUILT = 64 };

/* The architectures of the run's code; returns their number. */
static int built_for(const struct run_folder *run, int built[MOST_BUILT])
{
    return code_built(run_fact(run, "architectures"), built, MOST_BUILT);
}

/* The compute capability (90) of the GPU, or that of the code if it is older,
 * as the code is what refuses; 0 if it is unknown. */
static int capability_of(const struct run_folder *run)
{
    int built[MOST_BUILT];
    const double version = run_fact_number(run, "compute_capability");
    const int count = built_for(run, built);
    if (!(version >= 1 && version < 99))
        return 0;
    const int capability = (int)lround(10 * version);
    return code_level(code_run(built, count, capability), capability);
}

/* True if all runs are of one GPU, with code of one architecture. */
static bool of_one_gpu(const struct published *set)
{
    const struct run_folder *first = &set->run[0];
    const char *name = run_fact(first, "device_name");
    const int capability = capability_of(first);
    for (size_t k = 1; k < set->count; ++k) {
        const struct run_folder *other = &set->run[k];
        const char *its_name = run_fact(other, "device_name");
        const int its = capability_of(other);
        if (strcmp(name, its_name) == 0 &&
            (!capability || !its || capability == its))
            continue;
        fprintf(stderr,
                "scanbench: a file of rules is of one GPU and one "
                "architecture's code, and %s is of '%s' and %d.%d, %s of '%s' "
                "and %d.%d: name the runs of one\n",
                first->path, name, capability / 10, capability % 10,
                other->path, its_name, its / 10, its % 10);
        return false;
    }
    return true;
}

/* True if all code of the runs is of that GPU's architecture. */
static bool of_code(const struct published *set, const struct known_gpu *as)
{
    for (size_t k = 0; k < set->count; ++k) {
        int built[MOST_BUILT], same = 0;
        const int count = built_for(&set->run[k], built);
        for (int b = 0; b < count; ++b)
            same += built[b] == as->facts.compute_capability * 10;
        if (count && same == count)
            continue;
        fprintf(stderr,
                "scanbench: rules --as %s are of runs with code of %s alone "
                "(meson setup -Dgpu_arch=compute_%s), and %s was built with "
                "'%s'\n",
                as->arch, as->arch, as->arch + 3, set->run[k].path,
                run_fact(&set->run[k], "architectures"));
        return false;
    }
    return true;
}

/* Returns the lines by which a file is chosen, for free(): the GPU of the run,
 * or a known GPU in its place. */
static char *gpu_text(const struct run_folder *run, const struct known_gpu *as)
{
    char version[16] = "", *text = NULL;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    const int capability =
        as ? as->facts.compute_capability : capability_of(run);
    if (capability)
        snprintf(version, sizeof version, "%d.%d", capability / 10,
                 capability % 10);
    write_line(file, "gpu", as ? as->card : run_fact(run, "device_name"));
    write_line(file, "compute_capability", version);
    if (as) {
        fprintf(file, "sm_count,%d\nbus_gbps,%g\n", as->facts.sm_count,
                as->bus_gbps);
    } else {
        write_line(file, "sm_count", run_fact(run, "sm_count"));
        write_line(file, "bus_gbps", run_fact(run, "attribute_peak_gbps"));
    }
    memory_close(file, &text);
    return text;
}

/* Returns the file's text, for free(); src/choose/rules.h has the format.
 * The problems of a fold are left out, unless it is -1. */
static char *rules_text(const struct learner *learner, const char *gpu,
                        int left_out)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    fprintf(file, "rules,%d\n%smodel,forest\n", RULES_VERSION, gpu);
    learner_write(learner, left_out, file);
    memory_close(file, &text);
    return text;
}

/* -------------------------------------------------------------- the losses */

/* The loss of time in a cell when the rules choose. */
struct loss {
    const struct learner_cell *cell;
    int choice; /* -1 if there is none */
    double pct; /* infinite if too slow to be timed, NaN if not measured */
};

static double pct_of(const struct learner_cell *cell, int choice)
{
    const int32_t lost = choice < 0 ? LEARNER_UNKNOWN : cell->loss[choice];
    return lost == LEARNER_SLOW ? HUGE_VAL
           : lost < 0           ? NAN
                                : 100 * expm1(lost * LEARNER_UNIT);
}

/* The largest first, unknown ones last. */
static int by_loss(const void *left, const void *right)
{
    const struct loss *l = left, *r = right;
    if (isnan(l->pct) || isnan(r->pct))
        return !!isnan(l->pct) - !!isnan(r->pct);
    return (l->pct < r->pct) - (l->pct > r->pct);
}

/* Prints quantiles of a run's losses. */
static void print_run(const struct loss *losses, size_t count, const char *run)
{
    double *pct = memory_for(count, sizeof *pct);
    size_t known = 0, unknown = 0;
    for (size_t k = count; k-- > 0;) { /* from the smallest */
        if (strcmp(losses[k].cell->run, run) != 0)
            continue;
        if (isnan(losses[k].pct))
            ++unknown;
        else
            pct[known++] = losses[k].pct;
    }
    if (known) {
        printf("%s: %zu problems, lost: median %.1f %%, p90 %.1f %%, p99 %.1f "
               "%%, worst %.1f %%",
               run, known, stats_quantile(pct, known, 0.5),
               stats_quantile(pct, known, 0.9),
               stats_quantile(pct, known, 0.99), pct[known - 1]);
        if (unknown)
            printf("; in %zu more the choice was not measured", unknown);
        putchar('\n');
    }
    free(pct);
}

static void print_worst(const struct learner *learner,
                        const struct loss *losses, size_t count)
{
    char shape[SHAPE_TEXT_BYTES];
    if (count)
        puts("Most is lost, in per cent, at");
    for (size_t k = 0; k < count && k < 12 && !isnan(losses[k].pct); ++k) {
        const struct learner_cell *cell = losses[k].cell;
        printf("%.1f %s %s %s %s %s instead of %s\n", losses[k].pct, cell->run,
               op_name(cell->op), dtype_name(cell->dtype),
               shape_format(cell->shape, shape),
               learner->points[losses[k].choice].name,
               learner->points[cell->winner].name);
    }
}

/* Adds the losses at the problems of a fold, or of all for -1; returns how many
 * they are. */
static size_t judge_fold(const struct learner *learner,
                         const struct rules *rules, int fold,
                         struct loss *losses)
{
    size_t count = 0;
    for (size_t c = 0; c < learner->count; ++c) {
        const struct learner_cell *cell = &learner->cells[c];
        if (cell->winner < 0 || (fold >= 0 && learner_fold(cell) != fold))
            continue;
        const int choice = learner_choice(learner, rules, cell);
        losses[count++] = (struct loss){ cell, choice, pct_of(cell, choice) };
    }
    return count;
}

/* Judges each fold's problems by rules that are fitted to the others. */
static size_t judge_held_out(const struct learner *learner, const char *gpu,
                             struct loss *losses)
{
    char why[RULES_WHY_BYTES];
    struct rules rules;
    size_t count = 0;
    for (int fold = 0; fold < LEARNER_FOLDS; ++fold) {
        char *text = rules_text(learner, gpu, fold);
        if (rules_parse(&rules, "rules", text, strlen(text), NULL, why)) {
            count += judge_fold(learner, &rules, fold, &losses[count]);
            rules_free(&rules);
        }
        free(text);
    }
    return count;
}

static void print_losses(const struct learner *learner,
                         const struct rules *rules, const char *gpu,
                         bool held_out, const struct published *set)
{
    struct loss *losses = memory_for(learner->count, sizeof *losses);
    const size_t count = held_out ? judge_held_out(learner, gpu, losses)
                                  : judge_fold(learner, rules, -1, losses);
    if (count)
        qsort(losses, count, sizeof *losses, by_loss);
    for (size_t k = 0; k < set->count; ++k)
        print_run(losses, count, published_name(&set->run[k]));
    print_worst(learner, losses, count);
    free(losses);
}

/* ------------------------------------------------------------ the command */

static int conclude(const struct learner *learner, const struct published *set,
                    const struct page_options *options)
{
    char why[RULES_WHY_BYTES];
    struct rules rules = { .count = 0 };
    char *gpu = gpu_text(&set->run[0], options->as);
    char *text = rules_text(learner, gpu, -1);
    int status = EXIT_OK;
    if (!rules_parse(&rules, "rules", text, strlen(text), NULL, why)) {
        fputs("scanbench: these runs have no rules: there has to be a shape "
              "at which several variants were timed in a cold cache\n",
              stderr);
        status = EXIT_BAD;
    } else if (options->write) {
        status = page_write(options->write, text);
    } else {
        printf("%zu problems measured\n", rules.count);
        print_losses(learner, &rules, gpu, options->held_out, set);
    }
    rules_free(&rules);
    free(text);
    free(gpu);
    return status;
}

int rules_command(int argc, char **argv)
{
    struct page_options options;
    struct published set;
    struct learner learner = { .points = variant_points };
    int status;
    if (page_begin(COMMAND_RULES, argc, argv, &options, &set, &status)) {
        status = EXIT_BAD;
        if (of_one_gpu(&set) && (!options.as || of_code(&set, options.as))) {
            for (size_t k = 0; k < set.count; ++k)
                learner_add(&learner, &set.run[k], published_name(&set.run[k]));
            learner_judge(&learner);
            status = conclude(&learner, &set, &options);
        }
    }
    learner_free(&learner);
    published_free(&set);
    return status;
}
