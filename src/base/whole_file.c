/* SPDX-License-Identifier: MIT */
#include "src/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/memory.h"

/* False with errno. A pipe or a device need not sync. */
static bool write_and_close(int fd, const char *text, size_t bytes)
{
    const bool ok =
        write_all(fd, text, bytes) && (fsync(fd) == 0 || errno == EINVAL);
    const int error = errno;
    const bool closed = close(fd) == 0;
    if (!ok)
        errno = error;
    return ok && closed;
}

bool whole_file_write(const char *path, const char *text, size_t bytes)
{
    static const char ending[] = ".part-XXXXXX";
    const size_t part_bytes = strlen(path) + sizeof ending;
    const mode_t mask = umask(0);
    struct stat stat_of;
    sigset_t late, before;
    umask(mask);
    if (lstat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode)) {
        const int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0666);
        return fd >= 0 && write_and_close(fd, text, bytes);
    }
    char *part = memory_grown(NULL, part_bytes, 1);
    snprintf(part, part_bytes, "%s%s", path, ending);
    sigfillset(&late);
    sigprocmask(SIG_BLOCK, &late, &before);
    const int fd = mkstemp(part);
    if (fd >= 0)
        (void)!fchmod(fd, 0666 & ~mask); /* like any new file */
    const bool ok =
        fd >= 0 && write_and_close(fd, text, bytes) && rename(part, path) == 0;
    const int error = errno;
    if (fd >= 0 && !ok)
        unlink(part);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(part);
    errno = error;
    return ok;
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
    case EISDIR:
        return "name another place, where you may write";
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
