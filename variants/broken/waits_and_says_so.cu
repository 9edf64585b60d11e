/* SPDX-License-Identifier: MIT
 *
 * Bug      None: the launch waits for the device, as libraries with streams of
 *          their own do, and declares it.
 * Shows    in the mark `ungated` of its times.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    const int error = plain_launch<plain_line>(p, stream);
    return error ? error : cudaStreamSynchronize((cudaStream_t)stream);
}

static constexpr struct variant said(void)
{
    struct variant v = PLAIN_FIELDS(
        "waits_and_says_so", "waits for the device, and says so", launch);
    v.host_waits = true;
    return v;
}

VARIANTS(broken__waits_and_says_so) = {
    said(),
    {},
};
