/* SPDX-License-Identifier: MIT
 *
 * Every GPU from 8.0 on chooses the same of the built kernels for portable
 * bits, one that declares them, at every shape of every grid; deterministic
 * kernels serve all of these shapes, too. Needs no GPU.
 */
#include <string.h>

#include "src/base/test.h"
#include "src/model/grid.h"
#include "src/pretend.h"
#include "variants/built_in_rules.h"
#include "variants/choose.h"

static const struct variant *chosen(struct problem p, unsigned contracts,
                                    const struct known_gpu *gpu,
                                    const struct rules *rules)
{
    struct device_facts facts = gpu->facts, fixed;
    facts.code_capability = 120;
    facts.portable_rules = rules;
    facts.rules = facts.compute_capability % 20 ? rules : NULL;
    p.device = &facts;
    p.contracts = contracts;
    return choose_facts(&p, &fixed) ? choose_variant(&p) : NULL;
}

static void check(struct problem p, const struct rules *rules)
{
    char text[SHAPE_TEXT_BYTES];
    const struct variant *first = NULL;
    if (shape_is_ragged(p.shape) || !op_out_elems(p.op, p.shape) ||
        !OP_HAS_KERNELS(p.op, p.dtype))
        return;
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        const char *const what = shape_format(p.shape, text);
        const struct variant *v = chosen(p, CONTRACT_DETERMINISTIC, gpu, rules);
        CHECK_FOR(v && v->deterministic, "%s %s %s", gpu->arch, op_name(p.op),
                  what);
        v = chosen(p, CONTRACT_PORTABLE_BITS, gpu, rules);
        if (gpu->facts.compute_capability < 80 || op_is_scan(p.op)) {
            CHECK_FOR(!v, "%s %s %s", gpu->arch, op_name(p.op), what);
            continue;
        }
        first = first ? first : v;
        CHECK_FOR(v && v == first && v->portable_bits, "%s %s %s: %s",
                  gpu->arch, op_name(p.op), what, v ? v->name : "none");
    }
}

int main(void)
{
    struct rules rules;
    char why[RULES_WHY_BYTES];
    const struct rules_text *t = built_in_rules;
    if (!CHECK(
            rules_parse(&rules, t->name, t->text, strlen(t->text), NULL, why)))
        return test_end();
    rules_bind(&rules);
    for (int k = 0; grid_names[k]; ++k) {
        struct grid grid = { 0 };
        CHECK(grid_add(&grid, grid_names[k], DEVICE_CUDA));
        for (size_t item = 0; item < grid.count; ++item) {
            check((struct problem){ .op = OP_SUM,
                                    .shape = grid.items[item].shape },
                  &rules);
            check((struct problem){ .op = OP_CUMSUM,
                                    .shape = grid.items[item].shape },
                  &rules);
        }
        grid_free(&grid);
    }
    rules_free(&rules);
    return test_end();
}
