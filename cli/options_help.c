/* SPDX-License-Identifier: MIT
 *
 * --help and --version, from the tables of commands and options.
 */
#include "cli/common/options_parts.h"

#include "harness/build.h"
#include "harness/version.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 24, WIDE = 80 };

/* Words from COLUMN on, where the first line is already. */
static void put_wrapped(const char *text)
{
    int used = COLUMN;
    while (*(text += strspn(text, " "))) {
        const int chars = (int)strcspn(text, " ");
        if (used > COLUMN && used + 1 + chars > WIDE) {
            printf("\n%*s", COLUMN, "");
            used = COLUMN;
        } else if (used > COLUMN) {
            putchar(' ');
            ++used;
        }
        printf("%.*s", chars, text);
        used += chars;
        text += chars;
    }
    putchar('\n');
}

static void put_row(const struct option_row *row)
{
    const bool letter = row->letter;
    const int chars =
        printf("  %c%c%c --%s%s%s", letter ? '-' : ' ',
               letter ? row->letter : ' ', letter ? ',' : ' ', row->name,
               row->argument ? " " : "", row->argument ? row->argument : "");
    if (chars < COLUMN)
        printf("%*s", COLUMN - chars, "");
    else
        printf("\n%*s", COLUMN, "");
    put_wrapped(row->help);
}

void options_put_help(enum command command)
{
    const struct command_row *row = &command_rows[command];
    printf("%s\n", row->about);
    for (const struct option_row *o = option_rows; o->name; ++o)
        if (o->commands & 1u << command)
            put_row(o);
    if (row->notes)
        printf("\n%s", row->notes);
}

void options_put_overview(void)
{
    puts("How fast can a scan or a reduction along one axis run on this "
         "machine?\n");
    for (int c = 0; c < COMMAND_COUNT; ++c)
        printf("  scanbench %-10s %s\n", command_rows[c].name,
               command_rows[c].summary);
    puts("\n  scanbench COMMAND --help   its options, with examples\n"
         "  scanbench --version\n\n"
         "Start with: scanbench run --quick");
    printf("\n%s", exit_statuses);
}

void options_put_version(void)
{
    printf("scanbench %s, commit %s, ", SCANBENCH_RELEASE, SCANBENCH_VERSION);
    if (*SCANBENCH_NVCC)
        printf("nvcc %s, %s\n", SCANBENCH_NVCC, SCANBENCH_ARCHITECTURES);
    else
        printf("host variants only (%s)\n", SCANBENCH_NO_CUDA);
}
