/* SPDX-License-Identifier: MIT */
#include "src/runs/run_processes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"
#include "src/runs/run_cell.h"

static char problem[256];

static void hear(void *context, const char *path, int64_t line,
                 const char *text, const char *remedy)
{
    (void)context, (void)line;
    snprintf(problem, sizeof problem, "%s: %s (%s)", path, text, remedy);
}

static const struct listener listener = { hear, NULL };

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!CHECK_FOR(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s",
                   path))
        exit(test_end());
}

/* A run of one cell in two processes: its commit, whether it is complete, its
 * medians. */
static void make_run(const char *folder, const char *commit, int complete,
                     double first_us, double second_us)
{
    char path[64], text[256];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/manifest.csv", folder);
    snprintf(text, sizeof text,
             "key,value\nschema,%d\ncommit,%s\ncomplete,%d\nempty_us,%g\n",
             RUN_SCHEMA, commit, complete, first_us);
    put(path, text);
    snprintf(path, sizeof path, "%s/ceilings.csv", folder);
    FILE *ceilings = fopen(path, "w");
    CHECK(ceilings && ceiling_write_header(ceilings) && !fclose(ceilings));
    snprintf(path, sizeof path, "%s/sum.csv", folder);
    FILE *file = fopen(path, "w");
    bool ok = file && row_write_header(file);
    for (int p = 0; ok && p < 2; ++p) {
        struct row row = row_unknown();
        row.op = OP_SUM;
        row.status = STATUS_OK;
        row.shape = (struct shape){ 1, 1, 1 };
        row.process = p;
        row.us.median = p ? second_us : first_us;
        row.variant = "v";
        ok = row_write(file, &row);
    }
    CHECK(ok && fclose(file) == 0);
}

static void check_one(const char *path)
{
    struct run_folder run;
    CHECK(run_processes_read(&run, path, &listener));
    CHECK(run.rows.count == 2 && run.rows.row[1].process == 1);
    run_folder_free(&run);
}

int main(void)
{
    char folder[] = "test_processes_XXXXXX";
    struct run_folder run;
    if (!mkdtemp(folder) || chdir(folder) || mkdir("all", 0777))
        return 2;
    make_run("all/10", "abc", 0, 3, 3.5);
    make_run("all/2", "abc", 1, 1, 2);
    mkdir("all/plots", 0777); /* no run */
    check_one("all/2");
    CHECK(run_processes_read(&run, "all", &listener));
    CHECK(run.rows.count == 4 && run.damaged == 0);
    for (int64_t r = 0; r < 4 && r < (int64_t)run.rows.count; ++r)
        CHECK(run.rows.row[r].process == r);
    CHECK(run.rows.row[2].us.median == 3);
    CHECK(run_fact_number(&run, "processes") == 4);
    CHECK(run_fact_number(&run, "empty_us") == 1); /* the first one's */
    CHECK(run_fact_number(&run, "complete") == 0);
    CHECK(run.rows.row[0].variant == run.rows.row[3].variant);
    size_t count = run.rows.count;
    CHECK(run.rows.count && run_cell_of(run.rows.row, &count).rows == 4);
    run_folder_free(&run);

    make_run("all/11", "another", 1, 3, 3);
    CHECK(!run_processes_read(&run, "all", &listener));
    CHECK_FOR(strstr(problem, "all/11: another commit"), "%s", problem);
    run_folder_free(&run);
    CHECK(!run_processes_read(&run, "all/plots", &listener));
    run_folder_free(&run);
    CHECK(!run_processes_read(&run, "nowhere", &listener));
    run_folder_free(&run);
    if (chdir("..") || system("rm -r test_processes_??????"))
        return 2;
    return test_end();
}
