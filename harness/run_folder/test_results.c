/* SPDX-License-Identifier: MIT
 *
 * Writing a run's folder. With an argument, prints the documented tables:
 * `test_results manifest|ceilings`.
 */
#include "harness/run_folder/test_run.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* What is written under the header is what was given. */
static void check_written(void)
{
    make_run();
    const struct text rows = file_text("cumsum.csv");
    const char *second = strchr(rows.bytes, '\n') + 1;
    CHECK_FOR(strncmp(rows.bytes, "device,op,variant,", 18) == 0, "%s",
              rows.bytes);
    CHECK_FOR(
        strncmp(second, "h200,cumsum,serial,f32,1,100,1,cold,0,ok,", 41) == 0,
        "%s", second);
    const struct text ceilings = file_text("ceilings.csv");
    CHECK_FOR(strcmp(ceilings.bytes,
                     "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,"
                     "launch,phase\n"
                     "traffic,copy,f32,cold,1048576,8388608,1020,,copy_b256,1,"
                     "start\n"
                     "traffic,copy,f32,cold,1048576,8388608,1020,,copy_b256,1,"
                     "end\n") == 0,
              "%s", ceilings.bytes);
}

static void check_manifest(void)
{
    struct manifest m;
    make_run();
    CHECK(manifest_init(&m) && !manifest_read(&m, run_folder, &run_listener));
    CHECK(m.count == MANIFEST_KEY_COUNT);
    CHECK(strcmp(manifest_get(&m, "complete"), "0") == 0);
    CHECK(strcmp(manifest_get(&m, "arguments"), "run --quick") == 0);
    CHECK(strcmp(manifest_get(&m, "device"), "h200") == 0);
    CHECK(strcmp(manifest_get(&m, "compute_capability"), "9.0") == 0);
    CHECK(strcmp(manifest_get(&m, "driver"), "580.1") == 0);
    CHECK(strcmp(manifest_get(&m, "gpu_hash"), "0000000000001234") == 0);
    CHECK(strcmp(manifest_get(&m, "utc_end"), "") == 0);
    CHECK(strlen(manifest_get(&m, "utc")) == 16);
    CHECK(strlen(manifest_get(&m, "binary_hash")) == 16);
    CHECK(*manifest_get(&m, "compiler") && *manifest_get(&m, "flags"));
    manifest_free(&m);
}

static void check_unknown_facts(void)
{
    struct results results;
    struct device_facts facts = run_facts();
    facts.driver = (struct driver_facts){ .ecc = -1,
                                          .mig = -1,
                                          .clocks_locked = -1,
                                          .sm_max_mhz = -1,
                                          .power_limit_mw = -1,
                                          .pcie_generation = -1,
                                          .pcie_lanes = -1 };
    remove_run();
    CHECK(results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
    static const char *const keys[] = { "mig",       "clocks_locked",
                                        "gpu_hash",  "power_limit_w",
                                        "pcie_link", "driver" };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        CHECK_FOR(!*manifest_get(&results.manifest, keys[k]), "%s: %s", keys[k],
                  manifest_get(&results.manifest, keys[k]));
    CHECK(strcmp(manifest_get(&results.manifest, "ecc"), "0") == 0);
    results_drop(&results);
    facts.driver.ecc = facts.driver.mig = facts.driver.clocks_locked = 1;
    facts.driver.power_limit_mw = 700500;
    facts.driver.pcie_generation = 5;
    facts.driver.pcie_lanes = 16;
    remove_run();
    CHECK(results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
    CHECK(strcmp(manifest_get(&results.manifest, "ecc"), "1") == 0);
    CHECK(strcmp(manifest_get(&results.manifest, "mig"), "1") == 0);
    CHECK(strcmp(manifest_get(&results.manifest, "clocks_locked"), "1") == 0);
    CHECK(strcmp(manifest_get(&results.manifest, "power_limit_w"), "700.5") ==
          0);
    CHECK(strcmp(manifest_get(&results.manifest, "pcie_link"), "5x16") == 0);
    results_drop(&results);
}

/* "-dirty" at the end says so; a release without git says nothing. */
static void check_dirty(void)
{
    static const char *const cases[][2] = {
        { "abc-dirty", "1" }, { "abc", "0" }, { "dirty", "0" }, { "0.1.0", "" }
    };
    const struct device_facts facts = run_facts();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct results results;
        setenv("SCANBENCH_COMMIT", cases[k][0], 1);
        remove_run();
        CHECK(results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
        const char *is = manifest_get(&results.manifest, "dirty");
        CHECK_FOR(strcmp(is, cases[k][1]) == 0, "%s: %s", cases[k][0], is);
        results_drop(&results);
    }
    unsetenv("SCANBENCH_COMMIT");
}

/* Neither a run nor anybody's files are written over. */
static void check_occupied(void)
{
    struct results results;
    const struct device_facts facts = run_facts();
    make_run();
    listen();
    CHECK(!results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
    const char *words = said();
    CHECK_FOR(strstr(words, "holds a run already"), "%s", words);
    results_drop(&results);
    const struct text before = file_text("cumsum.csv");
    unlink(run_path("manifest.csv"));
    unlink(run_path("ceilings.csv"));
    const struct row row = run_row(0);
    CHECK(results_open(&results, run_folder, &facts, RUN_ARGC, run_argv));
    listen();
    CHECK(!results_row(&results, &row));
    words = said();
    CHECK_FOR(strstr(words, "cumsum.csv: File exists"), "%s", words);
    results_drop(&results);
    CHECK(strcmp(before.bytes, file_text("cumsum.csv").bytes) == 0);
}

/* However much of a row the disk takes, the file ends with a whole one. */
static void check_full_disk(void)
{
    struct rlimit before, small;
    struct results results;
    const struct row last = run_row(RUN_ROWS);
    make_run();
    const struct text whole = file_text("cumsum.csv");
    const size_t bytes = whole.count;
    const size_t row_bytes =
        bytes - (size_t)(strstr(whole.bytes, "1,123,1") - whole.bytes);
    CHECK_FOR(bytes > file_text("manifest.csv").count, "%zu", bytes);
    CHECK(resume_run(&results) == RESUME_READY);
    getrlimit(RLIMIT_FSIZE, &before);
    for (size_t more = 0; more < row_bytes; ++more) {
        small = (struct rlimit){ bytes + more, before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
        listen();
        const bool written = results_row(&results, &last);
        const char *words = said();
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_FOR(!written && strstr(words, "cannot write") &&
                      strstr(words, "cumsum.csv: File too large"),
                  "%zu: %s", more, words);
        CHECK_FOR(file_text("cumsum.csv").count == bytes, "%zu: %zu", more,
                  file_text("cumsum.csv").count);
        CHECK(!run_find(&results, RUN_ROWS));
    }
    CHECK(results_row(&results, &last));
    CHECK(results_close(&results, false));
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(run_find(&results, RUN_ROWS) && run_find(&results, 0));
    results_drop(&results);
}

/* A manifest that cannot be written is told of at the end. */
static void check_full_end(void)
{
    struct rlimit before, small;
    struct results results;
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 700, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    listen();
    CHECK(!results_fact(&results, "wall_s", "%d", 7));
    const bool closed = results_close(&results, true);
    const char *words = said();
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_FOR(!closed && strstr(words, "manifest.csv: File too large"), "%s",
              words);
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(run_find(&results, RUN_ROWS - 1));
    results_drop(&results);
}

static void print_table(const char *name)
{
    if (strcmp(name, "manifest") == 0)
        for (int k = 0; k < MANIFEST_KEY_COUNT; ++k)
            printf("| %s | %s |\n", manifest_keys[k].name,
                   manifest_keys[k].meaning);
#define PRINT(column, meaning) printf("| " #column " | %s |\n", meaning);
    if (strcmp(name, "ceilings") == 0) {
        CEILING_COLUMNS(PRINT)
    }
#undef PRINT
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        print_table(argv[1]);
        return 0;
    }
    make_folder();
    check_written();
    check_manifest();
    check_unknown_facts();
    check_dirty();
    check_occupied();
    check_full_disk();
    check_full_end();
    remove_run();
    return test_end();
}
