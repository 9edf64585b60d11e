/* SPDX-License-Identifier: MIT
 *
 * Sentences to show beside a run's figures that make them doubtful.
 */
#pragma once

#include "src/analyse/standing.h"

/* Starts as { .count = 0 }. */
enum { NOTES_MOST = 40, NOTE_BYTES = 400 };
struct notes {
    char text[NOTES_MOST][NOTE_BYTES];
    int count;
};

/* Adds a sentence, unless there is no room. */
void note(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The gravest comes first. */
struct notes warnings_of(const struct run_folder *run);
