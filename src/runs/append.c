/* SPDX-License-Identifier: MIT */
#include "src/runs/append.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/write_all.h"

bool append_create(struct append *file, const char *path)
{
    *file = (struct append){
        .fd =
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)
    };
    return file->is_open = file->fd >= 0;
}

bool append_open(struct append *file, const char *path)
{
    struct stat stat;
    *file = (struct append){ .fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC) };
    file->is_open = file->fd >= 0;
    if (!file->is_open || fstat(file->fd, &stat))
        return false;
    file->bytes = stat.st_size;
    return true;
}

bool append_drop_torn(struct append *file, bool *torn)
{
    char block[4096];
    const off_t most = sizeof block;
    off_t end = file->bytes, start = end;
    while (end == start && end > 0) { /* no line break so far */
        if (file->bytes - end > CSV_LINE_BYTES) {
            errno = EFBIG; /* no line is so long */
            return false;
        }
        start = end > most ? end - most : 0;
        if (pread(file->fd, block, (size_t)(end - start), start) != end - start)
            return false;
        while (end > start && block[end - start - 1] != '\n')
            --end;
    }
    *torn = end < file->bytes;
    file->bytes = end;
    return !*torn || ftruncate(file->fd, end) == 0;
}

/* Not flock(): a worker that outlives its parent for a moment would hold it. */
bool append_lock(struct append *file)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(file->fd, F_SETLK, &lock) == 0;
}

bool append_text(struct append *file, const char *text, size_t bytes)
{
    if (write_all(file->fd, text, bytes) && fsync(file->fd) == 0) {
        file->bytes += (off_t)bytes;
        return true;
    }
    const int error = errno;
    /* If even this fails, append_open() drops the rest of the line. */
    if (ftruncate(file->fd, file->bytes) == 0)
        (void)fsync(file->fd);
    errno = error;
    return false;
}

bool append_close(struct append *file)
{
    const bool was_open = file->is_open;
    file->is_open = false;
    return !was_open || close(file->fd) == 0;
}
