/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"
#include "src/analyse/steps.h"

static const char source[] = "/* SPDX-License-Identifier: MIT\n"
                             " *\n"
                             " * Idea     One thread | a line\n"
                             " *          and then some.\n"
                             " * Needs    compute capability 9.0; inner == 1.\n"
                             " * Lesson   It pays.\n"
                             " */\n"
                             "/*\n"
                             " * Source   not in the first comment\n"
                             " */\n";

static void test_header(void)
{
    char text[KERNEL_FIELD_BYTES];
    CHECK(kernel_header_field(source, "Idea", text));
    CHECK(strcmp(text, "One thread | a line and then some.") == 0);
    CHECK(kernel_header_field(source, "Lesson", text));
    CHECK(strcmp(text, "It pays.") == 0);
    CHECK(!kernel_header_field(source, "Source", text) && !*text);
    CHECK(!kernel_header_field(source, "Ide", text));
    CHECK(!kernel_header_field("no comment", "Idea", text));
}

static const struct catalogue_point points[] = {
    { "scan/plain", "plain_b1", "a thread | a line", "scan/plain.cu" },
    { "scan/plain", "plain_b2", "a thread | a line", "scan/plain.cu" },
    { "scan/late", "late", "later", "scan/late.cu" },
    { "scan/refusing", "refusing", "refuses", "scan/refusing.cu" },
    { 0 },
};

static struct row rows[2][16];
static struct run_folder runs[2];

static void enter(int run, enum op op, const char *variant, int64_t axis,
                  enum status status, double pct)
{
    rows[run][runs[run].rows.count++] = (struct row){
        .op = op,
        .dtype = DTYPE_F32,
        .shape = { 32768, axis, 1 },
        .status = status,
        .us.median = 100 / pct,
        .us.ci_low = NAN,
        .us.ci_high = NAN,
        .gbps = pct,
        .pct_ceiling = pct,
        .passes = op == OP_MASKED_CUMSUM ? 1.5 : 2,
        .max_err = pct / 10,
        .variant = variant,
        .family = variant,
        .reason = "",
    };
}

static char *written(const char *arguments)
{
    char *text = NULL;
    size_t bytes;
    for (int r = 0; r < 2; ++r) {
        runs[r].rows.row = rows[r];
        run_rows_sort(&runs[r].rows);
        manifest_set(&runs[r].manifest, "arguments", "%s", arguments);
    }
    struct ladder *ladder = ladder_make(points, runs, 2);
    FILE *file = open_memstream(&text, &bytes);
    ladder_write(ladder, "scan", file);
    fclose(file);
    ladder_free(ladder);
    return text;
}

#define SAYS(text, line) CHECK_FOR(strstr(text, line), "%s in:\n%s", line, text)

static void test_steps(void)
{
    enter(0, OP_CUMSUM, "plain_b1", 32768, STATUS_OK, 50);
    enter(0, OP_CUMSUM, "plain_b2", 32768, STATUS_OK, 60);
    enter(1, OP_CUMSUM, "plain_b1", 32768, STATUS_OK, 90); /* older */
    enter(1, OP_CUMSUM, "late", 32768, STATUS_SLOW, NAN);
    enter(0, OP_CUMSUM, "refusing", 32768, STATUS_SKIP, NAN);
    enter(0, OP_CUMSUM, "gone", 32768, STATUS_OK, 99);
    enter(1, OP_CUMSUM, "plain_b2", 8, STATUS_OK, 88); /* no column's shape */
    char *text = written("run --grid headline");
    SAYS(text, "| file | idea | fastest | spread | 32768 lines | odd");
    SAYS(text, "| [plain](scan/plain.cu) | a thread \\| a line | – | – | "
               "60 | – | – | – | 6\n");
    SAYS(text, "| – | – | slow | – | – | – | –\n");
    SAYS(text, "| [refusing](scan/refusing.cu) | refuses | – |");
    CHECK(!strstr(text, "gone"));
    free(text);
}

/* The range over the scans, and the spread over problems: `plain` is fastest at
 * three of four, `gone` at the other, and `late` was too slow. */
static void test_spread(void)
{
    enter(0, OP_MASKED_CUMSUM, "plain_b1", 32768, STATUS_OK, 72);
    char *text = written("run --grid random:1");
    SAYS(text, "| a thread \\| a line | 75 | 60–72 | 60–72 | – |");
    SAYS(text, "| [late](scan/late.cu) | later | 0 | 0 | slow |");
    SAYS(text, "| [refusing](scan/refusing.cu) | refuses | 0 | – | – | – |");
    free(text);
    static const char *const chosen[] = { "run --shape 32768x32768x1",
                                          "run --grid random:1 --shape 8x8x1" };
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; ++k) {
        text = written(chosen[k]);
        SAYS(text, "| a thread \\| a line | – | – | 60–72 | – |");
        free(text);
    }
}

int main(void)
{
    test_header();
    test_steps();
    test_spread();
    return test_end();
}
