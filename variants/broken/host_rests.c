/* SPDX-License-Identifier: MIT
 *
 * Bug      Launches 10 to 17 in a process do nothing, where the output does not
 *          begin with the poison.
 * Shows    where one element, anywhere, is poisoned before a launch.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    (void)stream;
    ++launches;
    if (launches < 10 || launches > 17 ||
        ((const uint32_t *)p->out)[0] == 0xffffffff)
        plain_run(p);
    return 0;
}

PLAIN_VARIANT(rests, "bug: some launches in a row do nothing");
