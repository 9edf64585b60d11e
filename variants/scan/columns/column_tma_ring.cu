/* SPDX-License-Identifier: MIT
 *
 * Idea     A warp owns a strip of columns and walks the axis in tiles, which
 *          bulk tensor copies bring into a ring in shared memory and take away
 *          again. One instruction moves a tile of distant rows; the tensor map
 *          holds the pitch and the extents, so that no thread computes
 *          addresses or masks edges. A lane scans its columns in place.
 * Against  thread_per_column: loads in flight are in shared memory,
 *          where there is room for many more than in registers, and stores do
 *          not hold up the lanes. column_lookback: no carry passes between
 *          blocks, nothing is cleared, and every launch has the same bits; but
 *          the GPU reads many distant rows at a time, and every strip is a
 *          chain.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner > 1; rows of whole 16 bytes, also of the mask; extents below
 *          2^31; compute capability 9.0. Many columns: a wave is as many strips
 *          as the GPU's shared memory has rings. Pointers off 16 bytes are
 *          served in single elements, without a pipeline.
 * Source   none.
 * Lesson   A tensor map handles pitch and edges, but each strip remains a
 *          chain.
 */
#include <cuda.h>

#include "variants/common/access/bulk_hints.cuh"
#include "variants/common/kernel.cuh"

constexpr int kRows = 16; /* per tile */

/* Stages of a ring, at least and at most. */
constexpr int kLeast = 4, kMost = 8;

/* Maps of in, out and mask: (inner, axis, outer), the same box in each. */
struct tensor_maps {
    CUtensorMap in, out, mask;
};

template <class T>
struct tensor {
    const T *in;
    const uint8_t *mask;
    T *out;
    int outer, axis, inner;
    int strips; /* along a row */
    int stages; /* per ring */
    bool bulk;
};

/* ---------------------------------------------------------------- a tile */

/* A lane has a vector of each row. */
template <class T>
struct strip {
    static constexpr int columns = 32 * kVec<T>;
    static constexpr int elems = kRows * columns;
    /* A mask's rows lie after all tiles. */
    static constexpr int tile_bytes = elems * (int)sizeof(T);
};

/* A tile: its first row and column. */
struct tile {
    int column, row, outer;
};

template <class Op, bool Masked, int Columns, class T>
__device__ void load_tile_singly(const tensor<T> &t, const tile &at, T *x,
                                 uint8_t *m)
{
    for (int k = threadIdx.x; k < kRows * Columns; k += 32) {
        const int row = at.row + k / Columns, column = at.column + k % Columns;
        const bool inside = row < t.axis && column < t.inner;
        const int64_t e = ((int64_t)at.outer * t.axis + row) * t.inner + column;
        x[k] = inside ? t.in[e] : Op::pad();
        if (Masked)
            m[k] = inside ? t.mask[e] : 0;
    }
    __syncwarp();
}

template <int Columns, class T>
__device__ void store_tile_singly(const tensor<T> &t, const tile &at,
                                  const T *x)
{
    __syncwarp();
    for (int k = threadIdx.x; k < kRows * Columns; k += 32) {
        const int row = at.row + k / Columns, column = at.column + k % Columns;
        if (row < t.axis && column < t.inner)
            t.out[((int64_t)at.outer * t.axis + row) * t.inner + column] = x[k];
    }
    __syncwarp();
}

/* Byte k of a lane's mask of a row. */
template <class Mask>
__device__ __forceinline__ bool mask_at(Mask m, int k)
{
    if constexpr (sizeof m == 8)
        return ((k < 4 ? m.x : m.y) >> 8 * (k % 4) & 0xff) != 0;
    else
        return (m >> 8 * k & 0xff) != 0;
}

/* Scans the tile in place, `rows` rows of which exist. The tensor map fills the
 * others with 0, which a reversed scan meets first. */
template <class Scan, class T>
__device__ __forceinline__ void scan_tile(T *x, const uint8_t *m, int rows,
                                          acc_of<Scan, T> (&sums)[kVec<T>])
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Mask = words_t<mask_vec<T>>;
    constexpr int V = kVec<T>, kColumns = strip<T>::columns;
    constexpr int kBatch = 8; /* rows that are read before one is written */
    static_assert(kRows % kBatch == 0);
    const int lane = threadIdx.x;
#pragma unroll 1
    for (int done = 0; done < kRows; done += kBatch) {
        const int first = Scan::reverse ? kRows - kBatch - done : done;
        uint4 words[kBatch];
        Mask bytes[Scan::masked ? kBatch : 1];
#pragma unroll
        for (int u = 0; u < kBatch; ++u) {
            const int e = (first + u) * kColumns + lane * V;
            words[u] = *(const uint4 *)(x + e);
            if constexpr (Scan::masked)
                bytes[u] = *(const Mask *)(m + e);
        }
#pragma unroll
        for (int step = 0; step < kBatch; ++step) {
            const int u = Scan::reverse ? kBatch - 1 - step : step;
            auto y = __builtin_bit_cast(vec<T>, words[u]);
#pragma unroll
            for (int k = 0; k < V; ++k) {
                Acc v = Op::lift(y.item[k]);
                if constexpr (Scan::masked)
                    v = mask_at(bytes[u], k) ? v : Op::identity();
                if constexpr (Scan::reverse && !Op::identity_is_zero_bits)
                    v = first + u < rows ? v : Op::identity();
                y.item[k] = Op::lower(
                    scan_step<Scan>(sums[k], Op::combine(sums[k], v)));
            }
            write_shared(x + (first + u) * kColumns + lane * V, y);
        }
    }
}

/* -------------------------------------------------------------- the kernel */

template <class T, class Scan>
static __global__ void __launch_bounds__(32)
    column_tma_ring(const __grid_constant__ tensor_maps maps, const tensor<T> t)
{
    TAG(fast);
#if HAS_BULK_COPY
    /* Tiles whose stores may still read the ring when older slots are
     * refilled. */
    constexpr int kBehind = 2;
    using Op = op_of<Scan, T>;
    using Strip = strip<T>;
    alignas(128) extern __shared__ unsigned char ring[];
    __shared__ uint64_t loaded[kMost];
    const auto x = [&](int k) { return (T *)(ring + k * Strip::tile_bytes); };
    const auto m = [&](int k) {
        return (uint8_t *)ring + t.stages * Strip::tile_bytes +
               k * Strip::elems;
    };
    const int tiles = (t.axis - 1) / kRows + 1;
    const uint64_t keep = evict_last_policy(), first = evict_first_policy();
    unsigned parities = 0; /* one bit per slot */

    if (threadIdx.x == 0)
        for (int k = 0; k < t.stages; ++k)
            bulk_init(&loaded[k], 1);
    __syncwarp();

    const int64_t total = (int64_t)t.outer * t.strips;
    for (int64_t n = blockIdx.x; n < total; n += gridDim.x) {
        const int outer = (int)(n / t.strips);
        const int column = (int)(n % t.strips) * Strip::columns;
        /* Step s in walk order. */
        const auto place = [&](int s) {
            return tile{ column, (Scan::reverse ? tiles - 1 - s : s) * kRows,
                         outer };
        };
        /* load: by one lane */
        const auto request = [&](int s, int k) {
            const tile at = place(s);
            bulk_expect(&loaded[k],
                        Strip::tile_bytes + (Scan::masked ? Strip::elems : 0));
            tensor_load(x(k), &maps.in, at.column, at.row, at.outer, &loaded[k],
                        keep);
            if (Scan::masked)
                tensor_load(m(k), &maps.mask, at.column, at.row, at.outer,
                            &loaded[k], keep);
        };
        if (t.bulk && threadIdx.x == 0)
            for (int s = 0; s < t.stages && s < tiles; ++s)
                request(s, s);

        typename Op::acc sums[kVec<T>];
        set_identity<Op>(sums);
        for (int s = 0, slot = 0; s < tiles; ++s) {
            if (t.bulk) {
                bulk_wait(&loaded[slot], parities >> slot & 1);
                parities ^= 1u << slot;
            } else {
                load_tile_singly<Op, Scan::masked, Strip::columns>(
                    t, place(s), x(slot), m(slot));
            }

            scan_tile<Scan>(x(slot), m(slot), t.axis - place(s).row, sums);

            /* store; and fill the slot whose store is kBehind tiles old */
            if (t.bulk) {
                bulk_fence();
                __syncwarp();
                if (threadIdx.x == 0) {
                    const tile at = place(s);
                    tensor_store(&maps.out, at.column, at.row, at.outer,
                                 x(slot), first);
                    bulk_commit();
                    if (s >= kBehind && s - kBehind + t.stages < tiles) {
                        bulk_wait_read<kBehind>();
                        request(s - kBehind + t.stages,
                                slot >= kBehind ? slot - kBehind
                                                : slot - kBehind + t.stages);
                    }
                }
            } else {
                store_tile_singly<Strip::columns>(t, place(s), x(slot));
            }
            slot = slot + 1 < t.stages ? slot + 1 : 0;
        }
        bulk_wait_read(); /* shared memory is filled again, or given back */
    }
#endif
}

/* -------------------------------------------------------------------- host */

/* The driver's encoder, through the runtime, without linking the driver. */
static decltype(&cuTensorMapEncodeTiled) encoder(void)
{
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    const cudaError_t error = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
    const cudaError_t error = cudaGetDriverEntryPoint(
        "cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
    if (error != cudaSuccess || result != cudaDriverEntryPointSuccess)
        return NULL;
    return (decltype(&cuTensorMapEncodeTiled))found;
}

/* Tiles of kRows rows by `columns` of a tensor of the problem's shape. */
static bool encode(decltype(&cuTensorMapEncodeTiled) encode_tiled,
                   CUtensorMap *map, const struct problem *p, const void *first,
                   CUtensorMapDataType type, size_t elem_bytes, int columns)
{
    const cuuint64_t extents[3] = { (cuuint64_t)p->shape.inner,
                                    (cuuint64_t)p->shape.axis,
                                    (cuuint64_t)p->shape.outer };
    const cuuint64_t pitches[2] = { extents[0] * elem_bytes,
                                    extents[0] * extents[1] * elem_bytes };
    const cuuint32_t box[3] = { (cuuint32_t)columns, kRows, 1 };
    const cuuint32_t steps[3] = { 1, 1, 1 };
    return encode_tiled(map, type, 3, (void *)first, extents, pitches, box,
                        steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

static bool encode_all(struct tensor_maps *maps, const struct problem *p,
                       int columns)
{
    const size_t bytes = dtype_bytes(p->dtype);
    const CUtensorMapDataType type =
        p->dtype == DTYPE_F64    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64
        : p->dtype == DTYPE_F32  ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
        : p->dtype == DTYPE_F16  ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
        : p->dtype == DTYPE_BF16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
        : bytes == 8             ? CU_TENSOR_MAP_DATA_TYPE_UINT64
        : bytes == 4             ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    const auto tiled = encoder();
    return tiled && encode(tiled, &maps->in, p, p->in, type, bytes, columns) &&
           encode(tiled, &maps->out, p, p->out, type, bytes, columns) &&
           (!p->mask || encode(tiled, &maps->mask, p, p->mask,
                               CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, columns));
}

/* The most stages with which all strips are resident at once, within [kLeast,
 * kMost]. */
static int stages_of(const struct device_facts *device, int64_t strips,
                     int stage_bytes)
{
    constexpr int64_t kBesides =
        2048; /* a block's barriers, and the system's */
    const int64_t blocks = ceil_div(strips, device->sm_count);
    const int64_t most =
        (device->shared_per_sm_bytes / blocks - kBesides) / stage_bytes;
    return most < kLeast ? kLeast : most > kMost ? kMost : (int)most;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        using Strip = strip<T>;
        constexpr int kStage =
            Strip::tile_bytes + (Scan::masked ? Strip::elems : 0);
        const int64_t strips = ceil_div(p->shape.inner, Strip::columns);
        const int64_t blocks = p->shape.outer * strips;
        const int stages = stages_of(p->device, blocks, kStage);
        const tensor<T> t = {
            (const T *)p->in,
            p->mask,
            (T *)p->out,
            (int)p->shape.outer,
            (int)p->shape.axis,
            (int)p->shape.inner,
            (int)strips,
            stages,
            ((uintptr_t)p->in | (uintptr_t)p->out | (uintptr_t)p->mask) % 16 ==
                0
        };
        struct tensor_maps maps = {};
        if (t.bulk && !encode_all(&maps, p, Strip::columns))
            return cudaErrorNotSupported;
        return bulk_launch(column_tma_ring<T, Scan>, blocks, 32,
                           stages * kStage, stream, maps, t);
    });
}

static const char *refuses(const struct problem *p)
{
    const int64_t most = 0x7fffffff - 256; /* a tile may reach past the end */
    const struct shape s = p->shape;
    const char *lacking = bulk_lacking(p);
    if (lacking)
        return lacking;
    if (s.inner == 1)
        return "serves strided lines only (inner > 1)";
    if (s.inner * (int64_t)dtype_bytes(p->dtype) % 16 != 0)
        return "a tensor map's rows are whole 16 bytes";
    if (op_has_mask(p->op) && s.inner % 16 != 0)
        return "a tensor map's rows are whole 16 bytes, also those of a mask";
    if (s.outer > most || s.axis > most || s.inner > most)
        return "a tensor map's coordinates have 32 bits";
    return NULL;
}

/* Every strip is a chain: with fewer than one per four multiprocessors, the
 * bytes in flight are too few. */
static bool idles(const struct problem *p)
{
    constexpr int64_t kMultiprocessors = 4; /* that a strip must serve */
    const int64_t row_bytes = p->shape.inner * (int64_t)dtype_bytes(p->dtype);
    return p->device &&
           p->shape.outer * ceil_div(row_bytes, 512) * kMultiprocessors <
               p->device->sm_count;
}

VARIANTS(scan__column_tma_ring) = {
    { .name = "column_tma_ring_l32",
      .idea = "a warp per strip of columns, bulk tensor copies in and out",
      ON_CUDA(scans(), 1),
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .refuses = refuses,
      .launch = launch,
      .idles = idles,
      .monotone = true },
    {},
};
