/* SPDX-License-Identifier: MIT
 *
 * The steps as kernels. Each block sums a chunk of the axis of a strip of
 * lines. Totals are written to peers' memory directly, and then a flag, by a
 * release store of system scope.
 */
#include "src/ranks.h"
#include "variants/common/kernel.cuh"
#include "variants/ranks/local.h"

namespace
{

constexpr int kThreads = 256, kChunk = 1 << 15;
/* Threads per block where each has a line; a single block walks few lines. */
constexpr int kLineThreads = 1024, kFewLines = 4 * kLineThreads;

/* The layout of a part, which has room for the carry beside its own rows. */
struct part {
    int64_t outer, axis, inner; /* its shape, with the room */
    int64_t front, own;         /* rows before its own; its own rows */
};

part part_of(const rank &r, bool reverse)
{
    const shape s = r.part.shape;
    return { s.outer, s.axis, s.inner, reverse ? 0 : r.carry_rows,
             s.axis - r.carry_rows };
}

/* Returns the sum of the earlier ranks' totals of a line, in walk order. */
template <class Acc>
__device__ Acc sum_before(const Acc *gathered, int64_t lines, int64_t line,
                          int rank, int count, bool reverse)
{
    Acc sum = 0;
    if (reverse)
        for (int q = count - 1; q > rank; --q)
            sum += gathered[q * lines + line];
    else
        for (int q = 0; q < rank; ++q)
            sum += gathered[q * lines + line];
    return sum;
}

/* A block per chunk of a contiguous line; the chunks' sums are added in any
 * order. */
template <class T>
__global__ void __launch_bounds__(kThreads)
    ranks_sum_rows(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                   acc_t<T> *totals, part p, int64_t first, int64_t count)
{
    using Acc = acc_t<T>;
    __shared__ Acc sums[kThreads / 32];
    const int64_t chunks = (p.own + kChunk - 1) / kChunk;
    for (int64_t b = blockIdx.x; b < count * chunks; b += gridDim.x) {
        const int64_t line = first + b / chunks;
        const int64_t from = b % chunks * kChunk;
        const int64_t end = from + kChunk < p.own ? from + kChunk : p.own;
        const int64_t start = line * p.axis + p.front;
        const bool aligned = lines_aligned<T>(
            in + start, mask ? mask + start : nullptr, nullptr, end - from);
        Acc sum = 0;
        constexpr int kRows = 8;
        for (int64_t at = from + threadIdx.x * kVec<T>; at < end;
             at += (int64_t)kRows * kThreads * kVec<T>) {
            Acc v[kRows][kVec<T>];
            if (mask)
                load_items<add<T>, true, kRows>(in + start, mask + start, at,
                                                kThreads * kVec<T>, end,
                                                aligned, v);
            else
                load_items<add<T>, false, kRows>(in + start, nullptr, at,
                                                 kThreads * kVec<T>, end,
                                                 aligned, v);
#pragma unroll
            for (int k = 0; k < kRows; ++k)
                sum += items_reduce<add<T>, false>(v[k]);
        }
        sum = warp_reduce<add<T>>(sum);
        if (threadIdx.x % 32 == 0)
            sums[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int k = 1; k < kThreads / 32; ++k)
                sum += sums[k];
            atomicAdd(&totals[line], sum);
        }
        __syncthreads();
    }
}

/* A thread per column, over `rows` rows of the axis. */
template <class T>
__global__ void __launch_bounds__(kThreads)
    ranks_sum_columns(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, acc_t<T> *totals,
                      part p, int64_t first, int64_t count, int64_t rows)
{
    const int64_t strips = (count + kThreads - 1) / kThreads;
    const int64_t chunks = (p.own + rows - 1) / rows;
    for (int64_t b = blockIdx.x; b < strips * chunks; b += gridDim.x) {
        const int64_t column = b % strips * kThreads + threadIdx.x;
        const int64_t line = first + column, from = b / strips * rows;
        const int64_t end = from + rows < p.own ? from + rows : p.own;
        if (column >= count)
            continue;
        int64_t at = (line / p.inner * p.axis + p.front + from) * p.inner +
                     line % p.inner;
        acc_t<T> sum = 0;
#pragma unroll 8
        for (int64_t a = from; a < end; ++a, at += p.inner)
            sum += !mask || mask[at] ? add<T>::lift(in[at]) : acc_t<T>(0);
        atomicAdd(&totals[line], sum);
    }
}

template <class T>
__global__ void ranks_last(const T *in, const T *out, acc_t<T> *totals, part p,
                           int64_t lines, bool reverse, bool exclusive)
{
    const int64_t line = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    const int64_t row = reverse ? 0 : p.own - 1;
    const int64_t at =
        (line / p.inner * p.axis + p.front + row) * p.inner + line % p.inner;
    acc_t<T> sum = p.own > 0 ? add<T>::lift(out[at]) : acc_t<T>(0);
    if (p.own > 0 && exclusive)
        sum += add<T>::lift(in[at]);
    totals[line] = sum;
}

/* The ranks that need a rank's totals. */
struct peers {
    int count;
    void *gathered[RANKS_MOST];
    uint32_t *flags[RANKS_MOST];
};

/* A single block raises the flags, one per thread: the barrier orders the
 * writes of all its threads before the release. Several blocks are not ordered
 * among themselves, so that a second launch, without lines, raises the flags.
 */
template <class Acc>
__global__ void __launch_bounds__(kLineThreads)
    ranks_publish(const Acc *__restrict__ totals,
                  const __grid_constant__ peers to, int rank, int64_t lines,
                  int64_t first, int64_t end, int stage, uint32_t ticket)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t line = first + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
    for (; line < end; line += step) {
        const Acc sum = totals[line];
        for (int k = 0; k < to.count; ++k)
            ((Acc *)to.gathered[k])[rank * lines + line] = sum;
    }
    if (gridDim.x > 1)
        return;
    __syncthreads();
    if ((int)threadIdx.x >= to.count)
        return;
    uint32_t *flag = to.flags[threadIdx.x] + stage * RANKS_MOST + rank;
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(ticket)
                 : "memory");
}

/* The ranks that a rank waits for. `flags` are its own of the stage, or NULL if
 * it waits for none. */
struct awaited {
    const uint32_t *flags;
    enum op op;
    int rank, count;
    uint32_t ticket;
};

/* A thread per rank; the barrier orders each acquire before all later reads of
 * the block. */
__device__ void wait_for(const awaited &others)
{
    if (!others.flags)
        return;
    if ((int)threadIdx.x < others.count &&
        rank_before(others.op, threadIdx.x, others.rank)) {
        uint32_t seen;
        do {
            asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                         : "=r"(seen)
                         : "l"(others.flags + threadIdx.x)
                         : "memory");
        } while (seen != others.ticket);
    }
    __syncthreads();
}

__global__ void ranks_wait(awaited others)
{
    wait_for(others);
}

/* Returns the next of the elements that add up to `left`: see local_host.c. */
template <class T>
__device__ T next_piece(acc_t<T> left, bool is_last)
{
    const T piece = add<T>::lower(left);
    if (is_last || add<T>::lift(piece) - add<T>::lift(piece) == 0 ||
        left - left != 0)
        return piece;
    const float most = std::is_same_v<T, __half> ? 65504.0f : 3.3895314e38f;
    return add<T>::lower(left > 0 ? acc_t<T>(most) : acc_t<T>(-most));
}

template <class T>
__global__ void __launch_bounds__(kLineThreads)
    ranks_carry(awaited others, T *in, uint8_t *mask, const acc_t<T> *gathered,
                part p, int64_t lines, int64_t first, int64_t end, int rank,
                int count, bool reverse)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    const int64_t room = p.axis - p.own;
    int64_t line = first + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    wait_for(others);
    for (; line < end; line += step) {
        acc_t<T> left = sum_before(gathered, lines, line, rank, count, reverse);
        for (int64_t row = 0; row < room; ++row) {
            const int64_t a = reverse ? p.own + row : row;
            const int64_t at =
                (line / p.inner * p.axis + a) * p.inner + line % p.inner;
            const T piece = next_piece<T>(left, row + 1 == room);
            in[at] = piece;
            if (mask)
                mask[at] = 1;
            const acc_t<T> rest = left - add<T>::lift(piece);
            left = rest == rest ? rest : acc_t<T>(0);
        }
    }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    ranks_add(T *out, const T *gathered, part p, int64_t lines, int rank,
              int count, bool reverse, int64_t rows)
{
    const int64_t strips = (p.inner + kThreads - 1) / kThreads;
    const int64_t chunks = (p.own + rows - 1) / rows;
    for (int64_t b = blockIdx.x; b < p.outer * chunks * strips;
         b += gridDim.x) {
        const int64_t o = b / strips / chunks,
                      from = b / strips % chunks * rows;
        const int64_t i = b % strips * kThreads + threadIdx.x;
        const int64_t end = from + rows < p.own ? from + rows : p.own;
        if (p.inner == 1) {
            const T sum = sum_before(gathered, lines, o, rank, count, reverse);
            T *const line = out + o * p.axis + p.front;
#pragma unroll 8
            for (int64_t a = from + threadIdx.x; a < end; a += kThreads)
                line[a] += sum;
        } else if (i < p.inner) {
            const T sum = sum_before(gathered, lines, o * p.inner + i, rank,
                                     count, reverse);
            T *at = out + (o * p.axis + p.front + from) * p.inner + i;
#pragma unroll 8
            for (int64_t a = from; a < end; ++a, at += p.inner)
                *at += sum;
        }
    }
}

template <class T>
__global__ void __launch_bounds__(kLineThreads)
    ranks_sum(awaited others, T *out, const acc_t<T> *gathered, int64_t lines,
              int64_t end, int count)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t line = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    wait_for(others);
    for (; line < end; line += step) {
        acc_t<T> sum = 0;
        for (int q = 0; q < count; ++q)
            sum += gathered[q * lines + line];
        out[line] = add<T>::lower(sum);
    }
}

/* ---------------------------------------------------------- from the host */

template <class Call>
int with_type(enum dtype dtype, Call call)
{
    return dispatch_dtype(dtype, [&]<class T>(tag<T> type) -> int {
        if constexpr (is_float<T>)
            return call(type);
        return 0;
    });
}

unsigned line_blocks(int64_t lines)
{
    return lines <= kFewLines ? 1 : grid_x(ceil_div(lines, kLineThreads));
}

peers peers_of(const ranks *all, int rank)
{
    peers to = {};
    for (int q = 0; q < all->count; ++q)
        if (rank_before(all->op, rank, q)) {
            to.gathered[to.count] = all->rank[q].gathered;
            to.flags[to.count++] = all->rank[q].flags;
        }
    return to;
}

bool is_reverse(const ranks *all)
{
    return op_is_reverse(all->op);
}

/* Rows of a strided axis per block: as many as leave enough blocks. */
int64_t rows_a_block(const part &p, int64_t strips, const device_facts *device)
{
    const int64_t wanted = 16 * (int64_t)(device->sm_count + 1);
    const int64_t rows = p.own * strips / wanted;
    return rows < 16 ? 16 : rows;
}

int totals(const ranks *all, int rank, lines which, void *stream)
{
    const struct rank &r = all->rank[rank];
    const part p = part_of(r, is_reverse(all));
    if (all->only_exchange)
        return 0;
    return with_type(all->dtype, [&]<class T>(tag<T>) -> int {
        acc_t<T> *sums = (acc_t<T> *)r.totals;
        const int error =
            cudaMemsetAsync(sums + which.first, 0, which.count * sizeof *sums,
                            (cudaStream_t)stream);
        if (error || p.own <= 0 || which.count <= 0)
            return error;
        if (p.inner == 1)
            return launch_kernel(ranks_sum_rows<T>,
                                 which.count * ceil_div(p.own, kChunk),
                                 kThreads, 0, stream, r.part.in, r.part.mask,
                                 sums, p, which.first, which.count);
        const int64_t strips = ceil_div(which.count, kThreads);
        const int64_t rows = rows_a_block(p, strips, r.part.device);
        return launch_kernel(ranks_sum_columns<T>,
                             strips * ceil_div(p.own, rows), kThreads, 0,
                             stream, r.part.in, r.part.mask, sums, p,
                             which.first, which.count, rows);
    });
}

int last(const ranks *all, int rank, void *stream)
{
    const struct rank &r = all->rank[rank];
    const part p = part_of(r, is_reverse(all));
    if (all->only_exchange)
        return 0;
    return with_type(all->dtype, [&]<class T>(tag<T>) {
        return launch_kernel(ranks_last<T>, ceil_div(all->lines, kThreads),
                             kThreads, 0, stream, r.part.in, r.part.out,
                             r.totals, p, all->lines, is_reverse(all),
                             op_is_exclusive(all->op));
    });
}

int publish(const ranks *all, int rank, lines which, int stage, void *stream)
{
    const int64_t end = which.first + which.count;
    const peers to = peers_of(all, rank);
    if (to.count == 0)
        return 0;
    return with_type(all->dtype, [&]<class T>(tag<T>) {
        const auto put = [&](unsigned blocks, int threads, int64_t first) {
            return launch_kernel(ranks_publish<acc_t<T>>, blocks, threads, 0,
                                 stream, all->rank[rank].totals, to, rank,
                                 all->lines, first, end, stage, all->ticket);
        };
        const unsigned blocks = line_blocks(which.count);
        const int error = put(blocks, kLineThreads, which.first);
        return error || blocks == 1 ? error : put(1, 32, end);
    });
}

awaited awaited_of(const ranks *all, int rank, int stage)
{
    awaited others = { nullptr, all->op, rank, all->count, all->ticket };
    const bool any =
        op_is_reduction(all->op) || rank_follows(all->op, rank, all->count);
    if (any && stage != GATHERED)
        others.flags = all->rank[rank].flags + stage * RANKS_MOST;
    return others;
}

/* Waits in a kernel of its own, so that the next one need not. */
int wait_ahead(awaited *others, void *stream)
{
    if (others->flags)
        ranks_wait<<<1, 32, 0, (cudaStream_t)stream>>>(*others);
    others->flags = nullptr;
    return cudaGetLastError();
}

/* The same, unless the next kernel may wait itself: a single block, and more
 * multiprocessors than ranks. Ranks may share a GPU, and waiting blocks must
 * leave room for those that they wait for. */
int wait_if_many(const ranks *all, int rank, int64_t lines, awaited *others,
                 void *stream)
{
    const int sm_count = all->rank[rank].part.device->sm_count;
    return line_blocks(lines) == 1 && sm_count > RANKS_MOST
               ? 0
               : wait_ahead(others, stream);
}

int carry(const ranks *all, int rank, lines which, int stage, void *stream)
{
    const struct rank &r = all->rank[rank];
    const part p = part_of(r, is_reverse(all));
    awaited others = awaited_of(all, rank, stage);
    if (p.own == p.axis || which.count <= 0)
        return 0;
    const int error = wait_if_many(all, rank, which.count, &others, stream);
    if (error || (all->only_exchange && !others.flags))
        return error;
    const int64_t end = which.first + (all->only_exchange ? 0 : which.count);
    return with_type(all->dtype, [&]<class T>(tag<T>) {
        return launch_kernel(
            ranks_carry<T>, line_blocks(which.count), kLineThreads, 0, stream,
            others, r.part.in, r.part.mask, r.gathered, p, all->lines,
            which.first, end, rank, all->count, is_reverse(all));
    });
}

/* It has many blocks, which do not wait themselves. */
int add_totals(const ranks *all, int rank, int stage, void *stream)
{
    const struct rank &r = all->rank[rank];
    const part p = part_of(r, is_reverse(all));
    awaited others = awaited_of(all, rank, stage);
    if (shape_elems(r.part.shape) == 0)
        return 0;
    const int error = wait_ahead(&others, stream);
    if (error || all->only_exchange)
        return error;
    const int64_t strips = ceil_div(p.inner, kThreads);
    const int64_t rows = p.inner == 1
                             ? kChunk
                             : rows_a_block(p, strips * p.outer, r.part.device);
    return with_type(all->dtype, [&]<class T>(tag<T>) -> int {
        if constexpr (sizeof(T) >= 4)
            return launch_kernel(
                ranks_add<T>, p.outer * ceil_div(p.own, rows) * strips,
                kThreads, 0, stream, r.part.out, r.gathered, p, all->lines,
                rank, all->count, is_reverse(all), rows);
        return 0;
    });
}

int sum_all(const ranks *all, int rank, int stage, void *stream)
{
    const struct rank &r = all->rank[rank];
    awaited others = awaited_of(all, rank, stage);
    const int error = wait_if_many(all, rank, all->lines, &others, stream);
    if (error || (all->only_exchange && !others.flags))
        return error;
    const int64_t end = all->only_exchange ? 0 : all->lines;
    return with_type(all->dtype, [&]<class T>(tag<T>) {
        return launch_kernel(ranks_sum<T>, line_blocks(all->lines),
                             kLineThreads, 0, stream, others, r.part.out,
                             r.gathered, all->lines, end, all->count);
    });
}

} // namespace

extern "C" {

extern const struct local local_cuda;
const struct local local_cuda = { totals, last,       publish,
                                  carry,  add_totals, sum_all };

int local_select(int gpu)
{
    return (int)cudaSetDevice(gpu);
}
}
