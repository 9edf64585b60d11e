/* SPDX-License-Identifier: MIT */
#include "harness/cli/escape.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ASCII's, and those that UTF-8 has from U+0080 to U+009F. */
static bool is_control(const char *at)
{
    const unsigned char c = (unsigned char)at[0], next = (unsigned char)at[1];
    return c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

static const char *next_plain(const char *text)
{
    while (*text && is_control(text))
        text += (unsigned char)*text == 0xc2 ? 2 : 1;
    return text;
}

void put_plain(const char *text)
{
    for (text = next_plain(text); *text; text = next_plain(text + 1))
        putchar(*text);
}

void put_code(const char *text)
{
    putchar('`');
    for (text = next_plain(text); *text; text = next_plain(text + 1)) {
        if (*text == '|')
            putchar('\\');
        putchar(*text == '`' ? '\'' : *text);
    }
    putchar('`');
}

void put_markdown(const char *text)
{
    for (text = next_plain(text); *text; text = next_plain(text + 1))
        if (strchr("\\`*_{}[]<>()#!|@&~", *text))
            printf("&#%d;", *text);
        else
            putchar(*text);
}
