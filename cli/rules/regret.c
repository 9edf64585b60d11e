/* SPDX-License-Identifier: MIT
 *
 * scanbench regret: quantiles by operation, type and class of shape, the worst
 * cells, and limits for the exit status.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/rows.h"
#include "cli/common/options_parts.h"
#include "cli/common/runs.h"
#include "src/analyse/regrets.h"
#include "src/base/exit.h"
#include "src/base/memory.h"

/* --------------------------------------------------------------- summaries */

/* The cells of an operation, a type and a class, or of all classes. */
struct part {
    enum op op;
    enum dtype dtype;
    enum shape_class class; /* SHAPE_CLASS_COUNT for all */
    struct regret_summary summary;
};
enum { MOST_PARTS = OPS_MOST * DTYPE_COUNT * (SHAPE_CLASS_COUNT + 1) };

/* For each operation and type that has cells, all classes come first. */
static int summarise(const struct regret *regret, struct part *parts)
{
    const int classes = SHAPE_CLASS_COUNT + 1;
    int count = 0;
    for (int k = 0; k < MOST_PARTS; ++k) {
        struct part part = { .op = op_at(k / classes / DTYPE_COUNT),
                             .dtype = (enum dtype)(k / classes % DTYPE_COUNT),
                             .class = (enum shape_class)(
                                 (k + SHAPE_CLASS_COUNT) % classes) };
        part.summary =
            regret_summarise(regret, part.op, part.dtype, part.class);
        if (part.summary.cells || part.summary.refused)
            parts[count++] = part;
    }
    return count;
}

static bool has_all_classes(const struct part *part)
{
    return part->class == SHAPE_CLASS_COUNT;
}

static const char *class_name(const struct part *part)
{
    return has_all_classes(part) ? "all" : shape_class_name(part->class);
}

enum { NUMBER_BYTES = 32 };

/* "0.42", "57", "inf", or "-" if it is unknown. */
static const char *number(double value, char text[NUMBER_BYTES])
{
    snprintf(text, NUMBER_BYTES,
             isnan(value)      ? "-"
             : isinf(value)    ? "inf"
             : value < 9.95    ? "%.1f"
             : value < 99999.5 ? "%.0f"
                               : "%.0e",
             value);
    return text;
}

/* Prints five quantiles of the regret, and three of both shares. */
static void print_quantiles(const struct regret_summary *summary, bool markdown)
{
    static const enum regret_quantile regrets[] = { REGRET_P50, REGRET_P90,
                                                    REGRET_P95, REGRET_P99,
                                                    REGRET_P100 };
    static const enum regret_quantile shares[] = { REGRET_P5, REGRET_P25,
                                                   REGRET_P50 };
    double values[11];
    char text[NUMBER_BYTES];
    for (int k = 0; k < 5; ++k)
        values[k] = summary->regret_pct[regrets[k]];
    for (int k = 0; k < 3; ++k) {
        values[5 + k] = summary->share_pct[shares[k]];
        values[8 + k] = summary->winner_share_pct[shares[k]];
    }
    for (int k = 0; k < 11; ++k)
        printf(markdown ? " %s |" : " %5s", number(values[k], text));
}

static void print_markdown(const struct part *parts, int count)
{
    fputs("| operation | type | shapes | cells | regret 50 % | 90 % | 95 % | "
          "99 % | max | share 5 % | 25 % | 50 % | fastest's 5 % | 25 % | 50 % "
          "| low |\n|",
          stdout);
    for (int column = 0; column < 16; ++column)
        fputs(" --- |", stdout);
    putchar('\n');
    for (int k = 0; k < count; ++k) {
        printf("| %s | %s | %s | %zu |", op_name(parts[k].op),
               dtype_name(parts[k].dtype), class_name(&parts[k]),
               parts[k].summary.cells);
        print_quantiles(&parts[k].summary, true);
        printf(" %zu |\n", parts[k].summary.low);
    }
}

/* An infinite regret is written as such. */
static void record_pct(struct records *records, const char *name, double pct)
{
    if (isinf(pct))
        record_text(records, name, "inf");
    else
        record_real(records, name, pct);
}

static void record_quantiles(struct records *records, const char *kind,
                             const double *pct)
{
    for (int q = 0; q < REGRET_QUANTILES; ++q) {
        char name[64];
        snprintf(name, sizeof name, "%s_p%d_pct", kind, regret_quantiles[q]);
        record_pct(records, name, pct[q]);
    }
}

static void record_part(struct records *records, const struct part *part)
{
    const struct regret_summary *summary = &part->summary;
    record_text(records, "op", op_name(part->op));
    record_text(records, "dtype", dtype_name(part->dtype));
    record_text(records, "class", class_name(part));
    record_whole(records, "cells", (int64_t)summary->cells);
    record_whole(records, "refused", (int64_t)summary->refused);
    record_whole(records, "untimed", (int64_t)summary->untimed);
    record_whole(records, "low", (int64_t)summary->low);
    record_quantiles(records, "regret", summary->regret_pct);
    record_quantiles(records, "share", summary->share_pct);
    record_quantiles(records, "winner_share", summary->winner_share_pct);
    record_end(records);
}

/* ------------------------------------------------------------------- cells */

/* "34.5 us, 8 %", or the status. */
static void print_time(const struct run_cell *cell, double us, double share_pct)
{
    char text[NUMBER_BYTES], all[3 * NUMBER_BYTES];
    if (isfinite(us))
        snprintf(all, sizeof all, "%.1f us, %s %%%s", us,
                 number(share_pct, text),
                 standing_timed(cell) ? "" : ", untimed");
    else
        snprintf(all, sizeof all, "%s", status_names[cell->status]);
    printf("%-24s", all);
}

static void print_cell(const struct regret_cell *cell)
{
    const struct row *row = cell->own.row;
    char shape[SHAPE_TEXT_BYTES], text[NUMBER_BYTES], id[160];
    snprintf(id, sizeof id, "%s %s %s", op_name(row->op),
             dtype_name(row->dtype), shape_format(row->shape, shape));
    printf("  %-44s %-12s ", id, shape_class_name(cell->class));
    print_time(&cell->own, cell->us, cell->share_pct);
    if (!isnan(cell->regret_pct)) {
        printf(" +%s %%: ", number(cell->regret_pct, text));
        put_plain(cell->winner.row->variant);
        printf(" %.1f us, %s %%", cell->winner.us,
               number(cell->winner_share_pct, text));
    }
    putchar('\n');
}

static bool has_regret(const struct regret_cell *cell)
{
    return cell->regret_pct > 0;
}

/* Prints the cells of a kind, the largest regret first. */
static void print_cells(const struct regret *regret, const char *title,
                        bool (*is)(const struct regret_cell *), size_t top)
{
    size_t count, found = 0, printed = 0;
    const struct regret_cell **worst = regret_worst(regret, &count);
    for (size_t k = 0; k < count; ++k)
        found += is(worst[k]);
    printf("\n%s: %zu of %zu", title, found, count);
    if (top && found > top)
        printf(" (the first %zu; --top 0: all)", top);
    putchar('\n');
    for (size_t k = 0; k < count && (!top || printed < top); ++k)
        if (is(worst[k])) {
            print_cell(worst[k]);
            ++printed;
        }
    free(worst);
}

static void record_cell(struct records *records, const struct regret_cell *cell)
{
    const struct row *row = cell->own.row, *winner = cell->winner.row;
    record_text(records, "op", op_name(row->op));
    record_text(records, "dtype", dtype_name(row->dtype));
    record_shape(records, row->shape);
    record_text(records, "class", shape_class_name(cell->class));
    record_text(records, "cache", cache_names[row->cache]);
    record_text(records, "variant", row->variant);
    record_text(records, "status", status_names[cell->own.status]);
    record_pct(records, "us", cell->us);
    record_pct(records, "share_pct", cell->share_pct);
    record_text(records, "winner", winner ? winner->variant : NULL);
    record_pct(records, "winner_us", winner ? cell->winner.us : NAN);
    record_pct(records, "winner_share_pct", cell->winner_share_pct);
    record_pct(records, "regret_pct", cell->regret_pct);
    record_end(records);
}

/* ------------------------------------------------------------------ limits */

/* Holds an operation and type to the limits. An unknown share is below any. */
static bool is_within(const struct part *part,
                      const struct regret_limits *limits)
{
    static const enum regret_quantile held[] = { REGRET_P90, REGRET_P99,
                                                 REGRET_P5, REGRET_P25,
                                                 REGRET_P50 };
    bool ok = true;
    for (int k = 0; k < REGRET_MOST + REGRET_LEAST; ++k) {
        const bool share = k >= REGRET_MOST;
        const double limit = limits->pct[k];
        const double pct = share ? part->summary.share_pct[held[k]]
                                 : part->summary.regret_pct[held[k]];
        if (isnan(limit) || (share ? pct >= limit : !(pct > limit)))
            continue;
        ok = false;
        fprintf(stderr,
                "scanbench: %s %s: the %dth percentile of the %s is %.3g %%, "
                "%s %g %%\n",
                op_name(part->op), dtype_name(part->dtype),
                regret_quantiles[held[k]], share ? "share" : "regret", pct,
                share ? "below" : "above", limit);
    }
    return ok;
}

static bool are_within(const struct part *parts, int count,
                       const struct regret_limits *limits)
{
    size_t low = 0;
    bool ok = true;
    for (int k = 0; k < count; ++k)
        if (has_all_classes(&parts[k]) && parts[k].summary.cells) {
            ok &= is_within(&parts[k], limits);
            low += parts[k].summary.low;
        }
    if (!((double)low > limits->most_low))
        return ok;
    fprintf(stderr, "scanbench: low cells: %zu, more than %g\n", low,
            limits->most_low);
    for (int k = 0; k < count; ++k)
        if (has_all_classes(&parts[k]) && parts[k].summary.low)
            fprintf(stderr, "scanbench: %s %s: %zu of them\n",
                    op_name(parts[k].op), dtype_name(parts[k].dtype),
                    parts[k].summary.low);
    return false;
}

/* ------------------------------------------------------------- the command */

static void print(const struct regret *regret, const char *variant,
                  const struct part *parts, int count,
                  const struct filter *filter)
{
    fputs("Regret of ", stdout);
    put_plain(variant);
    printf(": how much longer it takes than the fastest variant of the same "
           "run,\nper cent; and its share of the ceiling, and the fastest's, "
           "per cent. low: cells\nthat were too slow to be timed, or are "
           "below %d %% of the ceiling.\n\n",
           REGRET_LOW_PCT);
    printf("  %-12s %5s %29s %17s %17s\n", "", "", "regret", "share",
           "share of fastest");
    printf("  %-12s %5s %5s %5s %5s %5s %5s %5s %5s %5s %5s %5s %5s %5s %7s\n",
           "shapes", "cells", "50", "90", "95", "99", "max", "5", "25", "50",
           "5", "25", "50", "low", "refused");
    for (const struct part *part = parts; part < parts + count; ++part) {
        if (has_all_classes(part))
            printf("\n%s %s\n", op_name(part->op), dtype_name(part->dtype));
        printf("  %-12s %5zu", class_name(part), part->summary.cells);
        print_quantiles(&part->summary, false);
        printf(" %5zu %7zu\n", part->summary.low, part->summary.refused);
    }
    print_cells(regret, "Largest regret", has_regret, (size_t)filter->top);
    print_cells(regret, "Low", regret_low, (size_t)filter->top);
}

/* Prints every cell, or else the quantiles. */
static void print_records(const struct regret *regret, const struct part *parts,
                          int count, bool json, bool cells)
{
    struct records records = { .json = json, .digits = 6 };
    for (size_t k = 0; cells && k < regret->count; ++k)
        record_cell(&records, &regret->cells[k]);
    for (int k = 0; !cells && k < count; ++k)
        record_part(&records, &parts[k]);
    records_end(&records);
}

int regret_print(const struct regret *regret, const char *variant,
                 const struct filter *filter, bool cells,
                 const struct regret_limits *limits)
{
    struct part *parts = memory_for(MOST_PARTS, sizeof *parts);
    const int count = summarise(regret, parts);
    if (format_is_records(filter->format) || cells)
        print_records(regret, parts, count, filter->format == FORMAT_JSON,
                      cells);
    else if (filter->format == FORMAT_MARKDOWN)
        print_markdown(parts, count);
    else
        print(regret, variant, parts, count, filter);
    const bool ok = !limits || are_within(parts, count, limits);
    free(parts);
    return ok ? EXIT_OK : EXIT_WRONG;
}

static int conclude(const struct published *set, const struct rules *rules,
                    const struct regret_options *options)
{
    struct regret regret = { 0 };
    const struct regret_scope scope = { options->variant, rules, 0 };
    int status = EXIT_NOTHING;
    for (size_t k = 0; k < set->count; ++k) {
        select_rows(&options->filter, &set->run[k].rows);
        regret_add(&regret, &set->run[k]);
    }
    regret_judge(&regret, &scope);
    if (regret.count)
        status =
            regret_print(&regret, rules ? rules->name : options->variant,
                         &options->filter, options->cells, &options->limits);
    else
        fprintf(stderr,
                "scanbench: no cell of '%s' there: name another with "
                "--variant\n",
                options->variant);
    regret_free(&regret);
    return status;
}

int regret_command(int argc, char **argv)
{
    static struct regret_options options;
    static char best[64] = "best"; /* best_CONTRACT, where there is one */
    struct words words;
    struct published set = { 0 };
    struct rules rules = { .count = 0 };
    int status;
    options = (struct regret_options){ .variant = best,
                                       .filter.top = 10,
                                       .limits = { { NAN, NAN, NAN, NAN, NAN },
                                                   NAN } };
    if (!command_parse(COMMAND_REGRET, argc, argv, &options, &words, &status))
        return status;
    for (int k = 0; contract_names[k]; ++k)
        if (options.filter.contracts == 1u << k)
            snprintf(best, sizeof best, "best_%s", contract_names[k]);
    if (!options.filter.caches)
        options.filter.caches = 1u << CACHE_COLD;
    if (options.rules && !page_read_rules(options.rules, &rules))
        return EXIT_BAD;
    status = published_read(&set, words.word, words.count)
                 ? conclude(&set, options.rules ? &rules : NULL, &options)
                 : EXIT_BAD;
    rules_free(&rules);
    published_free(&set);
    return status;
}
