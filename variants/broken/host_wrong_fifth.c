/* SPDX-License-Identifier: MIT
 *
 * Bug      Launch 5 in a process has one wrong sum.
 * Shows    under --repeat, and in a run, which looks at what timed launches
 *          leave.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    static int launches;
    if (++launches == 5)
        out[shape_elems(s) - 1] = -1;
})

PLAIN_VARIANT(wrong_fifth, "bug: launch 5 is wrong");
