/* SPDX-License-Identifier: MIT
 *
 * What every command says of a file that it cannot write.
 */
#ifndef HARNESS_CLI_CANNOT_WRITE_H
#define HARNESS_CLI_CANNOT_WRITE_H

#include <stdbool.h>

/* By errno, on stderr. Returns false. */
bool cannot_write(const char *path);

#endif
