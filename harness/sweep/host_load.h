/* SPDX-License-Identifier: MIT
 *
 * How busy others kept the host's processors while something ran: /proc/stat
 * against what this process and its children used.
 */
#ifndef HARNESS_SWEEP_HOST_LOAD_H
#define HARNESS_SWEEP_HOST_LOAD_H

#include <sys/types.h>

/* Seconds of processor time since the host, or the process, started. */
struct host_load {
    double all_s, busy_s; /* of all processors; NaN: unknown */
    double own_s;         /* this process, its reaped children, and one more */
};

/* Now. `child` is a child that still runs, or 0. */
struct host_load host_load_now(pid_t child);

/* Share of the processors' time that others took in between, per cent; NaN if
 * that is unknown. */
double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to);

#endif
