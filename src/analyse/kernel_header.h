/* SPDX-License-Identifier: MIT
 *
 * The comment at the head of a kernel's file: Idea, Against, Traffic, Needs,
 * Source, Lesson (CONTRIBUTING.md).
 */
#ifndef SRC_ANALYSE_KERNEL_HEADER_H
#define SRC_ANALYSE_KERNEL_HEADER_H

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_FIELD_BYTES = 2048 };

/* Copies a field of the source's first comment, its lines joined by blanks.
 * False, and an empty text: there is no such field. */
bool kernel_header_field(const char *source, const char *field,
                         char text[KERNEL_FIELD_BYTES]);

#endif
