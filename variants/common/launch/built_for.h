/* SPDX-License-Identifier: MIT
 *
 * The code of this build that a device runs. A kernel's body may be compiled
 * out for older architectures; a device newer than all that was built runs the
 * PTX of the newest.
 */
#ifndef VARIANTS_COMMON_LAUNCH_BUILT_FOR_H
#define VARIANTS_COMMON_LAUNCH_BUILT_FOR_H

#include "src/choose/code_run.h"
#include "src/variant.h"

/* True if the problem's device has this compute capability (90), or a newer
 * one, and runs code that was compiled for it: refuses() of code that is
 * compiled out below it. True without a device, when only the shape matters. */
static inline bool built_for(const struct problem *p, int capability)
{
    if (!p->device)
        return true;
    if (p->device->compute_capability < capability)
        return false;
#ifdef __CUDA_ARCH_LIST__
    const int built[] = { __CUDA_ARCH_LIST__ };
    const int count = (int)(sizeof built / sizeof *built);
    const int code = p->device->code_capability;
    return code_run(built, count,
                    code ? code : p->device->compute_capability) >=
           capability * 10;
#else
    return true;
#endif
}

#endif
