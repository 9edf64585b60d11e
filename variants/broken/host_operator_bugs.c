/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see operator_bug_list.h.
 * Shows    any line of the operation, or one with a NaN.
 */
#include "variants/broken/host_plain.h"
#include "variants/broken/operator_bug_list.h"

#define LAUNCH(name, ...)                                                      \
    static int name(const struct problem *p, void *stream)                     \
    {                                                                          \
        (void)stream;                                                          \
        for (int64_t line = 0; line < shape_lines(p->shape); ++line)           \
            name##_walk(p, plain_start(p->shape, line), line);                 \
        return 0;                                                              \
    }
OPERATOR_BUGS(LAUNCH)

#define VARIANT(name, operation, start, joined, stored, bug)                   \
    OPERATOR_VARIANT(DEVICE_HOST, name, operation, bug),
VARIANTS(broken__host_operator_bugs) = { OPERATOR_BUGS(VARIANT){ 0 } };
