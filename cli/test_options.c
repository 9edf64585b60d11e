/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include <string.h>
#include <unistd.h>

#include "src/base/test.h"

enum { MOST = 16, SAID_BYTES = 16384 };

static char said[SAID_BYTES];  /* stderr of the last parse() */
static FILE *talk;             /* in place of stderr during parse() */
static struct options options; /* of the last parse() */
static int status;

/* Parses the words up to the NULL; true if the command may go on. */
static bool parse(const char *const *words)
{
    static char name[] = "scanbench";
    char *argv[MOST + 1] = { name };
    int argc = 1;
    for (; words[argc - 1]; ++argc)
        argv[argc] = (char *)words[argc - 1];
    const int kept = dup(2);
    options_free(&options);
    status = 0;
    dup2(fileno(talk), 2);
    if (ftruncate(fileno(talk), 0))
        CHECK(false);
    rewind(talk);
    const bool going = options_parse(argc, argv, &options, &status);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    const ssize_t bytes = pread(fileno(talk), said, sizeof said - 1, 0);
    said[bytes > 0 ? bytes : 0] = '\0';
    return going;
}

static void check_taken(const char *const *words)
{
    CHECK_FOR(parse(words), "%s %s: %s", words[0], words[1], said);
}

static void check_refused(const char *why, const char *const *words)
{
    CHECK_FOR(!parse(words) && status == 2, "%s %s: %d", words[0], words[1],
              status);
    CHECK_FOR(strstr(said, why), "%s %s: %s", words[0], words[1], said);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define TAKEN(...) check_taken(WORDS(__VA_ARGS__))
#define REFUSED(why, ...) check_refused(why, WORDS(__VA_ARGS__))

static const char *help_of(const char *option)
{
    const struct option_row *row = option_rows;
    while (strcmp(row->name, option) != 0)
        ++row;
    return row->help;
}

static void check_pretend(void)
{
    TAKEN("check", "--pretend", "sm_86");
    CHECK(!strcmp(options.pretend->arch, "sm_86"));
    TAKEN("run", "--pretend", "120");
    CHECK(!strcmp(options.pretend->arch, "sm_120"));
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        REFUSED(gpu->arch, "run", "--pretend", "sm_42");
        CHECK_FOR(strstr(help_of("pretend"), gpu->arch), "%s", gpu->arch);
    }
    REFUSED("architecture ''", "run", "--pretend", "");
}

/* An empty list does not mean "all". */
static void check_lists(void)
{
    static const char *const lists[] = { "--op", "--dtype", "--shape", "--grid",
                                         "--cache" };
    static const char *const empty[] = { "", ",", ",,", ",f32", "f32," };
    for (int l = 0; l < 5; ++l)
        for (int e = 0; e < 3; ++e)
            REFUSED("name is empty", "run", lists[l], empty[e]);
    for (int e = 3; e < 5; ++e)
        REFUSED("a name is empty", "list", "--dtype", empty[e]);
    TAKEN("run", "--op", "sum,flip", "--dtype=f32", "--shape", "3x4:1,5x6:0");
    REFUSED("did you mean cumsum", "run", "--op", "sum,cumsun");
    REFUSED("did you mean f32? There", "run", "--dtype", "float32");
    REFUSED("did you mean bf16? There", "run", "--dtype", "bfloat16");
    REFUSED("mean cumsum_exclusive?", "run", "--op", "exclusive");
    REFUSED("unknown op 'softmax'\n", "run", "--op", "softmax");
    REFUSED("empty", "run", "-o", "");
    REFUSED("empty", "run", "--resume=");
}

static void check_numbers(void)
{
    REFUSED("whole number", "check", "--offset", "0.5");
    REFUSED("whole number", "check", "--offset", "1:");
    REFUSED("more than N:O:M", "check", "--offset", "1:2:3:4");
    REFUSED("whole number", "check", "--blocks", "0");
    REFUSED("from 2 to 8", "check", "--streams", "1");
    REFUSED("from 2 to 8", "check", "--streams", "9");
    REFUSED("whole number", "run", "--processes", "1.5");
    REFUSED("whole number", "run", "--processes", "99999999999");
    REFUSED("whole number", "run", "--seed", "-1");
    REFUSED("not a number from 0 to below 1e9", "run", "--budget", "nan");
    TAKEN("run", "--processes", "3", "--seed", "18446744073709551615",
          "--budget", "0.5");
    CHECK(options.processes == 3 && options.seed == UINT64_MAX);
    CHECK(options.budget_ms == 0.5);
    TAKEN("check", "--offset", "1");
    CHECK(options.offset_count == 1 && options.offsets[0].all == 1);
    CHECK(options.offsets[0].out == 0 && options.offsets[0].mask == 0);
    TAKEN("check", "--offset", "1,0:2:3");
    CHECK(options.offset_count == 2 && options.offsets[0].all == 1);
    CHECK(options.offsets[1].all == 0 && options.offsets[1].out == 2 &&
          options.offsets[1].mask == 3);
}

static void check_commands(void)
{
    REFUSED("unknown option 'must-fail'", "run", "--must-fail");
    REFUSED("run --help lists", "run", "--offset", "1");
    REFUSED("unknown option 'q'", "list", "-q");
    TAKEN("run", "-f", "x", "-o", "y", "-nq", "--quick", "--slow", "9");
    TAKEN("run", "--time-limit", "0.5");
    REFUSED("time-limit '1e9'", "run", "--time-limit", "1e9");
    TAKEN("check", "--broken", "--must-fail", "-q", "--timeout", "5");
    TAKEN("check", "--blocks", "1", "--room", "7", "--streams", "2");
    TAKEN("list", "--family", "x", "--exclude", "y", "--device", "host");
    REFUSED("not with --resume", "run", "-o", "x", "--resume", "y");
    char nested[15001] = { 0 }; /* regcomp() calls itself at each */
    memset(nested, '(', sizeof nested - 1);
    REFUSED("longer than 4096 bytes", "run", "-f", nested);
    REFUSED("longer than 4096 bytes", "run", "--exclude", nested);
    nested[4096] = '\0';
    memset(nested + 2048, ')', 2048);
    TAKEN("list", "-f", nested);
}

static void check_tune(void)
{
    TAKEN("tune", "cumsum", "3x5:1", "-q");
    CHECK(options.command == COMMAND_TUNE && options_time(&options));
    CHECK(options.filter.ops == op_bit(OP_CUMSUM) &&
          options.filter.shape_count == 1);
    CHECK(options.filter.dtypes == DTYPE_BIT(DTYPE_F32) &&
          options.grid_count == 0);
    CHECK(options.budget_ms == 200 && !options.filter.format && options.quiet);
    TAKEN("tune", "sum", "3x5:1", "--format", "csv", "--dtype", "f16",
          "--budget", "1");
    CHECK(options.filter.format && options.budget_ms == 1 &&
          options.filter.dtypes == DTYPE_BIT(DTYPE_F16));
    REFUSED("takes an operation and a shape", "tune", "sum");
    TAKEN("tune", "--dtype", "f16", "sum", "3x5:1");
    REFUSED("one operation and one shape", "tune", "sum,cumsum", "3x5:1");
    REFUSED("one operation and one shape", "tune", "sum", "3x5:1,5x3:1");
}

static void check_slips(void)
{
    REFUSED("takes options only", "run", "quick");
    REFUSED("did you mean grid?", "run", "--gird", "quick");
    REFUSED("unknown option 'x'\n", "run", "-nx");
    REFUSED("it is host, cuda or cuda:N", "run", "--device", "cuda:4294967296");
    REFUSED("named twice", "run", "--device", "cuda:1,host,cuda:1");
    REFUSED("named twice", "run", "--device", "cuda,cuda:0");
    TAKEN("run", "--device", "cuda:1,host,cuda:0,host");
    REFUSED("takes no value", "run", "--quick=3");
    REFUSED("needs a value", "run", "--op");
    REFUSED("there are: cold, hot, graph\n", "run", "--cache", "warm");
    REFUSED("it needs a seed, as in random:1", "run", "--grid", "random");
    REFUSED(
        "too long", "run", "--grid",
        "random:0000000000000000000000000000000000000000000000000000000001");
    TAKEN("run", "--grid", "quick,random:1:3,random_small:2", "--op", "sum");
}

int main(void)
{
    talk = tmpfile();
    if (!CHECK(talk != NULL))
        return test_end();
    check_lists();
    check_pretend();
    check_numbers();
    check_commands();
    check_tune();
    check_slips();
    options_free(&options);
    return test_end();
}
