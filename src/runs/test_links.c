/* SPDX-License-Identifier: MIT
 *
 * A stranger's folder may hold links that lead out of it: what they lead to
 * stays as it is.
 */
#include "src/runs/test_run.h"

#include "src/runs/samples.h"

static char mine[80]; /* beside the run */
static struct text before;

static struct text my_text(void)
{
    static struct text text;
    FILE *file = fopen(mine, "r");
    text.count = file ? fread(text.bytes, 1, TEXT_BYTES - 1, file) : 0;
    if (file)
        fclose(file);
    return text;
}

static void put_mine(const char *bytes, size_t count)
{
    FILE *file = fopen(mine, "w");
    CHECK(file && fwrite(bytes, 1, count, file) == count && !fclose(file));
}

/* NAME is a link to my file: a symbolic one, or a hard one. */
static void plant(const char *name, bool hard)
{
    unlink(run_path(name));
    CHECK_FOR((hard ? link(mine, run_path(name))
                    : symlink(mine, run_path(name))) == 0,
              "%s", name);
    before = my_text();
}

/* What is said; the run goes on, or does not. */
static const char *resumes(const char *name, bool goes_on)
{
    struct results results;
    const struct row row = run_row(RUN_ROWS);
    listen();
    const enum resume resume = resume_run(&results);
    const char *words = said();
    CHECK_FOR((resume == RESUME_READY) == goes_on, "%s: %s", name, words);
    if (resume != RESUME_REFUSED) {
        results_row(&results, &row);
        results_drop(&results);
    }
    const struct text now = my_text();
    CHECK_FOR(now.count == before.count &&
                  memcmp(now.bytes, before.bytes, now.count) == 0,
              "%s: my file is another", name);
    return words;
}

static void is_refused(const char *name)
{
    const char *words = resumes(name, false);
    CHECK_FOR(strstr(words, name) && strstr(words, "it is a link, or"),
              "%s: %s", name, words);
}

/* A run whose samples are kept. */
static void make_sampled(void)
{
    struct results results;
    const struct row row = run_row(0);
    const double us[] = { 1, 2, 3 };
    make_run();
    CHECK(resume_run(&results) == RESUME_READY);
    CHECK(results_samples(&results, &row, us, 3));
    results_drop(&results);
}

/* One of the run's files is mine, which is as good as the run's; or torn. */
static void check_file(const char *name, bool hard, size_t torn)
{
    make_sampled();
    const struct text text = file_text(name);
    put_mine(text.bytes, text.count - torn);
    plant(name, hard);
    is_refused(name);
    unlink(mine); /* then a hard link is the run's own file */
    before = my_text();
    if (hard)
        resumes(name, true);
    else
        is_refused(name);
}

/* A row that goes to cumsum.csv.damaged, and a new cumsum.csv for the others.
 */
static void damage(void)
{
    static struct text text;
    make_sampled();
    text = file_text("cumsum.csv");
    memcpy(strstr(text.bytes, "serial"), "ser\001al", 6);
    put_text("cumsum.csv", text.bytes, text.count);
    put_mine("mine\n", 5);
}

static void check_beside(bool hard)
{
    damage();
    plant("cumsum.csv.damaged", hard);
    is_refused("cumsum.csv.damaged");
    damage();
    plant("cumsum.csv.new", hard);
    resumes("cumsum.csv.new", true);
    damage();
    plant("manifest.csv.new", hard);
    resumes("manifest.csv.new", true);
    CHECK(!is_file("manifest.csv.new"));
    unlink(mine);
}

int main(void)
{
    static const char *const names[] = { "manifest.csv", "ceilings.csv",
                                         "cumsum.csv", SAMPLES_FILE };
    char real[64];
    make_folder();
    if (CHECK(realpath(run_folder, real)))
        snprintf(mine, sizeof mine, "%s.mine", real);
    for (int hard = 0; hard < 2; ++hard) {
        for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
            check_file(names[k], hard, 0);
        check_file("cumsum.csv", hard, 5);
        check_beside(hard);
    }
    remove_run();
    return test_end();
}
