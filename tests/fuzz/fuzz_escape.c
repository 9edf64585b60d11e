/* SPDX-License-Identifier: MIT
 *
 * Writes any text to a terminal, a web page and a spreadsheet.
 */
#include "tests/fuzz/fuzz.h"

#include "cli/common/rows.h"
#include "src/base/csv.h"

/* The text that put() writes to stdout, which glibc lets be another stream; for
 * free(). */
static char *caught(void (*put)(const char *), const char *text)
{
    FILE *const real = stdout;
    char *out = NULL;
    size_t bytes;
    stdout = open_memstream(&out, &bytes);
    REQUIRE(stdout);
    put(text);
    REQUIRE(fclose(stdout) == 0);
    stdout = real;
    return out;
}

static void put_html(const char *text)
{
    write_html(stdout, text);
}

static void put_json(const char *text)
{
    write_json(stdout, text);
}

/* Markdown has no & or # but those of entities. */
static void check_markdown(const char *text)
{
    char *out = caught(put_markdown, text);
    REQUIRE(plain_text(out) && !out[strcspn(out, "<>`|@*_[](){}\\!~")]);
    for (const char *at = out; (at = strchr(at, '&')); ++at)
        REQUIRE(at[1] == '#' && at[2] >= '0' && at[2] <= '9');
    REQUIRE(!strstr(out, "://") && !strstr(out, "www."));
    free(out);
}

static void check_code(const char *text)
{
    char *out = caught(put_code, text);
    const size_t bytes = strlen(out);
    REQUIRE(plain_text(out) && bytes > 2);
    REQUIRE(out[0] == '`' && strchr(out + 1, '`') == out + bytes - 1);
    REQUIRE(!strchr(out, '|'));
    free(out);
}

/* Nothing in it ends or begins a tag, a quoted text or an entity. */
static void check_html(const char *text)
{
    char *out = caught(put_html, text);
    REQUIRE(plain_text(out) && !out[strcspn(out, "<>\"'`")]);
    for (const char *at = out; (at = strchr(at, '&')); ++at)
        REQUIRE(at[1] == '#' && at[2] >= '0' && at[2] <= '9');
    free(out);
}

static void check_json(const char *text)
{
    char *out = caught(put_json, text);
    const size_t bytes = strlen(out);
    REQUIRE(plain_text(out) && bytes >= 2 && !out[strcspn(out, "<>&")]);
    REQUIRE(out[0] == '"' && strchr(out + 1, '"') == out + bytes - 1);
    for (const char *at = out; (at = strchr(at, '\\')); ++at)
        REQUIRE(at[1] == 'u' && strspn(at + 2, "0123456789abcdef") >= 4);
    free(out);
}

static void put_field(const char *text)
{
    write_csv(stdout, true, text);
}

static void check_csv(const char *text)
{
    const char *problem;
    char *out = caught(put_field, text), *field[1];
    REQUIRE(plain_text(out));
    REQUIRE(csv_split(out, field, 1, &problem) == 1 && !problem);
    REQUIRE(!*field[0] || !strchr("=+-@", *field[0]));
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size); /* up to a NUL */
    REQUIRE(text);
    char *plain = caught(put_plain, text);
    REQUIRE(plain_text(plain) && (!plain_text(text) || !strcmp(plain, text)));
    check_markdown(text);
    check_code(text);
    check_csv(text);
    check_html(text);
    check_json(text);
    free(plain);
    free(text);
    return 0;
}
