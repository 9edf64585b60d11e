/* SPDX-License-Identifier: MIT
 *
 * Bug      Writes one byte more to its workspace than it asked for.
 * Shows    where the workspace has guards.
 */
#include "variants/broken/plain.cuh"

static __global__ void writes_past_workspace(const float *in, float *out,
                                             struct shape shape,
                                             uint8_t *workspace)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    workspace[line + 1] = 1;
}

static int launch(const struct problem *p, void *stream)
{
    writes_past_workspace<<<plain_blocks(p), kPlainThreads, 0,
                            (cudaStream_t)stream>>>((const float *)p->in,
                                                    (float *)p->out, p->shape,
                                                    (uint8_t *)p->workspace);
    return cudaGetLastError();
}

static size_t workspace_bytes(const struct problem *p)
{
    return (size_t)shape_lines(p->shape);
}

VARIANTS(broken__writes_past_workspace) = {
    PLAIN_VARIANT("writes_past_workspace", "bug: writes behind its workspace",
                  .workspace_bytes = workspace_bytes),
    {},
};
