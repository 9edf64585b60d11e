/* SPDX-License-Identifier: MIT
 *
 * Which text can only be read. Files and names may come from a stranger, and a
 * terminal takes control characters for commands.
 */
#ifndef SRC_BASE_PLAIN_TEXT_H
#define SRC_BASE_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at `at`, or 0 if it is none to be printed: the text's
 * end, a control character, one that turns or breaks a line, or no UTF-8. */
size_t plain_char(const char *at);

/* All of it can be printed. */
bool plain_text(const char *text);

/* Puts a space in place of each byte that cannot be. */
void plain_make(char *text);

#endif
