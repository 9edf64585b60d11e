/* SPDX-License-Identifier: MIT
 *
 * Bug      The middle of the last line is never written.
 * Shows    always.
 */
#include "variants/broken/plain.cuh"

PLAIN_STEPS({
    const bool last = line == s.outer * s.inner - 1;
    sum += in[at];
    if (!(last && a == s.axis / 2))
        out[at] = sum;
})

PLAIN_VARIANT(unwritten_output, "bug: one output is never written", launch);
