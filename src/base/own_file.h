/* SPDX-License-Identifier: MIT
 *
 * Files of a run's folder, which may be a stranger's: what is written under a
 * name there changes no other file, whatever links the folder holds.
 */
#ifndef SRC_BASE_OWN_FILE_H
#define SRC_BASE_OWN_FILE_H

#include <stdio.h>

/* As open() with those flags; -1 with errno. What is a link, or a file that
 * another name leads to, is refused (EMLINK), and so is what is no file. */
int own_file_open(const char *path, int flags);

/* Its stream, in fdopen()'s mode; NULL with errno, and with the file closed.
 * NULL of a file that is none. */
FILE *own_file_stream(int fd, const char *mode);

/* A new file, in place of whatever has the name: a link, or what a crash has
 * left. NULL with errno. */
FILE *own_file_create(const char *path);

/* strerror(), and of EMLINK what to do. */
const char *own_file_why(int error);

#endif
