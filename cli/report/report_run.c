/* SPDX-License-Identifier: MIT
 *
 * A run as JSON: the facts of its manifest, its ceilings, and a list per cell.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/rows.h"
#include "cli/common/commands.h"
#include "cli/common/runs.h"
#include "cli/report/report_parts.h"
#include "src/base/memory.h"
#include "src/choose/catalogue.h"
#include "src/model/shape.h"
#include "src/analyse/warnings.h"

const char *report_real(double value)
{
    static char texts[8][32];
    static unsigned last;
    char *text = texts[++last % 8];
    snprintf(text, sizeof texts[0], isfinite(value) ? "%.6g" : "null", value);
    return text;
}

void report_text(FILE *file, bool first, const char *text)
{
    fputs(first ? "\n" : ",\n", file);
    write_json(file, text);
}

/* ------------------------------------------------------------------ texts */

char *report_name(const char *path, char name[REPORT_NAME_BYTES])
{
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        --end;
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        --begin;
    snprintf(name, REPORT_NAME_BYTES, "%.*s", (int)(end - begin), path + begin);
    return name;
}

/* The cells' texts, each once and sorted: cells refer to them by number. */
struct words {
    const char **word;
    size_t count;
};

static int word_order(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static struct words words_of(const struct report_run *run)
{
    struct words words = { memory_for(4 * run->count, sizeof *words.word), 0 };
    size_t kept = 0;
    for (size_t k = 0; k < run->count; ++k) {
        const struct run_cell *cell = &run->all[k];
        words.word[words.count++] = cell->row->variant;
        words.word[words.count++] = cell->row->family;
        words.word[words.count++] = cell->reason;
        words.word[words.count++] = marks_text(cell->marks);
    }
    qsort(words.word, words.count, sizeof *words.word, word_order);
    for (size_t k = 0; k < words.count; ++k)
        if (!k || strcmp(words.word[kept - 1], words.word[k]) != 0)
            words.word[kept++] = words.word[k];
    words.count = kept;
    return words;
}

static void write_number_of(const struct words *words, const char *word,
                            FILE *file)
{
    const char **at = bsearch(&word, words->word, words->count,
                              sizeof *words->word, word_order);
    fprintf(file, ",%td", at - words->word);
}

/* ------------------------------------------------------------------ cells */

/* [group, variant, family, status, reason, marks, contracts, processes, passes,
 * ceiling GB/s, launch us, error, its bound, us, its low, its high, GB/s,
 * share, rank, tied, samples, and of the first process min, q1, q3, max], up to
 * the last known number */
static void write_cell(const struct run_cell *cell, const struct words *words,
                       size_t group, FILE *file)
{
    const struct row *row = cell->row;
    const bool timed = standing_timed(cell);
    const double arm = timed ? standing_arm(cell) : NAN;
    const double numbers[] = { row->passes,
                               cell->ceiling_gbps,
                               row->launch_us,
                               cell->max_err,
                               cell->err_bound,
                               cell->us,
                               cell->us * exp(-arm),
                               cell->us * exp(arm),
                               cell->gbps,
                               cell->pct_ceiling,
                               timed ? cell->rank : NAN,
                               timed ? cell->tied : NAN,
                               timed ? (double)row->us.count : NAN,
                               row->us.min,
                               row->us.q1,
                               row->us.q3,
                               row->us.max };
    size_t count = sizeof numbers / sizeof *numbers;
    while (count > 0 && !isfinite(numbers[count - 1]))
        --count;
    fprintf(file, "[%zu", group);
    write_number_of(words, row->variant, file);
    write_number_of(words, row->family, file);
    fprintf(file, ",%d", (int)cell->status);
    write_number_of(words, cell->reason, file);
    write_number_of(words, marks_text(cell->marks), file);
    fprintf(file, ",%u,%zu", row_contracts(row), cell->rows);
    for (size_t k = 0; k < count; ++k)
        fprintf(file, ",%s", report_real(numbers[k]));
    fputc(']', file);
}

/* [operation, type, outer, axis, inner, cache, compulsory bytes, class, shape
 * as text] */
static void write_groups(const struct report_run *run, FILE *file)
{
    char shape[SHAPE_TEXT_BYTES];
    fputs(",\"groups\":[", file);
    for (size_t k = 0; k < run->count; ++k) {
        const struct row *row = run->all[k].row;
        if (k && !run_group_order(run->all[k - 1].row, row))
            continue;
        fprintf(file, "%s[%d,%d,%lld,%lld,%lld,%d,%lld,%d,\"%s\"]",
                k ? ",\n" : "\n", op_index(row->op), (int)row->dtype,
                (long long)row->shape.outer, (long long)row->shape.axis,
                (long long)row->shape.inner, (int)row->cache,
                (long long)op_bytes(row->op, row->dtype, row->shape),
                (int)shape_class_of(row->shape),
                shape_format(row->shape, shape));
    }
    fputs("]", file);
}

/* --------------------------------------------------------------- ceilings */

/* [twin or -1, type, cache, elements, GB/s or Gadd/s, process, at end] */
static void write_ceilings(const struct report_run *run, FILE *file)
{
    const struct ceilings *all = &run->folder.ceilings;
    fputs(",\"ceilings\":[", file);
    for (size_t k = 0; k < all->count; ++k) {
        const struct ceiling *line = &all->line[k];
        fprintf(file, "%s[%d,%d,%d,%lld,%s,%lld,%d]", k ? ",\n" : "\n",
                line->twin < 0 ? -1 : op_index((enum op)line->twin),
                (int)line->dtype, (int)line->cache, (long long)line->elems,
                report_real(line->twin < 0 ? line->gflops : line->gbps),
                (long long)line->process, line->at_end);
    }
    fputs("]", file);
}

/* -------------------------------------------------------------------- run */

static void write_facts(const struct run_folder *folder, FILE *file)
{
    fputs(",\"facts\":{", file);
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        report_text(file, k == 0, manifest_keys[k].name);
        fputc(':', file);
        write_json(file, run_fact(folder, manifest_keys[k].name));
    }
    fputs("}", file);
}

void report_write_run(const struct report_run *run, FILE *file)
{
    const struct notes warnings = warnings_of(&run->folder);
    struct words words = words_of(run);
    char name[REPORT_NAME_BYTES];
    fputs("{\"name\":", file);
    write_json(file, report_name(run->folder.path, name));
    write_facts(&run->folder, file);
    fputs(",\"warnings\":[", file);
    for (int k = 0; k < warnings.count; ++k)
        report_text(file, k == 0, warnings.text[k]);
    fputs("]", file);
    write_ceilings(run, file);
    fputs(",\"texts\":[", file);
    for (size_t k = 0; k < words.count; ++k)
        report_text(file, k == 0, words.word[k]);
    fputs("]", file);
    write_groups(run, file);
    fputs(",\"cells\":[", file);
    for (size_t k = 0, group = 0; k < run->count; ++k) {
        group += k && run_group_order(run->all[k - 1].row, run->all[k].row);
        fputs(k ? ",\n" : "\n", file);
        write_cell(&run->all[k], &words, group, file);
    }
    fputs("]}", file);
    free(words.word);
}

/* --------------------------------------------------------------- families */

/* Returns a point of the row's family, since its own may no longer exist: in
 * the operation's folder, or else in another, as host/ has no operations. */
static int point_of(const struct row *row)
{
    const char *folder = catalogue_folder(row->op);
    char family[ROW_TEXT_BYTES];
    int found = -1;
    for (int p = 0; variant_points[p].name; ++p) {
        const struct catalogue_point *point = &variant_points[p];
        variant_family(point->name, family, sizeof family);
        if (strcmp(family, row->family) != 0)
            continue;
        if (strncmp(point->id, folder, strlen(folder)) == 0)
            return p;
        found = found < 0 ? p : found;
    }
    return found;
}

static void write_fields(const char *id, FILE *file)
{
    static const char *const fields[] = { "Idea",  "Against", "Traffic",
                                          "Needs", "Source",  "Lesson" };
    char text[KERNEL_FIELD_BYTES];
    const struct kernel_head *head = kernel_heads;
    while (head->id && strcmp(head->id, id) != 0)
        ++head;
    for (size_t f = 0; f < sizeof fields / sizeof *fields && head->id; ++f) {
        kernel_header_field(head->text, fields[f], text);
        fprintf(file, ",\"%s\":", fields[f]);
        write_json(file, text);
    }
}

static int row_order(const void *left, const void *right)
{
    const struct row *l = *(const struct row *const *)left;
    const struct row *r = *(const struct row *const *)right;
    const int order = strcmp(l->family, r->family);
    return order ? order : op_index(l->op) - op_index(r->op);
}

/* A family of an operation: its place in the catalogue (-1 if it was removed),
 * its colours and shape of point, its file and the fields of its header.
 * Families of several operations may share a name, and have a file each. */
static void write_family(const struct row *row, bool first, FILE *file)
{
    char key[512];
    const int point = point_of(row);
    snprintf(key, sizeof key, "%s/%s", op_name(row->op), row->family);
    report_text(file, first, key);
    const struct family_style style = family_style(row->family);
    fprintf(file, ":{\"place\":%d,\"style\":[%u,%u],\"point\":%d", point,
            style.light, style.dark, style.point);
    if (point >= 0) {
        fputs(",\"file\":", file);
        write_json(file, variant_points[point].file);
        write_fields(variant_points[point].id, file);
    }
    fputs("}", file);
}

void report_write_families(const struct report_run *runs, size_t count,
                           FILE *file)
{
    size_t cells = 0, kept = 0;
    for (size_t r = 0; r < count; ++r)
        cells += runs[r].count;
    const struct row **rows = memory_for(cells, sizeof *rows);
    for (size_t r = 0; r < count; ++r)
        for (size_t k = 0; k < runs[r].count; ++k)
            rows[kept++] = runs[r].all[k].row;
    qsort(rows, kept, sizeof *rows, row_order);
    fputs("{", file);
    for (size_t k = 0; k < kept; ++k)
        if (!k || row_order(&rows[k - 1], &rows[k]))
            write_family(rows[k], k == 0, file);
    fputs("}", file);
    free(rows);
}
