/* SPDX-License-Identifier: MIT
 *
 * The load that other processes put on the host: /proc/stat minus the time of
 * this process and its children.
 */
#ifndef HARNESS_SWEEP_HOST_LOAD_H
#define HARNESS_SWEEP_HOST_LOAD_H

#include <sys/types.h>

/* Seconds of processor time since the host, or the process, started. */
struct host_load {
    double all_s, busy_s; /* of all processors; NaN if unknown */
    double own_s;         /* of this process, its reaped children, one child */
};

/* `child` is a running child, or 0. */
struct host_load host_load_now(pid_t child);

/* The share of others in the processors' time, per cent; NaN if unknown. */
double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to);

#endif
