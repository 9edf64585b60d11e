/* SPDX-License-Identifier: MIT */
#ifndef SRC_BASE_WRITE_ALL_H
#define SRC_BASE_WRITE_ALL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Writes all of it, whatever interrupts. False with errno. */
static inline bool write_all(int file, const void *data, size_t bytes)
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

#endif
