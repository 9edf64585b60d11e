/* SPDX-License-Identifier: MIT */
#include "cli/common/installed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX])
{
    char program[PATH_MAX / 2] = "", file[PATH_MAX];
    const ssize_t chars =
        readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = chars > 0 ? strrchr(program, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    snprintf(file, sizeof file, "%s/%.512s", program, installed);
    if (realpath(file, path))
        return true;
    snprintf(file, sizeof file, "%s/%.512s", program, built);
    return realpath(file, path);
}
