/* SPDX-License-Identifier: MIT
 *
 * Bug      Every hundredth launch has one wrong sum.
 * Shows    under --repeat, and in a run that launches it so often.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    static int launches;
    if (++launches % 100 == 0)
        out[shape_elems(s) - 1] = -1;
})

PLAIN_VARIANT(wrong_hundredth, "bug: one launch in 100 is wrong");
