/* SPDX-License-Identifier: MIT */
#include "cli/common/rows.h"

#include "src/base/csv.h"
#include "src/base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void text_table_add(struct text_table *table, const char *format, ...)
{
    char text[1024], *plain = NULL;
    size_t bytes;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FILE *file = memory_open(&plain, &bytes);
    write_plain(file, text);
    memory_close(file, &plain);
    table->cell = memory_more(table->cell, table->count, sizeof *table->cell);
    table->cell[table->count++] = (struct text_cell){ plain, false };
}

void text_table_strong(struct text_table *table)
{
    table->cell[table->count - 1].strong = true;
}

void text_table_real(struct text_table *table, const char *format, double value)
{
    char text[64] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    text_table_add(table, "%s", text);
}

void text_table_free(struct text_table *table)
{
    for (size_t k = 0; k < table->count; ++k)
        free(table->cell[k].text);
    free(table->cell);
    table->cell = NULL;
    table->count = 0;
}

/* Row 0 has the headings. */
static size_t rows_of(const struct text_table *table)
{
    return 1 + table->count / table->columns;
}

static bool is_right(const struct text_table *table, size_t column)
{
    return *table->headings[column] == '>';
}

static bool is_code(const struct text_table *table, size_t column)
{
    return *table->headings[column] == '`';
}

static const char *text_of(const struct text_table *table, size_t row,
                           size_t column)
{
    return row ? table->cell[(row - 1) * table->columns + column].text
               : table->headings[column] + is_right(table, column) +
                     is_code(table, column);
}

/* Characters of UTF-8, which have one byte or several. */
static int chars_of(const char *text)
{
    int chars = 0;
    for (; *text; ++text)
        chars += (*text & 0xc0) != 0x80;
    return chars;
}

/* Bytes of the first characters. */
static int bytes_of(const char *text, int chars)
{
    const char *at = text;
    while (*at && chars > 0)
        for (--chars, ++at; (*at & 0xc0) == 0x80;)
            ++at;
    return (int)(at - text);
}

/* Moves the cut out of a number, part of which would be another number. */
static int cut_chars(const char *text, int chars)
{
    static const char number[] = ".0123456789";
    for (int bytes = bytes_of(text, chars);
         bytes > 0 && text[bytes] && strchr(number, text[bytes - 1]) &&
         strchr(number, text[bytes]);
         --bytes)
        --chars;
    return chars;
}

/* Sets the width of every column; 0 if it is empty. */
static void measure(const struct text_table *table, int *chars)
{
    for (size_t c = 0; c < table->columns; ++c) {
        chars[c] = 0;
        for (size_t r = rows_of(table); r-- > 0;) {
            const int own = chars_of(text_of(table, r, c));
            if (own > chars[c] && (r || chars[c]))
                chars[c] = own;
        }
    }
}

/* Returns the parameters of a terminal's SGR sequence for a cell, or NULL. */
static const char *paint_of(const struct text_table *table, size_t row,
                            size_t column)
{
    static const struct {
        const char *word, *paint;
    } states[] = {
        { "slower", "31" },   { "broken", "31" },  { "wrong", "31" },
        { "error", "31" },    { "timeout", "31" }, { "slow", "33" },
        { "suspect", "33" },  { "unclear", "33" }, { "unstable", "33" },
        { "faster", "32" },   { "skip", "2" },     { "untried", "2" },
        { "too_short", "2" },
    };
    const char *text = text_of(table, row, column);
    text += strspn(text, "? ");
    if (row && table->cell[(row - 1) * table->columns + column].strong)
        return "1";
    for (size_t k = 0; row && k < sizeof states / sizeof *states; ++k)
        if (strcspn(text, ":; ") == strlen(states[k].word) &&
            strncmp(text, states[k].word, strlen(states[k].word)) == 0)
            return states[k].paint;
    return NULL;
}

static void write_line(const struct text_table *table, FILE *file, size_t row,
                       const int *chars, int wide)
{
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    const bool painted = isatty(fileno(file)) && !(none && *none) &&
                         !(kind && strcmp(kind, "dumb") == 0);
    int used = 0, owed = 0; /* characters written; blanks before the next */
    for (size_t c = 0; c < table->columns; ++c) {
        const char *text = text_of(table, row, c);
        if (!chars[c])
            continue;
        owed += used || owed ? 2 : 0;
        int own = chars_of(text);
        own = own > chars[c] ? chars[c] : own;
        const int pad = chars[c] - own;
        owed += is_right(table, c) ? pad : 0;
        if (own && used + owed < wide) {
            own = own < wide - used - owed ? own : wide - used - owed;
            own = cut_chars(text, own);
            const char *paint = painted ? paint_of(table, row, c) : NULL;
            fprintf(file, paint ? "%*s\033[%sm%.*s\033[m" : "%*s%s%.*s", owed,
                    "", paint ? paint : "", bytes_of(text, own), text);
            used += owed + own;
            owed = 0;
        } else {
            owed += own;
        }
        owed += is_right(table, c) ? 0 : pad;
    }
    fputc('\n', file);
}

void text_table_write(const struct text_table *table, FILE *file, int wide)
{
    enum { LEAST_FIRST = 12 };
    int chars[TEXT_TABLE_COLUMNS], all = 0;
    measure(table, chars);
    for (size_t c = 0; c + 1 < table->columns; ++c)
        all += chars[c] ? chars[c] + 2 : 0;
    for (; all > wide && chars[0] > LEAST_FIRST; --all)
        --chars[0];
    for (size_t r = 0; r < rows_of(table); ++r)
        write_line(table, file, r, chars, wide);
}

static void text_table_markdown(const struct text_table *table)
{
    int chars[TEXT_TABLE_COLUMNS];
    measure(table, chars);
    for (size_t r = 0; r < rows_of(table); ++r) {
        for (size_t c = 0; c < table->columns; ++c) {
            if (!chars[c])
                continue;
            fputs("| ", stdout);
            (!r                  ? put_plain
             : is_code(table, c) ? put_code
                                 : put_markdown)(text_of(table, r, c));
            fputc(' ', stdout);
        }
        fputs("|\n", stdout);
        for (size_t c = 0; r == 0 && c < table->columns; ++c)
            if (chars[c])
                fputs(is_right(table, c) ? "| --: " : "| :-- ", stdout);
        fputs(r == 0 ? "|\n" : "", stdout);
    }
}

void text_table_print(struct text_table *table, int format, int wide)
{
    struct records records = { .json = format == FORMAT_JSON };
    const size_t rows = format_is_records(format) ? rows_of(table) : 0;
    for (size_t r = 1; r < rows; ++r) {
        /* A column is named by its heading; one without is left out. */
        for (size_t c = 0; c < table->columns; ++c)
            if (*text_of(table, 0, c))
                record_text(&records, text_of(table, 0, c),
                            text_of(table, r, c));
        record_end(&records);
    }
    if (rows)
        records_end(&records);
    else if (format == FORMAT_MARKDOWN)
        text_table_markdown(table);
    else
        text_table_write(table, stdout, wide);
    text_table_free(table);
}

void write_wrapped(FILE *file, const char *text, int used, int indent, int wide)
{
    bool first = true;
    for (int chars; *(text += strspn(text, " ")); text += chars) {
        char word[512];
        chars = (int)strcspn(text, " ");
        if (!first && used + 1 + chars > wide) {
            fprintf(file, "\n%*s", indent, "");
            used = indent;
        } else if (!first) {
            fputc(' ', file);
            ++used;
        }
        snprintf(word, sizeof word, "%.*s", chars, text);
        write_plain(file, word);
        used += chars;
        first = false;
    }
    fputc('\n', file);
}

/* ----------------------------------------------------------------- records */

/* Begins a field, maybe its record; returns the file for the value. */
static FILE *begin_field(struct records *records, const char *name)
{
    const bool begins = records->fields == 0;
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s",
             records->prefix ? records->prefix : "", name);
    if (records->json) {
        if (begins)
            fputs(records->count ? ",\n{" : "[\n{", stdout);
        printf("%s\"%s\": ", begins ? "" : ", ", whole);
    } else if (records->count == 0) {
        if (begins)
            records->first = memory_open(&records->text, &records->bytes);
        csv_write_field(stdout, begins, whole);
    }
    ++records->fields;
    return records->first ? records->first : stdout;
}

void record_text(struct records *records, const char *name, const char *text)
{
    FILE *file = begin_field(records, name);
    if (!records->json)
        write_csv(file, records->fields == 1, text ? text : "");
    else if (text)
        write_json(file, text);
    else
        fputs("null", file);
}

/* A number as printed; "" if it is unknown. */
static void put_number(struct records *records, const char *name,
                       const char *number)
{
    FILE *file = begin_field(records, name);
    if (!records->json)
        csv_write_field(file, records->fields == 1, number);
    else
        fputs(*number ? number : "null", file);
}

void record_whole(struct records *records, const char *name, int64_t value)
{
    char number[32] = "";
    if (value >= 0)
        snprintf(number, sizeof number, "%lld", (long long)value);
    put_number(records, name, number);
}

void record_real(struct records *records, const char *name, double value)
{
    char number[32] = "";
    if (isfinite(value))
        snprintf(number, sizeof number, "%.*g",
                 records->digits ? records->digits : 9, value);
    put_number(records, name, number);
}

void record_shape(struct records *records, struct shape shape)
{
    char text[SHAPE_TEXT_BYTES];
    record_whole(records, "outer", shape.outer);
    record_whole(records, "axis", shape.axis);
    record_whole(records, "inner", shape.inner);
    record_text(records, "lines",
                shape_is_ragged(shape) ? lines_format(shape.lines, text)
                                       : NULL);
}

void record_end(struct records *records)
{
    if (records->first) {
        memory_close(records->first, &records->text);
        printf("\n%s", records->text);
        free(records->text);
        records->first = NULL;
    }
    fputs(records->json ? "}" : "\n", stdout);
    records->fields = 0;
    ++records->count;
}

void records_end(struct records *records)
{
    if (records->json)
        puts(records->count ? "\n]" : "[]");
}

/* ----------------------------------------------------------- texts of a run */

/* Skips bytes that cannot be printed. */
static const char *next_plain(const char *text)
{
    while (*text && !plain_char(text))
        ++text;
    return text;
}

void write_plain(FILE *file, const char *text)
{
    for (size_t bytes; *(text = next_plain(text)); text += bytes)
        fwrite(text, 1, bytes = plain_char(text), file);
}

void put_plain(const char *text)
{
    write_plain(stdout, text);
}

/* A bar would end a table's cell. A backslash before it would show outside
 * tables, so bars and backquotes are replaced. */
void put_code(const char *text)
{
    text = next_plain(text);
    fputs(*text ? "`" : "` ", stdout);
    for (size_t bytes; *(text = next_plain(text)); text += bytes) {
        bytes = plain_char(text);
        if (*text == '|' || *text == '`')
            putchar(*text == '|' ? '/' : '\'');
        else
            fwrite(text, 1, bytes, stdout);
    }
    putchar('`');
}

enum form { MARKDOWN, HTML, JSON };

/* GitHub's Markdown links addresses, which it finds by "://" and "www.". */
static bool is_markup(enum form form, const char *at, char before)
{
    static const char *const marks[] = { [MARKDOWN] = "\\`*_{}[]<>()#!|@&~",
                                         [HTML] = "<>&\"'`",
                                         [JSON] = "<>&\"\\" };
    if (strchr(marks[form], *at))
        return true;
    return form == MARKDOWN && ((*at == ':' && *next_plain(at + 1) == '/') ||
                                (*at == '.' && (before | 0x20) == 'w'));
}

static void write_escaped(FILE *file, enum form form, const char *text)
{
    char before = '\0';
    for (size_t bytes; *(text = next_plain(text)); text += bytes) {
        bytes = plain_char(text);
        if (is_markup(form, text, before))
            fprintf(file, form == JSON ? "\\u%04x" : "&#%d;", *text);
        else
            fwrite(text, 1, bytes, file);
        before = *text;
    }
}

void put_markdown(const char *text)
{
    write_escaped(stdout, MARKDOWN, text);
}

void write_html(FILE *file, const char *text)
{
    write_escaped(file, HTML, text);
}

void write_json(FILE *file, const char *text)
{
    fputc('"', file);
    write_escaped(file, JSON, text);
    fputc('"', file);
}

void write_csv(FILE *file, bool first, const char *text)
{
    char guarded[1024];
    if (*text && strchr("=+-@", *text)) {
        snprintf(guarded, sizeof guarded, "'%s", text);
        text = guarded;
    }
    csv_write_field(file, first, text);
}
