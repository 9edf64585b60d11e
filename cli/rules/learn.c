/* SPDX-License-Identifier: MIT
 *
 * scanbench rules: fits rules for `best` to runs, and judges them.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/rows.h"
#include "cli/common/runs.h"
#include "src/base/csv.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/analyse/regrets.h"
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

/* The compute capability (90) of the GPU or, if lower, of the code, which is
 * what refuses; 0 if unknown. */
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

/* Returns the lines that name the GPU, the run's or a known one; for free(). */
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
 * The problems of a fold are left out, unless it is 0. */
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

/* Prints the rules' regret; if held out, each fold's shapes follow rules that
 * are fitted to the other folds. */
static void print_cost(const struct learner *learner, const struct rules *rules,
                       const char *gpu, const struct page_options *options,
                       const struct published *set)
{
    char why[RULES_WHY_BYTES];
    struct regret regret = { 0 };
    for (size_t k = 0; k < set->count; ++k)
        regret_add(&regret, &set->run[k]);
    if (!options->held_out)
        regret_judge(&regret, &(struct regret_scope){ .rules = rules });
    for (int fold = 1; options->held_out && fold <= LEARNER_FOLDS; ++fold) {
        struct rules others;
        char *text = rules_text(learner, gpu, fold);
        if (rules_parse(&others, "rules", text, strlen(text), NULL, why)) {
            regret_judge(&regret, &(struct regret_scope){ .rules = &others,
                                                          .fold = fold });
            rules_free(&others);
        }
        free(text);
    }
    regret_print(&regret, "these rules", &options->filter, false, NULL);
    regret_free(&regret);
}

/* ------------------------------------------------------------ the command */

static int conclude(const struct learner *learner, const struct published *set,
                    const struct page_options *options)
{
    char why[RULES_WHY_BYTES];
    struct rules rules = { .count = 0 };
    char *gpu = gpu_text(&set->run[0], options->as);
    char *text = rules_text(learner, gpu, 0);
    int status = EXIT_OK;
    if (!rules_parse(&rules, "rules", text, strlen(text), NULL, why)) {
        fputs("scanbench: these runs have no rules: there has to be a shape "
              "at which several variants were timed in a cold cache\n",
              stderr);
        status = EXIT_BAD;
    } else if (options->write) {
        status = page_write(options->write, text);
    } else {
        if (options->filter.format == FORMAT_TEXT)
            printf("measured problems: %zu\n\n", rules.count);
        print_cost(learner, &rules, gpu, options, set);
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
    struct catalogue_point *points = points_measured();
    struct learner learner = { .points = points };
    int status;
    if (page_begin(COMMAND_RULES, argc, argv, &options, &set, &status)) {
        status = EXIT_BAD;
        if (of_one_gpu(&set) && (!options.as || of_code(&set, options.as))) {
            for (size_t k = 0; k < set.count; ++k)
                learner_add(&learner, &set.run[k]);
            learner_judge(&learner);
            status = conclude(&learner, &set, &options);
        }
    }
    learner_free(&learner);
    free(points);
    published_free(&set);
    return status;
}
