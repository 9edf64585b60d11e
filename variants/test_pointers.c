/* SPDX-License-Identifier: MIT
 *
 * A choice depends on no pointer, so wherever there is one, a launch finds a
 * kernel for pointers of every alignment, with the workspace that was planned
 * and by the same contracts: on the host, or in a build with CUDA on every
 * known GPU. Every GPU from 8.0 on chooses the same kernel for portable bits,
 * one that declares them, at every shape of every grid; deterministic kernels
 * serve all of these shapes, too. Rows that are too long are refused. Needs no
 * GPU.
 */
#include <string.h>

#include "src/base/test.h"
#include "src/choose/rules.h"
#include "src/model/dtype.h"
#include "src/model/grid.h"
#include "src/model/reducer.h"
#include "src/pretend.h"
#include "variants/built_in_rules.h"
#include "variants/choose.h"
#include "variants/registry.h"

static const struct shape shapes[] = {
    { 1, 1, 1 },        { 9, 100, 1 },     { 3, 5000, 1 },
    { 300, 33, 1 },     { 1, 1 << 20, 1 }, { 1, INT64_C(3) << 21, 1 },
    { 70000, 8192, 1 }, { 100, 1000, 2 },  { 5, 300, 101 },
    { 4, 4097, 4 },     { 7, 8, 1000 },    { 2, 5000, 512 },
    { 2, 9000000, 128 }
};

/* Elements, of a mask bytes, behind a boundary: of in and in2, mask, out. */
static const int off[][4] = {
    { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 1, 1, 0, 0 }, { 0, 0, 0, 1 },
    { 0, 0, 1, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 1, 2, 15, 3 },
};

static int choices;

static struct problem moved(struct problem p, const int at[4])
{
    const size_t bytes = dtype_bytes(p.dtype);
    p.in = (const void *)((size_t)(256 + at[0] * (int)bytes));
    if (op_inputs(p.op) == 2)
        p.in2 = (const void *)((size_t)(256 + at[1] * (int)bytes));
    if (op_has_mask(p.op))
        p.mask = (const uint8_t *)(size_t)(256 + at[2]);
    p.out = (void *)(256 + (size_t)at[3] * op_out_elem_bytes(p.op, p.dtype));
    return p;
}

static void check_pointers(struct problem p)
{
    char text[SHAPE_TEXT_BYTES];
    struct device_facts facts;
    if (!choose_facts(&p, &facts))
        return;
    const struct variant *chosen = choose_variant(&p);
    const size_t room = chosen ? choose_room(chosen, &p) : 0;
    for (size_t k = 0; chosen && k < sizeof off / sizeof *off; ++k) {
        const struct problem at = moved(p, off[k]);
        const struct variant *v = choose_serving(&at, chosen);
        ++choices;
        CHECK_FOR(v && variant_serves(v, &at) && choose_bytes(v, &p) <= room &&
                      !(p.contracts & ~variant_contracts(v, p.op, p.dtype)),
                  "%s %s %s, contracts %u, pointers %zu on sm_%d: %s",
                  op_name(p.op), dtype_name(p.dtype),
                  shape_format(p.shape, text), p.contracts, k,
                  p.device->compute_capability, chosen->name);
    }
}

/* True if there are kernels for the device: best and the splits over ranks have
 * none. */
static bool is_built(enum op op, enum dtype dtype, enum device_kind kind)
{
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v->runs_on == kind && family_has(f, v, op, dtype) &&
                !v->split && strncmp(f->id, "best/", 5) != 0)
                return true;
    return false;
}

/* A build for 8.0 and newer leaves out what others need on older GPUs. */
static bool is_left_out(enum op op, enum dtype dtype,
                        const struct device_facts *facts)
{
    return OLDEST_CODE >= 800 && facts->kind == DEVICE_CUDA &&
           facts->compute_capability < 80 && rules_other(op, dtype);
}

static void check_device(const struct device_facts *facts)
{
    static const unsigned contracts[] = { 0, CONTRACT_DETERMINISTIC,
                                          CONTRACT_PORTABLE_BITS,
                                          CONTRACT_MONOTONE };
    for (int o = 0; o < op_count(); ++o)
        for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
                for (int k = 0; k < 4; ++k)
                    if (op_has_dtype(op_at(o), dtype) &&
                        !op_is_twin(op_at(o)) &&
                        !is_left_out(op_at(o), dtype, facts) &&
                        is_built(op_at(o), dtype, facts->kind))
                        check_pointers(
                            (struct problem){ .op = op_at(o),
                                              .dtype = dtype,
                                              .shape = shapes[s],
                                              .device = facts,
                                              .contracts = contracts[k] });
}

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

static void check_portable(struct problem p, const struct rules *rules)
{
    char text[SHAPE_TEXT_BYTES];
    const struct variant *first = NULL;
    if (shape_is_ragged(p.shape) || !op_out_elems(p.op, p.shape))
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

static void check_grid(const char *name, const struct rules *rules)
{
    struct grid grid = { 0 };
    CHECK(grid_add(&grid, name, DEVICE_CUDA));
    for (size_t k = 0; k < grid.count; ++k)
        for (int scans = 0; scans < 2; ++scans) {
            const struct problem p = { .op = scans ? OP_CUMSUM : OP_SUM,
                                       .shape = grid.items[k].shape };
            if (is_built(p.op, p.dtype, DEVICE_CUDA))
                check_portable(p, rules);
        }
    grid_free(&grid);
}

/* Kernels of unaligned rows number a row's vectors by int. */
static void check_long_rows(void)
{
    struct device_facts facts = known_gpus->facts;
    facts.code_capability = facts.compute_capability = 90;
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            for (int bits = 20; bits < 40; ++bits) {
                const struct problem p = {
                    .op = strncmp(f->id, "reduce", 6) ? OP_CUMSUM : OP_SUM,
                    .shape = { 1, 2, (INT64_C(1) << bits) + 1 },
                    .device = &facts
                };
                if (strstr(f->id, "/column_vectors") ||
                    strstr(f->id, "/column_lookback_shifted"))
                    CHECK_FOR(variant_serves(v, &p) == (bits < 32), "%s 2^%d",
                              v->name, bits);
            }
}

int main(void)
{
    check_long_rows();
    const struct device_facts host = { .kind = DEVICE_HOST, .sm_count = 4 };
    const struct rules_text *t = built_in_rules;
    struct rules rules;
    char why[RULES_WHY_BYTES];
    check_device(&host);
    CHECK(choices > 0);
    if (!CHECK(
            rules_parse(&rules, t->name, t->text, strlen(t->text), NULL, why)))
        return test_end();
    rules_bind(&rules);
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu)
        for (int ruled = 0; ruled < 2; ++ruled) {
            struct device_facts facts = gpu->facts;
            facts.code_capability = 120;
            facts.rules = facts.portable_rules = ruled ? &rules : NULL;
            check_device(&facts);
        }
    for (int k = 0; grid_names[k]; ++k)
        check_grid(grid_names[k], &rules);
    rules_free(&rules);
    return test_end();
}
