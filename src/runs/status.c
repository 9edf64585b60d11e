/* SPDX-License-Identifier: MIT */
#include "src/runs/row.h"

#include <stdio.h>
#include <string.h>

const char *const cache_names[CACHE_COUNT + 1] = { "cold", "hot", NULL };

static const char *const statuses[STATUS_COUNT] = {
#define NAME(constant, name, gravity) name,
    STATUSES(NAME)
#undef NAME
};

static const int gravities[STATUS_COUNT] = {
#define GRAVITY(constant, name, gravity) gravity,
    STATUSES(GRAVITY)
#undef GRAVITY
};

/* In the order of their bits, which is that in a file. */
static const char *const marks_by_bit[] = { "near_empty", "ungated",
                                            "cache_assisted", "above_ceiling" };
enum { MARK_COUNT = sizeof marks_by_bit / sizeof *marks_by_bit };

/* Index of the name's first `chars` characters, or -1. */
static int find(const char *const *names, int count, const char *name,
                size_t chars)
{
    for (int k = 0; k < count; ++k)
        if (strlen(names[k]) == chars && strncmp(names[k], name, chars) == 0)
            return k;
    return -1;
}

const char *cache_name(enum cache cache)
{
    return cache_names[cache];
}

bool cache_parse(const char *name, enum cache *cache)
{
    const int found = find(cache_names, CACHE_COUNT, name, strlen(name));
    if (found >= 0)
        *cache = (enum cache)found;
    return found >= 0;
}

const char *status_name(enum status status)
{
    return statuses[status];
}

bool status_parse(const char *name, enum status *status)
{
    const int found = find(statuses, STATUS_COUNT, name, strlen(name));
    if (found >= 0)
        *status = (enum status)found;
    return found >= 0;
}

int status_gravity(enum status status)
{
    return gravities[status];
}

bool status_is_timed(enum status status)
{
    return status == STATUS_OK || status == STATUS_SUSPECT;
}

bool status_is_sampled(enum status status)
{
    return status_is_timed(status) || status == STATUS_UNSTABLE;
}

bool status_is_failed(enum status status)
{
    return status == STATUS_WRONG || status == STATUS_ERROR ||
           status == STATUS_TIMEOUT;
}

const char *marks_text(unsigned marks)
{
    enum { MARKS_BYTES = 64 };
    static char texts[1 << MARK_COUNT][MARKS_BYTES];
    char *text = texts[marks];
    size_t used = 0;
    if (*text)
        return text;
    for (int m = 0; m < MARK_COUNT; ++m)
        if (marks >> m & 1)
            used += (size_t)snprintf(text + used, MARKS_BYTES - used, "%s%s",
                                     used ? "+" : "", marks_by_bit[m]);
    return text;
}

bool marks_parse(const char *text, unsigned *marks)
{
    *marks = 0;
    while (*text) {
        const size_t chars = strcspn(text, "+");
        const int mark = find(marks_by_bit, MARK_COUNT, text, chars);
        if (mark < 0)
            return false;
        *marks |= 1u << mark;
        text += chars + (text[chars] == '+');
    }
    return true;
}
