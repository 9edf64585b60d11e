/* SPDX-License-Identifier: MIT
 *
 * The table of known GPUs, and that pretending only lowers facts.
 */
#include "src/pretend.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static const struct device_facts large = {
    .kind = DEVICE_CUDA,
    .index = 3,
    .sm_count = 1000,
    .compute_capability = 130,
    .max_threads_per_sm = 4096,
    .max_threads_per_block = 2048,
    .max_blocks_per_sm = 64,
    .shared_optin_bytes = INT64_C(1) << 30,
    .shared_per_sm_bytes = INT64_C(1) << 30,
    .l2_bytes = INT64_C(1) << 40,
    .memory_bytes = INT64_C(1) << 50,
    .memory_free_bytes = INT64_C(1) << 50,
};

#define CHECK_GPU(right) CHECK_FOR(right, "%s", gpu->arch)

/* Plausible facts. From 8.0 on, a multiprocessor reserves 1 KiB of shared
 * memory. */
static void check_known(const struct known_gpu *gpu)
{
    const struct device_facts *f = &gpu->facts;
    const int kept = f->compute_capability < 80 ? 0 : 1024;
    CHECK_GPU(atoi(gpu->arch + 3) == f->compute_capability);
    CHECK_GPU(f->shared_optin_bytes + kept == f->shared_per_sm_bytes);
    CHECK_GPU(f->max_threads_per_sm % 512 == 0 &&
              f->max_threads_per_block == 1024);
    CHECK_GPU(f->max_blocks_per_sm * 32 <= f->max_threads_per_sm &&
              f->max_blocks_per_sm >= 16);
    CHECK_GPU(f->l2_bytes > f->shared_per_sm_bytes &&
              f->memory_bytes > 64 * f->l2_bytes && gpu->bus_gbps > 100);
    CHECK(known_gpu_find(gpu->arch) == gpu);
    CHECK(known_gpu_find(gpu->arch + 3) == gpu);
}

/* A larger machine becomes the card, but keeps its own code. */
static void check_lowered(const struct known_gpu *gpu)
{
    struct device_facts facts = large, wanted = gpu->facts;
    pretend(&facts, gpu);
    wanted.index = large.index;
    wanted.code_capability = large.compute_capability;
    CHECK_GPU(memcmp(&facts, &wanted, sizeof facts) == 0);
    pretend(&facts, known_gpus);
    CHECK(facts.code_capability == large.compute_capability);
}

/* A smaller machine does not change. */
static void check_kept(const struct known_gpu *gpu)
{
    const struct device_facts host = { .kind = DEVICE_HOST,
                                       .sm_count = 2,
                                       .l2_bytes = 1 << 20,
                                       .memory_bytes = 1 << 28,
                                       .memory_free_bytes = 1 << 27 };
    struct device_facts facts = host;
    pretend(&facts, gpu);
    CHECK_GPU(memcmp(&facts, &host, sizeof facts) == 0);
}

int main(void)
{
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        check_known(gpu);
        check_lowered(gpu);
        check_kept(gpu);
        CHECK(gpu == known_gpus ||
              gpu->facts.compute_capability > gpu[-1].facts.compute_capability);
    }
    char text[KNOWN_GPUS_BYTES];
    CHECK(strncmp(known_gpus_text(text), "known are sm_75 (", 17) == 0 &&
          text[strlen(text) - 1] == ')'); /* there is room for all */
    CHECK(strcmp(known_gpu_find("a100")->arch, "sm_80") == 0 &&
          strcmp(known_gpu_find("rtx 4090")->arch, "sm_89") == 0);
    CHECK(!known_gpu_find("a10") && !known_gpu_find("40") &&
          !known_gpu_find("sm_999") && !known_gpu_find("") &&
          !known_gpu_find("sm_"));
    return test_end();
}
