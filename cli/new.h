/* SPDX-License-Identifier: MIT
 *
 * scanbench new FOLDER/NAME: the first file of a plugin.
 */
#ifndef CLI_NEW_H
#define CLI_NEW_H

int new_command(int argc, char **argv);

/* What there is to begin with; plugins/embed.sh makes the table, and a NULL
 * folder ends it. */
struct new_file {
    const char *folder, *ending, *text;
};
extern const struct new_file new_files[];

#endif
