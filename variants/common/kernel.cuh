/* SPDX-License-Identifier: MIT
 *
 * Parts of nearly every kernel: operators, access to elements, collectives of
 * a warp and a block, and dispatch.
 */
#ifndef VARIANTS_COMMON_KERNEL_CUH
#define VARIANTS_COMMON_KERNEL_CUH

#include "variants/common/access/items.cuh"
#include "variants/common/collective/pairwise.cuh"
#include "variants/common/collective/prefix.cuh"
#include "variants/common/launch/dispatch.cuh"

#endif
