/* SPDX-License-Identifier: MIT
 *
 * For programs: a record a line of `show`, as CSV and as JSON.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/common/escape.h"
#include "cli/show/show_parts.h"
#include "src/base/csv.h"
#include "src/model/shape.h"

/* One of the two, and the names alone as the CSV's first line. */
enum form { FORM_NAMES, FORM_CSV, FORM_JSON };
struct writer {
    enum form form;
    bool first;
};

static void begin_field(struct writer *writer, const char *name)
{
    if (writer->form == FORM_NAMES)
        csv_write_field(stdout, writer->first, name);
    if (writer->form == FORM_JSON)
        printf("%s\"%s\": ", writer->first ? "" : ", ", name);
}

static void put_text(struct writer *writer, const char *name, const char *text)
{
    begin_field(writer, name);
    if (writer->form == FORM_CSV)
        put_csv(writer->first, text ? text : "");
    if (writer->form == FORM_JSON && text)
        write_json(stdout, text);
    if (writer->form == FORM_JSON && !text)
        fputs("null", stdout);
    writer->first = false;
}

static void put_real(struct writer *writer, const char *name, double value)
{
    begin_field(writer, name);
    if (writer->form == FORM_CSV)
        csv_write_real(stdout, writer->first, value);
    if (writer->form == FORM_JSON)
        printf(isfinite(value) ? "%.9g" : "null", value);
    writer->first = false;
}

static void put_whole(struct writer *writer, const char *name, int64_t value)
{
    begin_field(writer, name);
    if (writer->form == FORM_CSV)
        csv_write_integer(stdout, writer->first, value);
    if (writer->form == FORM_JSON)
        printf("%lld", (long long)value);
    writer->first = false;
}

static void put_record(enum form form, const struct lead *lead)
{
    struct writer w = { form, true };
    const struct row *row = lead->cells->row;
    const struct run_cell *cell = lead->first ? lead->first : lead->cells;
    const double arm = lead->first ? standing_arm(cell) : NAN;
    put_text(&w, "op", op_name(row->op));
    put_text(&w, "dtype", dtype_name(row->dtype));
    put_whole(&w, "outer", row->shape.outer);
    put_whole(&w, "axis", row->shape.axis);
    put_whole(&w, "inner", row->shape.inner);
    put_text(&w, "class", shape_class_name(shape_class_of(row->shape)));
    put_text(&w, "cache", cache_name(row->cache));
    put_text(&w, "family", lead->first ? cell->row->family : NULL);
    put_text(&w, "variant", lead->first ? cell->row->variant : NULL);
    put_text(&w, "status", status_name(cell->status));
    put_text(&w, "reason", cell->reason);
    put_text(&w, "marks", marks_text(cell->marks));
    put_whole(&w, "processes", (int64_t)cell->rows);
    put_real(&w, "us", lead->first ? cell->us : NAN);
    put_real(&w, "low_us", cell->us * exp(-arm));
    put_real(&w, "high_us", cell->us * exp(arm));
    put_real(&w, "gbps", cell->gbps);
    put_real(&w, "ceiling_gbps", cell->ceiling_gbps);
    put_real(&w, "pct_ceiling", cell->pct_ceiling);
    put_whole(&w, "tied", (int64_t)lead->tied);
    put_text(&w, "cub_variant", lead->cub ? lead->cub->row->variant : NULL);
    put_real(&w, "cub_us", lead->cub ? lead->cub->us : NAN);
    put_whole(&w, "shapes", (int64_t)lead->shapes);
    put_whole(&w, "won", (int64_t)lead->won);
}

void show_csv(const struct show *show)
{
    if (show->count)
        put_record(FORM_NAMES, show->leads);
    csv_write_end(stdout);
    for (size_t k = 0; k < show->count; ++k) {
        put_record(FORM_CSV, &show->leads[k]);
        csv_write_end(stdout);
    }
    for (int k = 0; k < show->warnings.count; ++k) {
        fputs("scanbench: warning: ", stderr);
        write_plain(stderr, show->warnings.text[k]);
        fputc('\n', stderr);
    }
}

static void put_manifest(const struct run_folder *run)
{
    printf("{\"folder\": ");
    write_json(stdout, run->path);
    for (int k = 0; k < MANIFEST_KEY_COUNT; ++k) {
        printf(", \"%s\": ", manifest_keys[k].name);
        write_json(stdout, run_fact(run, manifest_keys[k].name));
    }
    putchar('}');
}

void show_json(const struct show *show)
{
    fputs("{\n\"run\": ", stdout);
    put_manifest(show->run);
    fputs(",\n\"leads\": [", stdout);
    for (size_t k = 0; k < show->count; ++k) {
        fputs(k ? ",\n{" : "\n{", stdout);
        put_record(FORM_JSON, &show->leads[k]);
        putchar('}');
    }
    fputs("\n],\n\"warnings\": [", stdout);
    for (int k = 0; k < show->warnings.count; ++k) {
        fputs(k ? ",\n" : "\n", stdout);
        write_json(stdout, show->warnings.text[k]);
    }
    fputs("\n]\n}\n", stdout);
}
