/* SPDX-License-Identifier: MIT
 *
 * Bug      The launch never returns.
 * Shows    always, once its time is up.
 */
#include <unistd.h>

#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    while (p)
        pause();
    return 0;
}

PLAIN_VARIANT(hang, "bug: never returns");
