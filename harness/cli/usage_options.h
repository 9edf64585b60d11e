/* SPDX-License-Identifier: MIT
 *
 * The options of the commands that have a parser and a help of their own, out
 * of those helps, for `scanbench help OPTION`.
 */
#ifndef HARNESS_CLI_USAGE_OPTIONS_H
#define HARNESS_CLI_USAGE_OPTIONS_H

#include <stddef.h>

extern const char compare_help[], convert_help[], export_help[], ladder_help[],
    rules_help[], regret_help[], report_help[], show_help[], table_help[],
    tune_help[];

struct usage_option {
    char name[32], kind[48]; /* "top", "option of compare" */
    char meaning[512];
};

/* Those that a help explains: "  -f, --filter REGEX   text", with what
 * follows in its column. A line that names several options explains none. Up to
 * `most`; how many. */
size_t usage_options(const char *command, const char *help,
                     struct usage_option *found, size_t most);

#endif
