/* SPDX-License-Identifier: MIT
 *
 * The kernels that combine the partial results of lines that blocks share. They
 * are compiled once for all files that share lines.
 */
#include "variants/reduce/split_axis/add_partials.cuh"

extern "C" int ADD_PARTIALS(const struct problem *p, int64_t pieces,
                            void *stream)
{
    return dispatch_reduce<NEEDS_COMMUTATIVE>(p, [&]<class Op>(Op) -> int {
        return queue_add_partials<Op>(p, pieces, stream);
    });
}
