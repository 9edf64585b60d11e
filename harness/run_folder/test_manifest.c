/* SPDX-License-Identifier: MIT */
#include "harness/run_folder/manifest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"

static char folder[] = "manifest-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *text, size_t bytes)
{
    FILE *file = fopen(in_folder("manifest.csv"), "w");
    CHECK(file && fwrite(text, 1, bytes, file) == bytes);
    if (file)
        fclose(file);
}

static void check_round_trip(void)
{
    struct manifest m, back;
    CHECK(manifest_init(&m) && m.count == MANIFEST_KEY_COUNT);
    CHECK(strcmp(manifest_get(&m, "commit"), "") == 0);
    CHECK(strcmp(manifest_get(&m, "nonsense"), "") == 0);
    CHECK(manifest_set(&m, "commit", "%s", "abc"));
    CHECK(manifest_set(&m, "commit", "a,\"%d\"", 5));
    CHECK(manifest_set(&m, "new", "x"));
    CHECK(m.count == MANIFEST_KEY_COUNT + 1);
    CHECK(manifest_write(&m, folder));
    CHECK(access(in_folder("manifest.csv.new"), F_OK) != 0);
    CHECK(manifest_init(&back));
    const char *why = manifest_read(&back, folder);
    CHECK_FOR(!why, "%s", why);
    CHECK(back.count == m.count);
    for (size_t k = 0; k < m.count && k < back.count; ++k)
        CHECK_FOR(strcmp(m.entries[k].key, back.entries[k].key) == 0 &&
                      strcmp(m.entries[k].value, back.entries[k].value) == 0,
                  "%s", m.entries[k].key);
    CHECK(strcmp(manifest_get(&back, "commit"), "a,\"5\"") == 0);
    manifest_free(&m);
    manifest_free(&back);
}

static void check_damaged(const char *text, size_t bytes, const char *about)
{
    struct manifest m;
    write_text(text, bytes);
    CHECK(manifest_init(&m));
    const char *why = manifest_read(&m, folder);
    CHECK_FOR(why && strstr(why, about), "%s: %s", about, why);
    manifest_free(&m);
}

static void check_damage(void)
{
    static const char nul[] = "key,value\nutc,\0\ncommit,a\n";
    check_damaged("", 0, "begin");
    check_damaged("key,valu\na,b\n", 13, "begin");
    check_damaged("key,value\na\n", 12, "damaged");
    check_damaged("key,value\na,b,c\n", 16, "damaged");
    check_damaged("key,value\na,\"b\nc,d\n", 19, "damaged");
    check_damaged("key,value\na,b\ncommit,abc", 24, "early");
    check_damaged(nul, sizeof nul - 1, "damaged");
    unlink(in_folder("manifest.csv"));
    struct manifest m;
    CHECK(manifest_init(&m));
    const char *why = manifest_read(&m, folder);
    CHECK_FOR(why && strstr(why, "no manifest"), "%s", why);
    manifest_free(&m);
}

/* On a full disk the old one stays, whole. */
static void check_full(void)
{
    struct manifest m, back;
    struct rlimit before, small;
    CHECK(manifest_init(&m) && manifest_set(&m, "utc", "before"));
    CHECK(manifest_write(&m, folder));
    CHECK(manifest_set(&m, "utc", "after"));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 100, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK(!manifest_write(&m, folder));
    const int error = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_FOR(error == EFBIG, "%s", strerror(error));
    CHECK(access(in_folder("manifest.csv.new"), F_OK) != 0);
    CHECK(manifest_init(&back) && !manifest_read(&back, folder));
    CHECK(strcmp(manifest_get(&back, "utc"), "before") == 0);
    CHECK(!manifest_write(&m, "/nonexistent/folder"));
    CHECK(errno == ENOENT);
    manifest_free(&m);
    manifest_free(&back);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    check_round_trip();
    check_damage();
    check_full();
    unlink(in_folder("manifest.csv"));
    CHECK(rmdir(folder) == 0);
    return test_end();
}
