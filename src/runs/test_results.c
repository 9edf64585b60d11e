/* SPDX-License-Identifier: MIT
 *
 * Writing a run's folder.
 */
#include "src/runs/test_run.h"

/* The folder is <device>/<utc>-<commit> in SCANBENCH_RESULTS. */
static void check_name(void)
{
    char wanted[512];
    setenv("SCANBENCH_RESULTS", run_folder, 1);
    for (int k = 1; k < 3; ++k) {
        CHECK(begin_run(NULL));
        snprintf(wanted, sizeof wanted,
                 "%s/h200/20260131T120000Z-0123456789ab%s", run_folder,
                 k == 2 ? "-2" : "");
        CHECK_FOR(strcmp(results.folder, wanted) == 0, "%s", results.folder);
    }
    unsetenv("SCANBENCH_RESULTS");
    snprintf(wanted, sizeof wanted, "rm -r %s/h200", run_folder);
    CHECK(system(wanted) == 0);
}

/* A name that is too long is not cut. */
static void check_long_name(void)
{
    struct manifest now = run_manifest();
    char name[1100];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    for (size_t k = 0; k < sizeof name; k += 100)
        name[k] = '/';
    listen();
    CHECK(!begin_run(name));
    check_said("File name too long");
    listen();
    let_go();
    CHECK(!results_resume(&results, name, &now));
    check_said("File name too long");
    manifest_free(&now);
}

/* No run begins in a folder that has a file of another one, whichever. */
static void check_occupied(void)
{
    static const char *const gone[] = { "none.csv", "manifest.csv",
                                        "ceilings.csv" };
    make_run();
    const struct text before = file_text("cumsum.csv");
    for (int k = 0; k < 3; ++k) {
        unlink(run_path(gone[k]));
        listen();
        CHECK(!begin_run(run_folder));
        check_said("holds a run already");
    }
    CHECK(strcmp(before.bytes, file_text("cumsum.csv").bytes) == 0);
    unlink(run_path("cumsum.csv"));
    CHECK(begin_run(run_folder));
}

/* However much of a row fits on the disk, the file ends with a whole row. */
static void check_full_disk(void)
{
    const struct row last = run_row(RUN_ROWS);
    make_run();
    const struct text whole = file_text("cumsum.csv");
    const size_t bytes = whole.count;
    const size_t row_bytes =
        bytes - (size_t)(strstr(whole.bytes, "1,123,1") - whole.bytes);
    CHECK_FOR(bytes > file_text("manifest.csv").count, "%zu", bytes);
    CHECK(resume_run());
    for (size_t more = 0; more < row_bytes; ++more) {
        limit_files(bytes + more);
        listen();
        const bool written = results_row(&results, &last);
        const char *words = said();
        limit_files(0);
        CHECK_FOR(!written && strstr(words, "cannot write") &&
                      strstr(words, "cumsum.csv: File too large"),
                  "%zu: %s", more, words);
        CHECK_FOR(file_text("cumsum.csv").count == bytes, "%zu: %zu", more,
                  file_text("cumsum.csv").count);
        CHECK(!run_find(RUN_ROWS));
    }
    CHECK(results_row(&results, &last));
    CHECK(results_close(&results, false));
    CHECK(resume_run());
    CHECK(run_find(RUN_ROWS) && run_find(0));
}

/* A manifest that cannot be written is reported at the end. */
static void check_full_end(void)
{
    make_run();
    CHECK(resume_run());
    limit_files(300);
    listen();
    CHECK(!results_fact(&results, "wall_s", "%d", 7));
    CHECK(!results_close(&results, true));
    check_said("manifest.csv: File too large");
    limit_files(0);
    CHECK(resume_run());
    CHECK(run_find(RUN_ROWS - 1));
}

int main(void)
{
    make_folder();
    check_name();
    check_long_name();
    check_occupied();
    check_full_disk();
    check_full_end();
    remove_run();
    return test_end();
}
