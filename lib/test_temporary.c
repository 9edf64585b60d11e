/* SPDX-License-Identifier: MIT
 *
 * Steps through the temporary: its memory is the workspace's, and a scan that
 * serves pointers that are aligned alike serves those of every step, if a
 * launch's are. Variants and registry are made up here: nothing is computed.
 */
#include <stdlib.h>

#include "lib/scanbench.h"
#include "src/base/test.h"
#include "variants/registry.h"

static char *workspace;
static size_t workspace_bytes;
static float out[64];
static int scans, moves; /* launched */

/* True if `bytes` from here on are not in the workspace, or all are. */
static bool inside(const void *from, size_t bytes)
{
    const char *at = from;
    return at < workspace || at >= workspace + workspace_bytes ||
           at + bytes <= workspace + workspace_bytes;
}

static const char *refuses_unlike(const struct problem *p)
{
    return (uintptr_t)p->in % 16 != (uintptr_t)p->out % 16 ? "unlike" : NULL;
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    CHECK(inside(p->in, 40 * sizeof *out) && inside(p->out, 40 * sizeof *out));
    ++*(op_is_scan(p->op) ? &scans : &moves);
    return 0;
}

static const struct variant scan[] = { { .name = "scan",
                                         .runs_on = DEVICE_HOST,
                                         .ops = { FORMS_SCAN,
                                                  { REDUCERS_ANY } },
                                         .passes = 1,
                                         .refuses = refuses_unlike,
                                         .launch = launch },
                                       { 0 } };
static const struct variant move[] = {
    { .name = "move",
      .runs_on = DEVICE_HOST,
      .ops = { FORM_OF(OP_FLIP) | FORM_OF(OP_MASKED_COPY), { ~UINT64_C(0) } },
      .passes = 1,
      .launch = launch },
    { 0 }
};
const struct family registry[] = {
    { .id = "scan/scan", .variants = scan, .dtypes = DTYPES_ALL },
    { .id = "flip/move", .variants = move, .dtypes = DTYPES_ALL },
    { 0 },
};

static void check(int op, int wanted_moves)
{
    static float in[64];
    static uint8_t mask[64];
    const struct scanbench_shape shape = { 2, 20, 1 };
    struct scanbench_plan plan;
    if (!CHECK(!scanbench_plan(op, 0, shape, SCANBENCH_HOST, &plan)))
        return;
    workspace_bytes = plan.workspace_bytes;
    workspace = aligned_alloc(256, workspace_bytes);
    for (int off = 0; off < 8; ++off) {
        scans = moves = 0;
        const int error = scanbench_launch(&plan, in + off,
                                           op & SCANBENCH_MASKED ? mask : NULL,
                                           out + off, workspace, NULL);
        CHECK_FOR(!error && scans == 1 && moves == wanted_moves,
                  "op %x, moved by %d: %s", (unsigned)op, off,
                  scanbench_error_text(error));
    }
    free(workspace);
}

int main(void)
{
    static const int ops[] = { SCANBENCH_CUMSUM, SCANBENCH_CUMPROD,
                               SCANBENCH_CUMMAX, SCANBENCH_LOGCUMSUMEXP };
    for (int k = 0; k < 4; ++k)
        check(ops[k] | SCANBENCH_MASKED | SCANBENCH_REVERSE, 1);
    for (int k = 0; k < 2; ++k) {
        const int op = ops[k] | SCANBENCH_EXCLUSIVE | SCANBENCH_REVERSE;
        check(op, 2);
        check(op | SCANBENCH_MASKED, 3);
    }
    return test_end();
}
