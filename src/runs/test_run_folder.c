/* SPDX-License-Identifier: MIT
 *
 * Reading a run's folder: rows, shares and processes; and every kind of damage:
 * the report, with its line, and the rows that are kept.
 */
#include "src/runs/test_run.h"

#include "src/runs/run_folder.h"

static void put(const char *name, const char *text)
{
    put_text(name, text, strlen(text));
}

static void drop(const char *name)
{
    remove(run_path(name));
}

static struct run_folder run; /* of the last reads() */

static bool reads(const char *folder)
{
    run_folder_free(&run);
    memset(&run, 0x5a, sizeof run); /* it may hold anything */
    forget();
    return run_folder_read(&run, folder, &listener);
}

static void check_heard(const char *reports)
{
    CHECK_FOR(strcmp(heard, reports) == 0, "%s instead of %s", heard, reports);
}

/* All columns that are expected, those of interest here first. */
#define COLUMNS                                                                \
    "variant,dtype,outer,axis,inner,cache,process,status,reason,marks,"        \
    "median_us,ci_low_us,ci_high_us,pct_ceiling,samples,"                      \
    "discarded,launch_us,min_us,q1_us,q3_us,max_us,host_us,gbps,"              \
    "passes,max_err,err_bound,sm_mhz,sm_counted_mhz,mem_mhz,"                  \
    "temp_c,power_w,throttle\n"
#define REST ",31,0,7,1,2,3,4,5,8,1.5,0.25,0.5,,,,,,\n"
#define CELL(cell) cell REST
#define ROW(variant, process, us)                                              \
    variant ",f32,4,8,1,cold," process ",ok,,," us ",9,11,50" REST
#define ONE_ROW COLUMNS ROW("a", "0", "10")

/* Reads a sum.csv, and checks the number of its rows and all reports. */
static void expect(const char *text, size_t rows, const char *reports)
{
    put("sum.csv", text);
    CHECK_FOR(reads(run_folder) == (rows > 0), "%s", text);
    CHECK_FOR(run.rows.count == rows, "%zu rows of %s", run.rows.count, text);
    check_heard(reports);
}

static void test_whole(void)
{
    put("sum.csv",
        COLUMNS ROW("b", "1", "10") ROW("b", "0", "10.5") ROW("a", "0", "10"));
    put("flip.csv", COLUMNS CELL("a,f16,1,1,7,cold,0,skip,\"too, odd\",,,,,"));
    CHECK(reads(run_folder) && heard_count == 0);
    CHECK(run.rows.count == 4);
    const struct row *row = run.rows.row;
    CHECK(!strcmp(row[0].variant, "a") && row[1].process == 0 &&
          row[2].process == 1 && row[3].op == OP_FLIP);
    CHECK(row[1].us.median == 10.5 && row[1].us.ci_low == 9 &&
          row[1].us.ci_high == 11 && row[1].pct_ceiling == 50);
    CHECK(row[1].shape.outer == 4 && row[1].shape.axis == 8);
    CHECK(row[1].us.count == 31 && row[1].launch_us == 7 &&
          row[1].us.min == 1 && row[1].us.q1 == 2 && row[1].us.q3 == 3 &&
          row[1].us.max == 4);
    CHECK(row[1].gbps == 8 && row[1].passes == 1.5 && row[1].max_err == 0.25 &&
          row[1].err_bound == 0.5);
    CHECK(row[0].family == row[0].variant); /* kept once */
    CHECK(run_row_timed(&row[0]) && !run_row_timed(&row[3]));
    CHECK(!strcmp(row[3].reason, "too, odd") && row[3].status == STATUS_SKIP);
    CHECK(!strcmp(run_fact(&run, "device_name"), "NVIDIA H200, big"));
    CHECK(run_fact_number(&run, "sm_count") == 132);
    CHECK(isnan(run_fact_number(&run, "device_name")));
    CHECK(isnan(run_fact_number(&run, "nothing")) &&
          !*run_fact(&run, "nothing"));
    drop("flip.csv");
}

/* Cells differ in any one of these columns. */
static void test_cells(void)
{
    expect(ONE_ROW CELL("b,f32,4,8,1,cold,0,ok,,,1,1,1,5")
               CELL("a,f16,4,8,1,cold,0,ok,,,1,1,1,5")
                   CELL("a,f32,5,8,1,cold,0,ok,,,1,1,1,5")
                       CELL("a,f32,4,9,1,cold,0,ok,,,1,1,1,5")
                           CELL("a,f32,4,8,2,cold,0,ok,,,1,1,1,5")
                               CELL("a,f32,4,8,1,hot,0,ok,,,1,1,1,5")
                                   CELL("a,f32,4,8,1,cold,1,ok,,,1,1,1,5"),
           8, "");
}

/* A damaged line before a sound one. */
static void test_lines(void)
{
    static const char *const cases[][2] = {
        { "b,f32,4\n", "3 fields under 32 columns" },
        { ROW("a", "0", "x"), "median_us cannot be 'x'" },
        { ROW("a", "0", "12"), "the interval of the median does not hold it" },
        { ROW("a", "0", "8"), "the interval of the median does not hold it" },
        { ROW("a", "0", "0"), "timed, but median_us is no time" },
        { ROW("a", "0", ""), "timed, but median_us is no time" },
        { ROW("", "0", "10"), "no variant" },
        { ROW("a", "", "10"), "no process" },
        { CELL("a,f32,4,8,1,cold,0,ok,,,10,9,11,-50"),
          "a rate, a share, a time or an error is negative" },
        { "a,f32,4,8,1,cold,0,ok,,,10,9,11,5,31,0,7,1,2,3,4,5,8,1.5,-0.25,0.5"
          ",,,,,,\n",
          "a rate, a share, a time or an error is negative" },
        { CELL("a,f32,,8,1,cold,0,ok,,,10,9,11,50"),
          "no shape: outer, axis and inner are needed" },
        { CELL("a,f32,4,-1,1,cold,0,ok,,,10,9,11,50"), "axis cannot be '-1'" },
        { CELL("a,f31,4,8,1,cold,0,ok,,,10,9,11,50"), "dtype cannot be 'f31'" },
        { CELL("a,f32,4,8,1,cold,0,o,,,10,9,11,50"), "status cannot be 'o'" },
        { CELL("a,f32,4,8,1,cold,0,,,,10,9,11,50"), "status cannot be ''" },
        { CELL("a,f32,4,8,1,cold,0,ok,,x,10,9,11,50"), "marks cannot be 'x'" },
        { "\"a,f32\n", "a quote is not closed" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[2048], reports[128];
        snprintf(text, sizeof text, COLUMNS "%s" ROW("b", "0", "10"),
                 cases[k][0]);
        snprintf(reports, sizeof reports, "sum.csv:2: %s\n", cases[k][1]);
        expect(text, 1, reports);
    }
    expect(ONE_ROW "b,f32,4,8,1,cold,0,ok,,,10,9,11,5", 1,
           "sum.csv:3: cut short: no line break at its end\n");
    expect(ONE_ROW ROW("b", "1", "10") ROW("a", "0", "11"), 2,
           "sum.csv:2: the same cell and process once more below\n");
}

#define CEILINGS                                                               \
    "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase\n"

static void test_ceilings(void)
{
    put("sum.csv", ONE_ROW);
    put("ceilings.csv", CEILINGS "traffic,copy,f32,cold,64,512,9,,a,0,start\n"
                                 "traffic,copy,f32,cold,256,512,8,,a,0,start\n"
                                 "traffic,copy,f32,cold,256,512,7,,b,0,start\n"
                                 "traffic,copy,f32,cold,256,512,99,,b,0,end\n"
                                 "add,,f32,hot,,,,7,,0,start\n"
                                 "traffic,read,f32,cold,256,512,,,b,0,start\n");
    CHECK(reads(run_folder) && run.damaged == 1);
    check_heard("ceilings.csv:7: no ceiling\n");
    const struct ceiling *copy =
        ceilings_best(&run.ceilings, OP_COPY, DTYPE_F32, CACHE_COLD);
    CHECK(copy && copy->elems == 256 && copy->gbps == 8);
    CHECK(!ceilings_best(&run.ceilings, OP_READ, DTYPE_F32, CACHE_COLD));
    put("ceilings.csv", CEILINGS);
}

/* A share is computed from the process's own ceilings. */
static void test_shares(void)
{
    put("sum.csv",
        "variant,dtype,outer,axis,inner,cache,process,status,median_us,"
        "ci_low_us,ci_high_us,gbps,pct_ceiling\n"
        "a,f32,1,1023,1,cold,0,ok,1,1,1,6,88\n"
        "a,f32,1,1023,1,cold,1,ok,1,1,1,6,88\n"
        "a,f32,1,1023,1,cold,2,ok,1,1,1,6,88\n"
        "b,f32,1,1023,1,cold,0,slow,,,,,\n");
    put("ceilings.csv",
        CEILINGS "traffic,read,f32,cold,512,2048,8,,a,0,start\n"
                 "traffic,read,f32,cold,2048,8192,16,,a,0,start\n"
                 "traffic,read,f32,cold,1024,4096,24,,a,1,start\n"
                 "traffic,read,f32,cold,1024,4096,99,,a,1,end\n"
                 "traffic,read,f32,hot,1024,4096,99,,a,0,start\n");
    CHECK(reads(run_folder) && run.rows.count == 4);
    const struct row *row = run.rows.row;
    CHECK(fabs(row[0].pct_ceiling - 50) < 1e-9);
    CHECK(fabs(row[1].pct_ceiling - 25) < 1e-9);
    CHECK(row[2].pct_ceiling == 88);
    CHECK(isnan(row[3].pct_ceiling));
    put("ceilings.csv", CEILINGS);
}

static void test_files(void)
{
    expect("", 0, "sum.csv:0: empty\n$:0: no rows\n");
    expect(COLUMNS, 0, "$:0: no rows\n");
    expect("variant\n", 0, "sum.csv:1: no column dtype\n$:0: no rows\n");
    CHECK(run.damaged == 1);
    expect("variant,variant\n", 0,
           "sum.csv:1: column variant twice\n$:0: no rows\n");
    put("softmax.csv", COLUMNS);
    expect(ONE_ROW, 1, "softmax.csv:0: no operation that is known here\n");
    drop("softmax.csv");
    drop("ceilings.csv");
    expect(ONE_ROW, 1, "ceilings.csv:0: No such file or directory\n");
    put("ceilings.csv", CEILINGS);
    CHECK(!reads("/nowhere/at/all"));
    check_heard("all:0: No such file or directory\n");
}

static void test_schemas(void)
{
    static const char other[] =
        "manifest.csv:0: measured by another version of scanbench\n";
    put("manifest.csv", "key,value\nschema,99\n");
    expect(ONE_ROW, 0, other);
    put("manifest.csv", "key,value\nsm_count,1\n");
    expect(ONE_ROW, 0, other);
    drop("manifest.csv");
    expect(ONE_ROW, 0, "manifest.csv:0: No such file or directory\n");
}

/* More processes than in the manifest, and more ranks than GPUs. */
static void test_contradictions(void)
{
    static const char ranks[] =
        "op,variant,dtype,outer,axis,inner,cache,process,status,median_us,"
        "ci_low_us,ci_high_us,ranks,gpus\n"
        "sum,a,f32,4,8,1,cold,0,ok,10,9,11,8,2\n"
        "sum,b,f32,4,8,1,cold,0,ok,10,9,11,8,8\n"
        "sum,c,f32,4,8,1,cold,0,ok,10,9,11,8,1\n"
        "sum,d,f32,4,8,1,cold,0,ok,10,9,11,8,0\n";
    put("manifest.csv", "key,value\nschema,4\nprocesses,2\n");
    expect(COLUMNS ROW("a", "1", "10") ROW("a", "2", "10") ROW("b", "3", "10"),
           3, "sum.csv:3: more processes than in its manifest\n");
    put("sum.csv", ranks);
    CHECK(reads(run_folder) && run.rows.count == 3 && run.damaged == 1);
    CHECK_FOR(strstr(heard, "sum.csv:2: 8 ranks cannot be on 2 GPUs\n"), "%s",
              heard);
}

/* Values in columns that are not there are unknown. */
static void test_lost(void)
{
    put("sum.csv", "dtype,cache,status,variant,outer,axis,inner,median_us,"
                   "process,reason,marks,samples,discarded,min_us,q1_us,"
                   "q3_us,max_us,ci_low_us,ci_high_us,gbps,passes\n"
                   "f32,cold,ok,a_b256,1,8,1,5,0,,,,,,,,,,,,\n");
    CHECK(reads(run_folder) && heard_count == 0 && run.damaged == 0);
    CHECK(strcmp(run.rows.row->family, "a") == 0);
    CHECK(isnan(run.rows.row->us.ci_low) && run.rows.row->us.count == 0);
}

/* Writes NAME/, a run of two processes that is of that commit, and complete or
 * not. */
static void put_process(const char *name, const char *commit, int complete,
                        const char *rows)
{
    char path[256], text[256];
    CHECK(mkdir(run_path(name), 0777) == 0);
    snprintf(path, sizeof path, "%s/manifest.csv", name);
    snprintf(text, sizeof text,
             "key,value\nschema,%d\ncommit,%s\ncomplete,%d\nempty_us,%s\n",
             RUN_SCHEMA, commit, complete, name);
    put(path, text);
    snprintf(path, sizeof path, "%s/ceilings.csv", name);
    put(path, CEILINGS);
    snprintf(path, sizeof path, "%s/sum.csv", name);
    put(path, rows);
}

/* A folder for each process: 2 comes before 10. */
static void test_processes(void)
{
    static const char rows[] = ONE_ROW ROW("a", "1", "10");
    char command[128];
    put_process("10", "abc", 0, rows);
    put_process("2", "abc", 1, COLUMNS ROW("a", "0", "9") ROW("a", "1", "9"));
    put_process("plots", "", 1, ""); /* no run */
    drop("plots/manifest.csv");
    CHECK(reads(run_folder) && run.rows.count == 4 && run.damaged == 0);
    for (int64_t r = 0; r < 4 && r < (int64_t)run.rows.count; ++r)
        CHECK(run.rows.row[r].process == r &&
              run.rows.row[r].us.median == (r < 2 ? 9 : 10));
    CHECK(run_fact_number(&run, "processes") == 4);
    CHECK(run_fact_number(&run, "empty_us") == 2); /* the first one's */
    CHECK(run_fact_number(&run, "complete") == 0);
    CHECK(run.rows.row[0].variant == run.rows.row[3].variant);
    put_process("11", "another", 1, rows);
    CHECK(!reads(run_folder));
    check_heard("11:0: not the commit of the first process: "
                "these are separate runs\n");
    snprintf(command, sizeof command, "rm -r %s/*", run_folder);
    CHECK(system(command) == 0);
}

int main(void)
{
    make_folder();
    put("manifest.csv",
        "key,value\nschema,4\ndevice_name,\"NVIDIA H200, big\"\n"
        "\nsm_count,132\n");
    put("ceilings.csv", CEILINGS);
    test_whole();
    test_cells();
    test_lines();
    test_ceilings();
    test_shares();
    test_files();
    test_lost();
    test_contradictions();
    test_schemas();
    drop("sum.csv");
    drop("ceilings.csv");
    test_processes();
    CHECK(rmdir(run_folder) == 0);
    run_folder_free(&run);
    return test_end();
}
