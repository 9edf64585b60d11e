/* SPDX-License-Identifier: MIT
 *
 * What is not to be taken up: another's run, or one that is under way.
 */
#include "harness/run_folder/test_run.h"

#include <sys/wait.h>

static void put_text(const char *name, const char *bytes, size_t count)
{
    FILE *file = fopen(run_path(name), "w");
    CHECK(file && fwrite(bytes, 1, count, file) == count);
    if (file)
        fclose(file);
}

static bool is_file(const char *name)
{
    return access(run_path(name), F_OK) == 0;
}

static void check_refused(const struct device_facts *facts, char **argv,
                          const char *about)
{
    struct results results;
    int argc = 0;
    while (argv[argc])
        ++argc;
    const struct text before = file_text("manifest.csv");
    listen();
    const enum resume resume =
        results_resume(&results, run_folder, facts, argc, argv);
    const char *words = said();
    CHECK_FOR(resume == RESUME_REFUSED && strstr(words, about), "%s: %s", about,
              words);
    CHECK_FOR(strcmp(before.bytes, file_text("manifest.csv").bytes) == 0, "%s",
              about);
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
    struct device_facts facts = run_facts();
    make_run();
    strcpy(facts.name, "NVIDIA H100");
    check_refused(&facts, run_argv,
                  "its device_name is 'NVIDIA H200', and here it is 'NVIDIA "
                  "H100'");
    facts = run_facts();
    facts.sm_count = 114;
    check_refused(&facts, run_argv, "its sm_count is '132'");
    facts = run_facts();
    facts.driver.uuid_hash = 0x4321;
    check_refused(&facts, run_argv, "its gpu_hash is '0000000000001234'");
    facts = run_facts();
    strcpy(facts.driver.version, "590.1");
    check_refused(&facts, run_argv, "its driver is '580.1'");
    facts = run_facts();
    facts.kind = DEVICE_HOST;
    check_refused(&facts, run_argv, "its device_kind is 'cuda'");
    /* What nobody knows of does not differ. */
    struct results results;
    facts = run_facts();
    facts.driver.uuid_hash = 0;
    CHECK(results_resume(&results, run_folder, &facts, RUN_ARGC, run_argv) ==
          RESUME_READY);
    results_drop(&results);
    edit_manifest("gpu_hash,0000000000001234", "gpu_hash,");
    CHECK(resume_run(&results) == RESUME_READY);
    results_drop(&results);
}

static void check_other_command(void)
{
    char *same[] = {
        "scanbench", "run", "-q", "--quick", "--resume", "x", NULL
    };
    char *other[] = { "scanbench", "run", "--grid", "full", NULL };
    const struct device_facts facts = run_facts();
    struct results results;
    make_run();
    check_refused(
        &facts, other,
        "its arguments are 'run --quick', and here they are 'run --grid "
        "full'");
    CHECK(results_resume(&results, run_folder, &facts, 6, same) ==
          RESUME_READY);
    results_drop(&results);
    setenv("SCANBENCH_COMMIT", "0123456789ab", 1);
    check_refused(&facts, run_argv, "here it is '0123456789ab'");
    unsetenv("SCANBENCH_COMMIT");
}

static void check_other_files(void)
{
    const struct device_facts facts = run_facts();
    make_run();
    edit_manifest("schema,2\n", "schema,1\n");
    check_refused(&facts, run_argv, "its schema is '1'");
    edit_manifest("schema,1\n", "schema\n");
    check_refused(&facts, run_argv, "manifest.csv:2: not a key");
    unlink(run_path("manifest.csv"));
    check_refused(&facts, run_argv, "manifest.csv:0: No such file");
    make_run();
    put_text("cumsum.csv", "device,op\nh200,cumsum\n", 22);
    check_refused(&facts, run_argv, "cumsum.csv:1: other columns");
    CHECK(file_text("cumsum.csv").count == 22);
    make_run(); /* the same columns, two of them swapped */
    static struct text text;
    text = file_text("cumsum.csv");
    memcpy(strstr(text.bytes, "outer,axis"), "axis,outer", 10);
    put_text("cumsum.csv", text.bytes, text.count);
    check_refused(&facts, run_argv, "cumsum.csv:1: other columns");
    make_run();
    text = file_text("ceilings.csv");
    memcpy(strstr(text.bytes, "kind,twin"), "twin,kind", 9);
    put_text("ceilings.csv", text.bytes, text.count);
    check_refused(&facts, run_argv, "ceilings.csv:1: other columns");
    make_run();
    put_text("ceilings.csv", "kind,twin\n", 10);
    check_refused(&facts, run_argv, "ceilings.csv:1: other columns");
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
    const struct device_facts facts = run_facts();
    char hash[64];
    setenv("SCANBENCH_COMMIT", "0123456789ab-dirty", 1);
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    snprintf(hash, sizeof hash, "binary_hash,%s\n",
             manifest_get(&results.manifest, "binary_hash"));
    results_drop(&results);
    edit_manifest(hash, "binary_hash,0000000000000001\n");
    check_refused(&facts, run_argv, "its binary_hash is '0000000000000001'");
    unsetenv("SCANBENCH_COMMIT");
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
    check_other_command();
    check_other_files();
    check_dirty_build();
    check_in_use();
    remove_run();
    return test_end();
}
