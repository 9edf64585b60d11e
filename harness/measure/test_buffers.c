/* SPDX-License-Identifier: MIT
 *
 * Memory kept from larger problems is released if a later one needs it for
 * other allocations, those of ranks. The device only counts bytes.
 */
#include "harness/measure/buffers.h"

#include <stdlib.h>

#include "src/base/test.h"

enum { MIB = 1 << 20, LIMIT = 1024 * MIB, MOST = 16 };

static struct {
    void *at;
    size_t bytes;
} blocks[MOST];

static size_t held(void)
{
    size_t sum = 0;
    for (int k = 0; k < MOST; ++k)
        sum += blocks[k].at ? blocks[k].bytes : 0;
    return sum;
}

/* A bare address, which is never accessed. */
static const char *allocate(size_t bytes, void **memory)
{
    int k = 0;
    if (held() + bytes > LIMIT)
        return "out of memory";
    while (blocks[k].at)
        ++k;
    blocks[k].bytes = bytes;
    *memory = blocks[k].at = malloc(1);
    return *memory ? NULL : "malloc() failed";
}

static void let_go(void *memory)
{
    for (int k = 0; k < MOST; ++k)
        if (memory && blocks[k].at == memory)
            blocks[k].at = NULL;
    free(memory);
}

static const struct device counted = { .allocate = allocate,
                                       .release = let_go };
static const struct device_facts facts = { .kind = DEVICE_HOST,
                                           .memory_bytes = LIMIT,
                                           .memory_free_bytes = LIMIT };
static const struct variant plain = { .name = "plain", .passes = 1 };

static struct cell cell_of(enum op op, int64_t elems, int ranks)
{
    return (struct cell){ .variant = &plain,
                          .op = op,
                          .dtype = DTYPE_F32,
                          .shape = { 1, elems, 1 },
                          .timed = true,
                          .ranks = ranks };
}

static size_t provided(struct cell cell)
{
    struct buffers buffers;
    CHECK(!cell_skip(&cell, &facts));
    const char *why =
        buffers_provide(&buffers, &cell, &counted, &facts, INPUT_REAL);
    CHECK_FOR(!why, "%s", why);
    return held();
}

/* No two sets have the same input, and two of four change few pieces. */
static void check_versions(uint64_t version)
{
    const struct input real = { INPUT_REAL, version };
    uint64_t of[BUFFER_SETS];
    for (int set = 0; set < BUFFER_SETS; ++set) {
        of[set] = buffers_input(real, set).version;
        CHECK(input_is_rare(of[set]) == (input_is_rare(of[0]) ^ (set & 1)));
        for (int before = 0; before < set; ++before)
            CHECK(of[set] != of[before]);
    }
    CHECK(of[0] == version);
    CHECK(buffers_input((struct input){ INPUT_REAL, 0 }, 3).version == 0);
}

int main(void)
{
    for (uint64_t k = 0; k < 64; ++k)
        check_versions(split_mix_hash(k) | 1);
    check_versions(UINT64_MAX);
    const struct cell copy = cell_of(OP_COPY, 75 * MIB, 0),
                      sum = cell_of(OP_SUM, 110 * MIB, 1),
                      small = cell_of(OP_COPY, 10 * MIB, 0);
    const size_t most = provided(copy);
    CHECK(most >= (size_t)600 * MIB);
    /* 440 MiB here, and as much for the rank. */
    CHECK(provided(sum) + cell_in_bytes(&sum) <= LIMIT);
    (void)provided(copy);
    CHECK(provided(small) == held() && held() >= most); /* kept: room enough */
    return test_end();
}
