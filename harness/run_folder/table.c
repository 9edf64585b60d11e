/* SPDX-License-Identifier: MIT */
#include "harness/run_folder/table.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool table_create(struct table *table, const char *path)
{
    table->fd =
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    table->bytes = 0;
    return table->is_open = table->fd >= 0;
}

bool table_reopen(struct table *table, const char *path)
{
    struct stat stat;
    table->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (table->fd < 0 || fstat(table->fd, &stat))
        return false;
    table->bytes = stat.st_size;
    return table->is_open = true;
}

/* Not flock(): a worker that outlives its parent for a moment would hold it. */
bool table_lock(struct table *table)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(table->fd, F_SETLK, &lock) == 0;
}

static bool write_all(int fd, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = write(fd, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return fsync(fd) == 0;
}

bool table_append(struct table *table, const char *text, size_t bytes)
{
    if (write_all(table->fd, text, bytes)) {
        table->bytes += (off_t)bytes;
        return true;
    }
    const int error = errno;
    /* Where even this fails, the half line waits for table_mend(). */
    if (ftruncate(table->fd, table->bytes) == 0)
        (void)fsync(table->fd);
    errno = error;
    return false;
}

bool table_close(struct table *table)
{
    const bool was_open = table->is_open;
    table->is_open = false;
    return !was_open || close(table->fd) == 0;
}
