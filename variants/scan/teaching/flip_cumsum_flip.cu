/* SPDX-License-Identifier: MIT
 *
 * Idea     A reverse scan made of library calls: flip the lines, scan them
 *          forwards, flip the result. Three kernels, two tensors in between.
 * Against  block_per_line, which walks a line from its end: the same scan for a
 *          third of the traffic.
 * Traffic  6N elements (passes = 3).
 * Needs    workspace for one of the tensors; the other is `out`.
 * Source   torch.cumsum(x.flip(d), d).flip(d), the usual formulation.
 * Lesson   Combining library calls costs every memory pass between them.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = IS_LESSON;

/* Divisions have 32 bits where these suffice: 64-bit ones take longer than the
 * copy. */
__device__ __forceinline__ int64_t place_on_axis(int64_t elem, int64_t axis,
                                                 int64_t inner)
{
    const int64_t slab = axis * inner;
    if ((elem | slab) >> 32 == 0)
        return (uint32_t)elem % (uint32_t)slab / (uint32_t)inner;
    return elem % slab / inner;
}

template <class T>
static __global__ void __launch_bounds__(kTileThreads)
    flip_cumsum_flip_flip(const T *__restrict__ in, T *__restrict__ out,
                          int64_t elems, int64_t axis, int64_t inner)
{
    const int64_t threads = (int64_t)gridDim.x * kTileThreads;
    const int64_t thread = (int64_t)blockIdx.x * kTileThreads + threadIdx.x;
    for (int64_t elem = thread; elem < elems; elem += threads) {
        const int64_t a = place_on_axis(elem, axis, inner);
        out[elem] = in[elem + (axis - 1 - 2 * a) * inner];
    }
}

/* Strided lines: one thread each, which coalesces a warp's accesses. */
template <class Op, class T>
static __global__ void __launch_bounds__(kTileThreads)
    flip_cumsum_flip_scan_strided(const T *__restrict__ in, T *__restrict__ out,
                                  int64_t lines, int64_t axis, int64_t inner)
{
    const int64_t threads = (int64_t)gridDim.x * kTileThreads;
    const int64_t thread = (int64_t)blockIdx.x * kTileThreads + threadIdx.x;
    for (int64_t line = thread; line < lines; line += threads) {
        int64_t at = line / inner * axis * inner + line % inner;
        typename Op::acc sum = Op::identity();
        for (int64_t step = 0; step < axis; ++step, at += inner) {
            sum = Op::combine(sum, Op::lift(in[at]));
            out[at] = Op::lower(sum);
        }
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            using Op = op_of<Scan, T>;
            const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
            const int64_t inner = p->shape.inner, elems = shape_elems(p->shape);
            T *const out = (T *)p->out, *const scanned = (T *)p->workspace;
            const auto flip = [&](const void *from) {
                return launch_kernel(
                    flip_cumsum_flip_flip<T>, ceil_div(elems, kTileThreads),
                    kTileThreads, 0, stream, from, out, elems, axis, inner);
            };

            int error = flip(p->in);
            if (!error && inner == 1)
                error = launch_scan_lines<scan_form<false, false, false>, Op>(
                    p, out, scanned, stream);
            else if (!error)
                error =
                    launch_kernel(flip_cumsum_flip_scan_strided<Op, T>,
                                  ceil_div(lines, kTileThreads), kTileThreads,
                                  0, stream, out, scanned, lines, axis, inner);
            return error ? error : flip(scanned);
        });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner == 1 ? NULL : thread_walk_refuses(p);
}

VARIANTS(scan__flip_cumsum_flip) = {
    { .name = "flip_cumsum_flip",
      .idea = "flip, scan forwards, flip back: three kernels",
      ON_CUDA(scans<kNeeds>(FORM_OF(OP_CUMSUM_REVERSE)), 3),
      .error_growth = ERROR_SERIAL, /* the strided lines */
      .deterministic = true,
      .refuses = refuses,
      .workspace_bytes = tensor_bytes,
      .launch = launch },
    {},
};
