/* SPDX-License-Identifier: MIT
 *
 * Bug      Writes one byte more to its workspace than it asked for.
 * Shows    where the workspace has guards.
 */
#include "variants/broken/host_plain.h"

static size_t workspace_bytes(const struct problem *p)
{
    return (size_t)shape_lines(p->shape);
}

PLAIN_THEN({ memset(p->workspace, 1, workspace_bytes(p) + 1); })

PLAIN_VARIANT(writes_past_workspace, "bug: writes behind its workspace",
              .workspace_bytes = workspace_bytes);
