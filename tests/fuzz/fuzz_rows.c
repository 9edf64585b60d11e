/* SPDX-License-Identifier: MIT
 *
 * Any file as a CSV, as rows and as ceilings: what is taken is written again,
 * and read as the same.
 */
#include "tests/fuzz/fuzz.h"

#include "src/base/csv.h"
#include "src/base/plain_text.h"
#include "src/runs/ceiling.h"
#include "src/runs/row.h"

enum { FIELDS = 64 };

static char *line_of(bool (*write)(FILE *, const void *), const void *what)
{
    char *text;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    REQUIRE(file && write(file, what));
    REQUIRE(fclose(file) == 0);
    return text;
}

static bool write_row(FILE *file, const void *row)
{
    return row_write(file, row);
}

static bool write_ceiling(FILE *file, const void *ceiling)
{
    return ceiling_write(file, ceiling);
}

/* Written, read and written again, it is the same line. */
static void again_row(const struct row *row)
{
    char problem[ROW_PROBLEM_BYTES], *fields[FIELDS], *names[FIELDS];
    const char *why;
    struct row_header header;
    struct row same;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        names[c] = (char *)row_columns[c].name;
    REQUIRE(row_read_header(&header, names, ROW_COLUMN_COUNT, problem));
    char *line = line_of(write_row, row), *copy = strdup(line);
    const size_t count = csv_split(copy, fields, FIELDS, &why);
    REQUIRE(row_read(&header, fields, count, &same, problem));
    char *now = line_of(write_row, &same);
    REQUIRE(strcmp(line, now) == 0);
    free(line);
    free(copy);
    free(now);
}

static void again_ceiling(const struct ceiling *ceiling)
{
    char *fields[FIELDS];
    const char *why;
    struct ceiling same;
    char *line = line_of(write_ceiling, ceiling), *copy = strdup(line);
    const size_t count = csv_split(copy, fields, FIELDS, &why);
    REQUIRE(ceiling_read(&same, fields, count));
    char *now = line_of(write_ceiling, &same);
    REQUIRE(strcmp(line, now) == 0);
    free(line);
    free(copy);
    free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *fields[FIELDS], problem[ROW_PROBLEM_BYTES];
    struct row_header header = { .fields = 0 };
    struct csv_reader reader = { .file = tmpfile() };
    size_t count;
    bool rows = false, ceilings = false;
    REQUIRE(reader.file && fwrite(data, 1, size, reader.file) == size);
    rewind(reader.file);
    while ((count = csv_read(&reader, fields, FIELDS)) || reader.problem) {
        struct row row;
        struct ceiling ceiling;
        for (size_t f = 0; f < count; ++f)
            REQUIRE(plain_text(fields[f]));
        if (reader.line == 1) {
            rows = row_read_header(&header, fields, count, problem);
            ceilings = ceiling_is_header(fields, count);
            continue;
        }
        if (rows && count && row_read(&header, fields, count, &row, problem))
            again_row(&row);
        if (ceilings && count && ceiling_read(&ceiling, fields, count))
            again_ceiling(&ceiling);
    }
    csv_read_end(&reader);
    fclose(reader.file);
    return 0;
}
