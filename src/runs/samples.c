/* SPDX-License-Identifier: MIT */
#include "src/runs/samples.h"

struct line {
    int op;
    struct row of;
    char *us;
};

static const struct csv_column columns[] = {
    COLUMN(line, op, op, OP, NEEDED),
    COLUMN(line, variant, of.variant, TEXT, NEEDED),
    COLUMN(line, dtype, of.dtype, DTYPE, NEEDED),
    COLUMN(line, outer, of.shape.outer, INTEGER, NEEDED),
    COLUMN(line, axis, of.shape.axis, INTEGER, NEEDED),
    COLUMN(line, inner, of.shape.inner, INTEGER, NEEDED),
    COLUMN(line, cache, of.cache, CACHE, NEEDED),
    COLUMN(line, process, of.process, INTEGER, NEEDED),
    COLUMN(line, us, us, LONG_TEXT, NEEDED),
    COLUMN(line, lines, of.shape.lines, LINES, OPTIONAL),
};

const struct columns samples_columns = COLUMNS_OF(columns);

void samples_write(FILE *file, const struct row *row, const double *us)
{
    char text[16 * SAMPLES_MOST] = "";
    struct line line = { (int)row->op, *row, text };
    size_t used = 0;
    for (size_t k = 0; k < row->us.count; ++k)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.7g",
                                 k ? " " : "", us[k]);
    columns_write(file, &samples_columns, &line);
}
