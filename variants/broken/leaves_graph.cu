/* SPDX-License-Identifier: MIT
 *
 * Bug      Launches on a stream of its own while a graph is recorded, which
 *          stays empty.
 * Shows    in graph cells, whose outputs are poisoned after the recording.
 */
#include "variants/broken/plain.cuh"

static int launch(const struct problem *p, void *stream)
{
    static cudaStream_t side;
    cudaStreamCaptureStatus status;
    int error = 0;
    if (!side)
        error = cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    if (!error)
        error = cudaStreamIsCapturing((cudaStream_t)stream, &status);
    if (error)
        return error;
    return plain_launch<plain_line>(
        p, status == cudaStreamCaptureStatusActive ? side : stream);
}

PLAIN_VARIANT(leaves_graph, "bug: leaves graphs empty", launch);
