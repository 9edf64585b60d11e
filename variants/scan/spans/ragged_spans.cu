/* SPDX-License-Identifier: MIT
 *
 * Idea     A ragged line of segments is one span of memory, cut into tiles of
 *          equal size, whatever segments they hold. A first kernel searches the
 *          offsets for each tile's first. A block copies its tile to shared
 *          memory, and marks there where segments end; each thread scans
 *          consecutive elements, and begins anew after a mark.
 * Against  row_tile_lookback, whose lines have one length: there a thread
 *          counts, here it reads a byte per element. A loop over segments would
 *          be slow for short ones.
 * Traffic  2N elements, the offsets, and two words per tile (passes = 1).
 * Needs    a ragged shape, inner = 1.
 * Source   segmented scans: G. Blelloch, "Prefix Sums and Their Applications",
 *          CMU-CS-90-190; the look-back: D. Merrill and M. Garland,
 *          "Single-pass Parallel Prefix Scan with Decoupled Look-back",
 *          NVR-2016-002.
 * Lesson   Segments are data, like the elements: work that is divided by memory
 *          is even, however long they are.
 */
#include "variants/common/look_back/ragged_spans.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

template <class T, class Scan>
using span_scan = ragged_span<op_of<Scan, T>, Scan::reverse, kRaggedVecs<T>>;

template <class T, class Scan>
static __global__ void
__launch_bounds__(kRaggedThreads, kResident<kRaggedThreads, kRaggedSpanBlocks>)
    ragged_spans(const T *__restrict__ in, T *__restrict__ out,
                 const struct ragged_elems t, unsigned long long *ticket,
                 tile_state<acc_of<Scan, T>> *states, const int64_t *starts)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Span = span_scan<T, Scan>;
    using Mover = tile_mover<T, false, kRaggedThreads>;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Span::Shared shared;
    __shared__ typename Mover::shared loaded;
    __shared__ int64_t taken;
    T *const x = (T *)shared_tile;
    const Span span = { t.rows, x, (uint8_t *)(x + Span::kElems) };
    Mover mover = { in, NULL, { x, NULL }, &loaded, 0 };
    ragged_tickets tickets = { ticket, &taken };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
        tickets.take();
    }
    span.clear();
    for (;;) {
        const int64_t unit = tickets.next();
        if (unit >= t.rows.tiles)
            return;
        const struct ragged_tile tile =
            tile_of<Scan::reverse>(t.rows, 1, unit, starts);
        const struct span part =
            span_of(tile.begin, tile.end, tile.first, t.alignment);
        span.load(tile, part, mover);
        const auto carry = span.carry(tile, states, shared);
        if (threadIdx.x == 0)
            tickets.take();
        span.scan(carry);
        mover.store(part, x, out);
    }
}

/* ------------------------------------------------------------------ host */

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (!Scan::exclusive && !Scan::masked)
                return launch_ragged_spans<span_scan<T, Scan>>(
                    p, ragged_spans<T, Scan>,
                    span_scan<T, Scan>::kElems * (int)(sizeof(T) + 1), stream);
            return cudaErrorNotSupported;
        });
}

/* error_tile: one of doubles. */
VARIANTS(scan__ragged_spans) = {
    { .name = "ragged_spans",
      .idea = "a block per span of memory, whatever segments it holds",
      ON_CUDA(scans<kNeeds>(FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE)),
              1),
      ERROR_OF_TILES(2 * kRaggedThreads * kRaggedVecs<double>),
      .refuses = ragged_span_refuses,
      .workspace_bytes =
          ragged_span_bytes<2 * kRaggedThreads * kRaggedVecs<double>>,
      .launch = launch,
      .ragged = true },
    {},
};
