/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strcasestr() */
#include "src/pretend.h"

#include <stdio.h>
#include <string.h>

#define KIB (INT64_C(1) << 10)
#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

/* Architecture, card, GB/s; multiprocessors; threads and blocks of each; KiB of
 * shared memory per block and multiprocessor; MiB of L2; GiB of memory. */
#define GPU(major, minor, card, gbps, sms, threads, blocks, a_block, an_sm,    \
            l2, memory)                                                        \
    {                                                                          \
        "sm_" #major #minor, card, gbps,                                       \
        {                                                                      \
            .kind = DEVICE_CUDA, .sm_count = sms,                              \
            .compute_capability = major * 10 + minor,                          \
            .max_threads_per_sm = threads, .max_threads_per_block = 1024,      \
            .max_blocks_per_sm = blocks, .shared_optin_bytes = a_block * KIB,  \
            .shared_per_sm_bytes = an_sm * KIB, .l2_bytes = l2 * MIB,          \
            .memory_bytes = memory * GIB, .memory_free_bytes = memory * GIB    \
        }                                                                      \
    }

/* Sources beside the Programming Guide, in order: data sheet of the Tesla T4;
 * A100 architecture whitepaper; Ampere GA102 whitepaper and the card's product
 * page; Ada architecture whitepaper, appendix A; H100 architecture whitepaper;
 * HGX B200 data sheet, with multiprocessors and L2 from published output of the
 * CUDA runtime; RTX Blackwell architecture whitepaper. Memory is as sold: the
 * driver reserves some of it. */
/* clang-format off */
const struct known_gpu known_gpus[] = {
    GPU( 7, 5, "Tesla T4",          320,  40, 1024, 16,  64,  64,   4,  16),
    GPU( 8, 0, "A100 40GB",        1555, 108, 2048, 32, 163, 164,  40,  40),
    GPU( 8, 6, "GeForce RTX 3060",  360,  28, 1536, 16,  99, 100,   3,  12),
    GPU( 8, 9, "GeForce RTX 4090", 1008, 128, 1536, 24,  99, 100,  72,  24),
    GPU( 9, 0, "H100 SXM",         3350, 132, 2048, 32, 227, 228,  50,  80),
    GPU(10, 0, "B200",             8000, 148, 2048, 32, 227, 228, 126, 180),
    GPU(12, 0, "GeForce RTX 5090", 1792, 170, 1536, 24,  99, 100,  96,  32),
    { 0 },
};
/* clang-format on */

/* True for whole words of a card's name, such as "a100" or "rtx 4090". */
static bool names_card(const char *name, const char *card)
{
    const char *at = strcasestr(card, name);
    return at && (at == card || at[-1] == ' ') && strchr(" ", at[strlen(name)]);
}

const struct known_gpu *known_gpu_find(const char *name)
{
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu)
        if (strcmp(gpu->arch, name) == 0 || strcmp(gpu->arch + 3, name) == 0 ||
            names_card(name, gpu->card))
            return gpu;
    return NULL;
}

const char *known_gpus_text(char text[KNOWN_GPUS_BYTES])
{
    int used = snprintf(text, KNOWN_GPUS_BYTES, "known are");
    for (const struct known_gpu *gpu = known_gpus;
         gpu->arch && used < KNOWN_GPUS_BYTES; ++gpu)
        used += snprintf(text + used, (size_t)(KNOWN_GPUS_BYTES - used),
                         "%s %s (%s)", gpu == known_gpus ? "" : ",", gpu->arch,
                         gpu->card);
    return text;
}

#define LOWER(fact)                                                            \
    facts->fact = facts->fact < to->fact ? facts->fact : to->fact

void pretend(struct device_facts *facts, const struct known_gpu *gpu)
{
    const struct device_facts *to = &gpu->facts;
    if (!facts->code_capability)
        facts->code_capability = facts->compute_capability;
    LOWER(sm_count);
    LOWER(compute_capability);
    LOWER(max_threads_per_sm);
    LOWER(max_threads_per_block);
    LOWER(max_blocks_per_sm);
    LOWER(shared_optin_bytes);
    LOWER(shared_per_sm_bytes);
    LOWER(l2_bytes);
    LOWER(memory_bytes);
    LOWER(memory_free_bytes);
}

bool pretend_portable(struct device_facts *facts)
{
    struct device_facts fixed = *facts;
    if (facts->compute_capability < 80 || facts->shared_optin_bytes < 99 * KIB)
        return false;
    if (!fixed.code_capability)
        fixed.code_capability = facts->compute_capability;
    fixed.sm_count = 132; /* no limit: grids may be larger than the GPU */
    fixed.compute_capability = 80;
    fixed.max_threads_per_sm = 1536;
    fixed.max_threads_per_block = 1024;
    fixed.max_blocks_per_sm = 16;
    fixed.shared_optin_bytes = 99 * KIB;
    fixed.shared_per_sm_bytes = 100 * KIB;
    fixed.l2_bytes = 40 * MIB;
    fixed.rules = facts->portable_rules;
    *facts = fixed;
    return true;
}
