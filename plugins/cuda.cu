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

/* The words of an operation's name. */
struct flags {
    bool reverse, exclusive, masked, reduces;
};

template <class T>
static __global__ void __launch_bounds__(THREADS)
    my_idea(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            T *__restrict__ out, int64_t lines, int64_t axis, int64_t inner,
            flags op)
{
    const int64_t threads = (int64_t)gridDim.x * THREADS;
    for (int64_t line = (int64_t)blockIdx.x * THREADS + threadIdx.x;
         line < lines; line += threads) {
        const int64_t first = line / inner * axis * inner + line % inner;
        acc_t<T> sum = 0;
        for (int64_t step = 0; step < axis; ++step) {
            const int64_t a = op.reverse ? axis - 1 - step : step;
            const int64_t at = first + a * inner;
            const acc_t<T> before = sum;
            if (!op.masked || mask[at])
                sum += static_cast<acc_t<T>>(in[at]);
            if (!op.reduces)
                out[at] = static_cast<T>(op.exclusive ? before : sum);
        }
        if (op.reduces)
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

template <class T>
static int run(const struct problem *p, void *stream)
{
    my_idea<T><<<blocks(p), THREADS, 0, (cudaStream_t)stream>>>(
        (const T *)p->in, p->mask, (T *)p->out, shape_lines(p->shape),
        p->shape.axis, p->shape.inner,
        { op_is_reverse(p->op), op_is_exclusive(p->op), op_has_mask(p->op),
          op_is_reduction(p->op) });
    return cudaGetLastError();
}

static int launch(const struct problem *p, void *stream)
{
    switch (p->dtype) {
    case DTYPE_F32:
        return run<float>(p, stream);
    case DTYPE_F64:
        return run<double>(p, stream);
    case DTYPE_F16:
        return run<__half>(p, stream);
    default:
        return run<__nv_bfloat16>(p, stream);
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
