/* SPDX-License-Identifier: MIT */
#include "src/base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/test.h"

enum { TEXT_BYTES = 256 };

static const char *text_of(const char *path)
{
    static char text[TEXT_BYTES];
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

static bool holds(const char *path, const char *text)
{
    return CHECK_FOR(strcmp(text_of(path), text) == 0, "%s: %s", path,
                     text_of(path));
}

static bool is_link(const char *path)
{
    struct stat stat;
    return lstat(path, &stat) == 0 && S_ISLNK(stat.st_mode);
}

/* Removes the files here and returns their number. */
static int clear(void)
{
    int count = 0;
    DIR *here = opendir(".");
    for (struct dirent *entry; here && (entry = readdir(here));)
        count += entry->d_name[0] != '.' && unlink(entry->d_name) == 0;
    if (here)
        closedir(here);
    return count;
}

static void put(const char *path, const char *text)
{
    CHECK_FOR(whole_file_write(path, text, strlen(text)), "%s",
              strerror(errno));
}

static void check_whole(void)
{
    struct stat stat_of;
    umask(027);
    put("page", "old");
    CHECK(stat("page", &stat_of) == 0 && (stat_of.st_mode & 0777) == 0640);
    put("page", "new");
    holds("page", "new");
    CHECK(clear() == 1);
    CHECK(!whole_file_write("none/page", "new", 3) && errno == ENOENT);
}

/* Writers at the same time are ended while they write. */
static void check_interrupted(void)
{
    enum { WRITERS = 2 };
    static char page[1 << 20];
    pid_t writers[WRITERS];
    memset(page, '.', sizeof page);
    for (int k = 0; k < WRITERS; ++k)
        if (!(writers[k] = fork()))
            for (;;)
                whole_file_write("page", page, sizeof page);
    while (access("page", F_OK))
        usleep(1000);
    for (int k = 0; k < WRITERS; ++k) {
        int status;
        kill(writers[k], k ? SIGTERM : SIGINT);
        CHECK(waitpid(writers[k], &status, 0) > 0 && WIFSIGNALED(status));
    }
    struct stat stat_of;
    CHECK(stat("page", &stat_of) == 0 && stat_of.st_size == sizeof page);
    CHECK(clear() == 1);
}

/* A link stays one, and the file that it names changes. */
static void check_link(void)
{
    put("mine", "mine");
    CHECK(symlink("mine", "link") == 0);
    put("link", "new");
    CHECK(is_link("link"));
    holds("mine", "new");
    CHECK(clear() == 2);
}

int main(void)
{
    char folder[] = "/tmp/scanbench-test-XXXXXX";
    if (!CHECK(mkdtemp(folder)) || !CHECK(chdir(folder) == 0))
        return test_end();
    check_whole();
    check_interrupted();
    check_link();
    CHECK(rmdir(folder) == 0);
    return test_end();
}
