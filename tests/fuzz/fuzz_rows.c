/* SPDX-License-Identifier: MIT
 *
 * Any file as a CSV of rows, ceilings or samples: a line that is read, written
 * and read again stays the same.
 */
#include "tests/fuzz/fuzz.h"

#include "src/base/csv.h"
#include "src/runs/ceiling.h"
#include "src/runs/row.h"

enum { FIELDS = 64 };

static char *line_of(const struct columns *columns, const void *record)
{
    char *text;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    REQUIRE(file != NULL);
    columns_write(file, columns, record);
    REQUIRE(fclose(file) == 0);
    return text;
}

/* A record that is written, read and written again makes the same line. */
static void again(const struct columns *columns, const void *record, void *same)
{
    char problem[PROBLEM_BYTES], *fields[FIELDS], *names[FIELDS];
    const char *why;
    struct header header;
    for (int c = 0; c < columns->count; ++c)
        names[c] = (char *)columns->column[c].name;
    REQUIRE(
        columns_find(columns, &header, names, (size_t)columns->count, problem));
    char *line = line_of(columns, record), *copy = strdup(line);
    const size_t count = csv_split(copy, fields, FIELDS, &why);
    REQUIRE(columns_read(columns, &header, fields, count, same, problem));
    char *now = line_of(columns, same);
    REQUIRE(strcmp(line, now) == 0);
    free(line);
    free(copy);
    free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct columns *const tables[] = { &row_columns,
                                                    &ceiling_columns,
                                                    &samples_columns };
    char *fields[FIELDS], problem[PROBLEM_BYTES];
    struct header header[3];
    struct csv_reader reader = { .file = tmpfile() };
    size_t count;
    bool is[3] = { false };
    REQUIRE(reader.file && fwrite(data, 1, size, reader.file) == size);
    rewind(reader.file);
    while ((count = csv_read(&reader, fields, FIELDS)) || reader.problem) {
        long record[128], same[128]; /* room for a struct of any table */
        for (size_t f = 0; f < count; ++f)
            REQUIRE(plain_text(fields[f]));
        for (int t = 0; t < 3; ++t)
            if (reader.line == 1)
                is[t] =
                    columns_find(tables[t], &header[t], fields, count, problem);
            else if (is[t] && count &&
                     columns_read(tables[t], &header[t], fields, count, record,
                                  problem))
                again(tables[t], record, same);
    }
    csv_read_end(&reader);
    fclose(reader.file);
    return 0;
}
