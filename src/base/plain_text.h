/* SPDX-License-Identifier: MIT
 *
 * Printable text. Files and names may come from anyone, and a terminal executes
 * control characters.
 */
#ifndef SRC_BASE_PLAIN_TEXT_H
#define SRC_BASE_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at `at`, or 0 if it cannot be printed: the end of the
 * text, a control character, a change of direction, a line break, or no
 * UTF-8. */
size_t plain_char(const char *at);

/* True if all of the text can be printed. */
bool plain_text(const char *text);

/* Replaces each byte that cannot be printed with a space. */
void plain_make(char *text);

#endif
