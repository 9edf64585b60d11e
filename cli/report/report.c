/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/common/options_parts.h"
#include "cli/common/rows.h"
#include "cli/compare/compare.h"
#include "cli/report/report_parts.h"
#include "harness/version.h"
#include "src/analyse/gpus.h"
#include "src/base/exit.h"
#include "src/base/memory.h"

enum { MOST_RUNS = 16 };

/* -------------------------------------------------------------- comparisons */

/* The cell's number in its run. Cells and pairs have the same order. */
static size_t number_of(const struct report_run *run, const struct run_cell *of,
                        size_t *at)
{
    while (*at + 1 < run->count && run->all[*at].row != of->row)
        ++*at;
    return *at;
}

/* [number in either run, verdict, ratio, low, high, limit, ratio of times] */
static void write_pairs(const struct report_run *base,
                        const struct report_run *now,
                        const struct comparison *comparison, FILE *file)
{
    size_t at_base = 0, at_now = 0;
    fputs(",\"cells\":[", file);
    for (size_t k = 0; k < comparison->pairs.count; ++k) {
        const struct judged *cell = &comparison->cells[k];
        const struct change *change = &cell->change;
        const bool known = change->low > 0;
        fprintf(file, "%s[%zu,%zu,%d,%s,%s,%s,%s,%s]", k ? ",\n" : "\n",
                number_of(base, &cell->pair->base, &at_base),
                number_of(now, &cell->pair->now, &at_now), (int)cell->verdict,
                report_real(change->ratio),
                report_real(known ? change->low : -1),
                report_real(known ? change->high : -1),
                report_real(cell->limit), report_real(cell->time_ratio));
    }
    fputs("]", file);
}

static void write_comparison(const struct report_run *runs, size_t base,
                             size_t now, FILE *file)
{
    static const char *const modes[] = { [COMPARE_TIMES] = "times",
                                         [COMPARE_SHARES] = "shares",
                                         [COMPARE_RATIOS] = "ratios" };
    struct notes notes = { .count = 0 };
    const enum comparison_mode mode =
        compare_mode(&runs[base].folder, &runs[now].folder, &notes);
    struct comparison comparison = compare_runs(
        &runs[base].folder, &runs[now].folder, &compare_floors, mode);
    compare_note_findings(&comparison, mode, 0, &notes);
    fprintf(file, "{\"base\":%zu,\"now\":%zu,\"mode\":\"%s\",\"notes\":[", base,
            now, modes[mode]);
    for (int n = 0; n < notes.count; ++n)
        report_text(file, n == 0, notes.text[n]);
    fputs("],\"verdicts\":[", file);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        fprintf(file, "%s[\"%s\",%zu]", v ? "," : "",
                verdict_name((enum verdict)v), comparison.counts[v]);
    fputs("],\"means\":[", file);
    for (int o = 0; o < op_count(); ++o) {
        const struct mean mean = comparison_mean(&comparison, op_at(o));
        fprintf(file, "%s[%s,%zu,%zu]", o ? "," : "", report_real(mean.ratio),
                mean.cells, mean.clear);
    }
    fputs("]", file);
    write_pairs(&runs[base], &runs[now], &comparison, file);
    fputs("}", file);
    comparison_free(&comparison);
}

/* [operation, class, problems, 1 if the winners differ, and for each card
 * [GB/s, share, winner, problems that it wins]] */
static void write_card_rows(const struct gpus *gpus, FILE *file)
{
    for (size_t r = 0; r < gpus->row_count; ++r) {
        const struct gpu_row *row = &gpus->row[r];
        fprintf(file, "%s[%d,%d,%zu,%d", r ? ",\n" : "\n", op_index(row->op),
                (int)row->class, row->problems, row->differ);
        for (size_t g = 0; g < gpus->count; ++g) {
            fprintf(file, ",[%s,%s,", report_real(row->figure[g].gbps),
                    report_real(row->figure[g].pct_ceiling));
            write_json(file, row->figure[g].winner);
            fprintf(file, ",%zu]", row->figure[g].wins);
        }
        fputc(']', file);
    }
}

static void write_cards(const struct report_run *runs, size_t count, FILE *file)
{
    struct gpus gpus;
    struct gpu_run *of = memory_for(count, sizeof *of);
    for (size_t r = 0; r < count; ++r)
        of[r] = (struct gpu_run){ &runs[r].folder,
                                  run_fact(&runs[r].folder, "device_name") };
    gpus_compare(&gpus, of, count, true, variant_points);
    fputs("{\"names\":[", file);
    for (size_t g = 0; g < gpus.count; ++g) {
        fputs(g ? "," : "", file);
        write_json(file, gpus_label(&gpus, g));
    }
    fputs("],\"rows\":[", file);
    if (gpus.count > 1)
        write_card_rows(&gpus, file);
    fputs("],\"pairs\":[", file);
    /* [one, the other, 1 if both are one card, alone and together, GB/s ratio]
     */
    const char *comma = "";
    for (size_t k = 0; gpus.row_count && k < gpus.count * gpus.count; ++k) {
        const size_t l = k / gpus.count, r = k % gpus.count;
        const enum gpu_pair pair = gpus_pair(&gpus, l, r);
        if (pair == GPUS_APART)
            continue;
        fprintf(file, "%s[%zu,%zu,%d,%s]", comma, l, r, pair == GPUS_TOGETHER,
                report_real(gpus_ratio(&gpus, l, r)));
        comma = ",";
    }
    fputs("]}", file);
    gpus_free(&gpus);
    free(of);
}

/* ------------------------------------------------------------------- page */

/* The manifest's keys and their meanings, as results/README.md lists them. */
static void write_keys(FILE *file)
{
    const char *line = strstr(*results_texts, "<!-- manifest -->");
    bool first = true;
    fputs(",\"keys\":{", file);
    for (; strncmp(line, "<!-- /", 6) != 0; line = strchr(line, '\n') + 1) {
        char text[256];
        const int chars = (int)strcspn(line, " \n");
        if (*line < 'a' || *line > 'z')
            continue;
        snprintf(text, sizeof text, "%.*s", chars, line);
        report_text(file, first, text);
        fputc(':', file);
        line += chars;
        line += strspn(line, " ");
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        write_json(file, text);
        first = false;
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
    WRITE_NAMES(file, "twins", op_count() * DTYPE_COUNT,
                op_name(op_twin(op_at(k / DTYPE_COUNT),
                                (enum dtype)(k % DTYPE_COUNT))));
    WRITE_NAMES(file, "dtypes", DTYPE_COUNT, dtype_name((enum dtype)k));
    WRITE_NAMES(file, "caches", CACHE_COUNT, cache_names[k]);
    WRITE_NAMES(file, "statuses", STATUS_COUNT, status_names[k]);
    WRITE_NAMES(file, "contracts", k + (contract_names[k] != NULL),
                contract_names[k]);
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
        write_comparison(runs, 0, r, file);
    }
    fputs("],\n\"cards\":", file);
    write_cards(runs, count, file);
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
    char *text;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    write_page(runs, count, file);
    memory_close(file, &text);
    const int status = path ? page_write(path, text) : EXIT_OK;
    if (!path)
        fputs(text, stdout); /* main() checks it */
    free(text);
    return status;
}

/* ------------------------------------------------------------ the command */

/* Lists the words' folders, for free(); a joint folder becomes its devices'
 * folders. Returns the number; the first MOST_RUNS are kept. */
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
        misused("report", "will not print HTML to a terminal: name a file, "
                          "-o report.html");
        return EXIT_BAD;
    }
    const size_t found = find_folders(words.word, folders);
    const size_t count = found < MOST_RUNS ? found : MOST_RUNS;
    bool ok =
        found <= MOST_RUNS || misused("report", "report takes 16 runs at most");
    for (size_t r = 0; r < count && found <= MOST_RUNS; ++r) {
        ok &= read_run(&runs[r].folder, folders[r]);
        runs[r].all =
            standing_make(&runs[r].folder, variant_points, &runs[r].count);
    }
    status = ok ? write_report(runs, count, options.write) : EXIT_BAD;
    for (size_t r = 0; r < count; ++r) {
        free(runs[r].all);
        run_folder_free(&runs[r].folder);
        runs[r] = (struct report_run){ 0 };
        free(folders[r]);
    }
    return status;
}
