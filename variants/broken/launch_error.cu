/* SPDX-License-Identifier: MIT
 *
 * Bug      The kernel is launched with more threads per block than allowed; the
 *          error is returned.
 * Shows    always: an error, not a wrong result.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    const int too_many = p->device->max_threads_per_block + 1;
    return launch_kernel(plain_lines<plain_line>, plain_blocks(p), too_many, 0,
                         stream, p->in, p->out, p->shape);
}

PLAIN_VARIANT(launch_error, "bug: a launch that fails, and says so", launch);
