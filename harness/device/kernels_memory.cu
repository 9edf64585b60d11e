/* SPDX-License-Identifier: MIT
 *
 * Kernels on plain bytes: guards, garbage and fingerprints.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_walk.h"

/* ---------------------------------------------------------------- guards */

constexpr int kBlocksOfGuard = 64;

/* One bit per guard; 0 between calls. */
static __device__ unsigned broken_guards;

/* Writes or checks the guards, byte by byte: a buffer may end anywhere. */
static __global__ void guards_kernel(const __grid_constant__ guards g,
                                     bool write)
{
    const struct guard guard = g.at[blockIdx.y];
    bool broken = false;
    for (int at = blockIdx.x * kThreads + threadIdx.x; at < GUARD_BYTES;
         at += kBlocksOfGuard * kThreads) {
        if (write)
            guard.memory[at] = guard.byte;
        else
            broken |= guard.memory[at] != guard.byte;
    }
    if (broken)
        atomicOr(&broken_guards, 1u << blockIdx.y);
}

static cudaError_t launch_guards(const struct guards *guards, bool write)
{
    if (guards->count > 0)
        guards_kernel<<<dim3(kBlocksOfGuard, (unsigned)guards->count),
                        kThreads>>>(*guards, write);
    return cudaGetLastError();
}

const char *kernels_write_guards(const struct guards *guards)
{
    TRY(launch_guards(guards, true));
    return NULL;
}

const char *kernels_check_guards(const struct guards *guards,
                                 const char **where)
{
    const unsigned none = 0;
    unsigned broken = 0;
    *where = NULL;
    TRY(launch_guards(guards, false));
    TRY(cudaMemcpyFromSymbol(&broken, broken_guards, sizeof broken));
    if (!broken)
        return NULL;
    int first = 0;
    while (!(broken >> first & 1))
        ++first;
    *where = guards->at[first].where;
    TRY(cudaMemcpyToSymbol(broken_guards, &none, sizeof none));
    return NULL;
}

/* --------------------------------------------------------------- garbage */

static __global__ void garbage_kernel(void *memory, int64_t bytes,
                                      uint64_t seed)
{
    for (GRID_STRIDE(word, bytes / 4))
        ((uint32_t *)memory)[word] = garbage_word(seed, (uint64_t)word);
    if (blockIdx.x == 0 && threadIdx.x < bytes % 4)
        ((uint8_t *)memory)[bytes / 4 * 4 + threadIdx.x] = 1;
}

const char *kernels_garbage(void *memory, size_t bytes, uint64_t seed)
{
    if (bytes == 0)
        return NULL;
    garbage_kernel<<<(unsigned)blocks_for((int64_t)bytes / 4 + 1), kThreads>>>(
        memory, (int64_t)bytes, seed);
    TRY(cudaGetLastError());
    return NULL;
}

/* ----------------------------------------------------------- fingerprint */

static __device__ unsigned long long hash_sum;

/* Adds the hashes of vectors or bytes to the sum. Places count on from
 * `first`, so that none is used twice. */
template <class T>
static __global__ void add_hashes(const T *__restrict__ from, int64_t count,
                                  int64_t first)
{
    uint64_t sum = 0;
    for (GRID_STRIDE(at, count)) {
        const T item = from[at];
        if constexpr (sizeof item == FINGERPRINT_VECTOR)
            sum += fingerprint_vector(item.x, item.y, first + at);
        else
            sum += fingerprint_vector(item, 0, first + at);
    }
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&hash_sum, (unsigned long long)sum);
}

/* Fewer blocks than elsewhere, as each warp ends by adding to one sum. */
template <class T>
static void launch_hashes(const void *from, int64_t count, int64_t first)
{
    constexpr int64_t kMostBlocks = 4096;
    const int64_t blocks = blocks_for(count);
    if (count > 0)
        add_hashes<<<(unsigned)(blocks < kMostBlocks ? blocks : kMostBlocks),
                     kThreads>>>((const T *)from, count, first);
}

const char *kernels_fingerprint(const void *memory, size_t bytes,
                                uint64_t *fingerprint)
{
    unsigned long long sum = 0;
    const int64_t vectors = fingerprint_vectors(memory, bytes);
    const int64_t done = vectors * FINGERPRINT_VECTOR;
    TRY(cudaMemcpyToSymbol(hash_sum, &sum, sizeof sum));
    launch_hashes<ulonglong2>(memory, vectors, 0);
    launch_hashes<uint8_t>((const char *)memory + done, (int64_t)bytes - done,
                           vectors);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyFromSymbol(&sum, hash_sum, sizeof sum));
    *fingerprint = sum;
    return NULL;
}
