/* SPDX-License-Identifier: MIT */
#include "src/model/dtype.h"

const char *const dtype_names[DTYPE_COUNT + 1] = {
    [DTYPE_F32] = "f32",   [DTYPE_F64] = "f64",   [DTYPE_F16] = "f16",
    [DTYPE_BF16] = "bf16", [DTYPE_I32] = "i32",   [DTYPE_I64] = "i64",
    [DTYPE_U8] = "u8",     [DTYPE_BOOL] = "bool",
};

const char *dtype_name(enum dtype dtype)
{
    return dtype_names[dtype];
}

bool dtype_parse(const char *name, enum dtype *dtype)
{
    for (int d = 0; d < DTYPE_COUNT; ++d)
        if (strcmp(name, dtype_names[d]) == 0) {
            *dtype = (enum dtype)d;
            return true;
        }
    return false;
}
