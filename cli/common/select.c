/* SPDX-License-Identifier: MIT */
#include "cli/common/select.h"

#include <string.h>

#include "src/choose/catalogue.h"

static bool has_shape(const struct filter *select, struct shape shape)
{
    bool found = select->shape_count == 0;
    for (int k = 0; k < select->shape_count && !found; ++k)
        found = shape_equal(select->shapes[k], shape);
    return found;
}

static bool is_word(const char *word, size_t chars, const char *name)
{
    return strlen(name) == chars && strncmp(word, name, chars) == 0;
}

/* A run names no folders, but an operation's variants are in one folder; those
 * of other folders (host/, best/) serve several. */
static bool is_family(const char *word, size_t chars, const struct run_row *row)
{
    static const char *const folders[] = { "scan", "sum", "flip", "stream" };
    const char *own = catalogue_folder(row->op);
    const char *slash = memchr(word, '/', chars);
    if (!slash)
        return is_word(word, chars, own) || is_word(word, chars, row->family);
    const size_t before = (size_t)(slash - word);
    bool other = false;
    for (int k = 0; k < 4; ++k)
        other |=
            is_word(word, before, folders[k]) && strcmp(folders[k], own) != 0;
    return !other && is_word(slash + 1, chars - before - 1, row->family);
}

static bool has_family(const struct filter *select, const struct run_row *row)
{
    const char *word = select->family;
    if (!word)
        return true;
    for (size_t chars; *word; word += chars + (word[chars] == ',')) {
        chars = strcspn(word, ",");
        if (is_family(word, chars, row))
            return true;
    }
    return false;
}

bool select_wants(const struct filter *select, const struct run_row *row)
{
    char id[512], shape[SHAPE_TEXT_BYTES];
    if ((select->ops && !(select->ops & 1u << row->op)) ||
        (select->dtypes && !(select->dtypes & 1u << row->dtype)) ||
        (select->caches && !(select->caches & 1u << row->cache)) ||
        !has_shape(select, row->shape) || !has_family(select, row))
        return false;
    snprintf(id, sizeof id, "%s/%s/%s/%s", op_name(row->op), row->variant,
             dtype_name(row->dtype), shape_format(row->shape, shape));
    return (!select->filters.count || patterns_match(&select->filters, id)) &&
           !patterns_match(&select->excludes, id);
}

size_t select_rows(const struct filter *select, struct run_rows *rows)
{
    size_t kept = 0;
    for (size_t r = 0; r < rows->count; ++r)
        if (select_wants(select, &rows->row[r]))
            rows->row[kept++] = rows->row[r];
    return rows->count = kept;
}
