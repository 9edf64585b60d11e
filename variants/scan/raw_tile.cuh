/* SPDX-License-Identifier: MIT
 *
 * Elements that wait in shared memory as they lie in the tensor: loads that
 * pass by the registers, so that as many bytes are in flight as shared memory
 * holds, and half types take half of it. A thread reads back only what it has
 * asked for itself, so waiting for its own copies is enough.
 */
#ifndef VARIANTS_SCAN_RAW_TILE_CUH
#define VARIANTS_SCAN_RAW_TILE_CUH

#include "variants/device.cuh"

/* Width elements that are moved by one access. */
template <class T, int Width>
struct alignas(Width * sizeof(T)) raw {
    T item[Width];
};
template <int Width>
struct alignas(Width) raw_mask {
    uint8_t item[Width];
};

template <class T, int Width>
__device__ __forceinline__ void raw_select(raw<T, Width> &x,
                                           const raw_mask<Width> &m)
{
#pragma unroll
    for (int k = 0; k < Width; ++k)
        if (!m.item[k])
            x.item[k] = from_acc<T>(0);
}

template <class T, int Width>
__device__ __forceinline__ acc_t<T> raw_sum(const raw<T, Width> &x)
{
    acc_t<T> sum = to_acc(x.item[0]);
#pragma unroll
    for (int k = 1; k < Width; ++k)
        sum += to_acc(x.item[k]);
    return sum;
}

/* Replaces the elements by their scan, `carry` having come before. */
template <class Scan, class T, int Width>
__device__ __forceinline__ void raw_scan(raw<T, Width> &x, acc_t<T> carry)
{
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        const acc_t<T> sum = carry + to_acc(x.item[k]);
        x.item[k] = from_acc<T>(Scan::exclusive ? carry : sum);
        carry = sum;
    }
}

/* Copies one access from global to shared memory; done after raw_wait(). One
 * or two bytes are copied at once: no asynchronous copy is that small. */
template <class Access>
__device__ __forceinline__ void raw_copy(Access *shared, const void *global)
{
    const unsigned to = (unsigned)__cvta_generic_to_shared(shared);
    if constexpr (sizeof *shared == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                     "l"(global)
                     : "memory");
    else if constexpr (sizeof *shared >= 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to),
                     "l"(global), "n"((int)sizeof *shared)
                     : "memory");
    else
        *shared = *reinterpret_cast<const Access *>(global);
}

/* Waits for all that this thread has copied. */
__device__ __forceinline__ void raw_wait(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Elements [begin, end) of a tensor; `aligned`: an index that is a multiple of
 * Width, less `lead`, is an aligned address of in, mask and out. */
template <class T>
struct raw_span {
    const T *in;
    const uint8_t *mask;
    T *out;
    int64_t begin, end;
    bool aligned;
};

template <int Width, class T>
__device__ __forceinline__ bool raw_whole(const raw_span<T> &s, int64_t at)
{
    return s.aligned && at >= s.begin && at + Width <= s.end;
}

/* An access that is not whole, singly; 0 outside of the span. */
template <bool Masked, class T, int Width>
__device__ __forceinline__ void raw_load_part(const raw_span<T> &s, int64_t at,
                                              raw<T, Width> *x,
                                              raw_mask<Width> *m)
{
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const bool take = at + k >= s.begin && at + k < s.end;
        x->item[k] = take ? s.in[at + k] : from_acc<T>(0);
        if constexpr (Masked)
            m->item[k] = take && s.mask[at + k];
    }
}

/* Where Count accesses of a thread wait: shared[0], shared[step], …; and
 * their masks. */
template <class T, int Width>
struct raw_slots {
    raw<T, Width> *x;
    raw_mask<Width> *m;
    int step;
};

/* Count accesses at at, at + stride, …, to their slots; 0 outside of the span
 * and where masked off. `inside` (uniform) promises that all are whole. */
template <bool Masked, int Count, class T, int Width>
__device__ __forceinline__ void raw_load(const raw_span<T> &s, int64_t at,
                                         int64_t stride, bool inside,
                                         raw_slots<T, Width> slots)
{
    int64_t here = at;
#pragma unroll(Count < 16 ? Count : 8)
    for (int j = 0; j < Count; ++j, here += stride)
        if (inside || raw_whole<Width>(s, here)) {
            raw_copy(&slots.x[j * slots.step], s.in + here);
            if constexpr (Masked)
                raw_copy(&slots.m[j * slots.step], s.mask + here);
        }
    if (!inside) {
        here = at;
#pragma unroll 1
        for (int j = 0; j < Count; ++j, here += stride)
            if (!raw_whole<Width>(s, here))
                raw_load_part<Masked>(s, here, &slots.x[j * slots.step],
                                      Masked ? &slots.m[j * slots.step] : NULL);
    }
    raw_wait();
}

/* Access j of a thread; masked off elements are 0 from then on. */
template <bool Masked, class T, int Width>
__device__ __forceinline__ raw<T, Width> raw_take(raw_slots<T, Width> slots,
                                                  int j)
{
    raw<T, Width> x = slots.x[j * slots.step];
    if constexpr (Masked) {
        raw_select(x, slots.m[j * slots.step]);
        slots.x[j * slots.step] = x;
    }
    return x;
}

template <class T, int Width>
__device__ __forceinline__ void raw_store(const raw_span<T> &s, int64_t at,
                                          bool inside, const raw<T, Width> &x)
{
    if (inside || raw_whole<Width>(s, at)) {
        *reinterpret_cast<raw<T, Width> *>(s.out + at) = x;
        return;
    }
#pragma unroll
    for (int k = 0; k < Width; ++k)
        if (at + k >= s.begin && at + k < s.end)
            s.out[at + k] = x.item[k];
}

#endif
