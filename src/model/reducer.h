/* SPDX-License-Identifier: MIT
 *
 * The definition of an operator, for the verifier and for the host's serial
 * variants: a built-in one (src/model/definition.h), or a plugin's, which is
 * exact. An output must match it bit by bit, unless it has error(). A
 * recurrence's, with two inputs, has neither lift() nor combine(): see
 * src/model/affine.h.
 */
#pragma once

#include "src/model/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct op_acc {
    uint64_t word[3];
};

/* The roundings of combine(). */
enum rounding { EXACT, ADDITIONS, MULTIPLICATIONS, EXPONENTIALS };

struct operation {
    enum op op;
    const char *name; /* [a-z0-9_]+ */
};

struct reducer {
    int id; /* a plugin's: REDUCER_PLUGIN up to REDUCER_LIMIT - 1 */
    unsigned dtypes;
    const struct operation *ops; /* a plugin's; ends with a NULL name */
    struct op_acc (*identity)(enum dtype dtype);
    /* From an element's bits; `position` is its place along the axis. */
    struct op_acc (*lift)(enum dtype dtype, uint64_t bits, int64_t position);
    /* In walk order, which is descending in a reversed scan. */
    struct op_acc (*combine)(struct op_acc earlier, struct op_acc later);
    /* To the bits that are stored, the others 0; `count` is the number of
     * elements walked, masked-off ones included. */
    uint64_t (*lower)(enum dtype dtype, struct op_acc acc, int64_t count);
    /* Returns 0 if the bits are right for the acc, infinity if they are wrong,
     * and between, unless `exact`, the error beyond that of the output in
     * roundings of the accumulator (verify.h). NULL accepts only the bits of
     * lower(). */
    double (*error)(enum dtype dtype, bool exact, uint64_t bits,
                    struct op_acc acc, int64_t count);
    enum rounding rounding; /* unless exact, the real input has a bound; with
                               EXPONENTIALS every input has it */
    int last;               /* roundings of the last step in the accumulator,
                               also for exact input */
};

/* Registers the reducer, uncopied, by its id. Not safe beside calls. */
void reducer_set(const struct reducer *reducer);

/* Returns the reducer for the type; NULL if it adds floats or moves data. */
const struct reducer *reducer_of(enum op op, enum dtype dtype);

/* True if its outputs are rounded: the real input has a bound. */
static inline bool op_rounds(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    return reducer ? reducer->rounding != EXACT : op_adds(op);
}

/* True if exact input has one result, in whichever order it is combined. */
static inline bool op_has_one_result(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    return !reducer || reducer->rounding != EXPONENTIALS;
}

/* The bits of the identity as an element; 0 if it adds or moves data. */
static inline uint64_t op_identity_bits(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    return reducer ? reducer->lower(dtype, reducer->identity(dtype), 0) : 0;
}

/* True if the operation is defined for the type. */
static inline bool op_has_dtype(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    if (op_widens(op)) /* a copy would do */
        return !dtype_is_float(dtype) && dtype_bytes(dtype) < 8;
    return !reducer || reducer->dtypes & DTYPE_BIT(dtype);
}

#ifdef __cplusplus
}
#endif
