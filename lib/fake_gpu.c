/* SPDX-License-Identifier: MIT
 *
 * In place of gpu_cuda.c: cuda:0 is an H200 that takes plans, but no launches.
 * For tests of what is chosen, and for test_plan.c, on any machine.
 */
#include "lib/gpu.h"

#include <stdio.h>
#include <stdlib.h>

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
