/* SPDX-License-Identifier: MIT
 *
 * Cells that do not fit into a smaller GPU's memory are skipped with the
 * reason; those of grid `default` fit from 12 GB on, those of `quick` from 8.
 * The host's size of a cell stands for that of a GPU, which keeps a few per
 * cent more.
 */
#include "harness/cell.h"

#include <string.h>

#include "src/model/grid.h"
#include "src/base/test.h"
#include "src/pretend.h"

static const struct variant plain = { .name = "plain",
                                      .passes = 1,
                                      .ragged = true };

static size_t all_bytes(const struct problem *p)
{
    (void)p;
    return SIZE_MAX;
}

/* A workspace of any size is refused without overflow. */
static void check_greedy(void)
{
    const struct variant greedy = { .name = "greedy",
                                    .passes = 1,
                                    .workspace_bytes = all_bytes };
    struct device_facts facts = known_gpus[0].facts;
    const struct cell cell = { .variant = &greedy,
                               .op = OP_CUMSUM,
                               .shape = { 1, 100, 1 },
                               .timed = true };
    facts.kind = DEVICE_HOST;
    const char *why = cell_skip(&cell, &facts);
    CHECK(why && strncmp(why, "needs ", 6) == 0);
}

static int left_out;

/* The cell's own buffers, and what a verifier keeps. */
static void check_cell(const struct device_facts *facts, struct grid_item item,
                       enum op op, enum dtype dtype)
{
    const struct cell cell = { .variant = &plain,
                               .op = op,
                               .dtype = dtype,
                               .shape = item.shape,
                               .timed = true };
    const char *why = cell_skip(&cell, facts);
    if (!(item.ops & op_bit(op)) || !(item.dtypes & DTYPE_BIT(dtype)) ||
        shape_elems(item.shape) == 0)
        return;
    const bool fits = cell_bytes(&cell, facts) <= cell_room(facts);
    CHECK(fits == !why);
    CHECK_FOR(!why || (strncmp(why, "needs ", 6) == 0 &&
                       strstr(why, " GB of memory; ")),
              "%s", why);
    left_out += !fits && op_inputs(op) < 2; /* a third stream of f64 */
}

static int check_grid(const struct known_gpu *gpu, const char *name)
{
    struct device_facts facts = gpu->facts;
    struct grid grid = { 0 };
    facts.kind = DEVICE_HOST;
    left_out = 0;
    CHECK(grid_add(&grid, name, DEVICE_CUDA));
    for (size_t k = 0; k < grid.count; ++k)
        for (int o = 0; o < op_count(); ++o)
            for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
                check_cell(&facts, grid.items[k], op_at(o), dtype);
    grid_free(&grid);
    return left_out;
}

/* All cells of the grids `whole` fit into its memory. */
static void check_gpu(const struct known_gpu *gpu, const char *const *whole)
{
    for (int k = 0; grid_names[k]; ++k) {
        const int count = check_grid(gpu, grid_names[k]);
        for (int n = 0; whole[n]; ++n)
            CHECK_FOR(strcmp(grid_names[k], whole[n]) != 0 || count == 0,
                      "%s: %d cells of %s", gpu->card, count, grid_names[k]);
        if (count)
            printf("%s leaves out %d of the shapes and types of %s\n",
                   gpu->card, count, grid_names[k]);
    }
}

static const char *refuses_unlike(const struct problem *p)
{
    const size_t in = (size_t)p->in / 4 % 4;
    return in != (size_t)p->out / 4 % 4 || in != (size_t)p->mask % 4
               ? "aligned unlike"
               : NULL;
}

/* Variants may refuse an alignment before buffers exist. */
static void check_alignment(int offset, int offset_out, int offset_mask,
                            bool alike)
{
    static const struct variant picky = { .name = "picky",
                                          .passes = 1,
                                          .refuses = refuses_unlike };
    const struct device_facts facts = { .kind = DEVICE_HOST,
                                        .memory_free_bytes = 1 << 30 };
    const struct cell cell = { .variant = &picky,
                               .op = OP_MASKED_CUMSUM,
                               .dtype = DTYPE_F32,
                               .shape = { 1, 8, 1 },
                               .offset = { offset, offset_out, offset_mask } };
    const char *why = cell_skip(&cell, &facts);
    CHECK_FOR(!why == alike, "offsets %d %d %d: %s", offset, offset_out,
              offset_mask, why ? why : "served");
}

/* A copy's output is half of its traffic, and the L2 a tenth of 500 MB. Two
 * GPUs have two buses and two L2s; ranks that share one have one. */
static void check_assisted(void)
{
    static const struct device_facts facts = { .kind = DEVICE_CUDA,
                                               .gpus = 2,
                                               .l2_bytes = 50000000 };
    static const struct driver_facts driver = { .memory_clock_khz = 2000000,
                                                .memory_bus_bits = 8000 };
    static const struct {
        enum op op;
        int64_t elems;
        double gbps; /* the bus has 4000 */
        int ranks;
        bool assisted;
    } cases[] = {
        { OP_COPY, 62400000, 100, 0, true },
        { OP_COPY, 62600000, 100, 0, false },
        { OP_READ, 1000000, 100, 0, false },
        { OP_SUM, 1000000, 3999, 0, false },
        { OP_SUM, 1000000, 4001, 0, true },
        { OP_SUM, 1000000, 7999, 2, false },
        { OP_SUM, 1000000, 8001, 2, true },
        { OP_SUM, 1000000, 4001, 4, true },
        { OP_COPY, 124800000, 100, 2, true },
        { OP_COPY, 125200000, 100, 2, false },
        { OP_COPY, 62600000, 100, 1, false },
    };
    struct device_facts host = facts;
    host.kind = DEVICE_HOST;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct cell cell = { .op = cases[k].op,
                             .dtype = DTYPE_F32,
                             .shape = { 1, cases[k].elems, 1 },
                             .cache = CACHE_COLD,
                             .ranks = cases[k].ranks };
        const double gbps = cases[k].gbps;
        CHECK_FOR(cell_is_assisted(&cell, &facts, &driver, gbps) ==
                      cases[k].assisted,
                  "case %zu", k);
        if (gbps < 4000)
            CHECK(!cell_is_assisted(&cell, &host, &driver, gbps));
        cell.cache = CACHE_HOT;
        CHECK(!cell_is_assisted(&cell, &facts, &driver, gbps));
    }
}

int main(void)
{
    check_alignment(0, 0, 0, true);
    check_alignment(1, 0, 0, true);
    check_alignment(1, 4, 4, true);
    check_alignment(0, 1, 0, false);
    check_alignment(0, 0, 2, false);
    check_alignment(1, 1, 1, false);
    static const char *const everywhere[] = { "quick", "default", NULL };
    static const char *const at_least[] = { "quick", NULL };
    struct known_gpu small = *known_gpu_find("sm_86");

    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu)
        check_gpu(gpu, everywhere);
    small.card = "a GPU of 8 GB";
    small.facts.memory_bytes = small.facts.memory_free_bytes = INT64_C(8) << 30;
    check_gpu(&small, at_least);
    check_greedy();
    check_assisted();
    return test_end();
}
