/* SPDX-License-Identifier: MIT
 *
 * Every way in which a run's folder can be damaged: what is told, with its
 * line, and what is kept.
 */
#include "src/runs/run_folder.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"

static char folder[] = "/tmp/scanbench-test-XXXXXX";

/* What was told since the folder was last read; $ is the folder itself. */
static char told[4096];
static int tellings;

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    char one[512];
    (void)context;
    const char *name = strrchr(path, '/');
    name = strcmp(path, folder) == 0 ? "$" : name ? name + 1 : path;
    snprintf(one, sizeof one, "%s:%lld: %s\n", name, (long long)line, problem);
    strncat(told, one, sizeof told - strlen(told) - 1);
    ++tellings;
    CHECK_FOR(*remedy, "%s", one);
}

static const struct listener listener = { hear, NULL };

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!CHECK_FOR(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s",
                   path))
        exit(test_end());
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

static bool reads(struct run_folder *run)
{
    told[0] = '\0';
    tellings = 0;
    return run_folder_read(run, folder, &listener);
}

#define COLUMNS                                                                \
    "op,variant,dtype,outer,axis,inner,cache,launch,status,reason,marks,"      \
    "median_us,ci_low_us,ci_high_us,pct_ceiling\n"
#define ROW(variant, launch, us)                                               \
    "sum," variant ",f32,4,8,1,cold," launch ",ok,,," us ",9,11,50\n"

/* Reads a sum.csv, and checks how many rows it gives and all that is told. */
static void expect(const char *text, size_t rows, const char *telling)
{
    struct run_folder run;
    put("sum.csv", text);
    CHECK_FOR(reads(&run) == (rows > 0), "%s", text);
    CHECK_FOR(run.rows.count == rows, "%zu rows of %s", run.rows.count, text);
    CHECK_FOR(strcmp(told, telling) == 0, "told: %s wanted: %s", told, telling);
    run_folder_free(&run);
}

static void test_whole(void)
{
    struct run_folder run;
    put("sum.csv",
        COLUMNS ROW("b", "1", "10") ROW("b", "0", "10.5") ROW("a", "0", "10"));
    put("flip.csv", COLUMNS "flip,a,f16,1,1,7,cold,0,skip,\"too, odd\",,,,,\n");
    CHECK(reads(&run) && tellings == 0);
    CHECK(run.rows.count == 4);
    const struct run_row *row = run.rows.row;
    CHECK(!strcmp(row[0].variant, "a") && row[1].process == 0 &&
          row[2].process == 1 && row[3].op == OP_FLIP);
    CHECK(row[1].median_us == 10.5 && row[1].low_us == 9 &&
          row[1].high_us == 11 && row[1].pct_ceiling == 50);
    CHECK(row[1].shape.outer == 4 && row[1].shape.axis == 8);
    CHECK(run_row_timed(&row[0]) && !run_row_timed(&row[3]));
    CHECK(!strcmp(row[3].reason, "too, odd") && row[3].status == STATUS_SKIP);
    CHECK(!strcmp(run_fact(&run, "device_name"), "NVIDIA H200, big"));
    CHECK(run_fact_number(&run, "sm_count") == 132);
    CHECK(isnan(run_fact_number(&run, "device_name")));
    CHECK(isnan(run_fact_number(&run, "nothing")) &&
          !*run_fact(&run, "nothing"));
    run_folder_free(&run);
    drop("flip.csv");
}

/* Whatever makes another cell of a row. */
static void test_cells(void)
{
    expect(COLUMNS ROW("a", "0", "1") "sum,b,f32,4,8,1,cold,0,ok,,,1,1,1,5\n"
                                      "sum,a,f16,4,8,1,cold,0,ok,,,1,1,1,5\n"
                                      "sum,a,f32,5,8,1,cold,0,ok,,,1,1,1,5\n"
                                      "sum,a,f32,4,9,1,cold,0,ok,,,1,1,1,5\n"
                                      "sum,a,f32,4,8,2,cold,0,ok,,,1,1,1,5\n"
                                      "sum,a,f32,4,8,1,hot,0,ok,,,1,1,1,5\n"
                                      "sum,a,f32,4,8,1,cold,1,ok,,,1,1,1,5\n",
           8, "");
}

/* Results from before there were intervals, launches and marks. */
static void test_older(void)
{
    struct run_folder run;
    put("sum.csv",
        "op,variant,dtype,outer,axis,inner,cache,status,samples,q1_us,"
        "median_us,q3_us\nsum,a,f32,4,8,1,cold,ok,100,98,100,103\n"
        "sum,b,f32,4,8,1,cold,ok,,,100,\n");
    CHECK(reads(&run) && tellings == 0 && run.rows.count == 2);
    const struct run_row *row = run.rows.row;
    CHECK(row->process == 0 && fabs(row->high_us - 100.79) < 1e-9 &&
          fabs(row->low_us - 99.21) < 1e-9);
    CHECK(isnan(row[1].low_us) && isnan(row[1].high_us));
    run_folder_free(&run);
}

static void test_lines(void)
{
    expect(COLUMNS ROW("a", "0", "10") "sum,b,f32,4\n" ROW("c", "0", "10"), 2,
           "sum.csv:3: 4 fields under 15 columns\n");
    expect(COLUMNS ROW("a", "0", "10") ROW("b", "0", "x"), 1,
           "sum.csv:3: median_us cannot be 'x'\n");
    expect(COLUMNS ROW("a", "0", "nan") ROW("b", "0", "10"), 1,
           "sum.csv:2: median_us cannot be 'nan'\n");
    expect(COLUMNS ROW("a", "0", "0") ROW("b", "0", "10"), 1,
           "sum.csv:2: timed, but median_us is no time\n");
    expect(COLUMNS ROW("a", "0", "") ROW("b", "0", "10"), 1,
           "sum.csv:2: timed, but median_us is no time\n");
    expect(COLUMNS ROW("", "0", "10") ROW("b", "0", "10"), 1,
           "sum.csv:2: no variant\n");
    expect(COLUMNS "sum,a,f32,,8,1,cold,0,ok,,,10,9,11,50\n" ROW("b", "0", "1"),
           1, "sum.csv:2: no shape: outer, axis and inner are needed\n");
    expect(COLUMNS "sum,\"a,f32\n" ROW("b", "0", "10"), 1,
           "sum.csv:2: a quote is not closed\n");
    expect(COLUMNS ROW("a", "0", "10") "sum,b,f32,4,8,1,cold,0,ok,,,10,9,11,5",
           1, "sum.csv:3: cut short: no line break at its end\n");
    expect(COLUMNS ROW("a", "0", "10") ROW("b", "1", "7") ROW("a", "0", "12"),
           2, "sum.csv:2: the same cell and process once more below\n");
}

#define CEILINGS "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,phase\n"

static void test_ceilings(void)
{
    struct run_folder run;
    put("sum.csv", COLUMNS ROW("a", "0", "10"));
    put("ceilings.csv", CEILINGS "traffic,copy,f32,cold,64,512,9,,a,start\n"
                                 "traffic,copy,f32,cold,256,512,8,,a,start\n"
                                 "traffic,copy,f32,cold,256,512,7,,b,start\n"
                                 "traffic,copy,f32,cold,256,512,99,,b,end\n"
                                 "add,,f32,hot,,,,7,,start\n"
                                 "traffic,copy,f9,cold,256,512,5,,b,start\n"
                                 "traffic,read,f32,cold,256,512,,,b,start\n"
                                 "traffic,read\n"
                                 "traffic,read,f32,cold,256,512,9,,b,start");
    CHECK(reads(&run) && tellings == 4);
    CHECK_FOR(!strcmp(told, "ceilings.csv:7: no ceiling\n"
                            "ceilings.csv:8: no ceiling\n"
                            "ceilings.csv:9: no ceiling\n"
                            "ceilings.csv:10: no ceiling\n"),
              "%s", told);
    struct run_ceiling copy = run.ceilings.of[OP_COPY][DTYPE_F32][CACHE_COLD];
    CHECK(copy.elems == 256 && copy.gbps == 8);
    CHECK(run.ceilings.of[OP_READ][DTYPE_F32][CACHE_COLD].elems == 0);
    run_folder_free(&run);
    put("ceilings.csv", "kind,twin\n");
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "ceilings.csv:1: not the columns of ceilings.csv\n");
    put("ceilings.csv", "");
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "ceilings.csv:0: not the columns of ceilings.csv\n");
    drop("ceilings.csv");
}

static void test_files(void)
{
    struct run_folder run;
    expect("", 0, "sum.csv:0: empty\n$:0: no rows\n");
    expect(COLUMNS, 0, "$:0: no rows\n");
    expect("op,variant\n", 0, "sum.csv:1: no column dtype\n$:0: no rows\n");
    expect("op,variant,dtype,outer,inner,cache,status,median_us\n", 0,
           "sum.csv:1: no column axis\n$:0: no rows\n");
    expect("op,op\n", 0, "sum.csv:1: column op twice\n$:0: no rows\n");
    put("softmax.csv", COLUMNS);
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "softmax.csv:0: no operation that is known here\n");
    drop("softmax.csv");
    put("manifest.csv", "key,value\nschema,99\nodd\nsm_count,1\n");
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "manifest.csv:3: not a key and a value\n"
           "manifest.csv:0: a schema that is not known here\n");
    put("manifest.csv", "key,value\n");
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "manifest.csv:0: no schema, the format's version\n");
    put("manifest.csv", "");
    expect(COLUMNS ROW("a", "0", "10"), 1, "manifest.csv:0: empty\n");
    drop("manifest.csv");
    expect(COLUMNS ROW("a", "0", "10"), 1,
           "manifest.csv:0: No such file or directory\n");
    told[0] = '\0';
    CHECK(!run_folder_read(&run, "/nowhere/at/all", &listener));
    CHECK_FOR(strcmp(told, "all:0: No such file or directory\n") == 0, "%s",
              told);
    run_folder_free(&run);
}

/* What the newest format has and a file lacks was lost. */
static void test_lost(void)
{
    struct run_folder run;
    char text[2048] = "", row[2048] = "";
    put("manifest.csv", "key,value\nschema,2\n");
    put("ceilings.csv", CEILINGS);
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        const char *name = row_columns[c].name, *value = "1";
        static const char *const values[][2] = { { "op", "sum" },
                                                 { "dtype", "f32" },
                                                 { "cache", "cold" },
                                                 { "status", "ok" } };
        for (int v = 0; v < 4; ++v)
            value = strcmp(name, values[v][0]) == 0 ? values[v][1] : value;
        sprintf(text + strlen(text), "%s%s", c ? "," : "", name);
        sprintf(row + strlen(row), "%s%s", c ? "," : "", value);
    }
    strcat(strcat(strcat(text, "\n"), row), "\n");
    expect(text, 1, "");
    drop("ceilings.csv");
    expect(text, 1, "ceilings.csv:0: No such file or directory\n");
    put("ceilings.csv", CEILINGS);
    put("sum.csv", "op,dtype,cache,status,variant,outer,axis,inner,median_us,"
                   "device,launch,reason,marks,samples,discarded,min_us,q1_us,"
                   "q3_us,max_us,ci_low_us,ci_high_us,bytes,gbps,passes\n"
                   "sum,f32,cold,ok,a,1,8,1,5,,,,,,,,,,,,,,,\n");
    CHECK(reads(&run) && tellings == 1 && run.damaged == 1);
    CHECK_FOR(strstr(told, "sum.csv:1: no column host_us, ceiling_gbps, "
                           "pct_ceiling, max_err, ") == told,
              "%s", told);
    run_folder_free(&run);
    drop("ceilings.csv");
    drop("manifest.csv");
}

int main(void)
{
    if (!CHECK(mkdtemp(folder)))
        return test_end();
    put("manifest.csv",
        "key,value\nschema,1\ndevice_name,\"NVIDIA H200, big\"\n"
        "sm_count,16\n\nsm_count,132\n");
    test_whole();
    test_cells();
    test_older();
    test_lines();
    test_ceilings();
    test_files();
    test_lost();
    drop("sum.csv");
    CHECK(rmdir(folder) == 0);
    return test_end();
}
