/* SPDX-License-Identifier: MIT */
#include "src/model/reducer.h"

#include "src/model/definition.h"

#define ROW(id_, prefix, rounding_, last_)                                     \
    [id_] = &(const struct reducer){ .id = (id_),                              \
                                     .dtypes = DTYPES_ALL,                     \
                                     .identity = prefix##_identity,            \
                                     .lift = prefix##_lift,                    \
                                     .combine = prefix##_combine,              \
                                     .lower = prefix##_lower,                  \
                                     .error = prefix##_error,                  \
                                     .rounding = rounding_,                    \
                                     .last = last_ },
static const struct reducer *reducers[REDUCER_LIMIT] = { DEFINITIONS(ROW) };

void reducer_set(const struct reducer *reducer)
{
    reducers[reducer->id] = reducer;
}

const struct reducer *reducer_of(enum op op)
{
    return reducers[op_reducer(op)];
}
