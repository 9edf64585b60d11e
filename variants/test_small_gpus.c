/* SPDX-License-Identifier: MIT
 *
 * Little shared memory excludes points, but no family: a family that serves a
 * shape at compute capability 7.5 with any amount has a point that serves it
 * with the 48 KB of every GPU, or names another that does; for operators other
 * than addition, if the build has code for such GPUs. Every reduction that is
 * built has a family for each of the shapes, on the oldest devices of the build
 * as well. Needs no GPU.
 */
#include "src/model/dtype.h"
#include "src/base/test.h"
#include "variants/registry.h"

#include <string.h>

static struct device_facts plenty = {
    .kind = DEVICE_CUDA,
    .sm_count = 40,
    .compute_capability = 75,
    .max_threads_per_sm = 1024,
    .max_threads_per_block = 1024,
    .max_blocks_per_sm = 16,
    .shared_optin_bytes = 227 << 10,
    .shared_per_sm_bytes = 228 << 10,
    .l2_bytes = 4 << 20,
};

static bool serves(const struct family *family, struct problem p,
                   int64_t shared_bytes, bool names_another)
{
    struct device_facts facts = plenty;
    facts.shared_optin_bytes = shared_bytes;
    facts.shared_per_sm_bytes = shared_bytes;
    p.device = &facts;
    for (const struct variant *v = family->variants; v->name; ++v)
        if (family_has(family, v, p.op, p.dtype)) {
            const char *why = variant_refuses(v, &p);
            if (!why || (names_another && strstr(why, " serves it")))
                return true;
        }
    return false;
}

/* True if no family for GPUs has the reduction, or one serves the problem. */
static bool is_served(struct problem p)
{
    bool built = false;
    for (const struct family *family = registry; family->id; ++family)
        for (const struct variant *v = family->variants; v->name; ++v)
            built |= v->runs_on == DEVICE_CUDA &&
                     family_has(family, v, p.op, p.dtype);
    for (const struct family *family = registry; family->id && built; ++family)
        if (family->variants->runs_on == DEVICE_CUDA &&
            serves(family, p, 48 << 10, false))
            return true;
    return !built;
}

int main(void)
{
    /* Of 7.5, and of 8.6, the smallest from 8.0 on. */
    const int64_t least_shared = (OLDEST_CODE < 800 ? 48 : 99) << 10;
    static const struct shape shapes[] = {
        { 1, 1 << 20, 1 }, { 3, 4097, 1 }, { 100, 1000, 2 },
        { 5, 300, 101 },   { 7, 8, 1000 }, { 2, 5000, 500 },
    };
    int cells = 0;
    for (int o = 0; o < op_count(); ++o)
        for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
                const struct problem p = { .op = op_at(o),
                                           .dtype = dtype,
                                           .shape = shapes[k] };
                plenty.compute_capability = 75;
                for (const struct family *f = registry; f->id; ++f) {
                    if (f->variants->runs_on != DEVICE_CUDA ||
                        ((!op_adds(p.op) || !dtype_is_float(dtype)) &&
                         OLDEST_CODE >= 800) ||
                        !serves(f, p, plenty.shared_optin_bytes, false))
                        continue;
                    ++cells;
                    CHECK_FOR(serves(f, p, least_shared, true), "%s %s %s",
                              f->id, op_name(p.op), dtype_name(dtype));
                }
                plenty.compute_capability = OLDEST_CODE / 10;
                CHECK_FOR(!op_is_reduction(p.op) || is_served(p), "%s %s %d",
                          op_name(p.op), dtype_name(dtype), (int)k);
            }
    CHECK(cells > 0);
    return test_end();
}
