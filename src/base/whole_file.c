/* SPDX-License-Identifier: MIT */
#include "src/base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/memory.h"

/* "PATH.part", where PATH is a regular file or none yet. */
static char *part_of(const char *path)
{
    struct stat stat_of;
    if (lstat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode))
        return NULL;
    const size_t bytes = strlen(path) + sizeof ".part";
    char *part = memory_grown(NULL, bytes, 1);
    snprintf(part, bytes, "%s.part", path);
    return part;
}

bool whole_file_open(struct whole_file *whole, const char *path)
{
    *whole = (struct whole_file){ .path = path, .part = part_of(path) };
    whole->file = fopen(whole->part ? whole->part : path, "w");
    if (!whole->file)
        free(whole->part);
    return whole->file;
}

bool whole_file_close(struct whole_file *whole)
{
    const bool failed = ferror(whole->file);
    bool ok = fflush(whole->file) == 0 && !failed;
    int why = errno;
    if (fclose(whole->file) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && whole->part && rename(whole->part, whole->path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok && whole->part)
        unlink(whole->part);
    free(whole->part);
    errno = ok ? 0 : why;
    return ok;
}
