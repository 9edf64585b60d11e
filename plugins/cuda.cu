/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread walks one line, and adds.
 * Against  (the simpler neighbour, and what is different here)
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    lines that one thread can walk in about a second.
 * Source   none.
 * Lesson   (what one should know afterwards)
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <type_traits>

#include "src/plugin.h"

enum { THREADS = 256 };

/* Half types accumulate in float and are rounded once. */
template <class T>
using acc_t = std::conditional_t<sizeof(T) == 8, double, float>;

template <class T, op Op>
static __global__ void __launch_bounds__(THREADS)
    my_idea(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            T *__restrict__ out, int64_t lines, int64_t axis, int64_t inner)
{
    const int64_t threads = (int64_t)gridDim.x * THREADS;
    for (int64_t line = (int64_t)blockIdx.x * THREADS + threadIdx.x;
         line < lines; line += threads) {
        const int64_t first = line / inner * axis * inner + line % inner;
        acc_t<T> sum = 0;
        for (int64_t step = 0; step < axis; ++step) {
            const int64_t a = Op == OP_CUMSUM_REVERSE ? axis - 1 - step : step;
            const int64_t at = first + a * inner;
            const acc_t<T> before = sum;
            if (Op != OP_MASKED_CUMSUM || mask[at])
                sum += static_cast<acc_t<T>>(in[at]);
            if (Op != OP_SUM)
                out[at] =
                    static_cast<T>(Op == OP_CUMSUM_EXCLUSIVE ? before : sum);
        }
        if (Op == OP_SUM)
            out[line] = static_cast<T>(sum);
    }
}

/* The grid is one-dimensional and limited by what the device can hold. */
static unsigned blocks(const struct problem *p)
{
    const int64_t wanted = (shape_lines(p->shape) + THREADS - 1) / THREADS;
    const int64_t most = (int64_t)p->device->sm_count * 64;
    return (unsigned)(wanted < most ? wanted : most);
}

template <class T, op Op>
static int run(const struct problem *p, void *stream)
{
    my_idea<T, Op><<<blocks(p), THREADS, 0, (cudaStream_t)stream>>>(
        (const T *)p->in, p->mask, (T *)p->out, shape_lines(p->shape),
        p->shape.axis, p->shape.inner);
    return cudaGetLastError();
}

template <class T>
static int run_op(const struct problem *p, void *stream)
{
    switch (p->op) {
    case OP_CUMSUM:
        return run<T, OP_CUMSUM>(p, stream);
    case OP_CUMSUM_EXCLUSIVE:
        return run<T, OP_CUMSUM_EXCLUSIVE>(p, stream);
    case OP_CUMSUM_REVERSE:
        return run<T, OP_CUMSUM_REVERSE>(p, stream);
    case OP_MASKED_CUMSUM:
        return run<T, OP_MASKED_CUMSUM>(p, stream);
    default:
        return run<T, OP_SUM>(p, stream);
    }
}

static int launch(const struct problem *p, void *stream)
{
    switch (p->dtype) {
    case DTYPE_F32:
        return run_op<float>(p, stream);
    case DTYPE_F64:
        return run_op<double>(p, stream);
    case DTYPE_F16:
        return run_op<__half>(p, stream);
    default:
        return run_op<__nv_bfloat16>(p, stream);
    }
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.axis > 1 << 22)
        return "one thread would walk the line for seconds (axis > 2^22)";
    return NULL;
}

/* src/variant.h documents every field, and the limits of a launch. Another
 * tuning point, such as another block size, is another row. */
static const struct variant points[] = {
    { .name = "my_idea_b256",
      .idea = "one thread walks one line",
      .runs_on = DEVICE_CUDA,
      .ops = OPS(FORMS_SCAN | FORM_REDUCE, DTYPES_FLOAT),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .refuses = refuses,
      .launch = launch },
    {},
};

PLUGIN("my_idea", { "scan/my_idea", points });
