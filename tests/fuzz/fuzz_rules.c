/* SPDX-License-Identifier: MIT
 *
 * Reads any bytes as a file of rules: they are refused with a line and a
 * reason, or can be followed.
 */
#include "tests/fuzz/fuzz.h"

#include "src/base/csv.h"
#include "src/choose/rules.h"

static void ask(const struct rules *rules, enum op op, struct shape shape)
{
    const struct problem p = { .op = op, .shape = shape };
    const struct rules_variant *ranked[RULES_RANKED];
    const int count = rules_rank(rules, op, p.dtype, shape, ranked);
    REQUIRE(count >= 0 && count <= RULES_RANKED);
    for (int k = 0; k < count; ++k)
        REQUIRE(ranked[k]->kind == rules_kind(op));
    REQUIRE(!rules_pick(rules, &p)); /* no kernels yet */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rules rules;
    char why[RULES_WHY_BYTES] = "";
    const bool taken =
        rules_parse(&rules, "x.csv", (const char *)data, size, NULL, why);
    REQUIRE(taken || strncmp(why, "line ", 5) == 0);
    REQUIRE(plain_text(why));
    for (int64_t axis = 1; taken && axis < INT64_C(1) << 40; axis *= 37)
        for (int o = 0; o < op_count(); ++o) {
            ask(&rules, op_at(o), (struct shape){ 3, axis, 1 });
            ask(&rules, op_at(o), (struct shape){ 5, axis, 7 });
        }
    if (taken) {
        REQUIRE(rules.count && rules.variant_count && rules.loss_count);
        rules_free(&rules);
    }
    return 0;
}
