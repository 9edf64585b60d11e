/* SPDX-License-Identifier: MIT
 *
 * What is not to be taken up: another's run, or one that is under way.
 */
#include "src/runs/test_run.h"

#include <sys/wait.h>

/* With a value of what is here that is another one. */
static void check_refused(const char *key, const char *value, const char *about)
{
    struct results results;
    const struct text before = file_text("manifest.csv");
    listen();
    const enum resume resume = resume_with(&results, key, value);
    const char *words = said();
    CHECK_FOR(resume == RESUME_REFUSED && strstr(words, about), "%s: %s", about,
              words);
    CHECK_FOR(strcmp(before.bytes, file_text("manifest.csv").bytes) == 0, "%s",
              about);
}

static void check_taken(const char *key, const char *value)
{
    struct results results;
    CHECK_FOR(resume_with(&results, key, value) == RESUME_READY, "%s,%s", key,
              value);
    results_drop(&results);
}

/* One word of the manifest changed. */
static void edit_manifest(const char *from, const char *to)
{
    static char text[TEXT_BYTES];
    const struct text whole = file_text("manifest.csv");
    const char *at = strstr(whole.bytes, from);
    CHECK_FOR(at, "%s", from);
    if (!at)
        return;
    const int bytes =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole.bytes),
                 whole.bytes, to, at + strlen(from));
    put_text("manifest.csv", text, (size_t)bytes);
}

static void check_other_device(void)
{
    make_run();
    check_refused("device_name", "NVIDIA H100",
                  "its device_name is 'NVIDIA H200', and here it is 'NVIDIA "
                  "H100'");
    check_refused("sm_count", "114", "its sm_count is '132'");
    check_refused("gpu_hash", "0000000000004321",
                  "its gpu_hash is '0000000000001234'");
    check_refused("driver", "590.1", "its driver is '580.1'");
    check_refused("device_kind", "host", "its device_kind is 'cuda'");
    /* What nobody knows of does not differ. */
    check_taken("gpu_hash", "");
    edit_manifest("gpu_hash,0000000000001234", "gpu_hash,");
    check_taken("gpu_hash", "0000000000001234");
}

/* A run of a host, on a host of that hash: what is said, or NULL if it is taken
 * up. */
static const char *refused_on_host(const char *hash)
{
    struct results results;
    struct manifest now = run_manifest();
    manifest_set(&now, "device_kind", "host");
    manifest_set(&now, "host_hash", "%s", hash);
    listen();
    const enum resume resume = results_resume(&results, run_folder, &now);
    const char *words = said();
    manifest_free(&now);
    if (resume == RESUME_REFUSED)
        return words;
    results_drop(&results);
    return NULL;
}

static void check_host(const char *hash, const char *about)
{
    const char *words = refused_on_host(hash);
    CHECK_FOR(words && strstr(words, about), "'%s': %s", hash,
              words ? words : "taken up");
}

/* The host tells runs of a host apart, and no others. */
static void check_other_host(void)
{
    make_run();
    check_taken("host_hash", "0000000000008765");
    edit_manifest("device_kind,cuda", "device_kind,host");
    check_host("0000000000008765", "its host_hash is '0000000000005678'");
    check_host("", "its host_hash is '0000000000005678'");
    edit_manifest("host_hash,0000000000005678", "host_hash,");
    check_host("0000000000005678", "its host_hash is ''");
    CHECK(!refused_on_host("")); /* a host without an id */
}

static void check_other_command(void)
{
    make_run();
    check_refused("arguments", "run --grid full",
                  "its arguments are 'run --quick', and here they are 'run "
                  "--grid full'");
    check_refused("commit", "ba9876543210", "here it is 'ba9876543210'");
}

static void check_other_files(void)
{
    make_run();
    edit_manifest("schema,3\n", "schema,2\n");
    check_refused("complete", "0", "schema 2, not 3 (scanbench convert ");
    edit_manifest("schema,2\n", "schema,4\n");
    check_refused("complete", "0", "schema 4, not 3 (a newer scanbench");
    edit_manifest("schema,4\n", "schema\n");
    check_refused("complete", "0", "manifest.csv:2: not a key");
    unlink(run_path("manifest.csv"));
    check_refused("complete", "0", "manifest.csv: No such file");
    make_run();
    put_text("cumsum.csv", "device,op\nh200,cumsum\n", 22);
    check_refused("complete", "0", "cumsum.csv:1: other columns");
    CHECK(file_text("cumsum.csv").count == 22);
    make_run(); /* the same columns, two of them swapped */
    static struct text text;
    text = file_text("cumsum.csv");
    memcpy(strstr(text.bytes, "outer,axis"), "axis,outer", 10);
    put_text("cumsum.csv", text.bytes, text.count);
    check_refused("complete", "0", "cumsum.csv:1: other columns");
    make_run();
    text = file_text("ceilings.csv");
    memcpy(strstr(text.bytes, "kind,twin"), "twin,kind", 9);
    put_text("ceilings.csv", text.bytes, text.count);
    check_refused("complete", "0", "ceilings.csv:1: other columns");
    make_run();
    put_text("ceilings.csv", "kind,twin\n", 10);
    check_refused("complete", "0", "ceilings.csv:1: other columns");
    make_run();
    unlink(run_path("ceilings.csv")); /* killed before it was made */
    struct results results;
    CHECK(resume_run(&results) == RESUME_READY && is_file("ceilings.csv"));
    results_drop(&results);
}

/* Two builds of a tree with changes have one commit's name. */
static void check_dirty_build(void)
{
    struct results results;
    make_run();
    check_taken("binary_hash", "00000000000000bb");
    struct manifest now = run_manifest();
    manifest_set(&now, "dirty", "1");
    manifest_set(&now, "binary_hash", "00000000000000bb");
    listen();
    CHECK(results_resume(&results, run_folder, &now) == RESUME_REFUSED);
    const char *words = said();
    CHECK_FOR(strstr(words, "its binary_hash is '00000000000000aa'"), "%s",
              words);
    manifest_free(&now);
}

static void check_in_use(void)
{
    struct results results;
    int ready[2], done[2];
    char byte;
    make_run();
    CHECK(pipe(ready) == 0 && pipe(done) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const bool ok = resume_run(&results) == RESUME_READY;
        (void)!write(ready[1], "x", 1);
        (void)!read(done[0], &byte, 1);
        _exit(!ok);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    listen();
    const enum resume resume = resume_run(&results);
    const char *words = said();
    CHECK_FOR(resume == RESUME_REFUSED && strstr(words, "another scanbench"),
              "%s", words);
    CHECK(write(done[1], "x", 1) == 1);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(resume_run(&results) == RESUME_READY && run_find(&results, 0));
    results_drop(&results);
}

int main(void)
{
    make_folder();
    check_other_device();
    check_other_host();
    check_other_command();
    check_other_files();
    check_dirty_build();
    check_in_use();
    remove_run();
    return test_end();
}
