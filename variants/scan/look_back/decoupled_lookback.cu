/* SPDX-License-Identifier: MIT
 *
 * Idea     One block per tile, many tiles per line, one pass. A tile publishes
 *          its aggregate at once and scans what it holds; then one warp looks
 *          back over its predecessors, 64 at a time, adding aggregates until
 *          it meets a whole prefix. k72: three tiles with their masks fill an
 *          SM; i28: tiles of 28 floats a thread, for SMs with less.
 * Against  reduce_then_scan: the data is read once, not twice; and block_per_
 *          line: a long line keeps the whole GPU busy.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 * Lesson   One pass serves any length; its cost is the wait for the
 *          predecessor. Rows stored as they are scanned reach the DRAM sooner
 *          than bulk copies of the tile.
 */
#include "variants/scan/look_back/single_pass.cuh"

/* A tile of doubles is half as long, and the bound must hold for it too. The
 * shortest that fits is one of doubles with their mask. */
#define POINT(size, items)                                                     \
    {                                                                          \
        .name = "decoupled_lookback_b256_" size,                               \
        .idea = "a block per tile looks back over its predecessors",           \
        ON_CUDA(scans<IS_LESSON>(), 1),                                        \
        ERROR_OF_TILES(2 * (256 * vectors_held<256, items>(8, true))),         \
        SINGLE_PASS(256, items, IS_LESSON, decoupled, striped)                 \
    }

VARIANTS(scan__decoupled_lookback) = {
    POINT("k72", kFitting),
#if OLDEST_ARCH < 800
    POINT("i28", 28),
#endif
    {},
};
