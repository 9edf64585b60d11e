/* SPDX-License-Identifier: MIT
 *
 * Resuming runs with torn files; and refusing those of other machines or
 * builds, damaged ones, and those under way.
 */
#include "src/runs/test_run.h"

#include <sys/wait.h>

#include "src/runs/run_folder.h"

static void check_goes_on(void)
{
    struct row row = run_row(RUN_ROWS);
    make_run();
    CHECK(resume_run());
    for (int k = 0; k < RUN_ROWS; ++k) {
        const struct row *found = run_find(k);
        CHECK_FOR(found && found->gbps == 10 + k && found->us.median == 1.5,
                  "%d", k);
    }
    CHECK(!run_find(RUN_ROWS) && !*results.card);
    CHECK(strcmp(manifest_get(&results.manifest, "resumed"), "1") == 0);
    CHECK(results_row(&results, &row));
    row.op = OP_FLIP; /* a file that is not there yet */
    CHECK(results_row(&results, &row));
    CHECK(results_close(&results, true));
    CHECK(is_file("flip.csv"));
    CHECK(strstr(file_text("manifest.csv").bytes, "\ncomplete,1\n"));
    CHECK(resume_run() && run_find(RUN_ROWS));
    CHECK(strstr(file_text("manifest.csv").bytes, "\ncomplete,0\n"));
}

/* A cell with an error is measured again; its new row is behind the error's. */
static void check_errors(void)
{
    struct row row = run_row(RUN_ROWS);
    make_run();
    CHECK(resume_run());
    row.status = STATUS_ERROR;
    CHECK(results_row(&results, &row));
    row = run_row(RUN_ROWS + 1);
    row.status = STATUS_TIMEOUT;
    CHECK(results_row(&results, &row));
    CHECK(resume_run());
    CHECK(!run_find(RUN_ROWS) && run_find(RUN_ROWS + 1));
    row = run_row(RUN_ROWS);
    CHECK(results_row(&results, &row));
    CHECK(resume_run() && run_find(RUN_ROWS));
    struct run_folder run;
    CHECK(run_folder_read(&run, run_folder, &listener) && !heard_count);
    CHECK_FOR(run.rows.count == RUN_ROWS + 2, "%zu", run.rows.count);
    run_folder_free(&run);
}

static void check_ceilings(void)
{
    struct ceiling line = run_ceiling(20, true);
    make_run();
    const struct text before = file_text("ceilings.csv");
    CHECK(resume_run());
    const struct ceiling *found = ceilings_find(&results.ceilings, &line);
    CHECK(found && found->gbps == 1020 && found->bytes == 8 << 20);
    CHECK(results_ceiling(&results, &line)); /* there: not written again */
    CHECK(file_text("ceilings.csv").count == before.count);
    line.process = 2;
    CHECK(!ceilings_find(&results.ceilings, &line));
    line.process = 1;
    line.elems *= 2;
    CHECK(!ceilings_find(&results.ceilings, &line));
    line.twin = -1;
    line.gflops = 77;
    CHECK(!ceilings_find(&results.ceilings, &line));
    CHECK(results_ceiling(&results, &line));
    CHECK(resume_run());
    found = ceilings_find(&results.ceilings, &line);
    CHECK(found && found->gflops == 77);
}

/* The last line, cut after each of its bytes. */
static void check_torn_row(void)
{
    make_run();
    const struct text whole = file_text("cumsum.csv");
    size_t start = whole.count - 1;
    while (whole.bytes[start - 1] != '\n')
        --start;
    CHECK_FOR(whole.count - start > 60, "%zu", whole.count - start);
    for (size_t cut = start; cut < whole.count; ++cut) {
        put_text("cumsum.csv", whole.bytes, cut);
        listen();
        const bool resume = resume_run();
        const char *words = said();
        CHECK_FOR(resume, "%zu: %s", cut, words);
        CHECK_FOR(cut == start ||
                      strstr(words, "cumsum.csv: its last line was cut"),
                  "%zu: %s", cut, words);
        CHECK_FOR(!run_find(RUN_ROWS - 1), "%zu", cut);
        CHECK_FOR(run_find(RUN_ROWS - 2), "%zu", cut);
        CHECK_FOR(file_text("cumsum.csv").count == start, "%zu", cut);
        const struct row row = run_row(RUN_ROWS - 1);
        CHECK(results_row(&results, &row));
        CHECK_FOR(strcmp(file_text("cumsum.csv").bytes, whole.bytes) == 0,
                  "%zu", cut);
    }
}

/* The header, cut after each of its bytes. */
static void check_torn_header(void)
{
    make_run();
    const struct text whole = file_text("cumsum.csv");
    const size_t header = (size_t)(strchr(whole.bytes, '\n') - whole.bytes) + 1;
    for (size_t cut = 0; cut <= header; ++cut) {
        put_text("cumsum.csv", whole.bytes, cut);
        put_text("ceilings.csv", "kind,twin,dtype,c", cut < 17 ? cut : 17);
        listen();
        const bool resume = resume_run();
        const char *words = said();
        CHECK_FOR(resume, "%zu: %s", cut, words);
        CHECK(!run_find(0));
        const struct row row = run_row(0);
        CHECK(results_row(&results, &row));
        const struct ceiling line = run_ceiling(20, false);
        CHECK(results_ceiling(&results, &line));
        const size_t bytes = file_text("cumsum.csv").count;
        CHECK_FOR(bytes > header && strncmp(file_text("cumsum.csv").bytes,
                                            whole.bytes, bytes) == 0,
                  "%zu", cut);
        CHECK_FOR(strncmp(file_text("ceilings.csv").bytes, "kind,twin,", 10) ==
                      0,
                  "%zu", cut);
    }
}

/* Refused with this message, and all files stay as they are. */
static void is_refused(const char *key, const char *value, const char *about)
{
    const struct text manifest = file_text("manifest.csv");
    const size_t rows = file_text("cumsum.csv").count;
    listen();
    alarm(5); /* an endless message fails */
    const bool begun = resume_with(key, value);
    alarm(0);
    const char *words = said();
    CHECK_FOR(!begun && strstr(words, about) && strlen(words) < 4000,
              "%s: %.4000s", about, words);
    CHECK_FOR(strcmp(manifest.bytes, file_text("manifest.csv").bytes) == 0 &&
                  file_text("cumsum.csv").count == rows,
              "%s", about);
}

/* Replaces the first `from` of the file. */
static void edit(const char *name, const char *from, const char *to)
{
    static char text[TEXT_BYTES];
    const struct text whole = file_text(name);
    const char *at = strstr(whole.bytes, from);
    if (!CHECK(at))
        return;
    const int bytes =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole.bytes),
                 whole.bytes, to, at + strlen(from));
    put_text(name, text, (size_t)bytes);
}

static void check_other_run(void)
{
    make_run();
    is_refused("device_name", "NVIDIA H100",
               "it began with device_name 'NVIDIA H200', not 'NVIDIA H100'");
    is_refused("driver", "590.1", "with driver '580.1', not");
    is_refused("sources_hash", "dd", "with sources_hash '00000000000000cc'");
    is_refused("plugins", "a:1", "give each again by --plugin FILE");
    CHECK(resume_with("commit", "ba9876543210"));
    CHECK(resume_with("host_hash", "01"));
    edit("manifest.csv", "device_kind,cuda", "device_kind,host");
    CHECK(resume_with("device_kind", "host"));
    edit("manifest.csv", "host_hash,0000000000005678", "host_hash,01");
    is_refused("device_kind", "host", "host_hash '01', not '0000000000005678'");
}

static void check_damaged(void)
{
    make_run();
    edit("manifest.csv", "schema,4", "schema,5");
    is_refused("complete", "0", "measured by another version of scanbench");
    unlink(run_path("manifest.csv"));
    is_refused("complete", "0", "manifest.csv: No such file");
    make_run();
    edit("cumsum.csv", ",110,1,cold", ",110,1,warm");
    is_refused("complete", "0", "cumsum.csv:12: cache cannot be 'warm'");
    make_run();
    edit("ceilings.csv", ",1020,", ",-1,");
    is_refused("complete", "0", "ceilings.csv:2: no ceiling");
    make_run();
    unlink(run_path("cumsum.csv"));
    CHECK(mkdir(run_path("cumsum.csv"), 0777) == 0);
    is_refused("complete", "0", "cumsum.csv: Is a directory");
    rmdir(run_path("cumsum.csv"));
    make_run(); /* a hole of a terabyte */
    CHECK(truncate(run_path("ceilings.csv"), (off_t)1 << 40) == 0);
    is_refused("complete", "0", "ceilings.csv: File too large");
    make_run();
    unlink(run_path("ceilings.csv")); /* killed before it was made */
    CHECK(resume_run() && is_file("ceilings.csv"));
}

static void check_in_use(void)
{
    int ready[2], done[2];
    char byte;
    make_run();
    CHECK(pipe(ready) == 0 && pipe(done) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const bool ok = resume_run();
        (void)!write(ready[1], "x", 1);
        (void)!read(done[0], &byte, 1);
        _exit(!ok);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    listen();
    CHECK(!resume_run());
    check_said("another scanbench");
    CHECK(write(done[1], "x", 1) == 1);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(resume_run() && run_find(0));
}

int main(void)
{
    make_folder();
    check_goes_on();
    check_errors();
    check_ceilings();
    check_torn_row();
    check_torn_header();
    check_other_run();
    check_damaged();
    check_in_use();
    remove_run();
    return test_end();
}
