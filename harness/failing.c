/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: one call of a program fails, and all others are the C
 * library's. SCANBENCH_FAILING says which: CALL:NUMBER, the first being 1, or
 * CALL:NUMBER:NAME of the calls on files whose paths end in NAME; 0 is each. A
 * call that did fail leaves the file SCANBENCH_FAILED. Calls of the loader and
 * of other libraries than the C library do not count.
 */
#undef _FILE_OFFSET_BITS /* open() and open64() are both here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without dlsym(), which allocates. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static bool ends_with(const char *path, const char *name)
{
    const size_t path_chars = strlen(path), chars = strlen(name);
    return path_chars >= chars && strcmp(path + path_chars - chars, name) == 0;
}

/* Whose call it is: the program's, or made for it by the C library. */
static bool counts(const void *caller)
{
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    return strstr(info.dli_fname, "scanbench") ||
           strstr(info.dli_fname, "/libc.so");
}

static void leave_mark(void)
{
    const char *path = getenv("SCANBENCH_FAILED");
    if (!path)
        return;
    const long fd =
        syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0666);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

static bool fails(const char *call, const char *path, const void *caller)
{
    static int calls;
    const char *plan = getenv("SCANBENCH_FAILING");
    const size_t chars = strlen(call);
    char *rest;
    if (!plan || strncmp(plan, call, chars) || plan[chars] != ':')
        return false;
    const long number = strtol(plan + chars + 1, &rest, 10);
    if ((*rest == ':' && !(path && ends_with(path, rest + 1))) ||
        !counts(caller) || (++calls != number && number))
        return false;
    leave_mark();
    return true;
}

static bool fails_on(const char *call, int fd, const void *caller)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t chars = readlink(link, path, sizeof path - 1);
    path[chars > 0 ? chars : 0] = '\0';
    return fails(call, path, caller);
}

#define CALLER __builtin_return_address(0)
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL(error, value)                                                     \
    do {                                                                       \
        errno = error;                                                         \
        return value;                                                          \
    } while (0)

/* ------------------------------------------------------------------ memory */

void *malloc(size_t bytes)
{
    if (fails("memory", NULL, CALLER))
        FAIL(ENOMEM, NULL);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    if (fails("memory", NULL, CALLER))
        FAIL(ENOMEM, NULL);
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    if (fails("memory", NULL, CALLER))
        FAIL(ENOMEM, NULL);
    return __libc_realloc(old, bytes);
}

/* ------------------------------------------------------------------- files */

static int open_as(const char *path, int flags, mode_t mode, const void *caller)
{
    if (fails("open", path, caller))
        FAIL(EMFILE, -1);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPEN(name)                                                             \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        va_list rest;                                                          \
        va_start(rest, flags);                                                 \
        const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;        \
        va_end(rest);                                                          \
        return open_as(path, flags, mode, CALLER);                             \
    }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                            \
    FILE *name(const char *path, const char *mode)                             \
    {                                                                          \
        if (fails("fopen", path, CALLER))                                      \
            FAIL(EMFILE, NULL);                                                \
        return NEXT(name)(path, mode);                                         \
    }
FOPEN(fopen)
FOPEN(fopen64)

/* A file that can be read up to a bad place: half of it. */
static ssize_t read_half(void *cookie, char *data, size_t bytes)
{
    const int fd = (int)(intptr_t)cookie;
    const off_t end = lseek(fd, 0, SEEK_CUR), half = lseek(fd, 0, SEEK_END) / 2;
    lseek(fd, end, SEEK_SET);
    if (end >= half)
        FAIL(EIO, -1);
    return read(fd, data,
                bytes < (size_t)(half - end) ? bytes : (size_t)(half - end));
}

static int seek_half(void *cookie, off64_t *offset, int whence)
{
    *offset = lseek((int)(intptr_t)cookie, *offset, whence);
    return *offset < 0 ? -1 : 0;
}

FILE *fdopen(int fd, const char *mode)
{
    static const cookie_io_functions_t half = { .read = read_half,
                                                .seek = seek_half };
    if (fails_on("read", fd, CALLER))
        return fopencookie((void *)(intptr_t)fd, mode, half);
    return NEXT(fdopen)(fd, mode);
}

#define FTRUNCATE(name, offset)                                                \
    int name(int fd, offset bytes)                                             \
    {                                                                          \
        if (fails_on("ftruncate", fd, CALLER))                                 \
            FAIL(EIO, -1);                                                     \
        return NEXT(name)(fd, bytes);                                          \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

ssize_t write(int fd, const void *data, size_t bytes)
{
    if (fails_on("write", fd, CALLER))
        FAIL(EIO, -1);
    return NEXT(write)(fd, data, bytes);
}

int fsync(int fd)
{
    if (fails_on("fsync", fd, CALLER))
        FAIL(EIO, -1);
    return NEXT(fsync)(fd);
}

int rename(const char *from, const char *to)
{
    if (fails("rename", to, CALLER))
        FAIL(EIO, -1);
    return NEXT(rename)(from, to);
}

/* --------------------------------------------------------------- processes */

int pipe(int ends[2])
{
    if (fails("pipe", NULL, CALLER))
        FAIL(EMFILE, -1);
    return NEXT(pipe)(ends);
}

pid_t fork(void)
{
    if (fails("fork", NULL, CALLER))
        FAIL(EAGAIN, -1);
    return NEXT(fork)();
}
