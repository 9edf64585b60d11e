/* SPDX-License-Identifier: MIT
 *
 * Any files as a run's folder: compared, tabled, drawn, shown, exported, taken
 * up again and converted. The first byte picks the format; then come the
 * manifest, the ceilings, the rows of three operations and the samples, parted
 * by the byte 0x1e.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/compare.h"
#include "harness/cli/export.h"
#include "harness/cli/show.h"
#include "harness/cli/table.h"
#include "src/base/plain_text.h"
#include "src/runs/convert.h"
#include "src/runs/results.h"

enum { PARTS = 6, SEPARATOR = 0x1e, PATH_BYTES = 64 };
static const char *const names[PARTS] = { "manifest", "ceilings", "cumsum",
                                          "sum",      "copy",     "samples" };

static char *path_of(const char *name, const char *ending)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "run/%s.csv%s", name, ending);
    return path;
}

static void make_run(const uint8_t *data, size_t size)
{
    mkdir("run", 0700);
    mkdir("charts", 0700);
    for (int k = 0; k < PARTS; ++k) {
        const uint8_t *end = memchr(data, SEPARATOR, size);
        const size_t bytes = end ? (size_t)(end - data) : size;
        unlink(path_of(names[k], ".damaged"));
        unlink(path_of(names[k], ".new"));
        FILE *file = fopen(path_of(names[k], ""), "w");
        REQUIRE(file && fwrite(data, 1, bytes, file) == bytes);
        REQUIRE(fclose(file) == 0);
        data += bytes + (end != NULL);
        size -= bytes + (end != NULL);
    }
}

/* Whatever a command says can be shown, line breaks apart. */
static void make(int (*command)(int, char **), char **words)
{
    struct fuzz_output output;
    int count = 0;
    while (words[count])
        ++count;
    fuzz_catch(&output);
    const int status = command(count, words);
    REQUIRE(status >= 0 && status < 256);
    char *text = fuzz_caught(&output), *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        REQUIRE(plain_text(line));
    free(text);
}

#define MAKE(command, ...)                                                     \
    make(command, (char *[]){ "scanbench", __VA_ARGS__, NULL })

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
    MAKE(show_command, "show", "run", "--samples", "--format", format);
    MAKE(export_command, "export", "run", "--format", "nvbench-json");
    resume();
    bool changed;
    convert_folder("run", NULL, &listener, &changed);
    return 0;
}
