/* SPDX-License-Identifier: MIT
 *
 * The table of tune, from a run's folder that is made here and a registry of
 * two files.
 */
#include "cli/common/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/test.h"
#include "variants/registry.h"

#define POINT(text)                                                            \
    {                                                                          \
        .name = text, .runs_on = DEVICE_HOST, .ops = OP_BIT(OP_CUMSUM)         \
    }
static const struct variant deep[] = { POINT("deep_b1"),
                                       POINT("deep_b2"),
                                       POINT("deep_b3"),
                                       POINT("deep_b4"),
                                       { 0 } };
static const struct variant wide[] = { POINT("wide_b1"), { 0 } };
static const struct variant lost[] = { POINT("lost_b1"), { 0 } };
const struct family registry[] = { { .id = "scan/lost", .variants = lost },
                                   { .id = "scan/wide", .variants = wide },
                                   { .id = "scan/deep", .variants = deep },
                                   { 0 } };
const struct family registry_broken[] = { { 0 } };

static char table_text[8192];

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    CHECK(file && fputs(text, file) >= 0);
    if (file)
        fclose(file);
}

/* The rows: deep_b2 is the best beyond doubt, wide_b1 comes close to it. */
static void make_run(void)
{
    write_file("manifest.csv", "key,value\nschema,4\ndevice_name,Test GPU\n");
    write_file("ceilings.csv", "kind,twin,dtype,cache,elems,bytes,gbps,gflops,"
                               "variant,process,phase\n");
    write_file("copy.csv", "op,variant,dtype,outer,axis,inner,cache,process,"
                           "status,median_us,ci_low_us,ci_high_us\n"
                           "copy,twin,f32,3,5,1,cold,0,ok,1,1,1\n");
    write_file("cumsum.csv",
               "op,variant,dtype,outer,axis,inner,cache,process,status,reason,"
               "median_us,ci_low_us,ci_high_us,pct_ceiling,marks\n"
               "cumsum,lost_b1,f32,3,5,1,cold,0,skip,does not fit,,,,,\n"
               "cumsum,deep_b1,f32,3,5,1,cold,0,ok,,120,119,121,220.97,"
               "above_ceiling\n"
               "cumsum,wide_b1,f32,3,5,1,cold,0,ok,,100.5,99,102,95.5,\n"
               "cumsum,deep_b4,f32,3,5,1,cold,0,wrong,exact input,,,,,\n"
               "cumsum,deep_b2,f32,3,5,1,cold,0,ok,,100,99.5,100.5,96,\n"
               "cumsum,deep_b3,f32,3,5,1,cold,0,ok,,110,109,111,87,\n");
}

/* The table as text, from a process' stdout that becomes a file meanwhile. */
static int tell(bool csv)
{
    char here[] = ".";
    const struct options options = { .format = csv,
                                     .filter.ops = OP_BIT(OP_CUMSUM),
                                     .folder = here };
    fflush(stdout);
    const int stdout_file = dup(1);
    if (!freopen("said", "w", stdout))
        abort();
    const int status = tune_report(&options, DEVICE_HOST);
    fflush(stdout);
    dup2(stdout_file, 1);
    close(stdout_file);
    FILE *said = fopen("said", "r");
    const size_t bytes =
        said ? fread(table_text, 1, sizeof table_text - 1, said) : 0;
    table_text[bytes] = '\0';
    if (said)
        fclose(said);
    return status;
}

/* The texts stand in the table, in that order. */
static void check_order(const char *const *texts)
{
    const char *at = table_text;
    for (; *texts; ++texts) {
        const char *found = strstr(at, *texts);
        if (!CHECK_FOR(found != NULL, "'%s' in\n%s", *texts, table_text))
            return;
        at = found + 1;
    }
}

static void check_text(void)
{
    CHECK(tell(false) == 0);
    check_order((const char *const[]){
        "cumsum f32 3x5x1 cold on Test GPU",
        "\nscan/deep\n",
        "100.000 us",
        "deep_b2\n",
        "+10.00 %",
        "deep_b3\n",
        "  >120 %  ",
        "+20.00 %",
        "deep_b1 (above_ceiling)\n",
        "wrong: deep_b4 exact input",
        "deep_b2 is the best by 10.00 %; next: "
        "deep_b3",
        "\nscan/wide\n",
        "wide_b1 is the only one",
        "\nscan/lost\n",
        "skip: lost_b1 does not fit",
        "the best of each family",
        "deep_b2",
        "+0.50 %",
        "wide_b1",
        "scan/deep is the best, but within noise: scan/wide is 0.50 % behind",
        NULL });
    CHECK_FOR(!strstr(table_text, "copy"), "%s", table_text);
}

static void check_csv(void)
{
    CHECK(tell(true) == 0);
    check_order((const char *const[]){
        "behind_pct", "\ncumsum,f32,3,5,1,cold,scan/deep,1,deep_b2,ok,,100,",
        ",96,0,,,\n", "scan/deep,2,deep_b3,ok,,110", ",87,10,", ",0\n",
        "scan/deep,3,deep_b1", "scan/deep,0,deep_b4,wrong,exact input,",
        "scan/wide,1,wide_b1", "scan/lost,0,lost_b1,skip,does not fit,,",
        NULL });
}

static void check_untimed(void)
{
    write_file("cumsum.csv",
               "op,variant,dtype,outer,axis,inner,cache,process,status,reason\n"
               "cumsum,lost_b1,f32,3,5,1,cold,0,skip,does not fit\n");
    fputs("(a complaint is expected)\n", stderr);
    CHECK(tell(false) == 2);
}

int main(void)
{
    char folder[] = "test_tune_XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return 2;
    make_run();
    check_text();
    check_csv();
    check_untimed();
    for (const char *const *name =
             (const char *const[]){ "manifest.csv", "ceilings.csv", "copy.csv",
                                    "cumsum.csv", "said", NULL };
         *name; ++name)
        unlink(*name);
    if (chdir("..") || rmdir(folder))
        return 2;
    return test_end();
}
