/* SPDX-License-Identifier: MIT
 *
 * Bug      The launch waits for the device, so its return to the host is timed,
 *          and nothing can be queued after it.
 * Shows    always.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    const int error = plain_launch<plain_line>(p, stream);
    return error ? error : cudaStreamSynchronize((cudaStream_t)stream);
}

PLAIN_VARIANT(waits_in_launch, "bug: the launch waits for the device", launch);
