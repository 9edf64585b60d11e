/* SPDX-License-Identifier: MIT
 *
 * scanbench which: the kernel that `best` calls for a shape on a GPU, and the
 * time to expect, from rules and measured cells that are built in.
 */
#include "cli/common/commands.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/options_parts.h"
#include "cli/common/rows.h"
#include "harness/sweep/progress.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/choose/measured.h"
#include "variants/choose.h"

/* ----------------------------------------------------------------- the GPU */

struct target {
    const struct rules *rules;
    struct device_facts facts;
    struct measured measured;
};

/* Reads a GPU's measured cells (none for a known card); false if unknown. */
static bool find_measured(struct measured *measured, const char *gpu)
{
    const char *const *text = measured_texts;
    const size_t chars = strlen(gpu);
    while (*text && (strncmp(*text, gpu, chars) || (*text)[chars] != '\n'))
        ++text;
    if (*text)
        return measured_parse(measured, *text + chars + 1);
    const struct known_gpu *card = known_gpu_find(gpu);
    if (!card)
        return false;
    measured->capability = card->facts.compute_capability;
    measured->sm_count = card->facts.sm_count;
    measured->bus_gbps = card->bus_gbps;
    snprintf(measured->gpu, sizeof measured->gpu, "%s", card->card);
    return true;
}

/* Finds the rules for a GPU, or reads a file of them. False after a message. */
static bool find_target(struct target *target, const char *gpu)
{
    static struct rule_sets sets;
    const char *const no_roots[] = { NULL };
    struct measured *measured = &target->measured;
    const bool known = find_measured(measured, gpu);
    if (!known && access(gpu, F_OK)) {
        char text[KNOWN_GPUS_BYTES + 64] =
            "it is a file of rules, h200 or h100; ";
        known_gpus_text(text + strlen(text));
        return complain("gpu", gpu, text);
    }
    if (!rule_sets_read(&sets, known ? NULL : gpu, no_roots, NULL)) {
        fprintf(stderr, "scanbench: %s\n", sets.why);
        return false;
    }
    const struct rules *rules =
        sets.named ? sets.rules
                   : rules_nearest(sets.rules, sets.count, measured->gpu,
                                   measured->capability, measured->sm_count,
                                   measured->bus_gbps);
    if (sets.named) { /* their cells are not built in */
        measured_free(measured);
        measured->capability = rules->capability;
        snprintf(measured->gpu, sizeof measured->gpu, "%s",
                 *rules->gpu ? rules->gpu : rules->name);
    }
    target->rules = rules;
    target->facts = known_gpus->facts;
    for (const struct known_gpu *card = known_gpus; card->arch; ++card)
        if (card->facts.compute_capability <= measured->capability)
            target->facts = card->facts;
    target->facts.code_capability = 120; /* as if built for all */
    target->facts.rules = rules;
    return true;
}

/* -------------------------------------------------------------- the answer */

struct answer {
    const struct target *target;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    const char *kernel;                  /* or NULL */
    const struct catalogue_point *point; /* of the kernel, or NULL */
    bool asked; /* the kernel itself, whether it refuses the shape */
    struct expectation expected;
    struct measured_near near[MEASURED_NEAR], eager[MEASURED_NEAR],
        compiled[MEASURED_NEAR];
};

/* Takes the choice of the built variants, or else the rules' best variant that
 * the operation has. Ragged lines have no rules: one kernel serves contiguous
 * lines, another strided ones. */
static void choose(struct answer *answer)
{
    const struct problem problem = { .op = answer->op,
                                     .dtype = answer->dtype,
                                     .shape = answer->shape,
                                     .device = &answer->target->facts };
    const struct catalogue_point *points =
        rules_other(answer->op, answer->dtype) && op_inputs(answer->op) < 2
            ? operator_points
            : variant_points;
    const struct rules_variant *ranked[RULES_RANKED];
    const struct variant *variant = choose_variant(&problem);
    const int count = rules_rank(answer->target->rules, answer->op,
                                 answer->dtype, answer->shape, ranked);
    const char *only = variant                           ? variant->name
                       : !shape_is_ragged(answer->shape) ? NULL
                       : answer->shape.inner > 1         ? "ragged_columns"
                                                         : "ragged_spans";
    answer->asked = variant != NULL;
    for (int k = only ? -1 : 0; k < count && !answer->kernel; ++k) {
        const char *name = k < 0 ? only : ranked[k]->name;
        const int place = catalogue_find(points, answer->op, name);
        answer->kernel = k < 0 || place >= 0 ? name : NULL;
        answer->point = place >= 0 ? &points[place] : NULL;
    }
}

/* True if `best` was measured at the shape itself. */
static bool is_measured(const struct answer *answer)
{
    return answer->near->cell &&
           shape_equal(answer->near->cell->shape, answer->shape);
}

static struct answer answer_for(const struct target *target, enum op op,
                                enum dtype dtype, struct shape shape)
{
    struct answer answer = {
        .target = target, .op = op, .dtype = dtype, .shape = shape
    };
    const struct measured *measured = &target->measured;
    choose(&answer);
    answer.expected = measured_expect(measured, op, dtype, shape);
    measured_nearest(measured, "unseen known", op, dtype, shape, answer.near);
    measured_nearest(measured, "torch_eager", op, dtype, shape, answer.eager);
    measured_nearest(measured, "torch_compile", op, dtype, shape,
                     answer.compiled);
    if (is_measured(&answer)) {
        answer.expected.us = answer.near->cell->us;
        answer.expected.share_pct = answer.near->cell->share_pct;
    }
    return answer;
}

/* Returns why the answer may be wrong, each reason after "; "; for free(). */
static char *guess_of(const struct answer *answer)
{
    const struct rules *rules = answer->target->rules;
    const struct expectation *expected = &answer->expected;
    char *text;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    const bool ragged = shape_is_ragged(answer->shape);
    if (!ragged && *rules->gpu &&
        strcmp(answer->target->measured.gpu, rules->gpu) != 0)
        fprintf(file, "; the rules are those of the %s", rules->gpu);
    if (!ragged &&
        !rules_measured(rules, answer->op, answer->dtype, answer->shape))
        fputs("; the rules are those of other operators or types", file);
    if (!answer->asked && !is_measured(answer))
        fputs("; not built here, so it may refuse the shape", file);
    if (isnan(expected->share_pct))
        fputs("; no unseen shape of this operation and type is known", file);
    else if (!is_measured(answer) &&
             expected->octaves > expected->usual_octaves)
        fprintf(file, "; the nearest unseen shape is far: %.1f octaves",
                expected->octaves);
    memory_close(file, &text);
    return text;
}

/* ------------------------------------------------------------------ output */

__attribute__((format(printf, 2, 3))) static void
put_line(const char *label, const char *format, ...)
{
    enum { LABEL = 10 };
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%-*s", LABEL, label);
    write_wrapped(stdout, text, LABEL, LABEL, terminal_room(STDOUT_FILENO));
}

static void put_near(const char *label, const struct measured_near *near,
                     int most)
{
    for (int k = 0; k < most && near[k].cell; ++k) {
        const struct measured_cell *cell = near[k].cell;
        char shape[SHAPE_TEXT_BYTES], times[96] = "";
        if (strncmp(cell->set, "torch", 5) == 0 && cell->regret_pct >= 0.5)
            snprintf(times, sizeof times,
                     "%.3g times %s's time: ", 1 + cell->regret_pct / 100,
                     cell->fastest);
        put_line(k ? "" : label,
                 "%s%.*f us, %.0f %%%s, at %s, %.1f octaves away", times,
                 cell->us < 100 ? 2 : 0, cell->us, cell->share_pct,
                 strcmp(cell->set, cell->fastest) ? "" : ", the fastest there",
                 shape_format(cell->shape, shape), near[k].octaves);
    }
}

static void put_answer(const struct answer *answer, const char *said,
                       bool first)
{
    const struct expectation *expected = &answer->expected;
    char *guess = guess_of(answer), regret[80] = "";
    if (!isnan(expected->regret_pct))
        snprintf(regret, sizeof regret, ", best within %.1f %% of the fastest",
                 expected->regret_pct);
    printf("%s%s: %s %s over %s\n", first ? "" : "\n",
           answer->target->measured.gpu, op_name(answer->op),
           dtype_name(answer->dtype), said);
    put_line("kernel", "%s", answer->kernel ? answer->kernel : "none");
    if (answer->point)
        put_line("file", "variants/%s: %s", answer->point->file,
                 answer->point->idea);
    if (!isnan(expected->share_pct))
        put_line(is_measured(answer) ? "measured" : "expected",
                 "%.*f us, %.0f %% of the ceiling (%s)",
                 expected->us < 100 ? 2 : 0, expected->us, expected->share_pct,
                 op_name(op_twin(answer->op, answer->dtype)));
    if (expected->shapes && !isnan(expected->share_pct))
        put_line("error",
                 "%zu unseen shapes (%s): in 90 %% of them the share is within "
                 "%.1f points%s",
                 expected->shapes,
                 shape_class_name(shape_class_of(answer->shape)),
                 expected->error_points, regret);
    if (*guess)
        put_line("guess", "%s", guess + 2);
    put_near("nearest", answer->near, 3);
    put_near("torch", answer->eager, 1);
    put_near("compiled", answer->compiled, 1);
    free(guess);
}

/* Writes a list of cells as a field of JSON. */
static void record_near(const char *name,
                        const struct measured_near near[MEASURED_NEAR])
{
    printf(", \"%s\": [", name);
    for (int k = 0; k < MEASURED_NEAR && near[k].cell; ++k) {
        const struct measured_cell *cell = near[k].cell;
        char shape[SHAPE_TEXT_BYTES], regret[32];
        snprintf(regret, sizeof regret, "%.4g", cell->regret_pct);
        printf("%s{\"set\": \"%s\", \"shape\": \"%s\", \"octaves\": %.3g, "
               "\"us\": %.6g, \"share_pct\": %.4g, \"regret_pct\": %s, "
               "\"fastest\": \"%s\"}",
               k ? ", " : "", cell->set, shape_format(cell->shape, shape),
               near[k].octaves, cell->us, cell->share_pct,
               isnan(cell->regret_pct) ? "null" : regret, cell->fastest);
    }
    putchar(']');
}

static void record_answer(struct records *records, const struct answer *answer)
{
    const struct expectation *expected = &answer->expected;
    char *guess = guess_of(answer);
    record_text(records, "op", op_name(answer->op));
    record_text(records, "dtype", dtype_name(answer->dtype));
    record_shape(records, answer->shape);
    record_text(records, "gpu", answer->target->measured.gpu);
    record_text(records, "rules", answer->target->rules->name);
    record_text(records, "kernel", answer->kernel);
    record_text(records, "file", answer->point ? answer->point->file : NULL);
    record_text(records, "guess", *guess ? guess + 2 : NULL);
    record_whole(records, "measured", is_measured(answer));
    record_real(records, "us", expected->us);
    record_real(records, "share_pct", expected->share_pct);
    record_whole(records, "unseen_shapes", (int64_t)expected->shapes);
    record_real(records, "error_p90_points", expected->error_points);
    record_real(records, "regret_p90_pct", expected->regret_pct);
    record_near("nearest", answer->near);
    record_near("torch_eager", answer->eager);
    record_near("torch_compile", answer->compiled);
    record_end(records);
    free(guess);
}

/* ------------------------------------------------------------- the command */

static bool can_answer(enum op op, enum dtype dtype, struct shape shape)
{
    char why[OP_NAME_BYTES + 64], text[SHAPE_TEXT_BYTES];
    const bool ragged = shape_is_ragged(shape);
    if (!shape_elems(shape))
        return complain("shape", shape_format(shape, text),
                        "it has no elements");
    if (rules_kind(op) < 0)
        return complain("op", op_name(op),
                        "rules are of scans, reductions and flip");
    if (ragged && !op_may_be_ragged(op))
        return complain("op", op_name(op),
                        "ragged lines have sums, means and maxima alone, and "
                        "scans of those");
    if (op_has_dtype(op, dtype) && OP_HAS_KERNELS(op, dtype) &&
        (!ragged || dtype_is_float(dtype)))
        return true;
    snprintf(why, sizeof why, "there is no %s of it%s for GPUs", op_name(op),
             ragged ? " on ragged lines" : "");
    return complain("dtype", dtype_name(dtype), why);
}

/* Without a target, only refuses what has no answer. */
static bool answer_all(const struct target *target,
                       const struct which_options *options)
{
    const struct filter *filter = &options->filter;
    struct records records = { .json = filter->format == FORMAT_JSON,
                               .digits = 6 };
    char text[SHAPE_TEXT_BYTES];
    for (int k = 0; k < filter->shape_count; ++k)
        for (int o = 0; o < op_count(); ++o)
            for (enum dtype d = 0; d < DTYPE_COUNT; ++d) {
                const struct shape shape = filter->shapes[k];
                if (!(filter->ops >> o & 1 && filter->dtypes & DTYPE_BIT(d)))
                    continue;
                if (!target && !can_answer(op_at(o), d, shape))
                    return false;
                if (!target)
                    continue;
                const struct answer answer =
                    answer_for(target, op_at(o), d, shape);
                if (records.json)
                    record_answer(&records, &answer);
                else
                    put_answer(&answer,
                               k < SHAPES_SAID ? filter->said[k]
                                               : shape_format(shape, text),
                               !records.count++);
            }
    if (target)
        records_end(&records);
    return true;
}

int which_command(int argc, char **argv)
{
    static struct which_options options;
    static struct target target;
    struct filter *filter = &options.filter;
    struct words words;
    int status;
    options = (struct which_options){ .gpu = "h200" };
    if (!command_parse(COMMAND_WHICH, argc, argv, &options, &words, &status))
        return status;
    filter->late_ops = words.word[0];
    if (!filter->dtypes)
        filter->dtypes = DTYPE_BIT(DTYPE_F32);
    if (!take_late_ops(filter) || !take_shapes(words.word[1], filter) ||
        !answer_all(NULL, &options) || !find_target(&target, options.gpu))
        return EXIT_BAD;
    answer_all(&target, &options);
    measured_free(&target.measured);
    return EXIT_OK;
}
