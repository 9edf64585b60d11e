/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread per column, the axis unrolled: that many independent
 *          loads are in flight before they are added. The axis is cut into
 *          pieces where columns alone would leave the GPU idle, or its last
 *          wave of blocks thin; a second pass adds the pieces up.
 * Against  block_2d: no shared memory and no barrier; wide blocks share the
 *          sectors that a misaligned row straddles.
 * Traffic  N elements and a partial sum a piece, at most 1/64 of them, twice
 *          (passes = 1).
 * Needs    inner >= 2.
 * Source   none.
 * Lesson   Loads in flight instead of threads; odd extents still break them up.
 */
#include "variants/sum/partials.cuh"

/* Piece `piece` of a line takes groups of Rows rows: every pieces-th one from
 * the piece-th on, so that the blocks in flight walk one window of addresses.
 * out is a tensor (outer, pieces, inner) of partial sums. */
template <class T, class Out, int Threads, int Rows>
static __global__ void __launch_bounds__(Threads)
    column_unrolled(const T *__restrict__ in, Out *__restrict__ out,
                    int64_t lines, int64_t axis, int64_t inner, int64_t pieces)
{
    using Acc = acc_t<T>;
    const int64_t groups = ceil_div(axis, Rows);

    /* Blocks take a row's strips first, then the line's pieces, then the next
     * strips: memory order, as far as the pieces allow. */
    const int64_t strips = ceil_div(lines, Threads);
    const int64_t width = ceil_div(inner, Threads);
    const int64_t tiles = ceil_div(strips, width) * width * pieces;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t piece = tile / width % pieces;
        const int64_t strip = tile / width / pieces * width + tile % width;
        const int64_t line = strip * Threads + threadIdx.x;
        if (line >= lines)
            continue;
        const int64_t o = line / inner, i = line % inner;

        /* load */
        int64_t group = piece;
        const T *x = in + (o * axis + group * Rows) * inner + i;
        Acc sum = 0;
        for (; (group + 1) * Rows <= axis; group += pieces) {
            Acc v[Rows];
#pragma unroll
            for (int j = 0; j < Rows; ++j)
                v[j] = to_acc(x[j * inner]);
            sum += pairwise_sum(v);
            x += pieces * Rows * inner;
        }
        if (group < groups) /* the last one, of fewer rows */
            for (int64_t a = group * Rows; a < axis; ++a, x += inner)
                sum += to_acc(*x);

        /* store */
        if constexpr (std::is_same_v<T, Out>)
            out[(o * pieces + piece) * inner + i] = from_acc<T>(sum);
        else
            out[(o * pieces + piece) * inner + i] = sum;
    }
}

/* A piece has about 64 rows at least. */
template <int Threads>
static int64_t pieces_of(const struct problem *p)
{
    const int64_t strips = ceil_div(shape_lines(p->shape), Threads);
    int64_t most = p->shape.axis / 64;
    if (most > 1024)
        most = 1024;
    return axis_pieces(strips, 16384, most);
}

template <class T, class Out, int Threads, int Rows>
static int launch_pieces(const struct problem *p, void *out, int64_t pieces,
                         cudaStream_t stream)
{
    const int64_t lines = shape_lines(p->shape), inner = p->shape.inner;
    const int64_t width = ceil_div(inner, Threads);
    const int64_t strips = ceil_div(ceil_div(lines, Threads), width) * width;
    column_unrolled<T, Out, Threads, Rows>
        <<<grid_x(strips * pieces), Threads, 0, stream>>>(
            (const T *)p->in, (Out *)out, lines, p->shape.axis, inner, pieces);
    return cudaGetLastError();
}

template <int Threads, int Rows>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        const int64_t pieces = pieces_of<Threads>(p);
        if (pieces == 1)
            return launch_pieces<T, T, Threads, Rows>(p, p->out, 1, s);
        int error = launch_pieces<T, acc_t<T>, Threads, Rows>(p, p->workspace,
                                                              pieces, s);
        if (error)
            return error;
        return launch_add_partials<T>(p->workspace, p->out, p->shape.outer,
                                      pieces, p->shape.inner, s);
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner < 2 ? "serves strided lines only (inner >= 2)" : NULL;
}

template <int Threads>
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t pieces = pieces_of<Threads>(p);
    const size_t acc_bytes = p->dtype == DTYPE_F64 ? 8 : 4;
    return pieces == 1 ? 0 : shape_lines(p->shape) * pieces * acc_bytes;
}

#define POINT(threads, rows)                                                   \
    {                                                                          \
        .name = "column_unrolled_b" #threads "_i" #rows,                       \
        .idea = "one thread per column, the axis unrolled and cut in pieces",  \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = rows,          \
        .deterministic = true, .refuses = refuses,                             \
        .workspace_bytes = workspace_bytes<threads>,                           \
        .launch = launch<threads, rows>                                        \
    }

VARIANTS(sum__column_unrolled) = {
    POINT(256, 8),
    {},
};
