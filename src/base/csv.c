/* SPDX-License-Identifier: MIT */
#include "src/base/csv.h"

#include "src/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RFC 4180 keeps spaces at the ends, but some readers trim them. */
static bool needs_quotes(const char *text)
{
    size_t chars = strlen(text);
    return text[strcspn(text, ",\"")] != '\0' || !plain_text(text) ||
           (chars > 0 && (text[0] == ' ' || text[chars - 1] == ' '));
}

void csv_write_field(FILE *file, bool first, const char *text)
{
    if (!first)
        putc(',', file);
    if (!needs_quotes(text)) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    while (*text) {
        const size_t bytes = plain_char(text);
        if (*text == '"')
            putc('"', file);
        if (bytes == 0)
            putc(' ', file);
        fwrite(text, 1, bytes, file);
        text += bytes ? bytes : 1;
    }
    putc('"', file);
}

/* Takes the quotes off the field at *text and moves *text behind it. */
static const char *unquote(char **text)
{
    char *to = *text, *from = *text + 1;
    for (;; ++from) {
        if (*from == '\0')
            return "a quote is not closed";
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    if (*from != ',' && *from != '\0')
        return "text follows a closing quote";
    *to = '\0';
    *text = from;
    return NULL;
}

static void drop_line_break(char *line)
{
    size_t chars = strlen(line);
    if (chars > 0 && line[chars - 1] == '\n')
        line[--chars] = '\0';
    if (chars > 0 && line[chars - 1] == '\r')
        line[--chars] = '\0';
}

size_t csv_split(char *line, char **fields, size_t max_fields,
                 const char **problem)
{
    drop_line_break(line);
    *problem = NULL;
    for (size_t count = 0;;) {
        if (count == max_fields) {
            *problem = "too many fields";
            return 0;
        }
        fields[count++] = line;
        if (*line == '"') {
            *problem = unquote(&line);
        } else {
            while (*line && *line != ',' && *line != '"')
                ++line; /* faster than strcspn() for short fields */
            if (*line == '"')
                *problem = "a quote inside an unquoted field";
        }
        if (*problem)
            return 0;
        if (*line == '\0')
            return count;
        *line++ = '\0';
    }
}

/* Reads up to CSV_LINE_BYTES + 1 bytes of the next line; returns 0 at the end.
 * Not getline(), which takes all memory for a hole in a file. */
static size_t read_line(struct csv_reader *reader)
{
    size_t chars = 0;
    for (int byte = 0; byte != '\n' && chars <= CSV_LINE_BYTES; ++chars) {
        byte = getc_unlocked(reader->file);
        if (byte == EOF)
            break;
        if (chars + 2 > reader->text_bytes) {
            reader->text_bytes = 2 * reader->text_bytes + 256;
            reader->text = memory_grown(reader->text, reader->text_bytes, 1);
        }
        reader->text[chars] = (char)byte;
    }
    if (chars)
        reader->text[chars] = '\0';
    return chars;
}

/* Skips the rest of the file, as a hole takes hours to read. */
static size_t give_up(struct csv_reader *reader, const char *problem)
{
    reader->problem = problem;
    reader->unreadable = true;
    return 0;
}

size_t csv_read(struct csv_reader *reader, char **fields, size_t max_fields)
{
    reader->problem = NULL;
    while (!reader->unreadable) {
        const size_t chars = read_line(reader);
        if (ferror(reader->file))
            return give_up(reader, "the file cannot be read");
        if (chars == 0)
            return 0;
        ++reader->line;
        if (chars > CSV_LINE_BYTES)
            return give_up(reader, "a line of more than 1 MiB");
        reader->torn = reader->text[chars - 1] != '\n';
        if (strlen(reader->text) != chars) {
            reader->problem = "a NUL byte";
            return 0;
        }
        drop_line_break(reader->text);
        if (!plain_text(reader->text)) {
            reader->problem = "a control character, or no UTF-8";
            return 0;
        }
        if (reader->text[0])
            return csv_split(reader->text, fields, max_fields,
                             &reader->problem);
    }
    return 0;
}

bool csv_read_integer(const char *field, int64_t *number)
{
    if (*field == '\0')
        return true;
    char *end;
    errno = 0;
    const long long read = strtoll(field, &end, 10);
    if (*field < '0' || *field > '9' || *end || errno)
        return false;
    *number = read;
    return true;
}

bool csv_read_real(const char *field, double *number)
{
    if (*field == '\0')
        return true;
    char *end;
    const double read = strtod(field, &end);
    if (field[strspn(field, "0123456789.eE+-")] || *end || !isfinite(read))
        return false;
    *number = read;
    return true;
}

void csv_read_end(struct csv_reader *reader)
{
    free(reader->text);
    reader->text = NULL;
    reader->text_bytes = 0;
}

/* --------------------------------------------------------------- plain text */

/* Decodes a UTF-8 character; returns its bytes, or 0 if it is invalid. */
static size_t decode(const unsigned char *at, uint32_t *character)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t bytes = *at < 0xc0   ? 0
                         : *at < 0xe0 ? 2
                         : *at < 0xf0 ? 3
                         : *at < 0xf8 ? 4
                                      : 0;
    if (bytes == 0)
        return 0;
    *character = *at & (0x7fu >> bytes);
    for (size_t k = 1; k < bytes; ++k) {
        if ((at[k] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (at[k] & 0x3f);
    }
    if (*character < least[bytes] || *character > 0x10ffff ||
        (*character >= 0xd800 && *character < 0xe000))
        return 0;
    return bytes;
}

/* 8-bit controls, changes of direction and line separators. */
static bool is_command(uint32_t c)
{
    return c < 0xa0 || c == 0x061c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
           c == 0xfeff;
}

size_t plain_char(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    uint32_t character;
    if (*byte < 0x80)
        return *byte >= 0x20 && *byte != 0x7f;
    const size_t bytes = decode(byte, &character);
    return bytes && is_command(character) ? 0 : bytes;
}

bool plain_text(const char *text)
{
    for (size_t bytes; *text; text += bytes)
        if (!(bytes = plain_char(text)))
            return false;
    return true;
}

void plain_make(char *text)
{
    while (*text) {
        const size_t bytes = plain_char(text);
        if (bytes == 0)
            *text = ' ';
        text += bytes ? bytes : 1;
    }
}

void write_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+,./:@%";
    const bool quoted = !*word || word[strspn(word, plain)];
    fputs(quoted ? " '" : " ", file);
    for (; *word; ++word)
        if (*word == '\'')
            fputs("'\\''", file);
        else
            putc(*word, file);
    fputs(quoted ? "'" : "", file);
}
