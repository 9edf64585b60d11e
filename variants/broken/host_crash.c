/* SPDX-License-Identifier: MIT
 *
 * Bug      A write through a null pointer.
 * Shows    always: the process dies.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)p, (void)stream;
    /* Both volatile: else compilers may leave the write out. */
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
    return 0;
}

PLAIN_VARIANT(crash, "bug: the process dies");
