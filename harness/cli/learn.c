/* SPDX-License-Identifier: MIT */
#include "harness/cli/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/page.h"
#include "harness/cli/published.h"
#include "harness/tally.h"
#include "src/base/csv.h"
#include "src/base/stats.h"
#include "src/judge/learner.h"
#include "harness/cli/points.h"
#include "src/base/memory.h"

static const char help_text[] =
    "Which variant when? Learns the rules that `best` follows from runs.\n"
    "\n"
    "  scanbench rules RUN...              what following the rules costs\n"
    "                                      against each cell's winner\n"
    "  scanbench rules --held-out RUN...   the same of rules that did not "
    "know\n"
    "                                      the cell's shape: what to expect\n"
    "                                      between the shapes that were "
    "measured\n"
    "  scanbench rules -o FILE RUN...      writes them, for run --rules FILE\n"
    "  scanbench rules --check FILE RUN... 1 if the file has others\n"
    "\n"
    "RUN is a folder that `scanbench run` wrote, or a folder of such. Of a\n"
    "variant that several have at a problem, the newest counts. A file of "
    "rules\n"
    "is of one GPU; variants/best has one a GPU, which is built in.\n";

/* -------------------------------------------------------------- as a file */

static void write_line(FILE *file, const char *key, const char *value)
{
    csv_write_field(file, true, key);
    csv_write_field(file, false, value);
    csv_write_end(file);
}

/* "inner<2 axis>=1024", of the bounds that there are. */
static void write_conditions(FILE *file, const struct learner_rule *rule)
{
    const char *space = "";
    putc(',', file);
    for (int k = 0; k < RULE_FEATURES; ++k) {
        const char *name = rule_feature_name(k);
        if (rule->low[k]) {
            fprintf(file, "%s%s>=%lld", space, name, 1LL << rule->low[k]);
            space = " ";
        }
        if (rule->high[k] < RULE_NO_BOUND) {
            fprintf(file, "%s%s<%lld", space, name, 1LL << rule->high[k]);
            space = " ";
        }
    }
}

static void write_rule(FILE *file, const struct learner *learner,
                       const struct learner_rule *rule)
{
    const char *before = "rule,";
    for (int o = 0; o < OP_COUNT; ++o)
        if (learner_class((enum op)o) == rule->class) {
            fprintf(file, "%s%s", before, op_name((enum op)o));
            before = " ";
        }
    write_conditions(file, rule);
    for (int k = 0; k < RULE_CHOICES && rule->choices[k] >= 0; ++k)
        csv_write_field(file, false, learner->points[rule->choices[k]].name);
    csv_write_end(file);
}

/* All runs are of one GPU. */
static bool of_one_gpu(const struct published *set)
{
    const char *first = run_fact(&set->run[0], "device_name");
    for (size_t k = 1; k < set->count; ++k) {
        const char *other = run_fact(&set->run[k], "device_name");
        if (strcmp(first, other) != 0) {
            fprintf(stderr,
                    "scanbench: a file of rules is of one GPU, and %s is of "
                    "'%s', %s of '%s': name the runs of one\n",
                    set->run[0].path, first, set->run[k].path, other);
            return false;
        }
    }
    return true;
}

/* The file's text, for free(): src/rules_file.h has the format. */
static char *rules_text(const struct learner *learner,
                        const struct learner_rules *rules,
                        const struct run_folder *run)
{
    static const char *const facts[][2] = {
        { "gpu", "device_name" },
        { "compute_capability", "compute_capability" },
        { "sm_count", "sm_count" },
        { "bus_gbps", "attribute_peak_gbps" },
    };
    char *text = NULL;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    write_line(file, "rules", "1");
    for (size_t k = 0; k < sizeof facts / sizeof *facts; ++k)
        if (*run_fact(run, facts[k][1]))
            write_line(file, facts[k][0], run_fact(run, facts[k][1]));
    write_line(file, "model", "ranges");
    for (size_t r = 0; r < rules->count; ++r)
        if (rules->rule[r].choices[0] >= 0)
            write_rule(file, learner, &rules->rule[r]);
    memory_close(file, &text);
    return text;
}

/* ------------------------------------------------------- what it costs */

/* What following the rules loses in a cell. */
struct loss {
    const struct learner_cell *cell;
    int choice; /* -1: none */
    double pct; /* NaN: the choice was not measured there */
};

struct losses {
    struct loss *loss;
    size_t count;
};

static void add_losses(struct losses *losses, const struct learner *learner,
                       const struct learner_rules *rules,
                       const struct shape *only)
{
    for (size_t r = 0; r < rules->count; ++r)
        for (size_t c = 0; c < learner->count; ++c) {
            const struct learner_cell *cell = &learner->cells[c];
            if (!learner_trusts(cell) ||
                (only && !shape_equal(cell->shape, *only)) ||
                !learner_serves(&rules->rule[r], cell))
                continue;
            const int choice = learner_choice(&rules->rule[r], cell);
            const int32_t lost =
                choice < 0 ? LEARNER_UNKNOWN : cell->loss[choice];
            losses->loss[losses->count++] = (struct loss){
                cell, choice, lost < 0 ? NAN : 100 * expm1(lost * LEARNER_UNIT)
            };
        }
}

/* The most first, the unknown last. */
static int by_loss(const void *left, const void *right)
{
    const struct loss *l = left, *r = right;
    if (isnan(l->pct) || isnan(r->pct))
        return !!isnan(l->pct) - !!isnan(r->pct);
    return (l->pct < r->pct) - (l->pct > r->pct);
}

/* Of one run, the middle and the worst of what its cells lose. */
static void print_run(const struct losses *losses, const char *run)
{
    double *pct = memory_for(losses->count, sizeof *pct);
    size_t count = 0, good = 0, unknown = 0;
    for (size_t k = 0; k < losses->count; ++k) {
        const struct loss *loss = &losses->loss[losses->count - 1 - k];
        if (strcmp(loss->cell->run, run) != 0)
            continue;
        if (isnan(loss->pct))
            ++unknown;
        else
            pct[count++] = loss->pct;
        good += loss->pct <= 10;
    }
    if (count) {
        printf("%s: %zu cells, median %.2f %%, worst %.2f %%; %.0f %% of them "
               "lose at most 10 %%",
               run, count, stats_quantile(pct, count, 0.5), pct[count - 1],
               100. * (double)good / (double)count);
        if (unknown)
            printf("; in %zu more the choice was not measured", unknown);
        putchar('\n');
    }
    free(pct);
}

static void print_worst(const struct learner *learner,
                        const struct losses *losses)
{
    char shape[SHAPE_TEXT_BYTES];
    puts("Most is lost, in per cent, at");
    for (size_t k = 0; k < losses->count && k < 12; ++k) {
        const struct loss *loss = &losses->loss[k];
        const struct learner_cell *cell = loss->cell;
        if (!isnan(loss->pct))
            printf("%.2f %s %s %s %s %s instead of %s\n", loss->pct, cell->run,
                   op_name(cell->op), dtype_name(cell->dtype),
                   shape_format(cell->shape, shape),
                   learner->points[loss->choice].name,
                   learner->points[cell->winner].name);
    }
}

static void print_losses(const struct learner *learner,
                         const struct losses *losses,
                         const struct published *set)
{
    if (losses->count)
        qsort(losses->loss, losses->count, sizeof *losses->loss, by_loss);
    for (size_t k = 0; k < set->count; ++k)
        print_run(losses, published_name(&set->run[k]));
    print_worst(learner, losses);
}

/* ------------------------------------------------------------ held out */

/* The root that a cell lies in. */
static int root_of(const struct learner_cell *cell)
{
    return 2 * learner_class(cell->op) +
           (cell->features[RULE_FEATURE_INNER] >= 2);
}

/* Whether a cell before it has its shape and root. */
static bool met_before(const struct learner *learner, size_t place)
{
    const struct learner_cell *cell = &learner->cells[place];
    for (size_t c = 0; c < place; ++c)
        if (learner_trusts(&learner->cells[c]) &&
            root_of(&learner->cells[c]) == root_of(cell) &&
            shape_equal(learner->cells[c].shape, cell->shape))
            return true;
    return false;
}

static void hold_out(const struct learner *learner, struct losses *losses)
{
    for (size_t c = 0; c < learner->count; ++c) {
        const struct learner_cell *cell = &learner->cells[c];
        struct learner_rules rules = { 0 };
        if (!learner_trusts(cell) || met_before(learner, c))
            continue;
        learner_grow(learner, root_of(cell), &cell->shape, &rules);
        add_losses(losses, learner, &rules, &cell->shape);
        free(rules.rule);
    }
}

/* ------------------------------------------------------------ the command */

static int put_file(const struct learner *learner,
                    const struct learner_rules *rules,
                    const struct published *set,
                    const struct page_options *options)
{
    if (!of_one_gpu(set))
        return EXIT_BAD;
    if (rules->count == 0) {
        fputs("scanbench: these runs have no rules: there has to be a shape "
              "at which several variants were timed in a cold cache\n",
              stderr);
        return EXIT_BAD;
    }
    char *text = rules_text(learner, rules, &set->run[0]);
    int status;
    if (options->write)
        status = page_write(options->write, text) ? EXIT_OK : EXIT_BAD;
    else
        status = page_check(options->check, text,
                            "scanbench rules -o, with the same runs");
    free(text);
    return status;
}

static int conclude(const struct learner *learner, const struct published *set,
                    const struct page_options *options)
{
    struct learner_rules rules = { 0 };
    struct losses losses = { memory_for(learner->count, sizeof *losses.loss),
                             0 };
    const bool held_out = options->flag;
    int status = EXIT_OK;
    for (int root = 0; root < LEARNER_ROOTS && !held_out; ++root)
        learner_grow(learner, root, NULL, &rules);
    if (options->write || options->check) {
        status = put_file(learner, &rules, set, options);
    } else {
        if (held_out)
            hold_out(learner, &losses);
        else
            add_losses(&losses, learner, &rules, NULL);
        if (!held_out)
            printf("%zu rules\n", rules.count);
        print_losses(learner, &losses, set);
    }
    free(losses.loss);
    free(rules.rule);
    return status;
}

int rules_command(int argc, char **argv)
{
    static const struct page_usage usage = { "rules", help_text, "learn from",
                                             "out", "held-out" };
    struct page_options options;
    struct published set = { 0 };
    struct learner learner = { .points = variant_points };
    int status;
    if (!page_options(argc, argv, &usage, &options, &status))
        return status;
    status = EXIT_BAD;
    if (published_read(&set, options.runs, options.run_count)) {
        for (size_t k = 0; k < set.count; ++k)
            learner_add(&learner, &set.run[k], published_name(&set.run[k]));
        learner_judge(&learner);
        status = conclude(&learner, &set, &options);
    }
    learner_free(&learner);
    published_free(&set);
    return status;
}
