/* SPDX-License-Identifier: MIT */
#include "src/model/reducer.h"

#include "src/base/test.h"

static void check_names(void)
{
    enum op back = OP_NONE;
    for (int op = 0; op < op_count(); ++op) {
        const char *name = op_name(op_at(op));
        CHECK_FOR(op_parse(name, &back) && back == op_at(op), "%s", name);
    }
    back = OP_FLIP;
    CHECK(!op_parse("", &back) && back == OP_FLIP);
    CHECK(!op_parse("cumsu", &back) && !op_parse("cumsum_", &back));
    CHECK(!op_parse("CUMSUM", &back));
}

static void check_twin(enum op op, enum dtype dtype)
{
    const enum op twin = op_twin(op, dtype);
    const struct shape shape = { 3, 1 << 20, 1 };
    CHECK_FOR(op_has_dtype(twin, dtype) && op_twin(twin, dtype) == twin &&
                  (twin == op) == op_is_twin(op) &&
                  op_has_mask(twin) == op_has_mask(op) &&
                  op_has_input(twin) == op_has_input(op),
              "%s %s", op_name(op), dtype_name(dtype));
    CHECK_FOR(
        op_bytes(twin, dtype, shape) ==
            op_bytes(op, dtype, shape) -
                (op_is_reduction(op) ? op_out_bytes(op, dtype, shape) : 0),
        "%s %s", op_name(op), dtype_name(dtype));
}

static void check_twins(void)
{
    CHECK(op_twin(OP_CUMSUM, DTYPE_F32) == OP_COPY);
    CHECK(op_twin(OP_CUMSUM, DTYPE_BOOL) == OP_WIDEN);
    CHECK(op_twin(OP_MASKED_CUMSUM, DTYPE_F16) == OP_MASKED_COPY);
    CHECK(op_twin(OP_MASKED_CUMSUM, DTYPE_I32) == OP_MASKED_WIDEN);
    CHECK(op_twin(OP_SUM, DTYPE_U8) == OP_READ);
    CHECK(op_twin(OP_RECURRENCE_REVERSE, DTYPE_F16) == OP_COPY_XOR);
    for (int op = 0; op < op_count(); ++op)
        for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            if (op_has_dtype(op_at(op), dtype))
                check_twin(op_at(op), dtype);
}

static void check_outputs(void)
{
    const struct shape shape = { 3, 5, 7 }, empty = { 3, 0, 7 };
    CHECK(op_out_elems(OP_CUMSUM, shape) == 105);
    CHECK(op_out_elems(OP_SUM, shape) == 21);
    CHECK(op_out_elems(OP_SUM, empty) == 21);
    CHECK(op_out_elems(OP_COPY, empty) == 0);
    CHECK(op_out_elems(OP_READ, shape) == READ_SLOTS);
    CHECK(op_out_bytes(OP_READ, DTYPE_F64, shape) == READ_SLOTS * 4);
    CHECK(op_out_bytes(OP_SUM, DTYPE_F64, shape) == 21 * 8);
    CHECK(op_out_bytes(OP_CUMSUM, DTYPE_BF16, shape) == 105 * 2);
    /* Ten segments, and eleven offsets. */
    const struct shape ragged = { 1, 100, 7, { 10, 0, LINES_ONE, 4 } };
    CHECK(op_out_elems(OP_SUM, ragged) == 70);
    CHECK(op_bytes(OP_SUM, DTYPE_F32, ragged) == (700 + 70) * 4 + 11 * 4);
    CHECK(op_bytes(OP_CUMSUM, DTYPE_F16, ragged) == 700 * 4 + 11 * 4);
    CHECK(op_bytes(OP_COPY, DTYPE_F16, ragged) == 700 * 4);
    CHECK(op_may_be_ragged(OP_CUMSUM_REVERSE) && op_may_be_ragged(OP_AMAX) &&
          op_may_be_ragged(OP_MEAN) && !op_may_be_ragged(OP_MASKED_CUMSUM) &&
          !op_may_be_ragged(OP_COPY) && !op_may_be_ragged(OP_RECURRENCE));
}

/* The type of the outputs, and the bytes that an element, its mask and its
 * output move; 0 where the operation is refused. */
static void check_types(void)
{
    static const struct {
        enum op op;
        enum dtype dtype, out;
        int bytes;
    } cases[] = {
        { OP_CUMSUM, DTYPE_I32, DTYPE_I64, 4 + 8 },
        { OP_CUMSUM, DTYPE_I64, DTYPE_I64, 8 + 8 },
        { OP_MASKED_CUMSUM, DTYPE_I32, DTYPE_I64, 4 + 1 + 8 },
        { OP_CUMSUM_NARROW, DTYPE_I32, DTYPE_I32, 4 + 4 },
        { OP_CUMSUM_NARROW, DTYPE_I64, DTYPE_I64, 0 },
        { OP_CUMSUM_NARROW, DTYPE_F32, DTYPE_F32, 0 },
        { OP_CUMPROD, DTYPE_U8, DTYPE_I64, 1 + 8 },
        { OP_CUMMAX, DTYPE_I32, DTYPE_I32, 4 + 4 },
        { OP_FLIP, DTYPE_U8, DTYPE_U8, 1 + 1 },
        { OP_WIDEN, DTYPE_I64, DTYPE_I64, 0 },
        { OP_WIDEN, DTYPE_F32, DTYPE_F32, 0 },
        { OP_MEAN, DTYPE_I32, DTYPE_I32, 0 },
        { OP_LOGSUMEXP, DTYPE_I64, DTYPE_I64, 0 },
        { OP_SUM, DTYPE_BOOL, DTYPE_I64, 1 },
        { OP_PROD, DTYPE_I32, DTYPE_I64, 4 },
        { OP_ARGMAX, DTYPE_F16, DTYPE_I64, 2 },
        { OP_SUM, DTYPE_F16, DTYPE_F16, 2 },
        { OP_CUMSUM, DTYPE_F32, DTYPE_F32, 4 + 4 },
        { OP_MASKED_CUMSUM, DTYPE_BF16, DTYPE_BF16, 2 + 1 + 2 },
        { OP_WRITE, DTYPE_F64, DTYPE_F64, 8 },
        { OP_RECURRENCE, DTYPE_F32, DTYPE_F32, 4 + 4 + 4 },
    };
    const struct shape shape = { 10, 1000, 1 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const enum op op = cases[k].op;
        const enum dtype d = cases[k].dtype;
        const int64_t stored =
            op_is_reduction(op) ? 10 * (int64_t)dtype_bytes(cases[k].out) : 0;
        const bool right =
            op_out_dtype(op, d) == cases[k].out &&
            op_bytes(op, d, shape) == cases[k].bytes * 10000 + stored;
        CHECK_FOR(op_has_dtype(op, d) == (cases[k].bytes > 0) &&
                      (right || !cases[k].bytes),
                  "%s %s", op_name(op), dtype_name(d));
    }
}

static void check_identities(void)
{
    CHECK(op_identity_bits(OP_AMAX, DTYPE_I32) == 0x80000000);
    CHECK(op_identity_bits(OP_AMAX, DTYPE_U8) == 0);
    CHECK(op_identity_bits(OP_AMIN, DTYPE_U8) == 0xff);
    CHECK(op_identity_bits(OP_AMIN, DTYPE_BOOL) == 1);
    CHECK(op_identity_bits(OP_PROD, DTYPE_I64) == 1);
    CHECK(op_identity_bits(OP_SUM, DTYPE_I64) == 0);
}

int main(void)
{
    check_types();
    check_identities();
    check_names();
    check_twins();
    check_outputs();
    return test_end();
}
