/* SPDX-License-Identifier: MIT */
#include "src/base/plain_text.h"

#include <stdint.h>

/* Decodes one UTF-8 character and returns its bytes; 0 for overlong forms,
 * surrogates and other bytes. */
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
