/* SPDX-License-Identifier: MIT
 *
 * Bug      Input and output are taken to be aligned alike.
 * Shows    one is moved off 16 bytes further than the other is.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({ out[0] += ((uintptr_t)in ^ (uintptr_t)out) & 15 ? 1 : 0; })

PLAIN_VARIANT(like_alignment,
              "bug: right where input and output are aligned alike");
