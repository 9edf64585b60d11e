/* SPDX-License-Identifier: MIT */
#include "harness/cli/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/page.h"
#include "harness/cli/published.h"
#include "harness/tally.h"
#include "src/base/stats.h"
#include "src/judge/learner.h"
#include "harness/cli/points.h"

static const char help_text[] =
    "Which variant when? Learns the rules of variants/best from runs.\n"
    "\n"
    "  scanbench rules RUN...              what following the rules costs\n"
    "                                      against each cell's winner\n"
    "  scanbench rules --held-out RUN...   the same of rules that did not "
    "know\n"
    "                                      the cell's shape: what to expect\n"
    "                                      between the shapes that were "
    "measured\n"
    "  scanbench rules --write FILE RUN... puts them into "
    "variants/best/rules.inc\n"
    "  scanbench rules --check FILE RUN... 1 if the file has others\n"
    "\n"
    "RUN is a folder that `scanbench run` wrote, or a folder of such. Of a\n"
    "variant that several have at a problem, the newest counts.\n";

/* ------------------------------------------------------------- as a table */

/* The numbers that choices have in the file, from 1, in the order in which
 * rules name them. */
static int number_choices(const struct learner *learner,
                          const struct learner_rules *rules, int *number,
                          int *order)
{
    int count = 0;
    for (size_t r = 0; r < rules->count; ++r)
        for (int k = 0; k < RULE_CHOICES; ++k) {
            const int point = rules->rule[r].choices[k];
            if (point >= 0 && !number[point]) {
                order[count] = point;
                number[point] = ++count;
            }
        }
    (void)learner;
    return count;
}

static void write_choice(FILE *file, const struct catalogue_point *point)
{
    const char *slash = strchr(point->id, '/');
    fprintf(file, "CHOICE(%.*s__%s, \"%s\")\n", (int)(slash - point->id),
            point->id, slash + 1, point->name);
}

static void write_rule(FILE *file, const struct learner_rule *rule,
                       const int *number)
{
    static const char *const ops[LEARNER_CLASSES] = {
        "OPS_PLAIN_SCAN", "OP_BIT(OP_MASKED_CUMSUM)", "OP_BIT(OP_SUM)",
        "OP_BIT(OP_FLIP)"
    };
    fprintf(file, "RULE(%s, ", ops[rule->class]);
    for (int k = 0; k < RULE_FEATURES; ++k)
        fprintf(file, "%d, %d, ", rule->low[k], rule->high[k]);
    for (int k = 0; k < RULE_CHOICES; ++k)
        fprintf(file, "%d%s",
                rule->choices[k] < 0 ? 0 : number[rule->choices[k]],
                k + 1 < RULE_CHOICES ? ", " : ")\n");
}

/* The file's text, for free(). */
static char *rules_text(const struct learner *learner,
                        const struct learner_rules *rules)
{
    const size_t points = (size_t)learner->point_count;
    int *number = calloc(points, sizeof *number);
    int *order = calloc(points, sizeof *order);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!number || !order || !file)
        abort();
    fputs("/* SPDX-License-Identifier: MIT\n"
          " *\n"
          " * `scanbench rules --write` makes it of the published runs: edit\n"
          " * neither. See rules.h for the words. */\n",
          file);
    const int count = number_choices(learner, rules, number, order);
    for (int k = 0; k < count; ++k)
        write_choice(file, &learner->points[order[k]]);
    for (size_t r = 0; r < rules->count; ++r)
        write_rule(file, &rules->rule[r], number);
    fclose(file);
    free(number);
    free(order);
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
    double *pct = calloc(losses->count + 1, sizeof *pct);
    size_t count = 0, good = 0, unknown = 0;
    if (!pct)
        abort();
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
    if (!losses->count)
        return;
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

static int conclude(const struct learner *learner, const struct published *set,
                    const struct page_options *options)
{
    struct learner_rules rules = { 0 };
    struct losses losses = { calloc(learner->count + 1, sizeof *losses.loss),
                             0 };
    const bool held_out = options->flag;
    int status = EXIT_OK;
    if (!losses.loss)
        abort();
    for (int root = 0; root < LEARNER_ROOTS && !held_out; ++root)
        learner_grow(learner, root, NULL, &rules);
    char *text = rules_text(learner, &rules);
    if (options->write) {
        status = page_write(options->write, text) ? EXIT_OK : EXIT_BAD;
    } else if (options->check) {
        status = page_check(options->check, text,
                            "scanbench rules --write, with the same runs");
    } else {
        if (held_out)
            hold_out(learner, &losses);
        else
            add_losses(&losses, learner, &rules, NULL);
        if (!held_out)
            printf("%zu rules\n", rules.count);
        print_losses(learner, &losses, set);
    }
    free(text);
    free(losses.loss);
    free(rules.rule);
    return status;
}

int rules_command(int argc, char **argv)
{
    static const struct page_usage usage = { "rules", help_text, "learn from",
                                             "held-out" };
    struct page_options options;
    struct published set = { 0 };
    struct learner learner = { .points = variant_points };
    int status;
    if (!page_options(argc, argv, &usage, &options, &status))
        return status;
    if (!published_read(&set, options.runs, options.run_count)) {
        status = EXIT_BAD;
    } else if (!published_of_gpu(&set)) {
        status = EXIT_NOTHING;
    } else {
        for (size_t k = 0; k < set.count; ++k)
            learner_add(&learner, &set.run[k], published_name(&set.run[k]));
        learner_judge(&learner);
        status = conclude(&learner, &set, &options);
    }
    learner_free(&learner);
    published_free(&set);
    return status;
}
