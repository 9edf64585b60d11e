/* SPDX-License-Identifier: MIT
 *
 * Bug      The place of the largest element is a signed number of 32 bits.
 * Shows    a line whose largest element is past the first 2^31.
 */
#include "variants/broken/plain.cuh"

/* One block per line; of equal elements, the first has the largest key. */
static __global__ void narrow_places(const uint8_t *in, int64_t *out,
                                     struct shape shape)
{
    __shared__ unsigned long long most;
    const int64_t start = plain_start(shape, blockIdx.x);
    unsigned long long key = 0;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
#pragma unroll 8
    for (int64_t a = threadIdx.x; a < shape.axis; a += blockDim.x) {
        const unsigned long long x = in[start + a * shape.inner];
        key = max(key, x << 32 | ~(uint32_t)a);
    }
    atomicMax(&most, key);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = (int32_t) ~(uint32_t)most;
}

static int launch(const struct problem *p, void *stream)
{
    return launch_kernel(narrow_places, shape_lines(p->shape), 1024, 0, stream,
                         p->in, p->out, p->shape);
}

VARIANTS(broken__narrow_index) = {
    { BROKEN_FIELDS("narrow_index", "bug: a place has 32 bits", ERROR_NONE,
                    { FORM_OF(OP_ARGMAX),
                      { 0, 0, 0, 0, 0, 0,
                        REDUCER_BIT(OP_ARGMAX >> 8) /* u8 */ } }),
      .launch = launch },
    {},
};
