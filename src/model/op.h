/* SPDX-License-Identifier: MIT
 *
 * The operations, their compulsory traffic, and their traffic twins, as the
 * table of docs/method.md defines them. x may be NaN where the mask is 0. The
 * exclusive or of the words that read writes is that of x's 32-bit words
 * (zero-padded at the end); every byte that write writes is WRITE_BYTE.
 */
#pragma once

#include "src/model/dtype.h"
#include "src/model/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum device_kind { DEVICE_HOST, DEVICE_CUDA };

/* An operation is a reducer, a kind and flags. Numbers are part of the contract
 * with plugins, whose own reducers begin at REDUCER_PLUGIN. */
enum reducer_id {
    REDUCER_NONE, /* the kinds that move data */
    REDUCER_ADD,
    REDUCER_MEAN,
    REDUCER_MUL,
    REDUCER_MAX,
    REDUCER_MIN,
    REDUCER_ARGMAX,
    REDUCER_ARGMIN,
    REDUCER_LOGADDEXP,
    REDUCER_AFFINE,     /* of two inputs: h becomes a h + b */
    REDUCER_ADD_NARROW, /* sums that wrap in the elements' type */
    REDUCER_PLUGIN = 48,
    REDUCER_LIMIT = 64
};

enum op_kind {
    KIND_SCAN,
    KIND_REDUCE,
    KIND_FLIP,
    KIND_COPY,
    KIND_READ,
    KIND_WRITE,
    KIND_WIDEN,
    KIND_XOR /* of two inputs, bit by bit */
};

/* Masked: elements whose mask is 0 count as the identity. */
enum op_flag { OP_EXCLUSIVE = 1, OP_REVERSE = 2, OP_MASKED = 4 };

#define OP_OF(reducer, kind, flags) ((reducer) << 8 | (kind) << 4 | (flags))

/* The built-in operations, in the order of tables and of charts:
 * X(CONSTANT, name, reducer, kind, flags). */
#define OPERATIONS(X)                                                          \
    X(CUMSUM, "cumsum", ADD, SCAN, 0)                                          \
    X(CUMSUM_EXCLUSIVE, "cumsum_exclusive", ADD, SCAN, OP_EXCLUSIVE)           \
    X(CUMSUM_REVERSE, "cumsum_reverse", ADD, SCAN, OP_REVERSE)                 \
    X(MASKED_CUMSUM, "masked_cumsum", ADD, SCAN, OP_MASKED)                    \
    X(CUMSUM_NARROW, "cumsum_narrow", ADD_NARROW, SCAN, 0)                     \
    X(SUM, "sum", ADD, REDUCE, 0)                                              \
    X(MEAN, "mean", MEAN, REDUCE, 0)                                           \
    X(CUMPROD, "cumprod", MUL, SCAN, 0)                                        \
    X(CUMPROD_EXCLUSIVE, "cumprod_exclusive", MUL, SCAN, OP_EXCLUSIVE)         \
    X(CUMPROD_REVERSE, "cumprod_reverse", MUL, SCAN, OP_REVERSE)               \
    X(PROD, "prod", MUL, REDUCE, 0)                                            \
    X(CUMMAX, "cummax", MAX, SCAN, 0)                                          \
    X(CUMMAX_REVERSE, "cummax_reverse", MAX, SCAN, OP_REVERSE)                 \
    X(AMAX, "amax", MAX, REDUCE, 0)                                            \
    X(CUMMIN, "cummin", MIN, SCAN, 0)                                          \
    X(CUMMIN_REVERSE, "cummin_reverse", MIN, SCAN, OP_REVERSE)                 \
    X(AMIN, "amin", MIN, REDUCE, 0)                                            \
    X(ARGMAX, "argmax", ARGMAX, REDUCE, 0)                                     \
    X(ARGMIN, "argmin", ARGMIN, REDUCE, 0)                                     \
    X(LOGCUMSUMEXP, "logcumsumexp", LOGADDEXP, SCAN, 0)                        \
    X(LOGCUMSUMEXP_REVERSE, "logcumsumexp_reverse", LOGADDEXP, SCAN,           \
      OP_REVERSE)                                                              \
    X(LOGSUMEXP, "logsumexp", LOGADDEXP, REDUCE, 0)                            \
    X(RECURRENCE, "recurrence", AFFINE, SCAN, 0)                               \
    X(RECURRENCE_REVERSE, "recurrence_reverse", AFFINE, SCAN, OP_REVERSE)      \
    X(FLIP, "flip", NONE, FLIP, 0)                                             \
    X(COPY, "copy", NONE, COPY, 0)                                             \
    X(MASKED_COPY, "masked_copy", NONE, COPY, OP_MASKED)                       \
    X(WIDEN, "widen", NONE, WIDEN, 0)                                          \
    X(MASKED_WIDEN, "masked_widen", NONE, WIDEN, OP_MASKED)                    \
    X(COPY_XOR, "copy_xor", NONE, XOR, 0)                                      \
    X(READ, "read", NONE, READ, 0)                                             \
    X(WRITE, "write", NONE, WRITE, 0)

enum op {
#define OPERATION(constant, name, reducer, kind, flags)                        \
    OP_##constant = OP_OF(REDUCER_##reducer, KIND_##kind, flags),
    OPERATIONS(OPERATION)
#undef OPERATION
        OP_NONE = 0xffff /* no operation */
};

static inline HOST_DEVICE int op_reducer(enum op op)
{
    return (int)op >> 8;
}

static inline HOST_DEVICE enum op_kind op_kind(enum op op)
{
    return (enum op_kind)((int)op >> 4 & 15);
}

static inline HOST_DEVICE unsigned op_flags(enum op op)
{
    return (unsigned)op & 15;
}

/* ------------------------------------------------------------------ sets */

/* A form is a kind with flags. */
#define FORM(kind, flags) (UINT64_C(1) << ((kind)*8 + (flags)))
#define FORM_OF(op) (UINT64_C(1) << (((op) >> 4 & 15) * 8 + ((op)&15)))
#define FORMS_OF(kind) (UINT64_C(0xff) << (kind)*8) /* with any flags */
#define FORMS_SCAN                                                             \
    (FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_EXCLUSIVE) |                      \
     FORM(KIND_SCAN, OP_REVERSE) | FORM(KIND_SCAN, OP_MASKED))
#define FORM_REDUCE FORM(KIND_REDUCE, 0)
#define FORMS_TWIN                                                             \
    (FORM_OF(OP_COPY) | FORM_OF(OP_MASKED_COPY) | FORM_OF(OP_WIDEN) |          \
     FORM_OF(OP_MASKED_WIDEN) | FORM_OF(OP_COPY_XOR) | FORM_OF(OP_READ) |      \
     FORM_OF(OP_WRITE))

#define REDUCER_BIT(reducer) (UINT64_C(1) << (reducer))

/* A cross product: every form with every reducer of reducers[dtype]. */
enum { DTYPE_SLOTS = 12 }; /* room for more dtypes */
struct op_set {
    uint64_t forms;
    uint64_t reducers[DTYPE_SLOTS]; /* REDUCER_BIT()s */
};

/* A set of forms, of sums or else moves, for a mask of dtypes. */
#define OPS(forms, dtypes)                                                     \
    {                                                                          \
        (forms),                                                               \
        {                                                                      \
            OPS_AT(forms, dtypes, 0), OPS_AT(forms, dtypes, 1),                \
                OPS_AT(forms, dtypes, 2), OPS_AT(forms, dtypes, 3),            \
                OPS_AT(forms, dtypes, 4), OPS_AT(forms, dtypes, 5),            \
                OPS_AT(forms, dtypes, 6), OPS_AT(forms, dtypes, 7)             \
        }                                                                      \
    }
#define OPS_AT(forms, dtypes, dtype)                                           \
    ((uint64_t)((dtypes) >> (dtype)&1)                                         \
     << ((forms) & (FORMS_SCAN | FORM_REDUCE) ? REDUCER_ADD : REDUCER_NONE))

/* Initialises the set of all scans and reductions with the REDUCER_BIT()s of
 * floats, and with those of integers and bools. */
#define OPS_WITH(floats, integers)                                             \
    {                                                                          \
        FORMS_SCAN | FORM_REDUCE,                                              \
        {                                                                      \
            floats, floats, floats, floats, integers, integers, integers,      \
                integers                                                       \
        }                                                                      \
    }
#define REDUCERS_ANY (~REDUCER_BIT(REDUCER_NONE)) /* plugins' included */
#define REDUCERS_OF_FLOATS                                                     \
    (REDUCER_BIT(REDUCER_MEAN) | REDUCER_BIT(REDUCER_LOGADDEXP) |              \
     REDUCER_BIT(REDUCER_AFFINE))
#define REDUCERS_RAGGED /* of ragged shapes */                                 \
    (REDUCER_BIT(REDUCER_ADD) | REDUCER_BIT(REDUCER_MEAN) |                    \
     REDUCER_BIT(REDUCER_MAX))
#define REDUCERS_EXACT /* whose results no order of elements changes */        \
    (REDUCER_BIT(REDUCER_MAX) | REDUCER_BIT(REDUCER_MIN) |                     \
     REDUCER_BIT(REDUCER_ARGMAX) | REDUCER_BIT(REDUCER_ARGMIN))
#define OPS_ANY OPS_WITH(REDUCERS_ANY, REDUCERS_ANY & ~REDUCERS_OF_FLOATS)
/* Both recurrences, in all floats. */
#define OPS_RECURRENCE                                                         \
    {                                                                          \
        FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE),                      \
        {                                                                      \
            REDUCER_BIT(REDUCER_AFFINE), REDUCER_BIT(REDUCER_AFFINE),          \
                REDUCER_BIT(REDUCER_AFFINE), REDUCER_BIT(REDUCER_AFFINE)       \
        }                                                                      \
    }
#define REDUCERS_BUILT_IN (REDUCERS_ANY & (REDUCER_BIT(REDUCER_PLUGIN) - 1))
#define OPS_ANY_BUILT_IN                                                       \
    OPS_WITH(REDUCERS_BUILT_IN, REDUCERS_BUILT_IN & ~REDUCERS_OF_FLOATS)

/* True if there are kernels for GPUs: of integers and bools all forms of sums,
 * but of other reducers only the plain one, and of bytes no scans. */
#define OP_HAS_KERNELS(op, dtype)                                              \
    ((op) >> 8 <= REDUCER_ADD || DTYPES_FLOAT >> (dtype)&1 ||                  \
     FORM_OF(op) == FORM_REDUCE ||                                             \
     (FORM_OF(op) == FORM(KIND_SCAN, 0) && (dtype) <= DTYPE_I64))

static inline bool op_set_has(const struct op_set *set, enum op op,
                              enum dtype dtype)
{
    return (set->forms & FORM_OF(op)) &&
           (set->reducers[dtype] & REDUCER_BIT(op_reducer(op)));
}

/* ------------------------------------------------------------- all of them */

/* The operations: the built-in ones, and behind them the plugins'. */
#define OPERATION(constant, name, reducer, kind, flags) +1
enum {
    OPS_BUILT_IN = OPERATIONS(OPERATION),
    OPS_MOST = 64,
    OP_NAME_BYTES = 64
};
#undef OPERATION
int op_count(void);
enum op op_at(int index);
int op_index(enum op op); /* op_count() if there is none */

/* Adds a plugin's operation, whose name is copied. False if there is one of its
 * name or its number, or there are OPS_MOST. Not safe beside other calls. */
bool op_add(enum op op, const char *name);

const char *op_name(enum op op);
bool op_parse(const char *name, enum op *op);

/* The operation's bit. Sets are never stored, as plugins' bits change. */
static inline uint64_t op_bit(enum op op)
{
    return UINT64_C(1) << op_index(op);
}
#define OPS_ALL UINT64_MAX
uint64_t ops_where(bool (*holds)(enum op op));

/* ------------------------------------------------------------- their traits */

enum { READ_SLOTS = 4096, WRITE_BYTE = 0x5a };

/* The operation with the same traffic and no arithmetic, or the twin itself. */
enum op op_twin(enum op op, enum dtype dtype);

/* The copy to the outputs' type if int64, else to the elements'. */
enum op op_copying(enum op op, enum dtype dtype);

static inline bool op_is_twin(enum op op)
{
    return op_kind(op) >= KIND_COPY;
}

/* Scans, reductions and flips. */
static inline bool op_is_along_lines(enum op op)
{
    return !op_is_twin(op);
}

static inline HOST_DEVICE bool op_has_mask(enum op op)
{
    return op_flags(op) & OP_MASKED;
}

static inline HOST_DEVICE bool op_is_reverse(enum op op)
{
    return op_flags(op) & OP_REVERSE;
}

static inline HOST_DEVICE bool op_is_exclusive(enum op op)
{
    return op_flags(op) & OP_EXCLUSIVE;
}

static inline HOST_DEVICE bool op_has_input(enum op op)
{
    return op_kind(op) != KIND_WRITE;
}

/* The arrays of the shape that it reads, beside a mask: 0, 1 or 2. */
static inline HOST_DEVICE int op_inputs(enum op op)
{
    return op_kind(op) == KIND_XOR || op_reducer(op) == REDUCER_AFFINE
               ? 2
               : op_has_input(op);
}

/* True if its lines may start from initial elements. */
static inline HOST_DEVICE bool op_may_start(enum op op)
{
    return op_reducer(op) == REDUCER_AFFINE;
}

static inline HOST_DEVICE bool op_is_scan(enum op op)
{
    return op_kind(op) == KIND_SCAN;
}

static inline HOST_DEVICE bool op_is_reduction(enum op op)
{
    return op_kind(op) == KIND_REDUCE;
}

/* Scans and reductions. */
static inline bool op_combines(enum op op)
{
    return op_reducer(op) != REDUCER_NONE;
}

static inline HOST_DEVICE bool op_adds(enum op op)
{
    return op_reducer(op) == REDUCER_ADD;
}

/* True if the outputs are places along the axis, of type int64. */
static inline HOST_DEVICE bool op_gives_index(enum op op)
{
    return op_reducer(op) == REDUCER_ARGMAX || op_reducer(op) == REDUCER_ARGMIN;
}

/* Copies to int64. */
static inline HOST_DEVICE bool op_widens(enum op op)
{
    return op_kind(op) == KIND_WIDEN;
}

/* The type of the outputs; those of a read have none. */
static inline HOST_DEVICE enum dtype op_out_dtype(enum op op, enum dtype dtype)
{
    const bool sums = op_kind(op) < KIND_FLIP && /* not a copy that fills */
                      (op_adds(op) || op_reducer(op) == REDUCER_MUL);
    const bool widens = !dtype_is_float(dtype) && (sums || op_widens(op));
    return widens || op_gives_index(op) ? DTYPE_I64 : dtype;
}

static inline HOST_DEVICE size_t op_out_elem_bytes(enum op op, enum dtype dtype)
{
    return op == OP_READ ? 4 : dtype_bytes(op_out_dtype(op, dtype));
}

/* True if it is defined for ragged shapes. */
static inline bool op_may_be_ragged(enum op op)
{
    return (op_is_scan(op) || op_is_reduction(op)) &&
           !(op_flags(op) & ~(unsigned)OP_REVERSE) &&
           REDUCERS_RAGGED >> op_reducer(op) & 1;
}

/* Elements and bytes of the output (read: READ_SLOTS 32-bit words). */
int64_t op_out_elems(enum op op, struct shape shape);
int64_t op_out_bytes(enum op op, enum dtype dtype, struct shape shape);

/* Compulsory traffic in bytes: each input is read once, each output written
 * once. The mask has one byte per element; a ragged shape's offsets count for
 * operations along lines, not for a twin. The slots of read do not count, nor
 * initial elements, which timed problems lack. */
int64_t op_bytes(enum op op, enum dtype dtype, struct shape shape);

#ifdef __cplusplus
}
#endif
