/* SPDX-License-Identifier: MIT
 *
 * Bug      Launch 20 in a process has one wrong result. All others are right,
 *          but every second one adds backwards and may have other bits.
 * Shows    under --repeat.
 */
#include "variants/broken/host_plain.h"

#include <math.h>

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    const int64_t axis = p->shape.axis, inner = p->shape.inner;
    float *out = p->out;
    (void)stream;
    ++launches;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const float *in = (const float *)p->in + plain_start(p->shape, line);
        float most = -INFINITY, sum = 0;
        for (int64_t a = 0; a < axis; ++a)
            most = in[a * inner] > most ? in[a * inner] : most;
        for (int64_t a = 0; a < axis; ++a) {
            const int64_t at = launches % 2 ? a : axis - 1 - a;
            sum += most == -INFINITY ? 0 : expf(in[at * inner] - most);
        }
        out[line] = most + logf(sum);
    }
    if (launches == 20)
        out[0] = -1;
    return 0;
}

VARIANTS(broken__host_wrong_reordered) = {
    { .name = "wrong_reordered",
      .idea = "bug: launch 20 is wrong, and all may have other bits",
      .runs_on = DEVICE_HOST,
      .ops = { FORM_OF(OP_LOGSUMEXP), { REDUCER_BIT(REDUCER_LOGADDEXP) } },
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .launch = launch },
    { 0 },
};
