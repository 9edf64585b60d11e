/* SPDX-License-Identifier: MIT
 *
 * Bug      Is declared deterministic, but every second launch adds the elements
 *          two by two. Right within its bound either way.
 * Shows    axis >= 3, on real input, from the second launch on.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static unsigned launches;
    const struct shape shape = p->shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    if (launches++ % 2 == 0) {
        plain_run(p);
        return 0;
    }
    for (int64_t line = 0; line < shape_lines(shape); ++line) {
        const int64_t start = plain_start(shape, line);
        float pairs = 0;
        for (int64_t a = 0; a < shape.axis; ++a) {
            const int64_t at = start + a * shape.inner;
            const float pair = a % 2 ? in[at - shape.inner] + in[at] : in[at];
            out[at] = pairs + pair;
            if (a % 2)
                pairs += pair;
        }
    }
    return 0;
}

PLAIN_VARIANT(nondeterministic,
              "bug: the order of the additions changes, and it is not said");
