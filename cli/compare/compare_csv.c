/* SPDX-License-Identifier: MIT
 *
 * One row a cell, the unchanged included; what is unknown is empty.
 */
#include "cli/compare/compare_parts.h"

#include <math.h>

#include "cli/common/escape.h"
#include "src/base/csv.h"

static void text(const char *word)
{
    put_csv(false, word);
}

static void real(double number)
{
    csv_write_real(stdout, false, number);
}

static void integer(int64_t number)
{
    csv_write_integer(stdout, false, number);
}

static void write_key(const struct row *row)
{
    text(op_name(row->op));
    text(row->variant);
    text(dtype_name(row->dtype));
    integer(row->shape.outer);
    integer(row->shape.axis);
    integer(row->shape.inner);
    text(cache_name(row->cache));
}

static void write_side(const struct run_cell *cell)
{
    text(status_name(cell->status));
    integer((int64_t)cell->timing.processes);
    integer((int64_t)cell->dropped);
    real(cell->us);
    real(cell->pct_ceiling);
    text(cell->reason);
    text(marks_text(cell->marks));
}

static void write_cell(const struct judged *cell)
{
    const struct change *change = &cell->change;
    csv_write_field(stdout, true, verdict_name(cell->verdict));
    write_key(cell->pair->base.row);
    real(change->ratio);
    real(change->low > 0 ? change->low : NAN);
    real(change->high);
    real(100 * cell->limit);
    real(cell->time_ratio);
    write_side(&cell->pair->base);
    write_side(&cell->pair->now);
    csv_write_end(stdout);
}

void compare_write_csv(const struct compare_report *report)
{
    const struct comparison *c = report->comparison;
    char words[COUNTS_BYTES];
    puts("verdict,op,variant,dtype,outer,axis,inner,cache,ratio,ratio_low,"
         "ratio_high,limit_pct,time_ratio,"
         "base_status,base_processes,base_dropped,base_us,base_pct_ceiling,"
         "base_reason,base_marks,"
         "new_status,new_processes,new_dropped,new_us,new_pct_ceiling,"
         "new_reason,new_marks");
    for (size_t k = 0; k < c->pairs.count; ++k)
        write_cell(&c->cells[k]);
    for (int n = 0; n < report->notes->count; ++n)
        fprintf(stderr, "scanbench: %s\n", report->notes->text[n]);
    fprintf(stderr, "scanbench: %s\n", compare_counts(report, words));
    for (int o = 0; o < OP_COUNT; ++o) {
        const struct mean mean = comparison_mean(c, (enum op)o);
        if (mean.clear)
            fprintf(stderr, "scanbench: %s: geometric mean %.4f of %zu cells\n",
                    op_name((enum op)o), mean.ratio, mean.cells);
    }
}
