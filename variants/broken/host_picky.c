/* SPDX-License-Identifier: MIT
 *
 * Bug      None, but it refuses lines of odd length, and aborts if their
 *          workspace is queried.
 * Shows    nowhere: refuses() is called before workspace_bytes().
 */
#include <stdlib.h>

#include "variants/broken/host_plain.h"

static const char *refuses(const struct problem *p)
{
    return p->shape.axis % 2 ? "serves lines of even length only" : NULL;
}

static size_t workspace_bytes(const struct problem *p)
{
    if (refuses(p))
        abort();
    return 8;
}

PLAIN_THEN()

PLAIN_VARIANT(picky, "no bug: aborts if asked for a workspace that it refuses",
              .refuses = refuses, .workspace_bytes = workspace_bytes);
