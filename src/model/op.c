/* SPDX-License-Identifier: MIT */
#include "src/model/op.h"

#include <string.h>

static struct {
    enum op op;
    char name[OP_NAME_BYTES];
} ops[OPS_MOST + 1] = { /* with an empty name at the end */
#define OPERATION(constant, name, reducer, kind, flags) { OP_##constant, name },
                        OPERATIONS(OPERATION)
#undef OPERATION
};

static int count = OPS_BUILT_IN;

int op_count(void)
{
    return count;
}

enum op op_at(int index)
{
    return ops[index].op;
}

int op_index(enum op op)
{
    int index = 0;
    while (index < count && ops[index].op != op)
        ++index;
    return index;
}

bool op_add(enum op op, const char *name)
{
    enum op other;
    if (count == OPS_MOST || op_index(op) < count || op_parse(name, &other))
        return false;
    ops[count].op = op;
    strncpy(ops[count].name, name, OP_NAME_BYTES - 1);
    ++count;
    return true;
}

const char *op_name(enum op op)
{
    return ops[op_index(op)].name;
}

bool op_parse(const char *name, enum op *op)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(name, ops[k].name) == 0) {
            *op = ops[k].op;
            return true;
        }
    return false;
}

uint64_t ops_where(bool (*holds)(enum op op))
{
    uint64_t bits = 0;
    for (int k = 0; k < count; ++k)
        bits |= (uint64_t)holds(ops[k].op) << k;
    return bits;
}

enum op op_copying(enum op op, enum dtype dtype)
{
    const bool widens = !dtype_is_float(dtype) && dtype_bytes(dtype) < 8 &&
                        op_out_dtype(op, dtype) == DTYPE_I64;
    if (op_has_mask(op))
        return widens ? OP_MASKED_WIDEN : OP_MASKED_COPY;
    return widens ? OP_WIDEN : OP_COPY;
}

enum op op_twin(enum op op, enum dtype dtype)
{
    return op_is_twin(op)        ? op
           : op_is_reduction(op) ? OP_READ
           : op_inputs(op) == 2  ? OP_COPY_XOR
                                 : op_copying(op, dtype);
}

int64_t op_out_elems(enum op op, struct shape shape)
{
    return op == OP_READ         ? READ_SLOTS
           : op_is_reduction(op) ? shape_lines(shape)
                                 : shape_elems(shape);
}

int64_t op_out_bytes(enum op op, enum dtype dtype, struct shape shape)
{
    return op_out_elems(op, shape) * (int64_t)op_out_elem_bytes(op, dtype);
}

int64_t op_bytes(enum op op, enum dtype dtype, struct shape shape)
{
    int64_t elems = shape_elems(shape);
    int64_t bytes = op_inputs(op) * elems * (int64_t)dtype_bytes(dtype);
    if (op_has_mask(op))
        bytes += elems;
    if (op != OP_READ)
        bytes += op_out_bytes(op, dtype, shape);
    if (op_is_along_lines(op))
        bytes += shape_offset_bytes(shape);
    return bytes;
}
