/* SPDX-License-Identifier: MIT
 *
 * Any files as a run's folder (fuzz_run.h): compared, tabled, drawn, shown,
 * exported, taken up again and converted. The first byte picks the format.
 */
#include "tests/fuzz/fuzz_run.h"

#include "harness/cli/compare.h"
#include "harness/cli/export.h"
#include "harness/cli/show.h"
#include "harness/cli/table.h"
#include "src/runs/convert.h"
#include "src/runs/results.h"

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    REQUIRE(path && line >= 0 && problem && remedy);
}

static off_t bytes_of(int k)
{
    struct stat file;
    return stat(path_of(names[k], ""), &file) ? -1 : file.st_size;
}

/* As itself: mended once, nothing is left to be mended. */
static void resume(void)
{
    const struct listener listener = { hear, NULL };
    off_t before[PARTS];
    for (int turn = 0; turn < 2; ++turn) {
        struct manifest now;
        struct results results;
        manifest_init(&now);
        manifest_read(&now, "run", &listener);
        const enum resume begun = results_resume(&results, "run", &now);
        manifest_free(&now);
        if (begun == RESUME_REFUSED)
            return;
        results_go_on(&results);
        results_drop(&results);
        for (int k = 1; k < PARTS; ++k) {
            REQUIRE(turn == 0 || before[k] == bytes_of(k));
            before[k] = bytes_of(k);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *const formats[] = { "text", "markdown", "csv" };
    const struct listener listener = { hear, NULL };
    if (size == 0)
        return 0;
    char *format = formats[data[0] % 3];
    make_run(data + 1, size - 1);
    MAKE(compare_command, "compare", "run", "run", "--all", "--format", format);
    MAKE(compare_command, "compare", "run", "--against", "serial", "--format",
         format);
    MAKE(table_command, "table", "run", "--all");
    MAKE(table_command, "table", "run", "--format", "csv");
    MAKE(table_command, "table", "run", "--charts", "charts");
    MAKE(show_command, "show", "run");
    MAKE(show_command, "show", "run", "--samples", "--format", format);
    MAKE(export_command, "export", "run", "--format", "nvbench-json");
    resume();
    bool changed;
    convert_folder("run", NULL, &listener, &changed);
    return 0;
}
