/* SPDX-License-Identifier: MIT */
#include "cli/common/escape.h"

#include <string.h>

#include "src/base/csv.h"

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

/* A bar would end a table's cell. A backslash before it prevents that in tables
 * alone, and shows elsewhere, so bars and backquotes are replaced. */
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

/* GitHub's Markdown makes links of addresses, which it finds by "://" and
 * "www.". */
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
