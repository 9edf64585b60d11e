/* SPDX-License-Identifier: MIT
 *
 * Taking a run up again, whatever happened to its files.
 */
#include "src/runs/test_run.h"

static void check_goes_on(void)
{
    struct results results;
    struct row row = run_row(RUN_ROWS);
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    for (int k = 0; k < RUN_ROWS; ++k) {
        const struct finished *cell = run_find(&results, k);
        CHECK_FOR(cell && cell->gbps == 10 + k && cell->median_us == 1.5, "%d",
                  k);
    }
    CHECK(!run_find(&results, RUN_ROWS));
    CHECK(strcmp(manifest_get(&results.manifest, "resumed"), "1") == 0);
    CHECK(results_row(&results, &row));
    row.op = OP_FLIP; /* a file that is not there yet */
    CHECK(results_row(&results, &row));
    CHECK(run_find(&results, RUN_ROWS) != NULL);
    CHECK(results_close(&results, true));
    CHECK(is_file("flip.csv") && !is_file("cumsum.csv.damaged"));
}

/* Complete runs are mended and read too, and go on only if they are told to. */
static void check_complete(void)
{
    struct results results;
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(results_close(&results, true));
    const struct text whole = file_text("cumsum.csv");
    put_text("cumsum.csv", whole.bytes, whole.count - 5);
    listen();
    CHECK(resume_run(&results) == RESUME_COMPLETE);
    const char *words = said();
    CHECK_FOR(strstr(words, "cumsum.csv:25 was cut short"), "%s", words);
    CHECK(run_find(&results, 0) && !run_find(&results, RUN_ROWS - 1));
    CHECK(strstr(file_text("manifest.csv").bytes, "\ncomplete,1\n"));
    CHECK(results_go_on(&results));
    CHECK(strstr(file_text("manifest.csv").bytes, "\ncomplete,0\n"));
    CHECK(strcmp(manifest_get(&results.manifest, "resumed"), "2") == 0);
    results_drop(&results);
}

/* A file that cannot be read ends it, and soon. */
static void check_unreadable(const char *name)
{
    struct results results;
    make_run();
    unlink(run_path(name));
    CHECK(mkdir(run_path(name), 0777) == 0);
    listen();
    alarm(5); /* a message is written again and again otherwise */
    const enum resume resume = resume_run(&results);
    alarm(0);
    const char *words = said();
    CHECK_FOR(resume == RESUME_REFUSED && strstr(words, name) &&
                  strstr(words, "directory") && strlen(words) < 1000,
              "%.1000s", words);
    rmdir(run_path(name));
}

/* What may have failed for no fault of its own has another try. */
static void check_errors(void)
{
    struct results results;
    struct row row = run_row(RUN_ROWS);
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    row.status = STATUS_ERROR;
    CHECK(results_row(&results, &row));
    row = run_row(RUN_ROWS + 1);
    row.status = STATUS_TIMEOUT;
    CHECK(results_row(&results, &row));
    CHECK(run_find(&results, RUN_ROWS) && results_close(&results, true));
    listen();
    CHECK(resume_run(&results) == RESUME_COMPLETE);
    const char *words = said();
    CHECK_FOR(strstr(words, "cumsum.csv:26: an error, which"), "%s", words);
    CHECK(!run_find(&results, RUN_ROWS) && run_find(&results, RUN_ROWS + 1));
    CHECK(is_file("cumsum.csv.damaged"));
    results_drop(&results);
}

static void check_resumed(void)
{
    struct results results;
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(results_fact(&results, "resumed", "2147483647"));
    results_drop(&results);
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(manifest_number(&results.manifest, "resumed") == 2147483648.0);
    results_drop(&results);
}

static void check_ceilings(void)
{
    struct results results;
    struct ceiling line = run_ceiling(20, "end");
    make_run();
    const struct text before = file_text("ceilings.csv");
    CHECK(resume_run(&results) == RESUME_READY);
    const struct ceiling *found = results_ceiling_line(&results, &line);
    CHECK(found && found->gbps == 1020 && found->bytes == 8 << 20);
    CHECK(found && strcmp(found->variant, "copy_b256") == 0);
    CHECK(results_ceiling(&results, &line)); /* there: not written again */
    CHECK(file_text("ceilings.csv").count == before.count);
    line.process = 2;
    CHECK(!results_ceiling_line(&results, &line));
    line.process = 1;
    line.elems *= 2;
    CHECK(!results_ceiling_line(&results, &line));
    line.twin = -1;
    line.gflops = 77;
    CHECK(!results_ceiling_line(&results, &line));
    CHECK(results_ceiling(&results, &line));
    results_drop(&results);
    CHECK(resume_run(&results) == RESUME_READY);
    found = results_ceiling_line(&results, &line);
    CHECK(found && found->gflops == 77);
    results_drop(&results);
}

/* The last line cut after each of its bytes. */
static void check_torn_row(void)
{
    struct results results;
    make_run();
    const struct text whole = file_text("cumsum.csv");
    size_t start = whole.count - 1;
    while (whole.bytes[start - 1] != '\n')
        --start;
    CHECK_FOR(whole.count - start > 60, "%zu", whole.count - start);
    for (size_t cut = start; cut < whole.count; ++cut) {
        put_text("cumsum.csv", whole.bytes, cut);
        listen();
        const enum resume resume = resume_run(&results);
        const char *words = said();
        CHECK_FOR(resume == RESUME_READY, "%zu: %s", cut, words);
        CHECK_FOR(cut == start || strstr(words, "cumsum.csv:25 was cut short"),
                  "%zu: %s", cut, words);
        CHECK_FOR(!run_find(&results, RUN_ROWS - 1), "%zu", cut);
        CHECK_FOR(run_find(&results, RUN_ROWS - 2), "%zu", cut);
        CHECK_FOR(file_text("cumsum.csv").count == start, "%zu", cut);
        const struct row row = run_row(RUN_ROWS - 1);
        CHECK(results_row(&results, &row));
        results_drop(&results);
        CHECK_FOR(strcmp(file_text("cumsum.csv").bytes, whole.bytes) == 0,
                  "%zu", cut);
    }
    CHECK(!is_file("cumsum.csv.damaged"));
}

/* The same for the header, of either kind of file. */
static void check_torn_header(void)
{
    struct results results;
    make_run();
    const struct text whole = file_text("cumsum.csv");
    const size_t header = (size_t)(strchr(whole.bytes, '\n') - whole.bytes) + 1;
    for (size_t cut = 0; cut <= header; ++cut) {
        put_text("cumsum.csv", whole.bytes, cut);
        put_text("ceilings.csv", "kind,twin,dtype,c", cut < 17 ? cut : 17);
        listen();
        const enum resume resume = resume_run(&results);
        const char *words = said();
        CHECK_FOR(resume == RESUME_READY, "%zu: %s", cut, words);
        CHECK(!run_find(&results, 0));
        const struct row row = run_row(0);
        CHECK(results_row(&results, &row));
        const struct ceiling line = run_ceiling(20, "start");
        CHECK(results_ceiling(&results, &line));
        results_drop(&results);
        const size_t bytes = file_text("cumsum.csv").count;
        CHECK_FOR(bytes > header && strncmp(file_text("cumsum.csv").bytes,
                                            whole.bytes, bytes) == 0,
                  "%zu", cut);
        CHECK_FOR(strncmp(file_text("ceilings.csv").bytes, "kind,twin,", 10) ==
                      0,
                  "%zu", cut);
    }
}

/* Rows 10's line replaced by garbage: it goes, and all others stay. */
static void check_corrupt(const char *garbage, size_t bytes, const char *about)
{
    static struct text text;
    struct results results;
    make_run();
    const struct text whole = file_text("cumsum.csv");
    const char *line = whole.bytes;
    for (int k = 0; k < 11; ++k)
        line = strchr(line, '\n') + 1;
    const size_t start = (size_t)(line - whole.bytes);
    const char *rest = strchr(line, '\n') + 1;
    text.count = start + bytes + strlen(rest);
    memcpy(text.bytes, whole.bytes, start);
    memcpy(text.bytes + start, garbage, bytes);
    strcpy(text.bytes + start + bytes, rest);
    put_text("cumsum.csv", text.bytes, text.count);
    listen();
    const enum resume resume = resume_run(&results);
    const char *words = said();
    CHECK_FOR(resume == RESUME_READY, "%s: %s", about, words);
    CHECK_FOR(strstr(words, "cumsum.csv:12: ") && strstr(words, about),
              "%s: %s", about, words);
    for (int k = 0; k < RUN_ROWS; ++k)
        CHECK_FOR(!run_find(&results, k) == (k == 10), "%s: %d", about, k);
    const struct text bad = file_text("cumsum.csv.damaged");
    CHECK_FOR(bad.count == bytes && memcmp(bad.bytes, garbage, bytes) == 0,
              "%s: %s", about, bad.bytes);
    const struct row row = run_row(10);
    CHECK(results_row(&results, &row));
    results_drop(&results);
    CHECK(file_text("cumsum.csv").count == whole.count);
    listen();
    CHECK(resume_run(&results) == RESUME_READY);
    words = said();
    CHECK_FOR(!*words && run_find(&results, 10), "%s", words);
    results_drop(&results);
}

/* A row of these fields, and of empty ones. */
static void check_corrupt_row(const char *fields, const char *about)
{
    char row[TEXT_BYTES];
    int columns = 1;
    snprintf(row, sizeof row, "%s", fields);
    for (const char *c = fields; *c; ++c)
        columns += *c == ',';
    for (; columns < ROW_COLUMN_COUNT; ++columns)
        strcat(row, ",");
    strcat(row, "\n");
    check_corrupt(row, strlen(row), about);
}

static void check_corrupt_rows(void)
{
#define CORRUPT(garbage, about)                                                \
    check_corrupt(garbage, sizeof garbage - 1, about)
    CORRUPT("what is this\n", "1 fields under");
    CORRUPT("\"not closed,1,2\n", "a quote is not closed");
    CORRUPT("h200,cumsum,\0\0\0\0\n", "a NUL byte");
#undef CORRUPT
    check_corrupt_row("h200,cumsum,serial,serial,f31,1,110,1,cold,0,ok",
                      "dtype cannot be 'f31'");
    check_corrupt_row("h200,flip,serial,serial,f32,1,110,1,cold,0,ok",
                      "another operation");
    check_corrupt_row("h100,cumsum,serial,serial,f32,1,110,1,cold,0,ok",
                      "another device");
    check_corrupt_row("h200,cumsum,,,f32,1,110,1,cold,0,ok", "which cell");
    check_corrupt_row("h200,cumsum,serial,serial,f32,1,,1,cold,0,ok",
                      "which cell");
}

static void check_corrupt_ceilings(void)
{
    static const char *const lines[] = {
        "traffic,copy,f32,cold,1048576,8388608,,,copy_b256,1,start",
        "traffic,copy,f32,cold,1048576,8388608,-1,,copy_b256,1,start",
        "traffic,nope,f32,cold,1048576,8388608,1,,copy_b256,1,start",
        "traffic,copy,f32,cold,1048576,8388608,1,,copy_b256,x,start",
        "traffic,copy,f32,cold,1048576,8388608,1,,copy_b256,1,middle",
        "traffic,copy,f32,cold,1048576,8388608,1,,copy_b256,1",
        "traffic,copy,f32,cold,1048576,8388608,1,,,1,start",
        "truffic,copy,f32,cold,1048576,8388608,1,,copy_b256,1,start",
        "add,,f32,cold,,,,x,,0,start",
    };
    const struct ceiling start = run_ceiling(20, "start"),
                         end = run_ceiling(20, "end");
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        struct results results;
        char text[TEXT_BYTES];
        make_run();
        const struct text whole = file_text("ceilings.csv");
        const char *last = strstr(whole.bytes, "start\n") + 6;
        const int header = (int)(strchr(whole.bytes, '\n') - whole.bytes) + 1;
        const int bytes = snprintf(text, sizeof text, "%.*s%s\n%s", header,
                                   whole.bytes, lines[k], last);
        put_text("ceilings.csv", text, (size_t)bytes);
        listen();
        const enum resume resume = resume_run(&results);
        const char *words = said();
        CHECK_FOR(resume == RESUME_READY && strstr(words, "ceilings.csv:2: no"),
                  "%s: %s", lines[k], words);
        CHECK_FOR(!results_ceiling_line(&results, &start), "%s", lines[k]);
        CHECK_FOR(results_ceiling_line(&results, &end), "%s", lines[k]);
        results_drop(&results);
    }
}

int main(void)
{
    make_folder();
    check_goes_on();
    check_complete();
    check_unreadable("cumsum.csv");
    check_unreadable("ceilings.csv");
    check_errors();
    check_resumed();
    check_ceilings();
    check_torn_row();
    check_torn_header();
    check_corrupt_rows();
    check_corrupt_ceilings();
    remove_run();
    return test_end();
}
