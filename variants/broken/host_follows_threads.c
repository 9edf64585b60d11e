/* SPDX-License-Identifier: MIT
 *
 * Bug      Declared portable_bits, but a tile has one element more than the
 *          device has threads. Right within its bound.
 * Shows    axis >= 4, on real input, on a device of other facts.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const float *in = p->in;
    float *out = p->out;
    const int64_t tile = 1 + p->device->sm_count;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const int64_t start = plain_start(p->shape, line);
        float sum = 0, part = 0;
        for (int64_t a = 0; a < p->shape.axis; ++a) {
            if (a % tile == 0) {
                sum += part;
                part = 0;
            }
            part += in[start + a * p->shape.inner];
        }
        out[line] = sum + part;
    }
    return 0;
}

PLAIN_VARIANT_OF(follows_threads, OP_SUM, DTYPE_F32,
                 "bug: tiles follow the device, and it is not said",
                 .error_growth = ERROR_SERIAL, .portable_bits = true);
