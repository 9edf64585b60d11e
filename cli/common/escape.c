/* SPDX-License-Identifier: MIT */
#include "cli/common/escape.h"

#include <string.h>

#include "src/base/csv.h"
#include "src/base/plain_text.h"

/* Where the next character to be printed begins, or the text's end. */
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

/* A bar would end a table's cell, and nothing but a backslash before it, which
 * is seen elsewhere, would keep it from that. */
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

/* Whatever GitHub's Markdown makes something of: addresses, too, which it finds
 * by "://" and "www.". */
static bool is_markup(const char *at, char before)
{
    return strchr("\\`*_{}[]<>()#!|@&~", *at) ||
           (*at == ':' && *next_plain(at + 1) == '/') ||
           (*at == '.' && (before == 'w' || before == 'W'));
}

void put_markdown(const char *text)
{
    char before = '\0';
    for (size_t bytes; *(text = next_plain(text)); text += bytes) {
        bytes = plain_char(text);
        if (is_markup(text, before))
            printf("&#%d;", *text);
        else
            fwrite(text, 1, bytes, stdout);
        before = *text;
    }
}

void write_html(FILE *file, const char *text)
{
    for (size_t bytes; *(text = next_plain(text)); text += bytes) {
        bytes = plain_char(text);
        if (strchr("<>&\"'`", *text))
            fprintf(file, "&#%d;", *text);
        else
            fwrite(text, 1, bytes, file);
    }
}

void write_json(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t bytes; *(text = next_plain(text)); text += bytes) {
        bytes = plain_char(text);
        if (strchr("<>&\"\\", *text))
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, bytes, file);
    }
    fputc('"', file);
}

bool put_csv(bool first, const char *text)
{
    char guarded[1024];
    if (!*text || !strchr("=+-@", *text))
        return csv_write_field(stdout, first, text);
    snprintf(guarded, sizeof guarded, "'%s", text);
    return csv_write_field(stdout, first, guarded);
}
