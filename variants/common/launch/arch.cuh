/* SPDX-License-Identifier: MIT
 *
 * Features of the architecture that is being compiled for. The facts of the
 * device that the code runs on are in device_facts (src/variant.h).
 *
 * Source: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability".
 */
#ifndef VARIANTS_COMMON_LAUNCH_ARCH_CUH
#define VARIANTS_COMMON_LAUNCH_ARCH_CUH

/* The oldest architecture of the build, such as 750, in all its compilations.
 * Those older than 800 have tiles of at most 48 KB. */
#define FIRST_OF(first, ...) first
#define FIRST_OF_LIST(...) FIRST_OF(__VA_ARGS__, 0)
#define OLDEST_ARCH FIRST_OF_LIST(__CUDA_ARCH_LIST__)

/* Bulk copies, clusters and programmatic dependent launch: from 9.0. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HAS_BULK_COPY 1
#else
#define HAS_BULK_COPY 0
#endif

/* Asynchronous copies by threads, and hints for the L2: from 8.0. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAS_ASYNC_COPY 1
#else
#define HAS_ASYNC_COPY 0
#endif

/* Accesses of 32 bytes: from 10.0, and from nvcc 12.9 (PTX ISA 8.8). */
#if (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000) &&                      \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1209
#define HAS_WIDE_ACCESS 1
#else
#define HAS_WIDE_ACCESS 0
#endif

/* Threads and blocks that a multiprocessor holds. */
#if !defined(__CUDA_ARCH__)
constexpr int kSmThreads = 2048, kSmMostBlocks = 32;
#elif __CUDA_ARCH__ == 750
constexpr int kSmThreads = 1024, kSmMostBlocks = 16;
#elif __CUDA_ARCH__ <= 800 ||                                                  \
    (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100 && __CUDA_ARCH__ != 1010)
constexpr int kSmThreads = 2048, kSmMostBlocks = 32;
#elif __CUDA_ARCH__ < 890
constexpr int kSmThreads = 1536, kSmMostBlocks = 16;
#else /* 8.9, 11.0 (10.1 until nvcc 13), 12.x */
constexpr int kSmThreads = 1536, kSmMostBlocks = 24;
#endif

template <int Threads>
constexpr int kSmHolds =
    kSmThreads / Threads < kSmMostBlocks ? kSmThreads / Threads : kSmMostBlocks;

/* Minimum blocks per multiprocessor for __launch_bounds__: Wanted, or as many
 * as it holds. All architectures have 64 Ki registers; shared memory is no
 * limit here, as the code may run on devices that have more of it. */
template <int Threads, int Wanted>
constexpr int kResident =
    Wanted < kSmHolds<Threads> ? Wanted : kSmHolds<Threads>;

/* Tags the kernel, if the optional condition holds, for `fast` and `debt` of
 * its record, by a comment in its PTX. */
#define TAG(name, ...)                                                         \
    if constexpr (true __VA_OPT__(&&(__VA_ARGS__)))                            \
    asm volatile("// tag " #name)

#endif
