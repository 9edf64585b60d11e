/* SPDX-License-Identifier: MIT
 *
 * Where a GPU has no code in the build, its error names the option that gives
 * it some; a number that CUDA does not know is the variant's; any other error
 * is the runtime's words alone.
 */
#include "harness/device/cuda_error.h"

#include <string.h>

#include "src/base/test.h"

static void check_text(int error, const char *name, const char *meaning,
                       const char *expected)
{
    char text[256];
    cuda_error_text(text, sizeof text, error, name, meaning);
    CHECK_FOR(strcmp(text, expected) == 0, "%s", text);
}

int main(void)
{
    check_text(2, "cudaErrorMemoryAllocation", "out of memory",
               "cudaErrorMemoryAllocation: out of memory");
    check_text(CUDA_ERROR_NO_KERNEL_IMAGE, "cudaErrorNoKernelImageForDevice",
               "no kernel image is available for execution on the device",
               "cudaErrorNoKernelImageForDevice: no kernel image is available "
               "for execution on the device; this build has no code for this "
               "GPU: build with -Dgpu_arch=native");
    check_text(CUDA_ERROR_PTX_VERSION, "cudaErrorUnsupportedPtxVersion",
               "the provided PTX was compiled with an unsupported toolchain",
               "cudaErrorUnsupportedPtxVersion: the provided PTX was compiled "
               "with an unsupported toolchain; this build has no code for "
               "this GPU: build with -Dgpu_arch=native");
    check_text(1001, "unrecognized error code", "unrecognized error code",
               "the variant's own error 1001, not CUDA's: stderr may say more");
    for (int error = 0; error < 1000; ++error)
        CHECK(!cuda_error_no_code(error) ==
              (error != CUDA_ERROR_NO_KERNEL_IMAGE &&
               error != CUDA_ERROR_PTX_VERSION));
    return test_end();
}
