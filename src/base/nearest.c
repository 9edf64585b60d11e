/* SPDX-License-Identifier: MIT */
#include "src/base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { NEAREST_CHARS = 95 }; /* of a longer name, the first ones count */

static int length(const char *name)
{
    return (int)strnlen(name, NEAREST_CHARS);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance: characters inserted, deleted or replaced, whatever
 * their case. */
static int distance_of(const char *left, const char *right)
{
    /* row[r] is the distance of the first l characters to the first r. */
    int row[NEAREST_CHARS + 1], lefts = length(left), rights = length(right);
    for (int r = 0; r <= rights; ++r)
        row[r] = r;
    for (int l = 1; l <= lefts; ++l) {
        int diagonal = row[0];
        row[0] = l;
        for (int r = 1; r <= rights; ++r) {
            int replace =
                diagonal + (tolower(left[l - 1]) != tolower(right[r - 1]));
            diagonal = row[r];
            row[r] = least(replace, least(row[r], row[r - 1]) + 1);
        }
    }
    return row[rights];
}

/* One of the name's words begins with the word. */
static bool holds(const char *name, const char *word)
{
    const size_t chars = strlen(word);
    for (const char *at = name; *at; ++at)
        if ((at == name || !isalpha((unsigned char)at[-1])) &&
            strncasecmp(at, word, chars) == 0)
            return true;
    return false;
}

/* The smaller the nearer; negative if the name cannot be meant. */
static int rank(const char *word, const char *name)
{
    int distance = distance_of(word, name);
    if (distance == 0 || (*word && holds(name, word)))
        return 0;
    const int shorter = least(length(word), length(name));
    const int longer = length(word) + length(name) - shorter;
    /* Both share a large part; two slips are few even in a short word. */
    const bool far = 3 * distance > 2 * longer ||
                     (distance > 2 && 3 * (longer - distance) < 2 * shorter);
    return far ? -1 : distance;
}

static bool listed(const char *name, const char **nearest, size_t found)
{
    for (size_t k = 0; k < found; ++k)
        if (strcmp(nearest[k], name) == 0)
            return true;
    return false;
}

size_t nearest_names(const char *word, const char *const *names, size_t count,
                     const char **nearest, size_t n)
{
    size_t found = 0;
    for (size_t c = 0; c < count; ++c) {
        int own = rank(word, names[c]);
        if (own < 0 || listed(names[c], nearest, found))
            continue;
        /* Insertion sort, stable. */
        size_t place = found;
        while (place > 0 && rank(word, nearest[place - 1]) > own)
            --place;
        if (place == n)
            continue;
        if (found < n)
            ++found;
        for (size_t k = found - 1; k > place; --k)
            nearest[k] = nearest[k - 1];
        nearest[place] = names[c];
    }
    return found;
}
