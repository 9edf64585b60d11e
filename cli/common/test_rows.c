/* SPDX-License-Identifier: MIT */
#include "cli/common/rows.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static const char *const headings[] = { "shape", ">us", ">CUB", "notes" };

static char *written(const struct text_table *table, int wide)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    text_table_write(table, file, wide);
    fclose(file);
    return text;
}

static struct text_table made(const char *shape, const char *cub,
                              const char *notes)
{
    struct text_table table = { .headings = headings, .columns = 4 };
    text_table_add(&table, "%s", "a");
    text_table_add(&table, "%.1f", 1.5);
    text_table_add(&table, "%s", "");
    text_table_add(&table, "%s", "");
    text_table_add(&table, "%s", shape);
    text_table_add(&table, "%.1f", 1234.5);
    text_table_add(&table, "%s", cub);
    text_table_add(&table, "%s", notes);
    return table;
}

static void check(const char *shape, const char *cub, const char *notes,
                  int wide, const char *wanted)
{
    struct text_table table = made(shape, cub, notes);
    char *text = written(&table, wide);
    CHECK_FOR(strcmp(text, wanted) == 0, "\n%s, not\n%s", text, wanted);
    free(text);
    text_table_free(&table);
}

int main(void)
{
    check("12x34", "2.0x", "tied", 80,
          "shape      us   CUB  notes\n"
          "a         1.5\n"
          "12x34  1234.5  2.0x  tied\n");
    check("12x34", "", "tied", 80, /* a column without a text */
          "shape      us  notes\n"
          "a         1.5\n"
          "12x34  1234.5  tied\n");
    check("12x34", "", "", 80, "shape      us\na         1.5\n12x34  1234.5\n");
    check("1\033[2x\303\244", "", "\303\244\303\266\303\274 ok", 22,
          "shape      us  notes\n" /* controls go, a cut is between letters */
          "a         1.5\n"
          "1[2x\303\244  1234.5  \303\244\303\266\303\274 ok\n");
    check("12x34", "2.0x", "\303\244\303\266\303\274 ok", 23,
          "shape      us   CUB  no\n"
          "a         1.5\n"
          "12x34  1234.5  2.0x  \303\244\303\266\n");
    /* The last column is cut, before the first gives way. */
    check("a_shape_of_20_chars!", "", "a_note_of_20_chars!!", 34,
          "shape                     us  note\n"
          "a                        1.5\n"
          "a_shape_of_20_chars!  1234.5  a_no\n");
    check("a_shape_of_20_chars!", "", "a_note", 26,
          "shape                 us\n"
          "a                    1.5\n"
          "a_shape_of_20_ch  1234.5\n");
    /* No part of a number passes for another. */
    check("64x4096x1", "", "9 of 12, at 1.25", 25,
          "shape          us  notes\n"
          "a             1.5\n"
          "64x4096x1  1234.5  9 of \n");
    check("64x4096x1", "", "at 1.25", 24,
          "shape          us  notes\n"
          "a             1.5\n"
          "64x4096x1  1234.5  at \n");
    return test_end();
}
