/* SPDX-License-Identifier: MIT */
#include "src/model/family.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Where the digits that end before `end` begin; `end` if there are none. */
static size_t digits_from(const char *name, size_t end)
{
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    return end;
}

/* The name's length without its last tuning point; `end` if it has none. */
static size_t without_last(const char *name, size_t end)
{
    const size_t number = digits_from(name, end);
    if (number == end || number < 3)
        return end;
    if (is_letter(name[number - 1]) && name[number - 2] == '_')
        return number - 2;
    if (name[number - 1] != 'x')
        return end;
    const size_t kilo = number - 1 - (name[number - 2] == 'k');
    const size_t first = digits_from(name, kilo);
    return first < kilo && first > 1 && name[first - 1] == '_' ? first - 1
                                                               : end;
}

size_t variant_family_chars(const char *variant)
{
    size_t chars = strlen(variant);
    for (size_t left; (left = without_last(variant, chars)) < chars;)
        chars = left;
    return chars;
}

char *variant_family(const char *variant, char *family, size_t bytes)
{
    snprintf(family, bytes, "%.*s", (int)variant_family_chars(variant),
             variant);
    return family;
}
