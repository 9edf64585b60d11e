/* SPDX-License-Identifier: MIT
 *
 * Idea     A tile's rows are pieces of memory that bulk copies bring to shared
 *          memory whatever element they start at: with what lies around them
 *          in the same 16 bytes, and at the same place in 16 bytes there. A
 *          thread then has a column, and its carry, to itself.
 * Against  column_lookback, which takes rows that are not aligned element by
 *          element, and shares a column among threads.
 * Traffic  2N elements and a word a column and tile (passes = 1).
 * Needs    inner >= 128; bulk copies (compute capability 9.0).
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 */
#include "variants/device.cuh"
#include "variants/scan/bulk_hints.cuh"
#include "variants/scan/column_carry.cuh"

/* A tile's columns, and a block's threads. */
template <class T>
constexpr int kColumns = sizeof(T) == 8 ? 128 : 256;

struct grid_of_tiles {
    int64_t chunks, strips, tiles; /* along the axis, along a row, in all */
    int64_t outer, axis, inner;
    int64_t abreast;       /* outer indices whose tiles take turns */
    int rows;              /* of a tile */
    int pitch, mask_pitch; /* from row to row in shared memory, elements */
    int mask_at;           /* bytes before the mask there */
    bool alike;            /* in and out have their boundaries alike */
    bool edges;            /* rows that do not fill 16-byte vectors */
};

/* The part of a row that is copied in bulk: the 16-byte vectors that touch it,
 * but for those that are not whole within the tensor. */
struct piece {
    uintptr_t begin, end; /* of the row, bytes */
    uintptr_t bulk_begin, bulk_end;

    __device__ __forceinline__ piece(const void *row, unsigned bytes,
                                     const void *tensor, int64_t tensor_bytes)
        : begin((uintptr_t)row), end(begin + bytes)
    {
        const uintptr_t whole = ((uintptr_t)tensor + 15) / 16 * 16;
        const uintptr_t last = ((uintptr_t)tensor + tensor_bytes) / 16 * 16;
        bulk_begin = begin / 16 * 16;
        bulk_end = (end + 15) / 16 * 16;
        bulk_begin = bulk_begin < whole ? whole : bulk_begin;
        bulk_end = bulk_end < last ? bulk_end : last;
        if (bulk_end <= bulk_begin)
            bulk_begin = bulk_end = end;
    }
    __device__ __forceinline__ unsigned bulk_bytes(void) const
    {
        return (unsigned)(bulk_end - bulk_begin);
    }
    /* `to` is where the row goes in shared memory. */
    __device__ __forceinline__ void ask(void *to, uint64_t *barrier,
                                        uint64_t policy) const
    {
        if (bulk_begin < bulk_end)
            bulk_load_kept((char *)to + (intptr_t)(bulk_begin - begin),
                           (const void *)bulk_begin, bulk_bytes(), barrier,
                           policy);
    }
    /* What bulk copies do not reach. */
    template <class E>
    __device__ __forceinline__ void take_rest(E *to) const
    {
        for (uintptr_t at = begin; at < bulk_begin && at < end; at += sizeof(E))
            to[(at - begin) / sizeof(E)] = *(const E *)at;
        for (uintptr_t at = bulk_end; at < end; at += sizeof(E))
            to[(at - begin) / sizeof(E)] = *(const E *)at;
    }
};

/* Calls visit(value, row) for `many` rows of a column from `row` on, step by
 * step, and keeps what it returns. Eight are read before the first is written:
 * a store to shared memory holds up the loads behind it. */
template <bool Reverse, bool Store, class T, class Visit>
__device__ __forceinline__ void walk(T *x, int pitch, int many, Visit visit)
{
    constexpr int kBatch = 8;
    const int step = Reverse ? -pitch : pitch;
    int row = Reverse ? many - 1 : 0;
    T *at = x + row * pitch, v[kBatch];
    for (; many >= kBatch; many -= kBatch, at += kBatch * step) {
#pragma unroll
        for (int k = 0; k < kBatch; ++k)
            v[k] = at[k * step];
#pragma unroll
        for (int k = 0; k < kBatch; ++k, row += Reverse ? -1 : 1)
            v[k] = visit(v[k], row);
        if (Store) {
#pragma unroll
            for (int k = 0; k < kBatch; ++k)
                at[k * step] = v[k];
        }
    }
    for (; many > 0; --many, at += step, row += Reverse ? -1 : 1) {
        const T y = visit(*at, row);
        if (Store)
            *at = y;
    }
}

/* Writes the tile's rows: whole vectors in bulk, by one thread a row, and the
 * elements at both ends singly. */
template <class T>
__device__ __forceinline__ void store_rows(const struct grid_of_tiles &t, T *to,
                                           const T *x, int row, int rows,
                                           int columns)
{
    const auto head_of = [&](const T *p) {
        const int head = (int)((16 - (uintptr_t)p % 16) % 16 / sizeof(T));
        return head < columns ? head : columns;
    };
    if (row < rows) {
        T *const first = to + row * t.inner;
        const int head = head_of(first);
        const int whole = (columns - head) / kVec<T> * kVec<T>;
        if (whole)
            bulk_store_first(first + head, x + row * t.pitch + head,
                             whole * (unsigned)sizeof(T), evict_first_policy());
        bulk_commit();
    }
    constexpr int kEnds = 2 * kVec<T>;
    if (t.edges)
        for (int e = threadIdx.x; e < rows * kEnds; e += kColumns<T>) {
            const int r = e / kEnds, k = e % kEnds;
            const int head = head_of(to + r * t.inner);
            const int tail = (columns - head) % kVec<T>;
            const int c = k < kVec<T> ? k : columns - tail + k - kVec<T>;
            if (k < kVec<T> ? k < head : k - kVec<T> < tail)
                to[r * t.inner + c] = x[r * t.pitch + c];
        }
    if (row < rows)
        bulk_drain();
}

template <class T, class Scan>
static __global__ void __launch_bounds__(kColumns<T>, 1024 / kColumns<T>)
    column_bulk_lookback(const T *__restrict__ in,
                         const uint8_t *__restrict__ mask, T *__restrict__ out,
                         const struct grid_of_tiles t,
                         unsigned long long *ticket,
                         tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr int kWarps = kColumns<T> / 32;
    extern __shared__ uint4 shared_tile[];
    __shared__ int64_t shared_number;
    __shared__ uint64_t loaded;
    const int column = threadIdx.x;
    /* The row whose copies are this thread's: the warps share the rows. */
    const int row = threadIdx.x % 32 * kWarps + threadIdx.x / 32;
    const int64_t elems = t.outer * t.axis * t.inner;
    const uint64_t policy = evict_last_policy();

    if (threadIdx.x == 0)
        bulk_init(&loaded, kWarps);
    unsigned parity = 0;
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const int64_t number = take_ticket(ticket, &shared_number);
        const int64_t o_first =
            tile_divide(number, t.abreast * t.chunks * t.strips) * t.abreast;
        const int64_t abreast =
            t.outer - o_first < t.abreast ? t.outer - o_first : t.abreast;
        const int64_t later = number - o_first * t.chunks * t.strips;
        const int64_t step = tile_divide(later, abreast * t.strips);
        const int64_t place = later - step * abreast * t.strips;
        const int64_t o_next = tile_divide(place, t.strips);
        const int64_t strip = place - o_next * t.strips, o = o_first + o_next;
        const int64_t chunk = Scan::reverse ? t.chunks - 1 - step : step;
        const int64_t first_row = chunk * t.rows;
        const int64_t first_column = strip * kColumns<T>;
        const int rows =
            t.axis - first_row < t.rows ? (int)(t.axis - first_row) : t.rows;
        const int columns = t.inner - first_column < kColumns<T>
                                ? (int)(t.inner - first_column)
                                : kColumns<T>;
        const int64_t at = (o * t.axis + first_row) * t.inner + first_column;

        /* load: rows keep their place in 16 bytes */
        T *x = (T *)((char *)shared_tile + (uintptr_t)(in + at) % 16);
        uint8_t *m = (uint8_t *)shared_tile + t.mask_at +
                     (Scan::masked ? (uintptr_t)(mask + at) % 16 : 0);
        const bool copies = row < rows;
        const int64_t from = at + (copies ? row : 0) * t.inner;
        const piece piece_x(in + from, columns * (unsigned)sizeof(T), in,
                            elems * (int64_t)sizeof(T));
        const piece piece_m(mask + from, columns, mask, elems);
        unsigned bytes = 0;
        if (copies)
            bytes = piece_x.bulk_bytes() +
                    (Scan::masked ? piece_m.bulk_bytes() : 0);
        bytes = __reduce_add_sync(kWholeWarp, bytes);
        if (threadIdx.x % 32 == 0)
            bulk_expect(&loaded, bytes);
        __syncwarp();
        if (copies) {
            piece_x.ask(x + row * t.pitch, &loaded, policy);
            if (Scan::masked)
                piece_m.ask(m + row * t.mask_pitch, &loaded, policy);
            piece_x.take_rest(x + row * t.pitch);
            if (Scan::masked)
                piece_m.take_rest(m + row * t.mask_pitch);
        }

        const bool works = column < columns;
        tile_state<Acc> *mine = states + (o * (t.chunks - 1) + step) * t.inner +
                                first_column + column;
        unsigned flag = TILE_PREFIX;
        Acc carry = 0;
        bulk_wait(&loaded, parity);
        parity ^= 1;
        __syncthreads();

        /* A neighbour that is done already saves the look-back. */
        if (works && step > 0)
            flag = peek(mine - t.inner, &carry);

        /* upsweep */
        x += column;
        m += column;
        Acc sum = 0;
        if (works)
            walk<false, Scan::masked>(x, t.pitch, rows, [&](T value, int r) {
                if (Scan::masked && !m[r * t.mask_pitch])
                    value = from_acc<T>(0);
                sum += to_acc(value);
                return value;
            });

        /* spine: over the tiles before this one */
        const bool speaks = works && step + 1 < t.chunks;
        if (flag != TILE_PREFIX) {
            constexpr int kDepth = 4;
            if (speaks)
                publish(mine, TILE_AGGREGATE, sum);
            carry = 0;
            bool found = false;
            for (int64_t behind = 1; !found; behind += kDepth)
                carry += look_back<kDepth>(mine, step, behind, t.inner, &found);
        }
        if (speaks)
            publish(mine, TILE_PREFIX, carry + sum);

        /* downsweep */
        if (works)
            walk<Scan::reverse, true>(x, t.pitch, rows, [&](T value, int) {
                const Acc before = carry;
                carry += to_acc(value);
                return from_acc<T>(Scan::exclusive ? before : carry);
            });

        /* store */
        x -= column;
        bulk_fence();
        __syncthreads();
        if (t.alike)
            store_rows(t, out + at, x, row, rows, columns);
        else if (works)
            for (int r = 0; r < rows; ++r)
                out[at + r * t.inner + column] = x[r * t.pitch + column];
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
#endif
}

/* Room for a row of so many bytes at any place in 16, and as far from the next
 * one, in 16, as in the tensor. */
static int pitch_of(int64_t row_bytes, int64_t inner_bytes)
{
    return (int)(row_bytes + 32 + ((inner_bytes - row_bytes) % 16 + 16) % 16);
}

static size_t shared_bytes(const struct grid_of_tiles &t, bool masked)
{
    return t.mask_at +
           (masked ? (size_t)t.rows * t.mask_pitch + 32 : (size_t)0);
}

template <class T>
static struct grid_of_tiles tiles_of(const struct problem *p, int most_rows)
{
    const int64_t bytes = (int64_t)sizeof(T);
    struct grid_of_tiles t = { .outer = p->shape.outer,
                               .axis = p->shape.axis,
                               .inner = p->shape.inner };
    t.chunks = ceil_div(t.axis, most_rows);
    t.rows = (int)ceil_div(t.axis, t.chunks);
    t.chunks = ceil_div(t.axis, t.rows);
    t.strips = ceil_div(t.inner, kColumns<T>);
    t.tiles = t.outer * t.chunks * t.strips;
    t.pitch = pitch_of(kColumns<T> * bytes, t.inner % 16 * bytes) / (int)bytes;
    t.mask_pitch = pitch_of(kColumns<T>, t.inner % 16);
    t.mask_at = (t.rows * t.pitch * (int)bytes + 32 + 15) / 16 * 16;
    t.alike = (uintptr_t)p->in % 16 == (uintptr_t)p->out % 16;
    t.edges = (uintptr_t)p->out % 16 != 0 || t.inner % kVec<T> != 0;
    t.abreast = 1;
    if (p->device && t.chunks > 1) {
        /* Half of the tiles under way: a tile's neighbour is done by when it
         * asks. */
        const int64_t tiles =
            p->device->sm_count * (p->device->shared_per_sm_bytes /
                                   (int64_t)shared_bytes(t, p->mask != NULL));
        const int64_t wide = ceil_div(tiles, 2 * t.strips);
        t.abreast = wide < 1 ? 1 : wide < t.outer ? wide : t.outer;
    }
    return t;
}

/* As many bytes of halves in a column as of floats. */
template <class T>
constexpr int kTimes = sizeof(T) == 2 ? 2 : 1;

template <int Rows>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        using T = typename decltype(type)::type;
        const struct grid_of_tiles t = tiles_of<T>(p, Rows * kTimes<T>);
        bytes = kTicketBytes + (size_t)((t.chunks - 1) * t.outer * t.inner) *
                                   tile_state_bytes(p->dtype);
        return 0;
    });
    return bytes;
}

template <int Rows>
static int launch(const struct problem *p, void *stream)
{
    const cudaError_t reset = cudaMemsetAsync(
        p->workspace, 0, workspace_bytes<Rows>(p), (cudaStream_t)stream);
    if (reset != cudaSuccess)
        return reset;
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        const struct grid_of_tiles t = tiles_of<T>(p, Rows * kTimes<T>);
        const int bytes = (int)shared_bytes(t, Scan::masked);
        const auto kernel = column_bulk_lookback<T, Scan>;
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        kernel<<<grid_x(t.tiles), kColumns<T>, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, t,
            (unsigned long long *)p->workspace,
            (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 128)
        return "serves inner >= 128 only; narrow rows have row_tile_lookback";
    return bulk_lacking(p);
}

/* Items are a tile's rows, of halves twice as many. A column is added row by
 * row: a chain as long as many a line. */
#define POINT(items)                                                           \
    {                                                                          \
        .name = "column_bulk_lookback_i" #items,                               \
        .idea = "rows from any element by bulk copies, a thread a column",     \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1,             \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<items>, .launch = launch<items>     \
    }

VARIANTS(scan__column_bulk_lookback) = {
    POINT(64),
    {},
};
