/* SPDX-License-Identifier: MIT */
#include "src/model/op.h"

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
    CHECK(op_parse("masked_cumsum", &back) && back == OP_MASKED_CUMSUM);
    CHECK(op_parse("cumsum", &back) && back == OP_CUMSUM);
}

static void check_twins(void)
{
    CHECK(op_twin(OP_CUMSUM) == OP_COPY);
    CHECK(op_twin(OP_CUMSUM_EXCLUSIVE) == OP_COPY);
    CHECK(op_twin(OP_CUMSUM_REVERSE) == OP_COPY);
    CHECK(op_twin(OP_MASKED_CUMSUM) == OP_MASKED_COPY);
    CHECK(op_twin(OP_SUM) == OP_READ);
    CHECK(op_twin(OP_FLIP) == OP_COPY);
    for (int op = 0; op < op_count(); ++op) {
        const enum op twin = op_twin(op_at(op));
        CHECK_FOR(op_twin(twin) == twin, "%s", op_name(op_at(op)));
        CHECK_FOR((twin == op_at(op)) == op_is_twin(op_at(op)), "%s",
                  op_name(op_at(op)));
        CHECK_FOR(op_has_mask(twin) == op_has_mask(op_at(op)), "%s",
                  op_name(op_at(op)));
        CHECK_FOR(op_has_input(twin) == op_has_input(op_at(op)), "%s",
                  op_name(op_at(op)));
    }
}

/* Streams of elements and bytes of a mask, per element of long lines. */
static void check_bytes(void)
{
    static const struct {
        enum op op;
        int streams, mask, stored_lines;
    } cases[] = {
        { OP_CUMSUM, 2, 0, 0 },        { OP_CUMMAX_REVERSE, 2, 0, 0 },
        { OP_MASKED_CUMSUM, 2, 1, 0 }, { OP_SUM, 1, 0, 1 },
        { OP_AMIN, 1, 0, 1 },          { OP_FLIP, 2, 0, 0 },
        { OP_COPY, 2, 0, 0 },          { OP_MASKED_COPY, 2, 1, 0 },
        { OP_READ, 1, 0, 0 },          { OP_WRITE, 1, 0, 0 },
    };
    const struct shape shape = { 1000, 1 << 20, 1 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        for (enum dtype d = 0; d < DTYPE_COUNT; ++d) {
            const int64_t bytes = (int64_t)dtype_bytes(d);
            CHECK_FOR(op_bytes(cases[k].op, d, shape) ==
                          shape_elems(shape) *
                                  (cases[k].streams * bytes + cases[k].mask) +
                              cases[k].stored_lines * 1000 * bytes,
                      "%s", op_name(cases[k].op));
        }
}

static void check_outputs(void)
{
    const struct shape shape = { 3, 5, 7 }, empty = { 3, 0, 7 };
    CHECK(op_out_elems(OP_CUMSUM, shape) == 105);
    CHECK(op_out_elems(OP_FLIP, shape) == 105);
    CHECK(op_out_elems(OP_SUM, shape) == 21);
    CHECK(op_out_elems(OP_SUM, empty) == 21);
    CHECK(op_out_elems(OP_COPY, empty) == 0);
    CHECK(op_out_elems(OP_READ, shape) == READ_SLOTS);
    CHECK(op_out_bytes(OP_READ, DTYPE_F64, shape) == READ_SLOTS * 4);
    CHECK(op_out_bytes(OP_READ, DTYPE_F16, shape) == READ_SLOTS * 4);
    CHECK(op_out_bytes(OP_SUM, DTYPE_F64, shape) == 21 * 8);
    CHECK(op_out_bytes(OP_CUMSUM, DTYPE_BF16, shape) == 105 * 2);
    CHECK(op_flops(OP_CUMSUM_REVERSE, shape) == 105);
    CHECK(op_flops(OP_SUM, shape) == 105);
    CHECK(op_flops(OP_FLIP, shape) == 0);
    CHECK(op_flops(OP_READ, shape) == 0);
}

int main(void)
{
    check_names();
    check_twins();
    check_bytes();
    check_outputs();
    return test_end();
}
