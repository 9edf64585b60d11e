/* SPDX-License-Identifier: MIT
 *
 * Every list of words that there is, each of which is defined elsewhere.
 */
#include "harness/cli/help.h"

#include "harness/cli/glossary.h"
#include "harness/cli/options_parts.h"
#include "harness/cli/points.h"
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

/* Signs and short headings of tables. */
static const struct row_word signs[] = {
    { "%", "Share of the ceiling: pct_ceiling" },
    { "CUB", "The time of CUB's fastest variant over that of the fastest" },
    { "=", "Within noise of the first: the 95 % intervals of the two overlap" },
    { "?", "Doubtful: unstable or suspect, as its reason says" },
    { "us", "Microseconds: the geometric mean of the processes' medians" },
    { "GB/s", "Compulsory bytes over that time, in 1e9 bytes a second: gbps" },
    { "error", "The largest error: max_err" },
    { NULL, NULL },
};

static const char *op_meaning(enum op op)
{
    static const char *const meanings[OP_COUNT] = {
        [OP_CUMSUM] = "y[a] = x[0] + ... + x[a]",
        [OP_CUMSUM_EXCLUSIVE] = "y[a] = x[0] + ... + x[a-1], y[0] = 0",
        [OP_CUMSUM_REVERSE] = "y[a] = x[a] + ... + x[axis-1]",
        [OP_MASKED_CUMSUM] = "cumsum of (mask ? x : 0)",
        [OP_SUM] = "y = x[0] + ... + x[axis-1], one output per line",
        [OP_FLIP] = "y[a] = x[axis-1-a]",
        [OP_COPY] = "y[a] = x[a]: the ceiling of scans and flips",
        [OP_MASKED_COPY] = "y[a] = mask ? x[a] : 0: masked_cumsum's ceiling",
        [OP_READ] = "all of x is read: the ceiling of sums",
        [OP_WRITE] = "all of y is written",
    };
    return meanings[op];
}

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

static void visit_families(visitor *visit, void *context)
{
    for (const struct catalogue_point *p = variant_points; p->name; ++p)
        if (p == variant_points || strcmp(p->id, p[-1].id) != 0) {
            visit(context, "family", p->id, p->idea);
            visit(context, "family", strchr(p->id, '/') + 1, p->idea);
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
    visit_files(visit, context);
    visit_words(row_statuses, "status", visit, context);
    visit_words(row_marks, "mark", visit, context);
    visit_words(signs, "in tables", visit, context);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        visit(context, "verdict of compare", verdict_name((enum verdict)v),
              verdict_meaning((enum verdict)v));
    for (int k = 0; k < SHAPE_CLASS_COUNT; ++k)
        visit(context, "class of shapes", shape_class_name((enum shape_class)k),
              shape_class_meaning((enum shape_class)k));
    for (int op = 0; op < OP_COUNT; ++op)
        visit(context, "operation", op_name((enum op)op),
              op_meaning((enum op)op));
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
