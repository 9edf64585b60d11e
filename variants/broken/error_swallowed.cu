/* SPDX-License-Identifier: MIT
 *
 * Bug      The kernel needs more shared memory than there is, so it is not
 *          launched; success is returned.
 * Shows    always: nothing is written.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    const size_t too_much = (size_t)p->device->shared_optin_bytes + 1;
    (void)launch_kernel(plain_lines<plain_line>, plain_blocks(p), kPlainThreads,
                        too_much, stream, p->in, p->out, p->shape);
    return 0;
}

PLAIN_VARIANT(error_swallowed, "bug: a failed launch is returned as success",
              launch);
