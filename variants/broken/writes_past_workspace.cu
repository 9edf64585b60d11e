/* SPDX-License-Identifier: MIT
 *
 * Bug      Writes one byte more to its workspace than it asked for.
 * Shows    where the workspace has guards.
 */
#include "variants/broken/plain.cuh"

static __device__ void writes_past_workspace(const float *in, float *out,
                                             struct shape shape, int64_t line,
                                             uint8_t *workspace)
{
    plain_line(in, out, shape, line);
    workspace[line + 1] = 1;
}

static int launch(const struct problem *p, void *stream)
{
    return plain_launch<writes_past_workspace>(p, stream,
                                               (uint8_t *)p->workspace);
}

static size_t workspace_bytes(const struct problem *p)
{
    return (size_t)shape_lines(p->shape);
}

PLAIN_VARIANT(writes_past_workspace, "bug: writes behind its workspace", launch,
              .workspace_bytes = workspace_bytes);
