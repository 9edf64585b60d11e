/* SPDX-License-Identifier: MIT
 *
 * Bug      Input and output are taken to be aligned alike.
 * Shows    one is moved off 16 bytes further than the other is.
 */
#include "variants/broken/host_plain.h"

static bool unlike(const struct problem *p)
{
    return ((uintptr_t)p->in ^ (uintptr_t)p->out) & 15;
}

PLAIN_LAUNCH(a == 0, unlike(p) ? sum + 1 : sum)

PLAIN_VARIANT(like_alignment,
              "bug: right where input and output are aligned alike");
