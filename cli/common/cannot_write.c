/* SPDX-License-Identifier: MIT */
#include "cli/common/cannot_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool cannot_write(const char *path)
{
    const int error = errno;
    fprintf(stderr, "scanbench: cannot write %s: %s\n%s\n", path,
            strerror(error),
            error == ENOSPC || error == EDQUOT || error == EFBIG
                ? "free some space, or name another place"
            : error == ENOENT ? "make its folder first, or name another place"
                              : "name another place");
    return false;
}
