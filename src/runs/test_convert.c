/* SPDX-License-Identifier: MIT
 *
 * RENAMES_MD: what becomes of folders of before, word for word; and the names
 * of variants against the table in docs/renames.md.
 */
#include "src/runs/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"
#include "src/runs/renames.h"
#include "src/runs/run_folder.h"

enum { TEXT_BYTES = 16384 };

static char folder[] = "/tmp/scanbench-test-XXXXXX";
static char told[2048];
static bool changed;

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    const char *name = strrchr(path, '/');
    const size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s:%lld: %s\n",
             name ? name + 1 : path, (long long)line, problem);
    CHECK(*remedy);
}

static const struct listener listener = { hear, NULL };

static const char *in(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(in(name), "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect(const char *name, const char *wanted)
{
    static char text[TEXT_BYTES];
    FILE *file = fopen(in(name), "r");
    if (!CHECK_FOR(file, "%s", in(name)))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_FOR(strcmp(text, wanted) == 0, "%s is:\n%swanted:\n%s", name, text,
              wanted);
}

static bool converts(const char *from, const char *to)
{
    char path[512];
    *told = '\0';
    snprintf(path, sizeof path, "%s", in(from));
    return convert_folder(path, to ? in(to) : NULL, &listener, &changed);
}

#define OLD_COLUMNS                                                            \
    "device,op,variant,dtype,outer,axis,inner,cache,launch,status,reason,"     \
    "marks,samples,discarded,min_us,q1_us,median_us,q3_us,max_us,ci_low_us,"   \
    "ci_high_us,host_us,bytes,gbps,ceiling_gbps,pct_ceiling,passes,max_err,"   \
    "err_bound,sm_mhz,sm_counted_mhz,mem_mhz,temp_c,power_w,throttle\n"
#define COLUMNS                                                                \
    "device,op,variant,family,dtype,outer,axis,inner,cache,process,status,"    \
    "reason,marks,samples,discarded,launch_us,min_us,q1_us,median_us,q3_us,"   \
    "max_us,ci_low_us,ci_high_us,host_us,bytes,gbps,ceiling_gbps,pct_ceiling," \
    "passes,max_err,err_bound,sm_mhz,sm_counted_mhz,mem_mhz,temp_c,power_w,"   \
    "throttle,ranks,gpus,exchange_us\n"
#define TIMES "1.10,2.20e0,3.3,4,5,3,3.5,8,9,10,11,12.50,1,0,84.5,1,2,3,4,5,"
#define NO_TIMES ",,,,,,,,,,,,1,,,,,,,,"
#define OLD "\n"
#define NEW ",,,\n" /* what was added since */

static const char old_rows[] = OLD_COLUMNS
    "h200,cumsum,line_in_bursts_b512_i64,f32,1,2,3,cold,2,ok,,near_empty,31,"
    "0," TIMES OLD
    "h200,cumsum,copy_b256,f32,1,2,3,cold,0,suspect,up to 50 % of the traffic "
    "may still lie in the L2 cache,near_empty,31,0," TIMES OLD
    "h200,cumsum,copy_b256,f32,1,2,3,cold,1,suspect,above the memory bus's "
    "4815 "
    "GB/s: outputs may still lie in the L2 cache,,31,0," TIMES OLD
    "h200,cumsum,copy_b256,f32,1,2,3,cold,2,suspect,the host's clock says 99 us"
    ": work that the events did not see,,31,0," TIMES OLD
    "h200,cumsum,serial,f32,1,2,3,cold,0,skip,right but slow: one launch took "
    "0.00815 s (see --slow),,,0," NO_TIMES OLD
    "h200,cumsum,serial,f32,1,9,3,cold,0,skip,not tried: too slow already at "
    "1x2x3 (see --slow),,,0," NO_TIMES OLD
    "h200,cumsum,serial,f32,1,9,3,cold,1,skip,\"too, odd\",,,0," NO_TIMES OLD;

static const char new_rows[] = COLUMNS
    "h200,cumsum,block_per_line_register_tiles_b512_i64,"
    "block_per_line_register_tiles,f32,1,2,3,cold,2,ok,,near_empty,31,0,," TIMES
        NEW
    "h200,cumsum,copy_b256,copy,f32,1,2,3,cold,0,ok,,near_empty+cache_assisted,"
    "31,0,," TIMES NEW "h200,cumsum,copy_b256,copy,f32,1,2,3,cold,1,ok,,cache_"
    "assisted,31,0,," TIMES NEW
    "h200,cumsum,copy_b256,copy,f32,1,2,3,cold,2,suspect,the host's clock says "
    "99 us: work that the events did not see,,31,0,," TIMES NEW
    "h200,cumsum,serial,serial,f32,1,2,3,cold,0,slow,right but slow: one "
    "launch "
    "took 0.00815 s (see --slow),,,0,8150," NO_TIMES NEW
    "h200,cumsum,serial,serial,f32,1,9,3,cold,0,untried,not tried: too slow "
    "already at 1x2x3 (see --slow),,,0,," NO_TIMES NEW
    "h200,cumsum,serial,serial,f32,1,9,3,cold,1,skip,\"too, "
    "odd\",,,0,," NO_TIMES NEW;

#define CEILING(column)                                                        \
    "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant," column ",phase\n" \
    "traffic,copy,f32,cold,256,512,8.50,,copy_b256,0,start\n"

static void make_old(const char *name)
{
    char file[256];
    CHECK(mkdir(in(name), 0777) == 0);
    snprintf(file, sizeof file, "%s/manifest.csv", name);
    put(file, "key,value\nschema,2\nlaunches,3\naa_floor_pct,1\nhost_hash,"
              "00000000000000aa\n"
              "commit,abc\nbuilt_with,gcc\n");
    snprintf(file, sizeof file, "%s/ceilings.csv", name);
    put(file, CEILING("launch"));
    snprintf(file, sizeof file, "%s/cumsum.csv", name);
    put(file, old_rows);
}

static void remove_all(const char *name)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", in(name));
    CHECK(system(command) == 0);
}

static void check_manifest(const char *name)
{
    struct manifest m;
    manifest_init(&m);
    CHECK(manifest_read(&m, in(name), &listener) == 0);
    CHECK(manifest_number(&m, "schema") == RUN_SCHEMA);
    CHECK(manifest_number(&m, "processes") == 3);
    CHECK(m.count == MANIFEST_KEY_COUNT + 1);
    CHECK(!*manifest_get(&m, "host_hash"));
    CHECK(strcmp(manifest_get(&m, "built_with"), "gcc") == 0);
    manifest_free(&m);
}

static void test_folder(void)
{
    struct run_folder run;
    make_old("run");
    CHECK_FOR(converts("run", "copy"), "%s", told);
    expect("run/cumsum.csv", old_rows);
    expect("copy/cumsum.csv", new_rows);
    expect("copy/ceilings.csv", CEILING("process"));
    CHECK(!converts("run", "copy") && strstr(told, "copy:0: File exists"));
    CHECK_FOR(converts("run", NULL), "%s", told);
    expect("run/cumsum.csv", new_rows);
    expect("run/ceilings.csv", CEILING("process"));
    check_manifest("run");
    CHECK(access(in("run/cumsum.csv.new"), F_OK) != 0);
    CHECK(changed);
    CHECK_FOR(converts("run", NULL), "%s", told); /* once is enough */
    CHECK(!changed);
    expect("run/cumsum.csv", new_rows);
    check_manifest("run");
    CHECK(run_folder_read(&run, in("run"), &listener));
    CHECK_FOR(!*told && run.rows.count == 7, "%s", told);
    run_folder_free(&run);
    remove_all("run");
    remove_all("copy");
}

/* Of a current run only what has an old name is written anew; how others are
 * quoted, and what a manifest has besides, stays. */
static void test_current(void)
{
    static const char quoted[] = CEILING("process") "\"traffic\",copy,f32,"
                                                    "cold,1,2,3,,loop,0,end\n";
    static const char manifest[] =
        "key,value\nschema,3\n\"mine\",\"1\"\naa_floor_pct,2\n";
    CHECK(mkdir(in("now"), 0777) == 0);
    put("now/cumsum.csv", new_rows);
    put("now/ceilings.csv", quoted);
    put("now/manifest.csv", manifest);
    CHECK_FOR(converts("now", NULL) && !changed, "%s", told);
    expect("now/cumsum.csv", new_rows);
    expect("now/ceilings.csv", quoted);
    expect("now/manifest.csv", manifest);
    put("now/sum.csv", COLUMNS "h200,sum,bulk_rows_64kx3,,f32,1,2,3,cold,0,"
                               "skip,,,,,," NO_TIMES NEW);
    CHECK_FOR(converts("now", NULL) && changed, "%s", told);
    expect("now/sum.csv", COLUMNS "h200,sum,row_tma_ring_64kx3,row_tma_ring,"
                                  "f32,1,2,3,cold,0,skip,,,,,," NO_TIMES NEW);
    expect("now/ceilings.csv", quoted);
    expect("now/manifest.csv", manifest);
    remove_all("now");
}

/* Whatever is wrong with one file, all stay as they are. */
static void test_damage(const char *name, const char *text, const char *why)
{
    char file[256];
    make_old("run");
    snprintf(file, sizeof file, "run/%s", name);
    put(file, text);
    CHECK_FOR(!converts("run", NULL) && strstr(told, why), "%s: %s", why, told);
    if (strcmp(name, "cumsum.csv") != 0)
        expect("run/cumsum.csv", old_rows);
    if (strcmp(name, "ceilings.csv") != 0)
        expect("run/ceilings.csv", CEILING("launch"));
    expect(file, text);
    CHECK(access(in("run/cumsum.csv.new"), F_OK) != 0);
    CHECK(access(in("run/ceilings.csv.new"), F_OK) != 0);
    CHECK(!converts("run", "copy") && access(in("copy"), F_OK) != 0);
    remove_all("run");
}

static void test_damages(void)
{
    test_damage("cumsum.csv", OLD_COLUMNS "h200,cumsum\n",
                "cumsum.csv:2: not as many fields as columns");
    test_damage("cumsum.csv", "device,op,novel\n",
                "cumsum.csv:1: a column that is not known");
    test_damage("cumsum.csv", "", "cumsum.csv:0: empty");
    test_damage("ceilings.csv", CEILING("launch") "traffic",
                "ceilings.csv:3: not as many fields");
    test_damage("ceilings.csv", CEILING("launch") "a,b,c,d,e,f,g,h,i,j,k",
                "ceilings.csv:3: cut short");
    test_damage("manifest.csv", "key,value\nschema,7\n",
                "run:0: no schema that is known here");
    test_damage("manifest.csv", "key,value\ncommit,a\n",
                "run:0: no schema that is known here");
}

/* What is no run gets names. */
static void test_names(void)
{
    CHECK(mkdir(in("tune"), 0777) == 0);
    put("tune/x.csv", "op,family,variant,status,reason\n"
                      "cumsum,scan/raked_lookback,raked_lookback_b256,skip,\n"
                      "sum,sum/x,x,skip,not tried: too slow\n");
    put("tune/y.csv",
        "cell,value\nsum/bulk_rows_64kx3/f32/1x2x3,4.29\nsum,5\n");
    CHECK_FOR(converts("tune", NULL), "%s", told);
    expect("tune/x.csv", "op,family,variant,status,reason\n"
                         "cumsum,scan/decoupled_lookback_blocked,"
                         "decoupled_lookback_blocked_b256,skip,\n"
                         "sum,sum/x,x,untried,not tried: too slow\n");
    const char *renamed =
        "cell,value\nsum/row_tma_ring_64kx3/f32/1x2x3,4.29\nsum,5\n";
    expect("tune/y.csv", renamed);
    put("tune/y.csv",
        "cell,value\nsum/bulk_rows_64kx3/f32/1x2x3,4.29\nsum,5\n");
    CHECK(convert_file(in("tune/y.csv"), &listener, &changed) && changed);
    expect("tune/y.csv", renamed);
    remove_all("tune");
    CHECK(!converts("tune", NULL) && strstr(told, "tune:0: No such file"));
    CHECK(!convert_file(in("none.csv"), &listener, &changed));
}

/* A stranger's folder: what a link leads to stays. */
static void test_links(void)
{
    char mine[512];
    snprintf(mine, sizeof mine, "%s", in("mine"));
    put("mine", "mine\n");
    make_old("run");
    CHECK(symlink(mine, in("run/cumsum.csv.new")) == 0);
    CHECK(link(mine, in("run/manifest.csv.new")) == 0);
    CHECK_FOR(converts("run", NULL) && changed, "%s", told);
    expect("mine", "mine\n");
    remove_all("run");
    unlink(mine);
}

static void check_rename(const char *variant, const char *wanted)
{
    char now[128];
    CHECK_FOR(strcmp(renamed_variant(variant, now, sizeof now), wanted) == 0,
              "%s: %s", variant, now);
}

static void test_renames(const char *page)
{
    char line[512], wanted[512];
    const struct rename *r = renames;
    FILE *file = fopen(page, "r");
    CHECK_FOR(file, "%s", page);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "| `", 3) != 0)
            continue;
        snprintf(wanted, sizeof wanted, "| `%s` | `%s` |\n",
                 r->old ? r->old : "", r->old ? r->now : "");
        CHECK_FOR(strcmp(line, wanted) == 0, "%s: %swanted %s", page, line,
                  wanted);
        r += r->old != NULL;
    }
    CHECK_FOR(!r->old, "%s lacks %s", page, r->old);
    if (file)
        fclose(file);
    check_rename("tma_ring_s3_b512_i16", "block_per_line_tma_ring_s3_b512_i16");
    check_rename("tma_ring_persistent_s4",
                 "block_per_line_tma_ring_persistent_s4");
    check_rename("tma_ring_specialised_s4", "tma_ring_specialised_s4");
    check_rename("bulk_rows_64kx3", "row_tma_ring_64kx3");
    check_rename("bulk_rows", "row_tma_ring");
    check_rename("bulk_rows_", "bulk_rows_");
    check_rename("my_bulk_rows_64kx3", "my_bulk_rows_64kx3");
    for (r = renames; r->old; ++r) /* none is renamed twice */
        check_rename(r->now, r->now);
}

int main(int argc, char **argv)
{
    if (!CHECK(argc == 2) || !CHECK(mkdtemp(folder)))
        return test_end();
    test_folder();
    test_current();
    test_damages();
    test_names();
    test_links();
    test_renames(argv[1]);
    CHECK(rmdir(folder) == 0);
    return test_end();
}
