/* SPDX-License-Identifier: MIT
 *
 * What every command says of a file that it cannot write.
 */
#ifndef CLI_COMMON_CANNOT_WRITE_H
#define CLI_COMMON_CANNOT_WRITE_H

#include <stdbool.h>

/* By errno, on stderr. Returns false. */
bool cannot_write(const char *path);

#endif
