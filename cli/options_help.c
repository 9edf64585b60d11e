/* SPDX-License-Identifier: MIT
 *
 * --help and --version.
 */
#include "cli/common/options_parts.h"
#include "cli/common/rows.h"

#include <stdio.h>
#include <string.h>

#include "harness/build.h"
#include "harness/version.h"
#include "src/model/grid.h"
#include "src/model/random_grid.h"

enum { COLUMN = 24, WIDE = 80 };

/* Prints a text in its column, after `chars` printed characters. */
static void put_text(int chars, const char *text)
{
    if (chars < COLUMN)
        printf("%*s", COLUMN - chars, "");
    else
        printf("\n%*s", COLUMN, "");
    write_wrapped(stdout, text, COLUMN, COLUMN, WIDE);
}

static void put_options(unsigned commands)
{
    for (const struct option_row *row = option_rows; row->name; ++row) {
        if (!(row->commands & commands))
            continue;
        const bool letter = row->letter;
        const int chars = printf("  %c%c%c --%s%s%s", letter ? '-' : ' ',
                                 letter ? row->letter : ' ', letter ? ',' : ' ',
                                 row->name, row->argument ? " " : "",
                                 row->argument ? row->argument : "");
        put_text(chars, row->help);
    }
}

static void put_commands(unsigned commands)
{
    for (int c = 0; c < COMMAND_COUNT; ++c)
        if (commands & 1u << c)
            printf("  scanbench %-10s %s\n", command_rows[c].name,
                   command_rows[c].summary);
}

static void put_grids(unsigned commands)
{
    (void)commands;
#define PUT(name, text) put_text(printf("  " #name), text);
#define PUT_RANDOM(constant, name, text)                                       \
    put_text(printf("  %s:SEED[:COUNT]", #name), text);
    GRIDS(PUT)
    RANDOM_GRIDS(PUT_RANDOM)
}

/* Writes each status once, before all its meanings. Among other commands, a
 * meaning of a single command has its name. */
static void put_exits(unsigned commands)
{
    int last = -1;
    for (const struct exit_row *row = exit_rows; row->text; ++row) {
        char text[256], number[16];
        const bool again = row->status == last;
        const bool named = commands != row->commands &&
                           (row->commands & (row->commands - 1)) == 0;
        if (!(row->commands & commands))
            continue;
        snprintf(text, sizeof text, "%s%s%s%s", again ? "or " : "",
                 named ? command_rows[__builtin_ctz(row->commands)].name : "",
                 named ? ": " : "", row->text);
        snprintf(number, sizeof number, "%d", row->status);
        printf("  %-4s", again ? "" : number);
        write_wrapped(stdout, text, 6, 6, WIDE);
        last = row->status;
    }
}

void put_page(const char *name, unsigned commands)
{
    static const struct {
        const char *line;
        void (*put)(unsigned commands);
    } lists[] = { { "COMMANDS\n", put_commands },
                  { "OPTIONS\n", put_options },
                  { "GRIDS\n", put_grids },
                  { "EXIT STATUS\n", put_exits } };
    enum { LISTS = sizeof lists / sizeof *lists };
    const size_t chars = strlen(name);
    const char *const *page = help_texts;
    while (strncmp(*page, name, chars) != 0 || (*page)[chars] != '\n')
        ++page;
    const char *text = *page + chars + 1, *next;
    for (; *text; text = next) {
        next = text + strcspn(text, "\n") + 1;
        fwrite(text, 1, (size_t)(next - text), stdout);
        for (int k = 0; k < LISTS; ++k)
            if (strncmp(text, lists[k].line, strlen(lists[k].line)) == 0)
                lists[k].put(commands);
    }
}

void put_version(void)
{
    printf("scanbench %s, commit %s, ", SCANBENCH_RELEASE, SCANBENCH_VERSION);
    if (*SCANBENCH_NVCC)
        printf("nvcc %s, %s\n", SCANBENCH_NVCC, SCANBENCH_ARCHITECTURES);
    else
        printf("host variants only (%s)\n", SCANBENCH_NO_CUDA);
}
