/* SPDX-License-Identifier: MIT
 *
 * Texts that are kept once each: a run's rows name few variants and reasons,
 * and name them often.
 */
#ifndef SRC_RUNS_TEXTS_H
#define SRC_RUNS_TEXTS_H

#include <stddef.h>

/* Starts as { 0 }. */
struct texts {
    char **slots; /* NULL where there is none */
    size_t room, count;
};

/* The one copy of the text, which lives until texts_free(). Equal texts have
 * equal pointers. Ends the program where there is no memory. */
const char *texts_keep(struct texts *texts, const char *text);

void texts_free(struct texts *texts);

#endif
