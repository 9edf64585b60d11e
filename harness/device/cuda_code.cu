/* SPDX-License-Identifier: MIT */
#include "harness/device/cuda_facts.h"
#include "src/choose/code_run.h"

/* Compiled by nvcc, which alone defines the list. */
int cuda_code_run(int capability)
{
#ifdef __CUDA_ARCH_LIST__
    const int built[] = { __CUDA_ARCH_LIST__ };
    return code_run(built, (int)(sizeof built / sizeof *built), capability);
#else
    return (void)capability, 0;
#endif
}
