/* SPDX-License-Identifier: MIT */
#include "src/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *regular_file_open(const char *path)
{
    struct stat stat;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode))
        return fdopen(fd, "r");
    close(fd);
    errno = S_ISDIR(stat.st_mode) ? EISDIR : ENOTSUP;
    return NULL;
}

const char *regular_file_why(int error)
{
    return error == EISDIR || error == ENOTSUP ? "it is no file"
                                               : strerror(error);
}
