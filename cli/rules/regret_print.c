/* SPDX-License-Identifier: MIT */
#include "cli/rules/regret_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/escape.h"
#include "src/base/csv.h"

enum { NUMBER_BYTES = 32 };

/* Calls print for every operation, type and class that has cells; a type's
 * first is of all classes. */
static void each_summary(const struct regret *regret,
                         void (*print)(enum op, enum dtype, enum shape_class,
                                       const struct regret_summary *))
{
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int c = 0; c <= SHAPE_CLASS_COUNT; ++c) {
                const enum shape_class class = (enum shape_class)(
                    (c + SHAPE_CLASS_COUNT) % (SHAPE_CLASS_COUNT + 1));
                const struct regret_summary summary =
                    regret_summarise(regret, (enum op)o, (enum dtype)d, class);
                if (summary.cells || summary.refused)
                    print((enum op)o, (enum dtype)d, class, &summary);
            }
}

static const char *class_name(enum shape_class class)
{
    return class == SHAPE_CLASS_COUNT ? "all" : shape_class_name(class);
}

/* For people: "0.42", "57", "inf", or "-" where it is unknown. */
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

/* ----------------------------------------------------- quantiles, to read */

static const enum regret_quantile shown_regrets[] = { REGRET_P50, REGRET_P90,
                                                      REGRET_P95, REGRET_P99,
                                                      REGRET_P100 },
                                  shown_shares[] = { REGRET_P5, REGRET_P25,
                                                     REGRET_P50 };
enum { SHOWN_REGRETS = 5, SHOWN_SHARES = 3 };

static void put_numbers(const char *format, const double *values,
                        const enum regret_quantile *shown, int count)
{
    char text[NUMBER_BYTES];
    for (int k = 0; k < count; ++k)
        printf(format, number(values[shown[k]], text));
}

static void put_summary(const char *format,
                        const struct regret_summary *summary)
{
    put_numbers(format, summary->regret_pct, shown_regrets, SHOWN_REGRETS);
    put_numbers(format, summary->share_pct, shown_shares, SHOWN_SHARES);
    put_numbers(format, summary->winner_share_pct, shown_shares, SHOWN_SHARES);
}

static void text_summary(enum op op, enum dtype dtype, enum shape_class class,
                         const struct regret_summary *summary)
{
    if (class == SHAPE_CLASS_COUNT)
        printf("\n%s %s\n", op_name(op), dtype_name(dtype));
    printf("  %-12s %5zu", class_name(class), summary->cells);
    put_summary(" %5s", summary);
    printf(" %5zu %7zu\n", summary->low, summary->refused);
}

static void markdown_summary(enum op op, enum dtype dtype,
                             enum shape_class class,
                             const struct regret_summary *summary)
{
    printf("| %s | %s | %s | %zu |", op_name(op), dtype_name(dtype),
           class_name(class), summary->cells);
    put_summary(" %s |", summary);
    printf(" %zu |\n", summary->low);
}

static void text_header(const char *variant)
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
}

static void markdown_header(void)
{
    fputs("| operation | type | shapes | cells | regret 50 % | 90 % | 95 % | "
          "99 % | max | share 5 % | 25 % | 50 % | fastest's 5 % | 25 % | 50 % "
          "| low |\n|",
          stdout);
    for (int column = 0; column < 16; ++column)
        fputs(" --- |", stdout);
    putchar('\n');
}

/* ------------------------------------------------------------ cells, to read
 */

/* "34.5 us, 8 %", or the status. */
static void put_time(const struct run_cell *cell, double us, double share_pct)
{
    char text[NUMBER_BYTES], all[3 * NUMBER_BYTES];
    if (isfinite(us))
        snprintf(all, sizeof all, "%.1f us, %s %%%s", us,
                 number(share_pct, text),
                 standing_timed(cell) ? "" : ", untimed");
    else
        snprintf(all, sizeof all, "%s", status_name(cell->status));
    printf("%-24s", all);
}

static void text_cell(const struct regret_cell *cell)
{
    const struct row *row = cell->own.row;
    char shape[SHAPE_TEXT_BYTES], text[NUMBER_BYTES], id[160];
    snprintf(id, sizeof id, "%s %s %s", op_name(row->op),
             dtype_name(row->dtype), shape_format(row->shape, shape));
    printf("  %-44s %-12s ", id, shape_class_name(cell->class));
    put_time(&cell->own, cell->us, cell->share_pct);
    if (cell->winner.row) {
        printf(" +%s %%: ", number(cell->regret_pct, text));
        put_plain(cell->winner.row->variant);
        printf(" %.1f us, %s %%", cell->winner.us,
               number(cell->winner_share_pct, text));
    }
    putchar('\n');
}

static bool any(const struct regret_cell *cell)
{
    return cell->regret_pct > 0;
}

/* Those of a kind, the worst first. */
static void text_cells(const struct regret *regret, const char *title,
                       bool (*is)(const struct regret_cell *), size_t top)
{
    size_t count, found = 0;
    const struct regret_cell **worst = regret_worst(regret, &count);
    for (size_t k = 0; k < count; ++k)
        found += is(worst[k]);
    printf("\n%s: %zu of %zu", title, found, count);
    if (top && found > top)
        printf(" (the first %zu; --top 0: all)", top);
    putchar('\n');
    for (size_t k = 0, said = 0; k < count && (!top || said < top); ++k)
        if (is(worst[k])) {
            text_cell(worst[k]);
            ++said;
        }
    free(worst);
}

/* --------------------------------------------------------------------- csv */

static void csv_number(double value)
{
    char text[NUMBER_BYTES] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.6g", value);
    csv_write_field(stdout, false, text);
}

static void csv_count(long long count)
{
    char text[NUMBER_BYTES];
    snprintf(text, sizeof text, "%lld", count);
    csv_write_field(stdout, false, text);
}

static void csv_summary(enum op op, enum dtype dtype, enum shape_class class,
                        const struct regret_summary *summary)
{
    const double *const numbers[] = { summary->regret_pct, summary->share_pct,
                                      summary->winner_share_pct };
    csv_write_field(stdout, true, op_name(op));
    csv_write_field(stdout, false, dtype_name(dtype));
    csv_write_field(stdout, false, class_name(class));
    csv_count((long long)summary->cells);
    csv_count((long long)summary->refused);
    csv_count((long long)summary->untimed);
    csv_count((long long)summary->low);
    for (int kind = 0; kind < 3; ++kind)
        for (int q = 0; q < REGRET_QUANTILES; ++q)
            csv_number(numbers[kind][q]);
    csv_write_end(stdout);
}

static void csv_header(void)
{
    static const char *const kinds[] = { "regret", "share", "winner_share" };
    fputs("op,dtype,class,cells,refused,untimed,low", stdout);
    for (int kind = 0; kind < 3; ++kind)
        for (int q = 0; q < REGRET_QUANTILES; ++q)
            printf(",%s_p%d_pct", kinds[kind], regret_quantiles[q]);
    putchar('\n');
}

static void csv_cells(const struct regret *regret)
{
    puts("op,dtype,outer,axis,inner,class,cache,variant,status,us,share_pct,"
         "winner,winner_us,winner_share_pct,regret_pct");
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        const struct row *row = cell->own.row, *winner = cell->winner.row;
        csv_write_field(stdout, true, op_name(row->op));
        csv_write_field(stdout, false, dtype_name(row->dtype));
        csv_count((long long)row->shape.outer);
        csv_count((long long)row->shape.axis);
        csv_count((long long)row->shape.inner);
        csv_write_field(stdout, false, shape_class_name(cell->class));
        csv_write_field(stdout, false, cache_name(row->cache));
        put_csv(false, row->variant);
        csv_write_field(stdout, false, status_name(cell->own.status));
        csv_number(cell->us);
        csv_number(cell->share_pct);
        put_csv(false, winner ? winner->variant : "");
        csv_number(winner ? cell->winner.us : NAN);
        csv_number(cell->winner_share_pct);
        csv_number(cell->regret_pct);
        csv_write_end(stdout);
    }
}

/* --------------------------------------------------------------------- all */

void regret_print(const struct regret *regret, const char *variant,
                  enum regret_format format, size_t top)
{
    switch (format) {
    case REGRET_TEXT:
        text_header(variant);
        each_summary(regret, text_summary);
        text_cells(regret, "Largest regret", any, top);
        text_cells(regret, "Low", regret_low, top);
        break;
    case REGRET_MARKDOWN:
        markdown_header();
        each_summary(regret, markdown_summary);
        break;
    case REGRET_CSV:
        csv_header();
        each_summary(regret, csv_summary);
        break;
    case REGRET_CELLS:
        csv_cells(regret);
        break;
    }
}
