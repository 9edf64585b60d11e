/* SPDX-License-Identifier: MIT */
#include "src/runs/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/own_file.h"
#include "src/base/write_all.h"

bool journal_create(struct journal *journal, const char *path)
{
    journal->fd =
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    journal->bytes = 0;
    return journal->is_open = journal->fd >= 0;
}

bool journal_reopen(struct journal *journal, const char *path)
{
    struct stat stat;
    journal->fd = own_file_open(path, O_WRONLY | O_APPEND);
    if (journal->fd < 0 || fstat(journal->fd, &stat))
        return false;
    journal->bytes = stat.st_size;
    return journal->is_open = true;
}

/* Not flock(): a worker that outlives its parent for a moment would hold it. */
bool journal_lock(struct journal *journal)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(journal->fd, F_SETLK, &lock) == 0;
}

bool journal_append(struct journal *journal, const char *text, size_t bytes)
{
    struct stat stat;
    if (fstat(journal->fd, &stat) == 0 && stat.st_nlink == 0) {
        errno = ENOENT; /* somebody has deleted it */
        return false;
    }
    if (write_all(journal->fd, text, bytes) && fsync(journal->fd) == 0) {
        journal->bytes += (off_t)bytes;
        return true;
    }
    const int error = errno;
    /* Where even this fails, the half line waits for journal_mend(). */
    if (ftruncate(journal->fd, journal->bytes) == 0)
        (void)fsync(journal->fd);
    errno = error;
    return false;
}

bool journal_close(struct journal *journal)
{
    const bool was_open = journal->is_open;
    journal->is_open = false;
    return !was_open || close(journal->fd) == 0;
}
