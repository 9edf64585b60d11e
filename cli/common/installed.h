/* SPDX-License-Identifier: MIT
 *
 * What was installed with this program, or lies in its build, wherever both
 * were moved to.
 */
#ifndef CLI_COMMON_INSTALLED_H
#define CLI_COMMON_INSTALLED_H

#include <limits.h>
#include <stdbool.h>

/* Puts the first file to *path that is there, of two that are named from the
 * program's folder; false: neither. */
bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX]);

#endif
