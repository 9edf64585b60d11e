/* SPDX-License-Identifier: MIT */
#include "src/base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

enum { MAX_FIELDS = 6, TEXT_BYTES = 4096 };

/* A file of these bytes, at its start. */
static FILE *file_of(const char *bytes, size_t count)
{
    FILE *file = tmpfile();
    if (CHECK(file != NULL)) {
        fwrite(bytes, 1, count, file);
        rewind(file);
    }
    return file;
}

/* Fields up to the NULL. */
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void check_written(const char *expected, const char *const *fields)
{
    char text[TEXT_BYTES] = { 0 };
    FILE *file = file_of("", 0);
    for (size_t k = 0; fields[k]; ++k)
        csv_write_field(file, k == 0, fields[k]);
    fputc('\n', file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_FOR(strcmp(text, expected) == 0, "%s", text);
}

#define WRITTEN(expected, ...) check_written(expected, FIELDS(__VA_ARGS__))

static void check_writing(void)
{
    WRITTEN("a,b,c\n", "a", "b", "c");
    WRITTEN(",\n", "", "");
    WRITTEN("a b,c;d,'e'\n", "a b", "c;d", "'e'");
    WRITTEN("\"a,b\",c\n", "a,b", "c");
    WRITTEN("\"say \"\"hi\"\"\",c\n", "say \"hi\"", "c");
    WRITTEN("\"two lines\",c\n", "two\nlines", "c");
    WRITTEN("\" a\",\"b \"\n", " a", "b ");
}

static void check_split(const char *line, const char *const *expected)
{
    char copy[TEXT_BYTES];
    char *fields[MAX_FIELDS];
    const char *problem = "untouched";
    strcpy(copy, line);
    const size_t got = csv_split(copy, fields, MAX_FIELDS, &problem);
    size_t count = 0;
    for (; expected[count] && count < got; ++count)
        CHECK_FOR(strcmp(fields[count], expected[count]) == 0, "%s: %s", line,
                  fields[count]);
    CHECK_FOR(got == count && !expected[count] && !problem, "%s: %zu", line,
              got);
}

#define SPLIT(line, ...) check_split(line, FIELDS(__VA_ARGS__))

static void check_damaged(const char *line, const char *about)
{
    char copy[TEXT_BYTES];
    char *fields[MAX_FIELDS];
    const char *problem = NULL;
    strcpy(copy, line);
    CHECK_FOR(csv_split(copy, fields, MAX_FIELDS, &problem) == 0, "%s", line);
    CHECK_FOR(problem && strstr(problem, about), "%s: %s", line,
              problem ? problem : "taken");
}

static void check_splitting(void)
{
    SPLIT("a,b,c\r\n", "a", "b", "c");
    SPLIT("a,,\n", "a", "", "");
    SPLIT("", "");
    SPLIT("\"\",a\n", "", "a");
    SPLIT("\"a,b\",c\r\n", "a,b", "c");
    SPLIT("\"\"\"\"", "\"");
    SPLIT("a,\"b\"", "a", "b");
    SPLIT(" a , b ", " a ", " b ");
    SPLIT("1,2,3,4,5,6", "1", "2", "3", "4", "5", "6");
    SPLIT("a\rb,c\n", "a\rb", "c");

    check_damaged("a,\"b", "not closed");
    check_damaged("\"a\"\"", "not closed");
    check_damaged("a,\"b\"c,d", "follows");
    check_damaged("a,b\"c\",d", "inside an unquoted");
    check_damaged("1,2,3,4,5,6,7", "too many");
    check_damaged("1,2,3,4,5,6,", "too many");
}

static void end(struct csv_reader *reader)
{
    csv_read_end(reader);
    fclose(reader->file);
}

static void check_reading(void)
{
    static const char bytes[] = "h1,h2\r\n"
                                "\n"
                                "1,\"two, 2\"\n"
                                "3,\"4\n"
                                "\r\n"
                                "5,6";
    struct csv_reader reader = { .file = file_of(bytes, sizeof bytes - 1) };
    char *f[MAX_FIELDS];
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 2 && reader.line == 1);
    CHECK(strcmp(f[0], "h1") == 0 && strcmp(f[1], "h2") == 0);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 2 && reader.line == 3);
    CHECK(strcmp(f[1], "two, 2") == 0 && !reader.torn);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 0 && reader.line == 4);
    CHECK(reader.problem && strstr(reader.problem, "not closed"));
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 2 && reader.line == 6);
    CHECK(!reader.problem && reader.torn && strcmp(f[1], "6") == 0);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 0 && !reader.problem);
    end(&reader);
}

/* The longest line, a longer one, and another one. */
static void check_long(void)
{
    struct csv_reader reader = { .file = file_of("", 0) };
    char *f[MAX_FIELDS];
    for (int k = 1; k < CSV_LINE_BYTES; ++k)
        putc('x', reader.file);
    putc('\n', reader.file);
    for (int k = 0; k < CSV_LINE_BYTES; ++k)
        putc('x', reader.file);
    fputs("\n1,2\n", reader.file);
    rewind(reader.file);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 1 && !reader.torn);
    CHECK(strlen(f[0]) == CSV_LINE_BYTES - 1);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 0 && reader.line == 2);
    CHECK(reader.problem && strstr(reader.problem, "1 MiB"));
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 0 && !reader.problem);
    end(&reader);
}

/* The second line is damaged, and reading goes on with the third. */
static void check_second(const char *bytes, size_t count, const char *about)
{
    struct csv_reader reader = { .file = file_of(bytes, count) };
    char *f[MAX_FIELDS];
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 2);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 0 && reader.line == 2);
    CHECK_FOR(reader.problem && strstr(reader.problem, about), "%s", about);
    CHECK(csv_read(&reader, f, MAX_FIELDS) == 2 && strcmp(f[0], "2") == 0);
    end(&reader);
}

#define SECOND(about, line)                                                    \
    check_second("a,b\n1," line "\n2,3\n",                                     \
                 sizeof "a,b\n1," line "\n2,3\n" - 1, about)

/* Commands to a terminal are neither read nor written. */
static void check_control(void)
{
    SECOND("NUL", "\0\0\0");
    SECOND("control", "\x1b[2J");
    SECOND("control", "\x9b");
    WRITTEN("\" [2J  .\"\n", "\x1b[2J\t\xff.");
}

/* All printable text that is written is read back. */
static void check_round_trip(void)
{
    static const char *const parts[] = { "a", ",", "\"", "\"\"",
                                         " ", "→", "é",  "1e5" };
    enum { PARTS = sizeof parts / sizeof *parts };
    struct csv_reader reader = { .file = file_of("", 0) };
    char text[64], *f[MAX_FIELDS];
    int wrong = 0;
    for (int k = 0; k < PARTS * PARTS * PARTS; ++k) {
        snprintf(text, sizeof text, "%s%s%s", parts[k % PARTS],
                 parts[k / PARTS % PARTS], parts[k / PARTS / PARTS]);
        csv_write_field(reader.file, true, text);
        csv_write_field(reader.file, false, "");
        csv_write_field(reader.file, false, text);
        fputc('\n', reader.file);
    }
    rewind(reader.file);
    for (int k = 0; k < PARTS * PARTS * PARTS; ++k) {
        snprintf(text, sizeof text, "%s%s%s", parts[k % PARTS],
                 parts[k / PARTS % PARTS], parts[k / PARTS / PARTS]);
        wrong += csv_read(&reader, f, MAX_FIELDS) != 3 ||
                 strcmp(f[0], text) != 0 || *f[1] || strcmp(f[2], text) != 0;
    }
    CHECK_FOR(wrong == 0, "%d lines", wrong);
    end(&reader);
}

/* The same numbers as by strtod(), with any number of digits. */
static void check_reals(void)
{
    char good[] = "0 7 0.1 123.456 4330.12345 1e-3 3e+09 -2.5 1. .5 5E3 00.10 "
                  "999999999999999 9999999999999999 0.1234567890123456 1e22 "
                  "1e23";
    static const char *const bad[] = {
        "nan", "inf", "0x10", "1e999", "1.2.", "1,5",  " 1",      "1 ",
        ".",   "1e",  "e3",   "--1",   "1.5x", "1..2", "\xc2\xb5"
    };
    double number = -1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        CHECK_FOR(!csv_read_real(bad[k], &number) && number == -1, "%s",
                  bad[k]);
    for (char *text = strtok(good, " "); text; text = strtok(NULL, " "))
        CHECK_FOR(csv_read_real(text, &number) && number == strtod(text, NULL),
                  "%s: %.17g", text, number);
}

static void check_integers(void)
{
    int64_t number = -1;
    CHECK(csv_read_integer("", &number) && number == -1);
    CHECK(csv_read_integer("9223372036854775807", &number) &&
          number == INT64_MAX);
    CHECK(!csv_read_integer("9223372036854775808", &number));
    CHECK(!csv_read_integer("-1", &number) && !csv_read_integer("1x", &number));
    CHECK(!csv_read_integer(" 1", &number) && number == INT64_MAX);
}

static void check_plain_text(void)
{
    static const char *const plain[] = {
        "", "a b~", "\xc2\xb5s", "\xe2\x86\x92", "\xf0\x9f\x98\x80", "\xc2\xa0",
    };
    static const char *const others[] = {
        "\t",           "a\n",          "\x1b[31m",     "\x7f",
        "\xc2\x9b",     "\x9b",         "\xc2",         "\xc2\xc2\x9b\x9b",
        "\xc0\x9b",     "\xe0\x82\x9b", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\xa8", "\xff",
    };
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k)
        CHECK_FOR(plain_text(plain[k]), "%zu", k);
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        CHECK_FOR(!plain_text(others[k]), "%zu", k);
    char made[] = "no\n\x1b[2J \xc2\xb5s\xff";
    plain_make(made);
    CHECK(strcmp(made, "no  [2J \xc2\xb5s ") == 0);
    CHECK(plain_char("") == 0 && plain_char("\xe2\x86\x92x") == 3);
}

int main(void)
{
    check_plain_text();
    check_reals();
    check_integers();
    check_writing();
    check_splitting();
    check_reading();
    check_long();
    check_control();
    check_round_trip();
    return test_end();
}
