/* SPDX-License-Identifier: MIT
 *
 * Bug      Launch 3 in a process has one wrong sum.
 * Shows    under --repeat, and in a run, which looks at what timed launches
 *          leave.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    static int launches;
    if (++launches == 3)
        out[shape_elems(s) - 1] = -1;
})

PLAIN_VARIANT(wrong_third, "bug: launch 3 is wrong");
