/* SPDX-License-Identifier: MIT
 *
 * The host's monotonic clock, and the calendar.
 */
#pragma once

#include <time.h>

static inline double clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline double clock_s(void)
{
    return clock_us() * 1e-6;
}

/* The current time, as 20260131T120000Z. */
enum { UTC_BYTES = 20 };
static inline char *clock_utc(char utc[UTC_BYTES])
{
    const time_t now = time(NULL);
    struct tm calendar;
    gmtime_r(&now, &calendar);
    strftime(utc, UTC_BYTES, "%Y%m%dT%H%M%SZ", &calendar);
    return utc;
}
