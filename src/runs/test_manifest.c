/* SPDX-License-Identifier: MIT */
#include "src/runs/test_run.h"

static size_t read_back(struct manifest *manifest)
{
    forget();
    *manifest = (struct manifest){ 0 };
    return manifest_read(manifest, run_folder, &listener);
}

static void check_round_trip(void)
{
    struct manifest m = { 0 }, back;
    CHECK(strcmp(manifest_get(&m, "commit"), "") == 0);
    manifest_set(&m, "commit", "%s", "abc");
    manifest_set(&m, "commit", "a,\"%d\"", 5);
    CHECK(manifest_write(&m, run_folder));
    CHECK_FOR(read_back(&back) == 0, "%s", heard);
    CHECK(strcmp(manifest_get(&back, "commit"), "a,\"5\"") == 0);
    manifest_set(&m, "utc_end", "x");
    CHECK(!manifest_difference(&m, &back, KEY_RESUMED | KEY_PROCESS));
    manifest_set(&m, "nvcc", "x");
    CHECK(!manifest_difference(&m, &back, KEY_PROCESS));
    const struct manifest_key *key =
        manifest_difference(&m, &back, KEY_RESUMED);
    CHECK(key && strcmp(key->name, "nvcc") == 0);
    CHECK(manifest_keys[MANIFEST_KEY_COUNT - 1].name);
    manifest_free(&m);
    manifest_free(&back);
}

static void check_damaged(const char *text, size_t bytes, const char *about)
{
    struct manifest m;
    put_text(MANIFEST_FILE, text, bytes);
    CHECK_FOR(read_back(&m) == 1 && strstr(heard, about), "%s: %s", about,
              heard);
    CHECK(strcmp(manifest_get(&m, "commit"), "a") == 0);
    manifest_free(&m);
}

static void check_damage(void)
{
    check_damaged("key,value\nb\ncommit,a\n", 21,
                  "2: 1 fields under 2 columns\n");
    check_damaged("key,value\ncommit,a\ncommit,b\n", 28,
                  "3: a key that has a value already\n");
    unlink(run_path(MANIFEST_FILE));
    struct manifest m;
    CHECK_FOR(read_back(&m) == 1 && strstr(heard, "0: No such file"), "%s",
              heard);
    manifest_free(&m);
}

int main(void)
{
    make_folder();
    check_round_trip();
    check_damage();
    remove_run();
    return test_end();
}
