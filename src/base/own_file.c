/* SPDX-License-Identifier: MIT */
#include "src/base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0: it is. */
static int is_own(int fd)
{
    struct stat stat;
    if (fstat(fd, &stat))
        return errno;
    if (!S_ISREG(stat.st_mode))
        return S_ISDIR(stat.st_mode) ? EISDIR : ENOTSUP;
    return stat.st_nlink > 1 ? EMLINK : 0;
}

int own_file_open(const char *path, int flags)
{
    /* Opening a pipe would wait for who is at its other end. */
    const int fd =
        open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    const int error = fd < 0 ? errno : is_own(fd);
    if (!error)
        return fd;
    if (fd >= 0)
        close(fd);
    errno = error == ELOOP ? EMLINK : error;
    return -1;
}

FILE *own_file_stream(int fd, const char *mode)
{
    FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
    if (!file && fd >= 0)
        close(fd);
    return file;
}

FILE *own_file_create(const char *path)
{
    unlink(path);
    return own_file_stream(
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666),
        "w");
}

const char *own_file_why(int error)
{
    return error == EMLINK
               ? "it is a link, or a file of two names, and may be no file of "
                 "the run: go on with a copy of the folder (cp -rL)"
               : strerror(error);
}
