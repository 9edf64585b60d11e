/* SPDX-License-Identifier: MIT
 *
 * The definition of an exact operator, as plugins bring them: for the verifier,
 * and for the host's serial variants. Every output must match it bit by bit.
 */
#ifndef SRC_MODEL_REDUCER_H
#define SRC_MODEL_REDUCER_H

#include "src/model/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct op_acc {
    uint64_t word[2];
};

struct operation {
    enum op op;
    const char *name; /* [a-z0-9_]+ */
};

struct reducer {
    int id; /* REDUCER_PLUGIN up to REDUCER_LIMIT - 1 */
    unsigned dtypes;
    const struct operation *ops; /* ends with a NULL name */
    struct op_acc (*identity)(enum dtype dtype);
    /* From an element's bits; `position` is its place along the axis. */
    struct op_acc (*lift)(enum dtype dtype, uint64_t bits, int64_t position);
    /* In walk order, which is descending in a reversed scan. */
    struct op_acc (*combine)(struct op_acc earlier, struct op_acc later);
    /* To the bits that are stored, the others 0; `count` is the number of
     * elements walked, masked-off ones included. */
    uint64_t (*lower)(enum dtype dtype, struct op_acc acc, int64_t count);
};

/* The operations of a reducer that has them all: "NAME", "NAME_exclusive",
 * "NAME_reverse" and "masked_NAME" of its scan, and its reduction. */
#define ALL_FORMS(reducer, scan, reduction)                                    \
    { (enum op)OP_OF(reducer, KIND_SCAN, 0), scan },                           \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_EXCLUSIVE),                    \
          scan "_exclusive" },                                                 \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_REVERSE), scan "_reverse" },   \
        { (enum op)OP_OF(reducer, KIND_SCAN, OP_MASKED), "masked_" scan },     \
    {                                                                          \
        (enum op) OP_OF(reducer, KIND_REDUCE, 0), reduction                    \
    }

/* Registers the reducer, which is not copied, in place of one with its id. Not
 * safe beside other calls. */
void reducer_set(const struct reducer *reducer);

/* The reducer of an operation of a plugin; NULL for the built-in ones, which
 * the verifier knows. */
const struct reducer *reducer_of(enum op op);

/* True if the operation is defined for the type. */
static inline bool op_has_dtype(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op);
    return !reducer || reducer->dtypes & DTYPE_BIT(dtype);
}

#ifdef __cplusplus
}
#endif
#endif
