/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/common/options_parts.h"
#include "cli/common/escape.h"
#include "cli/common/runs.h"
#include "cli/report/report_parts.h"
#include "harness/version.h"
#include "src/base/memory.h"
#include "src/model/shape.h"
#include "src/runs/manifest.h"

enum { MOST_RUNS = 16 };

/* ------------------------------------------------------------------- page */

static void write_keys(FILE *file)
{
    fputs(",\"keys\":{", file);
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        report_text(file, k == 0, manifest_keys[k].name);
        fputc(':', file);
        write_json(file, manifest_keys[k].meaning);
    }
    fputs("}", file);
}

/* Names of an enum, in its order. */
#define WRITE_NAMES(file, key, count, name)                                    \
    do {                                                                       \
        fputs(",\"" key "\":[", file);                                         \
        for (int k = 0; k < (count); ++k)                                      \
            fprintf(file, "%s\"%s\"", k ? "," : "", name);                     \
        fputs("]", file);                                                      \
    } while (0)

static void write_data(const struct report_run *runs, size_t count, FILE *file)
{
    fputs("{\"version\":", file);
    write_json(file, SCANBENCH_VERSION);
    WRITE_NAMES(file, "ops", op_count(), op_name(op_at(k)));
    WRITE_NAMES(file, "twins", op_count(), op_name(op_twin(op_at(k))));
    WRITE_NAMES(file, "dtypes", DTYPE_COUNT, dtype_name((enum dtype)k));
    WRITE_NAMES(file, "caches", CACHE_COUNT, cache_name((enum cache)k));
    WRITE_NAMES(file, "statuses", STATUS_COUNT, status_name((enum status)k));
    WRITE_NAMES(file, "classes", SHAPE_CLASS_COUNT,
                shape_class_name((enum shape_class)k));
    WRITE_NAMES(file, "classMeanings", SHAPE_CLASS_COUNT,
                shape_class_meaning((enum shape_class)k));
    fputs(",\"dtypeBytes\":[", file);
    for (int k = 0; k < DTYPE_COUNT; ++k)
        fprintf(file, "%s%zu", k ? "," : "", dtype_bytes((enum dtype)k));
    fputs("]", file);
    write_keys(file);
    fputs(",\n\"families\":", file);
    report_write_families(runs, count, file);
    fputs(",\n\"runs\":[", file);
    for (size_t r = 0; r < count; ++r) {
        fputs(r ? ",\n" : "\n", file);
        report_write_run(&runs[r], file);
    }
    fputs("],\n\"comparisons\":[", file);
    for (size_t r = 1; r < count; ++r) {
        fputs(r > 1 ? ",\n" : "\n", file);
        report_write_comparison(runs, 0, r, file);
    }
    fputs("],\n\"cards\":", file);
    report_write_cards(runs, count, file);
    fputs("}", file);
}

static void write_page(const struct report_run *runs, size_t count, FILE *file)
{
    char name[REPORT_NAME_BYTES];
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\""
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            "script-src 'sha256-%s'; style-src 'sha256-%s'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, "
            "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
            "dark\">\n<title>",
            report_script.sha256, report_style.sha256);
    for (size_t r = 0; r < count; ++r) {
        fputs(r ? ", " : "", file);
        write_html(file, report_name(runs[r].folder.path, name));
    }
    fputs(" - scanbench</title>\n<style>", file);
    fwrite(report_style.text, 1, report_style.bytes, file);
    fputs("</style>\n</head>\n<body>\n", file);
    fwrite(report_body.text, 1, report_body.bytes, file);
    fputs("<script type=\"application/json\" id=\"data\">", file);
    write_data(runs, count, file);
    fputs("</script>\n<script>", file);
    fwrite(report_script.text, 1, report_script.bytes, file);
    fputs("</script>\n</body>\n</html>\n", file);
}

static int write_report(const struct report_run *runs, size_t count,
                        const char *path)
{
    struct whole_file whole = { .file = stdout };
    bool ok = !path || whole_file_open(&whole, path);
    if (ok)
        write_page(runs, count, whole.file);
    if (!path)
        return EXIT_OK; /* main() checks stdout */
    ok = ok && whole_file_close(&whole);
    return ok || cannot_write(path) ? EXIT_OK : EXIT_BAD;
}

/* ------------------------------------------------------------ the command */

/* Lists the folders of the words, and in place of one that joins several
 * devices theirs; for free(). Returns their number, of which at most MOST_RUNS
 * are kept. */
static size_t find_folders(char **words, char *folders[MOST_RUNS])
{
    size_t count = 0;
    for (; *words; ++words) {
        const size_t before = count;
        for (int number = 0; number <= MAX_DEVICES; ++number) {
            char *path = number < MAX_DEVICES ? beside_folder(*words, number)
                         : count == before    ? memory_copy(*words)
                                              : NULL;
            if (path && count < MOST_RUNS)
                folders[count] = path;
            else
                free(path);
            count += path != NULL;
        }
    }
    return count;
}

int report_command(int argc, char **argv)
{
    static struct report_run runs[MOST_RUNS];
    char *folders[MOST_RUNS];
    struct page_options options = { .write = NULL };
    struct words words;
    int status;
    if (!command_parse(COMMAND_REPORT, argc, argv, &options, &words, &status))
        return status;
    if (!options.write && isatty(STDOUT_FILENO)) {
        misused("report", "a page is not for a terminal: name a file, "
                          "-o report.html");
        return EXIT_BAD;
    }
    const size_t found = find_folders(words.word, folders);
    const size_t count = found < MOST_RUNS ? found : MOST_RUNS;
    bool ok =
        found <= MOST_RUNS || misused("report", "report takes 16 runs at most");
    for (size_t r = 0; r < count && found <= MOST_RUNS; ++r)
        if (read_run(&runs[r].folder, folders[r])) {
            runs[r].all = standing_make(&runs[r].folder, &runs[r].count);
            read_samples(&runs[r].samples, &runs[r].folder);
        } else
            ok = false;
    status = ok ? write_report(runs, count, options.write) : EXIT_BAD;
    for (size_t r = 0; r < count; ++r) {
        free(runs[r].all);
        run_samples_free(&runs[r].samples);
        run_folder_free(&runs[r].folder);
        runs[r] = (struct report_run){ 0 };
        free(folders[r]);
    }
    return status;
}
