/* SPDX-License-Identifier: MIT */
#include "harness/measure/cache_assist.h"

#include "src/base/test.h"

/* A cell over ranks, on a machine with two GPUs. */
static bool assists_ranks(enum op op, int64_t elems, enum cache cache,
                          enum device_kind kind, double gbps, int ranks)
{
    /* 50 MB of L2; a bus of 4000 GB/s */
    const struct device_facts facts = { .kind = kind,
                                        .gpus = 2,
                                        .l2_bytes = 50000000 };
    const struct driver_facts driver = { .memory_clock_khz = 2000000,
                                         .memory_bus_bits = 8000 };
    const struct cell cell = { .op = op,
                               .dtype = DTYPE_F32,
                               .shape = { 1, elems, 1 },
                               .cache = cache,
                               .ranks = ranks };
    return cache_assists(&facts, &driver, &cell, gbps);
}

static bool assists(enum op op, int64_t elems, enum cache cache,
                    enum device_kind kind, double gbps)
{
    return assists_ranks(op, elems, cache, kind, gbps, 0);
}

/* Two GPUs have two buses and two L2s; ranks that share one have one. */
static void check_ranks(void)
{
    CHECK(!assists_ranks(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 7999, 2));
    CHECK(assists_ranks(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 8001, 2));
    CHECK(assists_ranks(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 4001, 1));
    CHECK(assists_ranks(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 4001, 4));
    CHECK(assists_ranks(OP_COPY, 124800000, CACHE_COLD, DEVICE_CUDA, 100, 2));
    CHECK(!assists_ranks(OP_COPY, 125200000, CACHE_COLD, DEVICE_CUDA, 100, 2));
    CHECK(!assists_ranks(OP_COPY, 62600000, CACHE_COLD, DEVICE_CUDA, 100, 1));
}

int main(void)
{
    /* A copy's output is half of its traffic; the L2 is a tenth of 500 MB. */
    CHECK(assists(OP_COPY, 1000, CACHE_COLD, DEVICE_CUDA, 100));
    CHECK(assists(OP_COPY, 62400000, CACHE_COLD, DEVICE_CUDA, 100));
    CHECK(!assists(OP_COPY, 62600000, CACHE_COLD, DEVICE_CUDA, 100));
    CHECK(!assists(OP_COPY, 1000, CACHE_HOT, DEVICE_CUDA, 100));
    CHECK(!assists(OP_COPY, 1000, CACHE_COLD, DEVICE_HOST, 100));
    CHECK(!assists(OP_READ, 1000000, CACHE_COLD, DEVICE_CUDA, 100));
    CHECK(!assists(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 3999));
    CHECK(assists(OP_SUM, 1000000, CACHE_COLD, DEVICE_CUDA, 4001));
    CHECK(!assists(OP_SUM, 1000000, CACHE_HOT, DEVICE_CUDA, 4001));
    check_ranks();
    return test_end();
}
