/* SPDX-License-Identifier: MIT
 *
 * One row a pair, the unchanged included; what is unknown is empty.
 */
#include "harness/cli/compare_parts.h"

#include <inttypes.h>
#include <math.h>

#include "src/base/csv.h"

static void text(const char *word)
{
    csv_write_field(stdout, false, word);
}

static void real(double number)
{
    char digits[32] = "";
    if (isfinite(number))
        snprintf(digits, sizeof digits, "%.9g", number);
    text(digits);
}

static void integer(int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    text(digits);
}

static void write_cell(const struct run_row *row)
{
    text(op_name(row->op));
    text(row->variant);
    text(dtype_name(row->dtype));
    integer(row->shape.outer);
    integer(row->shape.axis);
    integer(row->shape.inner);
    text(cache_name(row->cache));
}

static void write_side(const struct run_cell *side)
{
    text(status_name(side->status));
    integer((int64_t)side->timing.processes);
    real(run_cell_timed(side) ? timing_us(&side->timing) : NAN);
    real(run_cell_timed(side) ? side->pct_ceiling : NAN);
    text(side->reason);
    text(side->marks);
}

static void write_pair(const struct pair *pair)
{
    const struct change *change = &pair->change;
    csv_write_field(stdout, true, change_verdict_name(change->verdict));
    write_cell(pair->base.row);
    real(change->ratio);
    real(change->low > 0 ? change->low : NAN);
    real(change->high);
    real(100 * change->limit);
    write_side(&pair->base);
    write_side(&pair->now);
    csv_write_end(stdout);
}

void compare_write_csv(const struct compare_report *report)
{
    const struct comparison *c = report->comparison;
    char words[COUNTS_BYTES];
    puts("verdict,op,variant,dtype,outer,axis,inner,cache,ratio,ratio_low,"
         "ratio_high,limit_pct,"
         "base_status,base_launches,base_us,base_pct_ceiling,base_reason,"
         "base_marks,"
         "new_status,new_launches,new_us,new_pct_ceiling,new_reason,"
         "new_marks");
    for (size_t p = 0; p < c->count; ++p)
        write_pair(&c->pairs[p]);
    for (int n = 0; n < report->notes->count; ++n)
        fprintf(stderr, "scanbench: %s\n", report->notes->text[n]);
    fprintf(stderr, "scanbench: %s\n", compare_counts(report, words));
    for (int o = 0; o < OP_COUNT; ++o) {
        size_t cells;
        double mean = compare_geomean(c, (enum op)o, &cells);
        if (cells)
            fprintf(stderr, "scanbench: %s: geometric mean %.4f of %zu cells\n",
                    op_name((enum op)o), mean, cells);
    }
}
