/* SPDX-License-Identifier: MIT */
#include "src/base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/memory.h"

bool whole_file_open(struct whole_file *whole, const char *path)
{
    static const char ending[] = ".part-XXXXXX";
    const size_t bytes = strlen(path) + sizeof ending;
    const mode_t mask = umask(0);
    struct stat stat_of;
    umask(mask);
    *whole = (struct whole_file){ .path = path };
    if (lstat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode)) {
        whole->file = fopen(path, "w");
        return whole->file;
    }
    whole->part = memory_grown(NULL, bytes, 1);
    snprintf(whole->part, bytes, "%s%s", path, ending);
    const int fd = mkstemp(whole->part);
    if (fd >= 0)
        (void)!fchmod(fd, 0666 & ~mask); /* like any new file */
    whole->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (whole->file)
        return true;
    if (fd >= 0)
        unlink(whole->part);
    free(whole->part);
    return false;
}

bool whole_file_close(struct whole_file *whole)
{
    const bool failed = ferror(whole->file);
    int error = fflush(whole->file) == 0 && !failed ? 0 : errno ? errno : EIO;
    if (!error && whole->part && fsync(fileno(whole->file)))
        error = errno;
    if (fclose(whole->file) != 0 && !error)
        error = errno;
    if (!error && whole->part && rename(whole->part, whole->path) != 0)
        error = errno;
    if (error && whole->part)
        unlink(whole->part);
    free(whole->part);
    errno = error;
    return !error;
}

char *whole_file_read(const char *path, size_t *bytes)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    const ssize_t got = file ? getdelim(&text, &room, '\0', file) : -1;
    const bool ok = file && (got >= 0 || (feof(file) && !ferror(file)));
    const int error = errno;
    *bytes = got < 0 ? 0 : (size_t)got;
    if (ok)
        text[*bytes] = '\0'; /* of an empty file, too */
    if (file)
        fclose(file);
    if (!ok)
        free(text);
    errno = error;
    return ok ? text : NULL;
}

static const char *remedy_of(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
    case EROFS:
        return "you may not write there: name another place";
    case EMFILE:
    case ENFILE:
        return "raise the limit on open files (ulimit -n)";
    case ENOTDIR:
    case ENOENT:
    case ENAMETOOLONG:
    case ELOOP:
        return "make its folder first, or name another place";
    default:
        return "free some space if there is none, or name another place";
    }
}

bool cannot_write(const char *path)
{
    const int error = errno;
    fprintf(stderr, "scanbench: cannot write %s: %s\n%s\n", path,
            strerror(error), remedy_of(error));
    return false;
}

bool write_all(int file, const void *data, size_t bytes)
{
    for (const char *from = data; bytes > 0;) {
        const ssize_t written = write(file, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}
