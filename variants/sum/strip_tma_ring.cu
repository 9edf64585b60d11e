/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows are cut across into strips of up to 16 KiB, and every block has
 *          as many rows of strips as the others, one after the other down the
 *          strips. Each comes by a bulk copy of the whole lines of memory that
 *          it lies in, and waits in a ring in shared memory until the threads
 *          add it to their columns there, at whatever place its row begins.
 * Against  span_tma_ring: the same shares, of rows that are too long for a
 *          block's registers, or better cut; and column_vectors, whose lanes
 *          turn every vector to fit their columns.
 * Traffic  N elements, and two partial sums a block and column (passes = 1).
 * Needs    compute capability 9.0; rows of 2 KiB or more.
 * Source   as span_tma_ring.
 * Lesson   In shared memory a row may begin anywhere: whole lines come in, and
 *          elements go out.
 */
#include "variants/common/bulk_copy.cuh"
#include "variants/sum/shares.cuh"

constexpr int kThreads = 512;
constexpr int kStripBytes = 16 << 10, kLineBytes = 128;
/* A row begins and ends anywhere in a line. */
constexpr int kSlotBytes = kStripBytes + 2 * kLineBytes, kSlots = 12;
/* Threads beyond a strip's columns read, but do not use, what is behind. */
constexpr int kRingBytes = kSlots * kSlotBytes + kStripBytes;

/* Columns of a strip, at most; and of a thread. */
template <class T>
constexpr int kWidth = kStripBytes / (int)sizeof(T);
template <class T>
constexpr int kColumns = kWidth<T> / kThreads;

/* The rows of strips in turn: where the next one begins, and its sums. */
struct strip_cursor {
    int64_t o, slab;    /* the strip; its outer index's first element */
    int64_t begin, sum; /* elements of in and of out */
    int64_t left;       /* rows of the strip, with this one */
    int64_t across;     /* columns before the strip */

    __device__ __forceinline__ strip_cursor(const struct shares &s, int64_t row)
        : o(row / s.axis)
    {
        const int64_t outer = o / s.across, a = row - o * s.axis;
        across = (o - outer * s.across) * s.width;
        slab = outer * s.axis * s.inner;
        begin = slab + a * s.inner + across;
        sum = outer * s.inner + across;
        left = s.axis - a;
    }
    __device__ __forceinline__ int columns(const struct shares &s) const
    {
        return s.inner - across < s.width ? (int)(s.inner - across) : s.width;
    }
    __device__ __forceinline__ void next(const struct shares &s)
    {
        begin += s.inner;
        if (--left > 0)
            return;
        ++o;
        left = s.axis;
        const int columns_were = columns(s);
        sum += columns_were;
        across += columns_were;
        if (across == s.inner) {
            across = 0;
            slab += s.axis * s.inner;
        }
        begin = slab + across;
    }
};

/* Such a row: elements [begin, begin + count), and the whole lines of memory,
 * as far as these lie in the tensor, [from, to). Element e lies at e - origin
 * in its slot. */
template <class T>
struct strip_row {
    int64_t begin, from, to, origin;
    int count;

    __device__ __forceinline__ strip_row(int64_t first, int columns, int lead,
                                         int64_t elems)
        : begin(first), count(columns)
    {
        constexpr int kLine = kLineBytes / (int)sizeof(T);
        const int64_t end = begin + count;
        from = origin = begin - ((int)begin + lead & kLine - 1);
        to = end + (-((int)end + lead) & kLine - 1);
        if (from < 0) /* the tensor's first line */
            from += kLine;
        if (to > elems) /* its last one */
            to -= kLine;
        to = to > from ? to : from;
    }
    __device__ __forceinline__ bool whole(void) const
    {
        return from <= begin && begin + count <= to;
    }
};

/* A thread's columns of a strip: threadIdx.x + c * kThreads. */
template <class T>
struct strip_sums {
    static constexpr int kChain = 64; /* additions, before they are added up */
    acc_t<T> sums[kColumns<T>], chains[kColumns<T>];
    int chain;

    __device__ __forceinline__ void begin(void)
    {
        chain = 0;
#pragma unroll
        for (int c = 0; c < kColumns<T>; ++c)
            sums[c] = chains[c] = 0;
    }
    __device__ __forceinline__ void add(const T *x, int count)
    {
#pragma unroll
        for (int c = 0; c < kColumns<T>; ++c)
            if (c * kThreads < count)
                chains[c] += to_acc(x[threadIdx.x + c * kThreads]);
        if (++chain == kChain)
            end();
    }
    __device__ __forceinline__ void end(void)
    {
        chain = 0;
#pragma unroll
        for (int c = 0; c < kColumns<T>; ++c) {
            sums[c] += chains[c];
            chains[c] = 0;
        }
    }
};

/* Stores a strip's sums to y. */
template <class T, class To>
__device__ __forceinline__ void store_strip(const acc_t<T> (&sums)[kColumns<T>],
                                            To *y, int count)
{
#pragma unroll
    for (int c = 0; c < kColumns<T>; ++c) {
        const int column = threadIdx.x + c * kThreads;
        if (column >= count)
            continue;
        if constexpr (std::is_same_v<To, T>)
            y[column] = from_acc<T>(sums[c]);
        else
            y[column] = sums[c];
    }
}

/* A ring of slots, and what is asked for next. */
template <class T>
struct strip_ring {
    char *memory;
    uint64_t *full;
    const T *in;
    int lead; /* elements from a line to the tensor's first */
    int64_t elems, left;
    struct strip_cursor ahead;

    __device__ __forceinline__ T *slot(int k) const
    {
        return (T *)(memory + k * kSlotBytes);
    }

    /* By one thread: the next row, if there is one, into slot k. */
    __device__ __forceinline__ void ask(const struct shares &s, int k)
    {
        if (left == 0)
            return;
        --left;
        const strip_row<T> r(ahead.begin, ahead.columns(s), lead, elems);
        ahead.next(s);
        const unsigned bytes = (unsigned)(r.to - r.from) * sizeof(T);
        bulk_expect(full + k, bytes);
        if (bytes)
            bulk_load(slot(k) + (r.from - r.origin), in + r.from, bytes,
                      full + k);
    }

    /* By all: where the row in slot k begins. What lies in a line that sticks
     * out of the tensor comes singly. */
    __device__ __forceinline__ const T *wait(const strip_row<T> &r, int k,
                                             unsigned parity)
    {
        T *const x = slot(k);
        const int low = (int)(r.begin - r.origin);
        bulk_wait(full + k, parity);
        if (!r.whole()) {
            for (int i = threadIdx.x; i < r.count; i += kThreads) {
                const int64_t e = r.begin + i;
                if (e < r.from || e >= r.to)
                    x[low + i] = in[e];
            }
            bulk_fence();
            __syncthreads();
        }
        return x + low;
    }
};

template <class T>
static __global__ void __launch_bounds__(kThreads, 1)
    strip_tma_ring(const T *__restrict__ in, T *__restrict__ out,
                   acc_t<T> *__restrict__ partials, const struct shares s,
                   int64_t elems)
{
#if HAS_BULK_COPY
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t full[kSlots];
    const int lead = (int)((uintptr_t)in % kLineBytes / sizeof(T));
    const int64_t begin = s.first_row(blockIdx.x);
    const int64_t end = s.first_row(blockIdx.x + 1);
    struct strip_cursor here(s, begin);
    strip_ring<T> ring = { memory, full, in, lead, elems, end - begin, here };
    early_allow();
    if (threadIdx.x == 0) {
        for (int k = 0; k < kSlots; ++k)
            bulk_init(full + k, 1);
        for (int k = 0; k < kSlots; ++k)
            ring.ask(s, k);
    }
    __syncthreads();

    strip_sums<T> sums;
    sums.begin();
    unsigned parity = 0;
    int k = 0;
    for (int64_t row = begin; row < end; ++row) {
        /* load, upsweep */
        const strip_row<T> r(here.begin, here.columns(s), lead, elems);
        sums.add(ring.wait(r, k, parity), r.count);
        __syncthreads(); /* all have read before the slot is filled again */
        if (threadIdx.x == 0)
            ring.ask(s, k);
        if (++k == kSlots) {
            k = 0;
            parity ^= 1;
        }

        /* store the strip, or the block's share of it */
        if (here.left == 1 || row + 1 == end) {
            sums.end();
            if (here.left == 1 && row + 1 - begin >= s.axis)
                store_strip<T>(sums.sums, out + here.sum, r.count);
            else
                store_strip<T>(sums.sums,
                               partials + s.slot(blockIdx.x, here.o) * s.width,
                               r.count);
            sums.begin();
        }
        here.next(s);
    }
#endif
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto cuda_stream = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   cuda_stream);
        const struct shares s = shares_of(p, kWidth<T>, p->device->sm_count);
        int error = bulk_room(strip_tma_ring<T>, kRingBytes);
        if (error != cudaSuccess)
            return error;
        strip_tma_ring<T>
            <<<(unsigned)s.blocks, kThreads, kRingBytes, cuda_stream>>>(
                (const T *)p->in, (T *)p->out, (acc_t<T> *)p->workspace, s,
                shape_elems(p->shape));
        error = cudaGetLastError();
        return error != cudaSuccess ? error
                                    : launch_add_shares<T>(p, s, cuda_stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner * (int64_t)dtype_bytes(p->dtype) < 2048)
        return "serves rows of 2 KiB or more only; shorter ones have "
               "span_tma_ring";
    if (p->device->shared_optin_bytes <
        kRingBytes + (int64_t)sizeof(uint64_t) * kSlots)
        return "the ring does not fit in shared memory";
    return bulk_lacking(p);
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t most = kStripBytes / (int64_t)dtype_bytes(p->dtype);
    return shares_bytes(p, shares_of(p, most, p->device->sm_count));
}

VARIANTS(sum__strip_tma_ring) = {
    {
        .name = "strip_tma_ring_16kx12",
        .idea = "equal shares of rows, cut in strips, through rings",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
