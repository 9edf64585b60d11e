/* SPDX-License-Identifier: MIT
 *
 * From a problem to a template instance, and the shape of a grid.
 */
#ifndef VARIANTS_COMMON_LAUNCH_DISPATCH_CUH
#define VARIANTS_COMMON_LAUNCH_DISPATCH_CUH

#include "variants/common/launch/arch.cuh"
#include "variants/common/op/op.cuh"

#ifndef SCANBENCH_DTYPES
#define SCANBENCH_DTYPES DTYPES_FLOAT /* the dtypes that are built */
#endif

/* ------------------------------------------------------------- dtypes */

/* A runtime dtype as a compile-time type, passed to a generic lambda. */
template <class T>
struct tag {
    using type = T;
};

#define ELEMENT_TYPES(X)                                                       \
    X(DTYPE_F32, float)                                                        \
    X(DTYPE_F64, double)                                                       \
    X(DTYPE_F16, __half)                                                       \
    X(DTYPE_BF16, __nv_bfloat16)                                               \
    X(DTYPE_I32, int32_t)                                                      \
    X(DTYPE_I64, int64_t)                                                      \
    X(DTYPE_U8, uint8_t)                                                       \
    X(DTYPE_BOOL, truth)

template <class T>
constexpr enum dtype dtype_of(void)
{
    enum dtype dtype = DTYPE_COUNT;
#define IF_IT_IS(id, U)                                                        \
    if (std::is_same_v<T, U>)                                                  \
        dtype = id;
    ELEMENT_TYPES(IF_IT_IS)
#undef IF_IT_IS
    return dtype;
}

template <enum dtype Dtype, class T, class Run>
int dispatch_if_built(Run run)
{
    if constexpr ((SCANBENCH_DTYPES & DTYPE_BIT(Dtype)) != 0)
        return run(tag<T>{});
    return cudaErrorNotSupported;
}

/* Calls run(tag<T>) for the dtype. */
template <class Run>
int dispatch_dtype(enum dtype dtype, Run run)
{
#define DISPATCH(id, T)                                                        \
    case id:                                                                   \
        return dispatch_if_built<id, T>(run);
    switch (dtype) {
        ELEMENT_TYPES(DISPATCH)
    default:
        return cudaErrorInvalidValue;
    }
#undef DISPATCH
}

/* The same with a float (or a byte) of the dtype's size, for bits that only
 * move. */
template <class Run>
int dispatch_moved(enum dtype dtype, Run run)
{
    return dispatch_dtype(dtype, [&]<class T>(tag<T>) {
        if constexpr (is_float<T>)
            return run(tag<T>{});
        else
            return run(
                tag<std::conditional_t<
                    sizeof(T) == 8, double,
                    std::conditional_t<sizeof(T) == 4, float, uint8_t>>>{});
    });
}

/* --------------------------------------------------------- operations */

/* Properties that a kernel requires of an operator. */
enum needs : unsigned {
    NEEDS_NOTHING = 0,
    NEEDS_COMMUTATIVE = 1,
    NEEDS_ZERO_IDENTITY = 2, /* identity_is_zero_bits */
    NEEDS_SMALL_ACC = 4,     /* acc has at most 8 bytes */
    NEEDS_ATOMIC = 8,
    NEEDS_ADDITION = 16, /* the kernel subtracts, or rounds differently */
    NEEDS_LOSSLESS = 32,
    NEEDS_FLOAT_ADDITION = 64, /* with accs of float */
    NEEDS_NO_POSITION = 128,   /* lift() is called without one */
    NEEDS_NO_COUNT = 256,      /* lower() is called without one */
    NEEDS_SAME_TYPE = 2048,    /* results are elements */
    ALLOWS_WIDENING = 4096,    /* lifts NEEDS_SAME_TYPE: out is output_of<Op> */
    NEEDS_OF_SCANS = NEEDS_NO_POSITION | NEEDS_NO_COUNT | NEEDS_SAME_TYPE,
    NEEDS_WIDER_SUMS = 16384, /* integers of fewer than 8 bytes */
    NEEDS_TWO_INPUTS = 32768, /* otherwise one */
    ALLOWS_TWO_INPUTS = 65536,
    NEEDS_RAGGED = 131072, /* is defined for ragged shapes, of floats */
/* Choices that bind no plugin's operators: addition or, where other designs win
 * with fewer kernels, elements of at most four bytes, or of two; for contracts,
 * floats whose order matters. */
#ifdef SCANBENCH_OPERATORS
    NEEDS_FOUR_BYTES = 0,
    NEEDS_TWO_BYTES = 0,
    NEEDS_ORDER = 0,
#else
    NEEDS_FOUR_BYTES = 512,
    NEEDS_TWO_BYTES = 1024,
    NEEDS_ORDER = 8192,
#endif
};

/* Leaves out sums of this type of float, for which other designs are faster. */
constexpr unsigned no_sums_of(enum dtype dtype)
{
    return 1u << (21 + dtype);
}
/* Teaching designs are compiled for sums of f32 and f16. */
constexpr unsigned IS_LESSON = no_sums_of(DTYPE_F64) | no_sums_of(DTYPE_BF16);

template <class T>
constexpr bool is_addition = false;
template <class T>
constexpr bool is_addition<add<T>> = true;

/* Op's results do not depend on the order of elements. */
template <class Op>
constexpr bool kExact = false;
template <class T, bool Smaller>
constexpr bool kExact<extreme<T, Smaller>> = sizeof(T) < 8;

/* Operators of REDUCERS_RAGGED. */
template <class Op>
constexpr bool kMayBeRagged = is_addition<Op>;
template <class T>
constexpr bool kMayBeRagged<average<T>> = true;
template <class T>
constexpr bool kMayBeRagged<extreme<T, false>> = true;

/* True if Op exists for its element type, and has the properties. */
template <unsigned Needs, class Op>
constexpr bool meets(void)
{
    if constexpr (!is_defined<Op>) {
        return false;
    } else {
        using T = typename Op::element;
        using acc = typename Op::acc;
        constexpr bool adds = is_addition<Op>;
        constexpr bool in_float = adds && std::is_same_v<acc, float>;
        constexpr bool atomic = requires(acc * to, acc a)
        {
            Op::atomic(to, a);
        };
        constexpr bool anywhere = requires(T x)
        {
            Op::lift(x);
        };
        constexpr bool any_count = requires(acc a)
        {
            Op::lower(a);
        };
        return (!(Needs & NEEDS_COMMUTATIVE) || Op::commutative) &&
               (!(Needs & NEEDS_ZERO_IDENTITY) || Op::identity_is_zero_bits) &&
               (!(Needs & NEEDS_SMALL_ACC) || sizeof(acc) <= 8) &&
               (!(Needs & NEEDS_ATOMIC) || atomic) &&
               (!(Needs & NEEDS_ADDITION) || adds) &&
               (!(Needs & NEEDS_LOSSLESS) || Op::lossless) &&
               (!(Needs & NEEDS_FLOAT_ADDITION) || in_float) &&
               (!(Needs & NEEDS_NO_POSITION) || anywhere) &&
               (!(Needs & NEEDS_NO_COUNT) || any_count) &&
               (kTwoInputs<Op>
                    ? (Needs & (NEEDS_TWO_INPUTS | ALLOWS_TWO_INPUTS)) != 0
                    : !(Needs & NEEDS_TWO_INPUTS)) &&
               (!(Needs & NEEDS_WIDER_SUMS) ||
                (std::is_same_v<Op, wrapped_sum<T>> && sizeof(T) < 8)) &&
               !(adds && Needs & no_sums_of(dtype_of<T>())) &&
               (!(Needs & NEEDS_RAGGED) || (kMayBeRagged<Op> && is_float<T>)) &&
               (!(Needs & NEEDS_ORDER) || (is_float<T> && !kExact<Op>)) &&
               (!(Needs & NEEDS_SAME_TYPE) || Needs & ALLOWS_WIDENING ||
                kStoresElements<Op>)&&(!(Needs & NEEDS_FOUR_BYTES) || adds ||
                                       sizeof(T) <= 4) &&
               (!(Needs & NEEDS_TWO_BYTES) || adds || sizeof(T) <= 2);
    }
}

/* REDUCER_BIT()s of the operators for T that have the properties. */
template <unsigned Needs, class T>
constexpr uint64_t reducers_for(void)
{
    uint64_t bits = 0;
#define ADD_BIT(id, Operator)                                                  \
    if (meets<Needs, Operator<T>>())                                           \
        bits |= REDUCER_BIT(id);
    OPERATORS(ADD_BIT)
#undef ADD_BIT
    return bits;
}

template <unsigned Needs>
constexpr struct op_set op_set_for(uint64_t forms)
{
    struct op_set set = { forms, {} };
#define ADD_REDUCERS(id, T)                                                    \
    if constexpr (((SCANBENCH_DTYPES)&DTYPE_BIT(id)) != 0)                     \
        set.reducers[id] = reducers_for<Needs, T>();
    ELEMENT_TYPES(ADD_REDUCERS)
#undef ADD_REDUCERS
    return set;
}

/* `ops` of a kernel's variants. Needs are those of its dispatch_scan() or
 * dispatch_reduce(): others would claim uncompiled operations. */
template <unsigned Needs = NEEDS_NOTHING>
constexpr struct op_set scans(uint64_t forms = FORMS_SCAN)
{
    return op_set_for<Needs | NEEDS_OF_SCANS>(forms);
}

template <unsigned Needs = NEEDS_NOTHING>
constexpr struct op_set reductions(void)
{
    return op_set_for<Needs>(FORM_REDUCE);
}

/* Fields of a kernel's variants: its operations, and its traffic as a multiple
 * of the compulsory; operations that move data; the elements of a tile, whose
 * sums are added up. */
#define ON_CUDA(operations, traffic)                                           \
    .runs_on = DEVICE_CUDA, .ops = operations, .passes = traffic
#define MOVES_ON_CUDA(forms, dtypes)                                           \
    ON_CUDA(OPS(forms, dtypes), 1), .error_growth = ERROR_NONE
#define ERROR_OF_TILES(elems) .error_growth = ERROR_TILED, .error_tile = elems

/* True for the operations that are built: all of them, or those that the macro
 * SCANBENCH_OPS lists, each as BUILT(op). */
#define BUILT(op) op,
constexpr bool is_built(int op)
{
#if defined SCANBENCH_OPS && !defined SCANBENCH_OPERATORS
    for (int built : { SCANBENCH_OPS OP_NONE })
        if (built == op)
            return true;
    return false;
#else
    (void)op;
    return true;
#endif
}

/* Calls run(type) if the operation is built and its operator has the needs. */
template <int Id, template <class> class Operator, unsigned Needs, class Run>
int dispatch_form(enum dtype dtype, Run run)
{
    if constexpr (is_built(Id))
        return dispatch_dtype(dtype, [&]<class T>(tag<T> type) -> int {
            if constexpr (OP_HAS_KERNELS(Id, dtype_of<T>()) &&
                          meets<Needs, Operator<T>>())
                return run(type);
            return cudaErrorNotSupported;
        });
    return cudaErrorNotSupported;
}

template <int Id, template <class> class Operator, unsigned Needs, class Run>
int dispatch_flags(const struct problem *p, Run run)
{
    constexpr unsigned kNeeds = Needs | NEEDS_OF_SCANS;
#define FLAGS(flags, ...)                                                      \
    case flags:                                                                \
        return dispatch_form<OP_OF(Id, KIND_SCAN, flags), Operator, kNeeds>(   \
            p->dtype, [&](auto type) {                                         \
                return run(type, scan<Operator, __VA_ARGS__>{});               \
            });
    switch (op_flags(p->op)) {
        FLAGS(0, false, false, false)
        FLAGS(OP_EXCLUSIVE, false, true, false)
        FLAGS(OP_REVERSE, true, false, false)
        FLAGS(OP_MASKED, false, false, true)
    default:
        return cudaErrorInvalidValue;
    }
#undef FLAGS
}

/* Calls run(tag<T>{}, Scan{}) for a scan problem and returns its result, a
 * cudaError_t. Kernels' lambdas name both types:
 * []<class T, class Scan>(tag<T>, Scan) -> int. */
template <unsigned Needs = NEEDS_NOTHING, class Run>
int dispatch_scan(const struct problem *p, Run run)
{
#define SCAN(id, Operator)                                                     \
    case id:                                                                   \
        return dispatch_flags<id, Operator, Needs>(p, run);
    switch (op_reducer(p->op)) {
        OPERATORS(SCAN)
    default:
        return cudaErrorInvalidValue;
    }
#undef SCAN
}

/* Calls run(Op{}) for a reduction. */
template <unsigned Needs = NEEDS_NOTHING, class Run>
int dispatch_reduce(const struct problem *p, Run run)
{
#define REDUCE(id, Operator)                                                   \
    case id:                                                                   \
        return dispatch_form<OP_OF(id, KIND_REDUCE, 0), Operator, Needs>(      \
            p->dtype, [&]<class T>(tag<T>) { return run(Operator<T>{}); });
    switch (op_reducer(p->op)) {
        OPERATORS(REDUCE)
    default:
        return cudaErrorInvalidValue;
    }
#undef REDUCE
}

/* Calls run(Op{}) for scans and reductions. */
template <class Run>
int dispatch_any(const struct problem *p, Run run)
{
    if (!op_is_scan(p->op))
        return dispatch_reduce(p, run);
    return dispatch_scan<ALLOWS_WIDENING | ALLOWS_TWO_INPUTS>(
        p, [&]<class T, class Scan>(tag<T>, Scan) {
            return run(op_of<Scan, T>{});
        });
}

/* True if the operator is `add`. */
inline bool adds_floats(const struct problem *p)
{
    return op_adds(p->op) && dtype_is_float(p->dtype);
}

/* Bytes of a result element. */
inline int out_elem_bytes(const struct problem *p)
{
    return (int)op_out_elem_bytes(p->op, p->dtype);
}

/* bytes_of(Op{}) for scans and reductions. */
template <class BytesOf>
size_t bytes_for(const struct problem *p, BytesOf bytes_of)
{
    size_t bytes = 0;
    dispatch_any(p, [&]<class Op>(Op op) {
        bytes = bytes_of(op);
        return 0;
    });
    return bytes;
}

/* Bytes of an accumulator of the problem's operation. */
inline int64_t acc_bytes(const struct problem *p)
{
    return bytes_for(p, []<class Op>(Op) { return sizeof(typename Op::acc); });
}

/* ------------------------------------------------------- grids, refusals */

/* n / d, neither negative. A 64-bit division takes ten times as long as one of
 * 32 bits, and a tile's loads may depend on it. */
__device__ __forceinline__ int64_t divide(int64_t n, int64_t d)
{
    return n >> 32 || d >> 32 ? n / d : (unsigned)n / (unsigned)d;
}

/* ceil(n / d) */
__host__ __device__ __forceinline__ int64_t ceil_div(int64_t n, int64_t d)
{
    return (n + d - 1) / d;
}

/* Blocks of `threads` threads that fit on the device at once, by threads
 * alone. */
inline int64_t blocks_in_a_wave(const struct device_facts *device, int threads)
{
    return (int64_t)device->sm_count * (device->max_threads_per_sm / threads);
}

/* refuses() of a variant for contiguous lines. */
inline const char *contiguous_only(const struct problem *p)
{
    return p->shape.inner != 1 ? "serves contiguous lines only (inner = 1)"
                               : NULL;
}

/* The same for strided lines. */
inline const char *strided_only(const struct problem *p)
{
    return p->shape.inner == 1 ? "serves strided lines only (inner > 1)" : NULL;
}

/* The same for a thread per line; each step waits for memory: some tenths of a
 * microsecond. */
inline const char *thread_walk_refuses(const struct problem *p)
{
    return p->shape.axis > 1 << 22
               ? "one thread would walk the line for seconds (axis > 2^22)"
               : NULL;
}

/* One load in flight per thread does not fill the memory's pipeline. */
inline bool thread_walk_idles(const struct problem *p)
{
    return p->shape.axis > 64;
}

/* True with fewer columns than half the threads that an SM's memory needs. */
inline bool few_columns(const struct problem *p)
{
    return p->device &&
           shape_lines(p->shape) < (int64_t)p->device->sm_count * 64;
}

/* idles() where threads walk columns with rows in flight. */
inline bool column_walk_idles(const struct problem *p)
{
    return p->shape.axis > 64 && few_columns(p);
}

/* The reason why places along the axis do not fit beside their element
 * (place_of_extreme), or NULL. */
inline const char *index_refuses(const struct problem *p)
{
    return op_gives_index(p->op) && dtype_bytes(p->dtype) == 4 &&
                   p->shape.axis > 0xffffffff
               ? "places of elements of 4 bytes have 32 bits"
               : NULL;
}

/* refuses() of a variant whose blocks use `bytes` of dynamic shared memory and
 * less than 1 KB of static. */
inline const char *tile_refuses(const struct problem *p, int64_t bytes)
{
    constexpr int64_t kStaticBytes = 1024;
    return p->device && bytes + kStaticBytes > p->device->shared_optin_bytes
               ? "a tile does not fit into a block's shared memory"
               : NULL;
}

/* Blocks along x, at most 2^31 - 1. A kernel loops with stride gridDim.x where
 * a tensor may have more tiles; a loop that never repeats costs time. */
inline unsigned grid_x(int64_t blocks)
{
    return (unsigned)(blocks < 0x7fffffff ? blocks : 0x7fffffff);
}

/* Queues a kernel over grid_x(blocks) blocks. Its pointers may be passed as
 * void *. */
template <class... Params, class... Args>
int launch_kernel(void (*kernel)(Params...), int64_t blocks, int threads,
                  size_t shared_bytes, void *stream, Args... args)
{
    kernel<<<grid_x(blocks), threads, shared_bytes, (cudaStream_t)stream>>>(
        (Params)args...);
    return cudaGetLastError();
}

#endif
