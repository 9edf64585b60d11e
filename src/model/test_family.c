/* SPDX-License-Identifier: MIT */
#include "src/model/family.h"

#include <string.h>

#include "src/base/test.h"

static void check(const char *variant, const char *family)
{
    char own[64];
    CHECK_FOR(strcmp(variant_family(variant, own, sizeof own), family) == 0,
              "%s: %s", variant, own);
    CHECK_FOR(variant_family_chars(variant) == strlen(family), "%s", variant);
}

int main(void)
{
    char small[4];
    check("copy_b128_i4", "copy");
    check("thread_per_line_b1", "thread_per_line");
    check("block_2d_128x4_i8", "block_2d");
    check("row_tma_ring_64kx3", "row_tma_ring");
    check("period_vectors_x1024_b1024_i16", "period_vectors");
    check("column_in_shared_k44", "column_in_shared");
    check("slowed_p0", "slowed");
    /* Numbers that are no tuning points, and names that are nothing else. */
    check("best", "best");
    check("block_2d", "block_2d");
    check("float64_carry_b256_i16", "float64_carry");
    check("lookback_b256_k72_ahead", "lookback_b256_k72_ahead");
    check("ends_in_f16", "ends_in");
    check("ends_in_bf16", "ends_in_bf16");
    check("two_16", "two_16");
    check("two_x3", "two");
    check("two_kx3", "two_kx3");
    check("two_4x", "two_4x");
    check("two_4kk3", "two_4kk3");
    check("two__b3", "two_");
    check("_b256", "_b256");
    check("b256", "b256");
    check("_4x4", "_4x4");
    check("a_4x4", "a");
    check("7", "7");
    check("", "");
    CHECK(strcmp(variant_family("copy_b128", small, sizeof small), "cop") == 0);
    return test_end();
}
