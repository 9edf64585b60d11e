/* SPDX-License-Identifier: MIT
 *
 * Comparisons as JSON: of two runs by the rule of `scanbench compare`, and of
 * all runs by card, as in `compare --cards`.
 */
#include <stdlib.h>

#include "cli/compare/compare.h"
#include "cli/common/escape.h"
#include "cli/report/report_parts.h"
#include "src/base/memory.h"
#include "src/analyse/gpus.h"

/* The cell's number in its run. Cells and pairs have the same order. */
static size_t number_of(const struct report_run *run, const struct run_cell *of,
                        size_t *at)
{
    while (*at + 1 < run->count && run->all[*at].row != of->row)
        ++*at;
    return *at;
}

/* [number in either run, verdict, ratio, its low and high, limit, ratio of the
 * times] */
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

static void write_means(const struct comparison *comparison, FILE *file)
{
    fputs(",\"means\":[", file);
    for (int o = 0; o < op_count(); ++o) {
        const struct mean mean = comparison_mean(comparison, op_at(o));
        fprintf(file, "%s[%s,%zu,%zu]", o ? "," : "", report_real(mean.ratio),
                mean.cells, mean.clear);
    }
    fputs("]", file);
}

void report_write_comparison(const struct report_run *runs, size_t base,
                             size_t now, FILE *file)
{
    static const char *const modes[] = { [COMPARE_TIMES] = "times",
                                         [COMPARE_SHARES] = "shares",
                                         [COMPARE_RATIOS] = "ratios" };
    const struct floors floors = COMPARE_FLOORS;
    struct notes notes = { .count = 0 };
    const enum comparison_mode mode =
        compare_mode(&runs[base].folder, &runs[now].folder, &notes);
    struct comparison comparison =
        compare_runs(&runs[base].folder, &runs[now].folder, &floors, mode);
    compare_note_findings(&comparison, mode, &notes);
    fprintf(file,
            "{\"base\":%zu,\"now\":%zu,\"mode\":\"%s\",\"onlyBase\":%zu,"
            "\"onlyNow\":%zu,\"notes\":[",
            base, now, modes[mode], comparison.pairs.only_base,
            comparison.pairs.only_now);
    for (int n = 0; n < notes.count; ++n)
        report_text(file, n == 0, notes.text[n]);
    fputs("],\"verdicts\":[", file);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        fprintf(file, "%s[\"%s\",%zu]", v ? "," : "",
                verdict_name((enum verdict)v), comparison.counts[v]);
    fputs("]", file);
    write_means(&comparison, file);
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

/* [one, the other, 1 if it is the same card together with others, ratio of
 * their GB/s] */
static void write_card_pairs(const struct gpus *gpus, FILE *file)
{
    const char *comma = "";
    for (size_t l = 0; l < gpus->count; ++l)
        for (size_t r = 0; r < gpus->count; ++r) {
            const enum gpu_pair pair = gpus_pair(gpus, l, r);
            if (pair == GPUS_APART)
                continue;
            fprintf(file, "%s[%zu,%zu,%d,%s]", comma, l, r,
                    pair == GPUS_TOGETHER, report_real(gpus_ratio(gpus, l, r)));
            comma = ",";
        }
}

void report_write_cards(const struct report_run *runs, size_t count, FILE *file)
{
    struct gpus gpus;
    struct gpu_run *of = memory_for(count, sizeof *of);
    for (size_t r = 0; r < count; ++r)
        of[r] = (struct gpu_run){ &runs[r].folder,
                                  run_fact(&runs[r].folder, "device_name") };
    gpus_compare(&gpus, of, count, true);
    fputs("{\"names\":[", file);
    for (size_t g = 0; g < gpus.count; ++g) {
        fputs(g ? "," : "", file);
        write_json(file, gpus_label(&gpus, g));
    }
    fputs("],\"rows\":[", file);
    if (gpus.count > 1)
        write_card_rows(&gpus, file);
    fputs("],\"pairs\":[", file);
    if (gpus.row_count)
        write_card_pairs(&gpus, file);
    fputs("]}", file);
    gpus_free(&gpus);
    free(of);
}
