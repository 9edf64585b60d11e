/* SPDX-License-Identifier: MIT
 *
 * The exchange by NCCL's all-gather, one process for all GPUs.
 */
#include "variants/ranks/local.h"

#ifdef SCANBENCH_NCCL
#include <nccl.h>

int local_nccl_gather(const struct ranks *ranks)
{
    const ncclDataType_t type =
        ranks->dtype == DTYPE_F64 ? ncclFloat64 : ncclFloat32;
    ncclResult_t result = ncclGroupStart();
    for (int r = 0; r < ranks->count && result == ncclSuccess; ++r) {
        const struct rank *rank = &ranks->rank[r];
        result =
            ncclAllGather(rank->totals, rank->gathered, (size_t)ranks->lines,
                          type, rank->comm, rank->stream);
    }
    const ncclResult_t ended = ncclGroupEnd();
    return result != ncclSuccess ? (int)result : (int)ended;
}
#else
int local_nccl_gather(const struct ranks *ranks)
{
    (void)ranks;
    return -1;
}
#endif
