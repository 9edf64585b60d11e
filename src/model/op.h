/* SPDX-License-Identifier: MIT
 *
 * The operations, their compulsory traffic, and their traffic twins. Along
 * every line, for a in [0, axis):
 *
 *   cumsum            y[a] = x[0] + … + x[a]
 *   cumsum_exclusive  y[a] = x[0] + … + x[a-1], y[0] = 0
 *   cumsum_reverse    y[a] = x[a] + … + x[axis-1]
 *   masked_cumsum     cumsum of (mask ? x : 0); x may be NaN where mask is 0
 *   sum               y    = x[0] + … + x[axis-1], one output a line
 *   flip              y[a] = x[axis-1-a]
 *   copy              y[a] = x[a]
 *   masked_copy       y[a] = mask ? x[a] : 0
 *   read              the exclusive or of x's 32-bit words (zero-padded at the
 *                     end) equals that of the READ_SLOTS words of y
 *   write             every byte of y is WRITE_BYTE
 */
#ifndef SRC_MODEL_OP_H
#define SRC_MODEL_OP_H

#include "src/model/dtype.h"
#include "src/model/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum device_kind { DEVICE_HOST, DEVICE_CUDA };

enum op {
    OP_CUMSUM,
    OP_CUMSUM_EXCLUSIVE,
    OP_CUMSUM_REVERSE,
    OP_MASKED_CUMSUM,
    OP_SUM,
    OP_FLIP,
    OP_COPY,
    OP_MASKED_COPY,
    OP_READ,
    OP_WRITE,
    OP_COUNT
};

#define OP_BIT(op) (1u << (op))
#define OPS_SCAN                                                               \
    (OP_BIT(OP_CUMSUM) | OP_BIT(OP_CUMSUM_EXCLUSIVE) |                         \
     OP_BIT(OP_CUMSUM_REVERSE) | OP_BIT(OP_MASKED_CUMSUM))
#define OPS_TWIN                                                               \
    (OP_BIT(OP_COPY) | OP_BIT(OP_MASKED_COPY) | OP_BIT(OP_READ) |              \
     OP_BIT(OP_WRITE))
#define OPS_ALL ((1u << OP_COUNT) - 1)

enum { READ_SLOTS = 4096, WRITE_BYTE = 0x5a };

const char *op_name(enum op op);
bool op_parse(const char *name, enum op *op);

/* The operation with the same traffic and no arithmetic; a twin's twin is
 * itself. */
enum op op_twin(enum op op);

static inline HOST_DEVICE bool op_has_mask(enum op op)
{
    return op == OP_MASKED_CUMSUM || op == OP_MASKED_COPY;
}

static inline HOST_DEVICE bool op_has_input(enum op op)
{
    return op != OP_WRITE;
}

static inline HOST_DEVICE bool op_is_scan(enum op op)
{
    return (OPS_SCAN & OP_BIT(op)) != 0;
}

/* The others move bits. */
static inline HOST_DEVICE bool op_adds(enum op op)
{
    return op_is_scan(op) || op == OP_SUM;
}

/* Elements and bytes of the output (read: READ_SLOTS 32-bit words). */
int64_t op_out_elems(enum op op, struct shape shape);
int64_t op_out_bytes(enum op op, enum dtype dtype, struct shape shape);

/* Compulsory traffic in bytes: each input is read once, each output written
 * once. The mask has one byte per element; the slots of read do not count. */
int64_t op_bytes(enum op op, enum dtype dtype, struct shape shape);

/* Additions of the definition; 0 for flip and the twins. */
int64_t op_flops(enum op op, struct shape shape);

#ifdef __cplusplus
}
#endif
#endif
