/* SPDX-License-Identifier: MIT
 *
 * The exchange by NCCL's all-gather, one process for all GPUs.
 */
#include "variants/ranks/local.h"

#ifdef SCANBENCH_NCCL
#include <cuda_runtime_api.h>
#include <nccl.h>

/* A launch returns the device's errors, and NCCL's have other numbers. */
static int error_of(const struct ranks *ranks, ncclResult_t result)
{
    if (result == ncclSuccess)
        return cudaSuccess;
    *ranks->nccl_said = ncclGetErrorString(result);
    return cudaErrorUnknown;
}

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
    return error_of(ranks, result != ncclSuccess ? result : ended);
}
#else
int local_nccl_gather(const struct ranks *ranks)
{
    (void)ranks;
    return -1;
}
#endif
