/* SPDX-License-Identifier: MIT
 *
 * WORDS...: the text of cuda:0 has these words. In place of gpu_cuda.c, it is
 * an H200, or the GPU that FAKE_GPU names, which takes plans, but no launches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/opened.h"
#include "lib/scanbench.h"

int gpu_read(int index, struct device_facts *facts, struct driver_facts *driver,
             bool *absent)
{
    const char *name = getenv("FAKE_GPU");
    *absent = index != 0;
    *facts = (struct device_facts){ .kind = DEVICE_CUDA,
                                    .sm_count = 132,
                                    .compute_capability = 90,
                                    .max_threads_per_sm = 2048,
                                    .max_threads_per_block = 1024,
                                    .max_blocks_per_sm = 32,
                                    .shared_optin_bytes = 232448,
                                    .shared_per_sm_bytes = 233472,
                                    .l2_bytes = 50 << 20 };
    snprintf(driver->name, sizeof driver->name, "%s",
             name ? name : "NVIDIA H200");
    return 0;
}

int gpu_current(void)
{
    return 0;
}

const char *gpu_error_text(int error)
{
    (void)error;
    return "a fake";
}

int main(int argc, char **argv)
{
    struct scanbench_plan plan;
    scanbench_plan(SCANBENCH_CUMSUM, SCANBENCH_F32,
                   (struct scanbench_shape){ 1, 1, 1 }, 0, &plan);
    puts(scanbench_device_text(0));
    for (int k = 1; k < argc; ++k)
        if (!strstr(scanbench_device_text(0), argv[k]))
            return 1;
    return 0;
}
