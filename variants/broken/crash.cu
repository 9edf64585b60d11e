/* SPDX-License-Identifier: MIT
 *
 * Bug      The kernel writes through a null pointer.
 * Shows    always: an illegal address, after which the context is lost.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    struct problem nowhere = *p;
    nowhere.out = NULL;
    return plain_launch<plain_line>(&nowhere, stream);
}

PLAIN_VARIANT(crash, "bug: an illegal address", launch);
