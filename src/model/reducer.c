/* SPDX-License-Identifier: MIT */
#include "src/model/reducer.h"

#include "src/model/definition.h"

#define ROW(id_, prefix, dtypes_, rounding_, last_)                            \
    [id_] = &(const struct reducer){ .id = (id_),                              \
                                     .dtypes = dtypes_,                        \
                                     .identity = prefix##_identity,            \
                                     .lift = prefix##_lift,                    \
                                     .combine = prefix##_combine,              \
                                     .lower = prefix##_lower,                  \
                                     .error = prefix##_error,                  \
                                     .rounding = rounding_,                    \
                                     .last = last_ },
static const struct reducer *reducers[REDUCER_LIMIT] = {
    DEFINITIONS(ROW)[REDUCER_AFFINE] =
        &(const struct reducer){ .id = REDUCER_AFFINE,
                                 .dtypes = DTYPES_FLOAT,
                                 .identity = mean_identity,
                                 .lower = mul_lower,
                                 .rounding = ADDITIONS }
};
static const struct reducer *const of_integers[REDUCER_LIMIT] = {
    INTEGER_DEFINITIONS(ROW)
};

void reducer_set(const struct reducer *reducer)
{
    reducers[reducer->id] = reducer;
}

const struct reducer *reducer_of(enum op op, enum dtype dtype)
{
    const int id = op_reducer(op);
    return of_integers[id] && !dtype_is_float(dtype) ? of_integers[id]
                                                     : reducers[id];
}
