/* SPDX-License-Identifier: MIT */
#include "harness/cli/select.h"

static bool has_shape(const struct options *select, struct shape shape)
{
    bool found = select->shape_count == 0;
    for (int k = 0; k < select->shape_count && !found; ++k)
        found = shape_equal(select->shapes[k], shape);
    return found;
}

bool select_wants(const struct options *select, const struct run_row *row)
{
    char id[512], shape[SHAPE_TEXT_BYTES];
    if ((select->ops && !(select->ops & 1u << row->op)) ||
        (select->dtypes && !(select->dtypes & 1u << row->dtype)) ||
        (select->caches && !(select->caches & 1u << row->cache)) ||
        !has_shape(select, row->shape))
        return false;
    snprintf(id, sizeof id, "%s/%s/%s/%s", op_name(row->op), row->variant,
             dtype_name(row->dtype), shape_format(row->shape, shape));
    return (!select->filters.count || patterns_match(&select->filters, id)) &&
           !patterns_match(&select->excludes, id);
}

size_t select_rows(const struct options *select, struct run_rows *rows)
{
    size_t kept = 0;
    for (size_t r = 0; r < rows->count; ++r)
        if (select_wants(select, &rows->row[r]))
            rows->row[kept++] = rows->row[r];
    return rows->count = kept;
}
