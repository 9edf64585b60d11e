/* SPDX-License-Identifier: MIT */
#include "src/model/reducer.h"

static const struct reducer *reducers[REDUCER_LIMIT];

void reducer_set(const struct reducer *reducer)
{
    reducers[reducer->id] = reducer;
}

const struct reducer *reducer_of(enum op op)
{
    return reducers[op_reducer(op)];
}
