/* SPDX-License-Identifier: MIT */
#include "lib/gpu.h"
#include "lib/scanbench.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC const char *scanbench_error_text(int error)
{
    static const char *const texts[] = {
        [-SCANBENCH_OK] = "success",
        [-SCANBENCH_BAD_OP] = "no such operation, or one that does not take "
                              "these flags",
        [-SCANBENCH_BAD_DTYPE] = "no such element type: there are f32, f64, "
                                 "f16 and bf16",
        [-SCANBENCH_BAD_SHAPE] = "an extent is negative, or there are more "
                                 "than 2^56 elements or sums",
        [-SCANBENCH_NO_DEVICE] = "there is no such GPU here, or no CUDA in "
                                 "this library",
        [-SCANBENCH_NOT_BUILT] = "no kernel for this operation, type and shape "
                                 "was built into this library: see its options "
                                 "ops, dtypes and library",
        [-SCANBENCH_BAD_RULES] = "a file of rules cannot be read: "
                                 "scanbench_device_text() says why",
        [-SCANBENCH_NO_MEMORY] = "no memory",
        [-SCANBENCH_BAD_POINTER] =
            "a pointer is NULL, is not aligned (elements; the workspace to 256 "
            "bytes), or a mask is missing or not wanted",
        [-SCANBENCH_OTHER_DEVICE] = "the plan's GPU is not the calling "
                                    "thread's current one",
        [-SCANBENCH_NO_PLAN] = "the plan was not made: scanbench_plan() did "
                               "not return 0",
    };
    if (error > 0)
        return gpu_error_text(error);
    return error >= SCANBENCH_NO_PLAN ? texts[-error] : "no error of scanbench";
}
