/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: some launches in a process have one wrong sum.
 * Shows    under --repeat, and in a run, which verifies timed launches'
 *          outputs.
 */
#include "variants/broken/host_plain.h"
#include "variants/broken/operator_bug_list.h"

/* X(name, true if a launch is wrong, bug) */
#define LAUNCH_BUGS(X)                                                         \
    X(wrong_third, launches == 3, "launch 3 is wrong")                         \
    X(wrong_fifth, launches == 5, "launch 5 is wrong")                         \
    X(wrong_hundredth, launches % 100 == 0, "one launch in 100 is wrong")

#define LAUNCH(name, is_wrong, bug)                                            \
    PLAIN_THEN_OF(launch_##name, {                                             \
        static int launches;                                                   \
        ++launches;                                                            \
        if (is_wrong)                                                          \
            out[shape_elems(s) - 1] = -1;                                      \
    })
LAUNCH_BUGS(LAUNCH)

#define LAUNCH_ROW(name, is_wrong, bug) OPERATOR_ROW(name, CUMSUM, 0, 0, 0, bug)
VARIANTS(broken__host_wrong_launches) = { LAUNCH_BUGS(LAUNCH_ROW){ 0 } };
