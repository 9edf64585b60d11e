/* SPDX-License-Identifier: MIT
 *
 * Bug      Works only where the output begins with the poison; else it is done
 *          already, it thinks.
 * Shows    where a launch is judged whose output held another input's result.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const uint32_t *out = p->out;
    (void)stream;
    if (out[0] == 0xffffffff)
        plain_run(p);
    return 0;
}

PLAIN_VARIANT(skips_unless_poisoned,
              "bug: does nothing where the output looks done");
