/* SPDX-License-Identifier: MIT
 *
 * Every list of words that there is, each of which is defined elsewhere.
 */
#include "harness/cli/help.h"

#include "harness/cli/glossary.h"
#include "harness/cli/help_words.h"
#include "harness/cli/options_parts.h"
#include "harness/cli/points.h"
#include "harness/cli/usage_options.h"
#include "harness/tally.h"
#include "src/base/memory.h"
#include "src/base/nearest.h"
#include "src/base/shape_class.h"
#include "src/judge/comparison.h"
#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/row_words.h"
#include "src/runs/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A word with its kind; called for all there are. */
typedef void visitor(void *context, const char *kind, const char *name,
                     const char *meaning);

static void visit_words(const struct row_word *words, const char *kind,
                        visitor *visit, void *context)
{
    for (; words->name; ++words)
        visit(context, kind, words->name, words->meaning);
}

static void visit_files(visitor *visit, void *context)
{
    static const struct row_word ceilings[] = {
#define CEILING_WORD(name, meaning) { #name, meaning },
        CEILING_COLUMNS(CEILING_WORD)
#undef CEILING_WORD
            { NULL, NULL },
    };
    static const struct row_word samples[] = {
#define SAMPLES_WORD(name, meaning) { #name, meaning },
        SAMPLES_COLUMNS(SAMPLES_WORD)
#undef SAMPLES_WORD
            { NULL, NULL },
    };
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        visit(context, "column of <op>.csv", row_columns[c].name,
              row_columns[c].meaning);
    visit_words(ceilings, "column of ceilings.csv", visit, context);
    visit_words(samples + SAMPLES_COLUMN_COUNT - 1, "column of " SAMPLES_FILE,
                visit, context);
    visit(context, "file of a run", SAMPLES_FILE,
          "every sample, one line for each process of a cell; of "
          "`run --samples`");
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k)
        visit(context, "key of manifest.csv", manifest_keys[k].name,
              manifest_keys[k].meaning);
}

/* The commands that explain their options themselves. */
static void visit_usages(visitor *visit, void *context)
{
    enum { MOST = 24, USAGES = 10 };
    static const struct {
        const char *command, *help;
    } usages[USAGES] = {
        { "compare", compare_help }, { "convert", convert_help },
        { "export", export_help },   { "ladder", ladder_help },
        { "regret", regret_help },   { "report", report_help },
        { "rules", rules_help },     { "show", show_help },
        { "table", table_help },     { "tune", tune_help },
    };
    static struct usage_option options[USAGES][MOST]; /* names stay */
    for (int u = 0; u < USAGES; ++u) {
        const size_t count =
            usage_options(usages[u].command, usages[u].help, options[u], MOST);
        for (size_t k = 0; k < count; ++k)
            visit(context, options[u][k].kind, options[u][k].name,
                  options[u][k].meaning);
    }
}

static void visit_families(visitor *visit, void *context)
{
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        if (p == variant_points || strcmp(p->id, p[-1].id) != 0) {
            const char *name = strchr(p->id, '/') + 1;
            char kind[64];
            snprintf(kind, sizeof kind, "family of %.*s",
                     (int)(name - p->id - 1), p->id);
            visit(context, "family", p->id, p->idea);
            visit(context, kind, name, p->idea);
        }
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        visit(context, "variant", p->name, p->idea);
}

static void visit_all(visitor *visit, void *context)
{
    for (const struct command_row *c = command_rows; c->name; ++c)
        visit(context, "command", c->name, c->summary);
    for (const struct option_row *o = option_rows; o->getopt.name; ++o)
        visit(context, "option", o->getopt.name, o->help);
    visit_usages(visit, context);
    visit_files(visit, context);
    visit_words(row_statuses, "status", visit, context);
    visit_words(row_marks, "mark", visit, context);
    visit_words(help_signs, "in tables", visit, context);
    visit_words(help_grids, "grid", visit, context);
    visit_words(help_exit_statuses, "exit status", visit, context);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        visit(context, "verdict of compare", verdict_name((enum verdict)v),
              verdict_meaning((enum verdict)v));
    for (int k = 0; k < SHAPE_CLASS_COUNT; ++k)
        visit(context, "class of shapes", shape_class_name((enum shape_class)k),
              shape_class_meaning((enum shape_class)k));
    for (int op = 0; op < OP_COUNT; ++op)
        visit(context, "operation", op_name((enum op)op), help_op((enum op)op));
    for (int d = 0; d < DTYPE_COUNT; ++d)
        visit(context, "element type", dtype_name((enum dtype)d),
              help_dtype((enum dtype)d));
    visit_words(glossary_words, "word of the pages", visit, context);
    visit_families(visit, context);
}

/* ------------------------------------------------------------------ asking */

struct question {
    const char *word;
    int answers;
    const char **names; /* all there are */
    size_t count, room;
};

static void answer(void *context, const char *kind, const char *name,
                   const char *meaning)
{
    struct question *question = context;
    if (question->count < question->room)
        question->names[question->count++] = name;
    if (strcmp(question->word, name) != 0)
        return;
    printf("%s (%s): ", name, kind);
    for (; *meaning; ++meaning)
        if (*meaning != '`')
            putchar(*meaning);
    putchar('\n');
    ++question->answers;
}

static int ask(const char *word)
{
    enum { MOST = 8192, NEAR = 3 };
    const char **names = memory_for(MOST, sizeof *names), *near[NEAR];
    struct question question = { word, 0, names, 0, MOST };
    visit_all(answer, &question);
    const size_t found =
        question.answers
            ? 0
            : nearest_names(word, names, question.count, near, NEAR);
    free(names);
    if (question.answers)
        return EXIT_OK;
    fprintf(stderr, "scanbench: help knows no word '%s'", word);
    for (size_t k = 0; k < found; ++k)
        fprintf(stderr, "%s%s", k ? ", " : "; near: ", near[k]);
    fputc('\n', stderr);
    return EXIT_BAD;
}

int help_command(int argc, char **argv)
{
    int status = EXIT_OK;
    if (argc < 3)
        options_put_overview();
    for (int k = 2; k < argc; ++k) {
        const size_t dashes = strspn(argv[k], "-");
        if (ask(argv[k] + (argv[k][dashes] ? dashes : 0)) != EXIT_OK)
            status = EXIT_BAD;
    }
    return status;
}
