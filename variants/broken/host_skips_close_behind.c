/* SPDX-License-Identifier: MIT
 *
 * Bug      A launch that follows another on the same input by less than 2 us,
 *          as only launches of hot batches do, does nothing.
 * Shows    in a run with a hot cache, where an element is poisoned in the midst
 *          of a batch.
 */
#include <time.h>

#include "variants/broken/host_plain.h"

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int launch(const struct problem *p, void *stream)
{
    enum { INPUTS = 8 };
    static struct {
        const void *in;
        double end_us;
    } last[INPUTS];
    static int next;
    int k = 0;
    (void)stream;
    while (k < INPUTS && last[k].in != p->in)
        ++k;
    if (k == INPUTS)
        last[k = next++ % INPUTS].end_us = 0;
    if (now_us() - last[k].end_us > 2)
        plain_run(p);
    last[k].in = p->in;
    last[k].end_us = now_us();
    return 0;
}

PLAIN_VARIANT(skips_close_behind, "bug: idle close behind a launch");
