/* SPDX-License-Identifier: MIT
 *
 * Bug      The launch returns an error; nothing is written.
 * Shows    always, unless the error is swallowed.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)p, (void)stream;
    return 1;
}

PLAIN_VARIANT(launch_error, "bug: the launch fails");
