/* SPDX-License-Identifier: MIT
 *
 * Whatever a user or a stranger's folder names is opened for reading so: a pipe
 * or a device may never end, nor begin.
 */
#ifndef SRC_BASE_REGULAR_FILE_H
#define SRC_BASE_REGULAR_FILE_H

#include <stdio.h>

/* NULL with errno: there is none, or it is no file. */
FILE *regular_file_open(const char *path);

/* What that errno means, or another. */
const char *regular_file_why(int error);

#endif
