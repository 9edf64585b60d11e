/* SPDX-License-Identifier: MIT */
#include "src/model/op.h"

#include <string.h>

static const struct {
    const char *name;
    enum op twin;
} ops[OP_COUNT] = {
    [OP_CUMSUM] = { "cumsum", OP_COPY },
    [OP_CUMSUM_EXCLUSIVE] = { "cumsum_exclusive", OP_COPY },
    [OP_CUMSUM_REVERSE] = { "cumsum_reverse", OP_COPY },
    [OP_MASKED_CUMSUM] = { "masked_cumsum", OP_MASKED_COPY },
    [OP_SUM] = { "sum", OP_READ },
    [OP_FLIP] = { "flip", OP_COPY },
    [OP_COPY] = { "copy", OP_COPY },
    [OP_MASKED_COPY] = { "masked_copy", OP_MASKED_COPY },
    [OP_READ] = { "read", OP_READ },
    [OP_WRITE] = { "write", OP_WRITE },
};

const char *op_name(enum op op)
{
    return ops[op].name;
}

bool op_parse(const char *name, enum op *op)
{
    for (int o = 0; o < OP_COUNT; ++o)
        if (strcmp(name, ops[o].name) == 0) {
            *op = (enum op)o;
            return true;
        }
    return false;
}

enum op op_twin(enum op op)
{
    return ops[op].twin;
}

int64_t op_out_elems(enum op op, struct shape shape)
{
    return op == OP_READ  ? READ_SLOTS
           : op == OP_SUM ? shape_lines(shape)
                          : shape_elems(shape);
}

int64_t op_out_bytes(enum op op, enum dtype dtype, struct shape shape)
{
    int64_t elem_bytes = op == OP_READ ? 4 : (int64_t)dtype_bytes(dtype);
    return op_out_elems(op, shape) * elem_bytes;
}

int64_t op_bytes(enum op op, enum dtype dtype, struct shape shape)
{
    int64_t elems = shape_elems(shape);
    int64_t bytes = op_has_input(op) ? elems * (int64_t)dtype_bytes(dtype) : 0;
    if (op_has_mask(op))
        bytes += elems;
    if (op != OP_READ)
        bytes += op_out_bytes(op, dtype, shape);
    return bytes;
}

int64_t op_flops(enum op op, struct shape shape)
{
    return op_is_scan(op) || op == OP_SUM ? shape_elems(shape) : 0;
}
