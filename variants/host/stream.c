/* SPDX-License-Identifier: MIT
 *
 * Idea     The traffic twins on the host: what the C library, a plain loop and
 *          (with OpenMP) every core together make of the same bytes.
 * Against  nothing: these are the ceilings that the others are held to.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 */
#include "variants/host/host.h"

/* A slab is one thread's share of the elements. It begins at a multiple of
 * this many, hence on a cache line if the array does, and never inside one of
 * read's 32-bit words. */
enum { SLAB_STEP = 1024 };

struct slab {
    int64_t begin, end; /* elements */
    int slot;           /* read's own word of the output */
};

static int in_slabs(const struct problem *p, int threads,
                    void (*work)(const struct problem *, struct slab))
{
    const int64_t elems = shape_elems(p->shape);
    const int64_t steps = (elems + SLAB_STEP - 1) / SLAB_STEP;
    const int slabs = threads < READ_SLOTS ? threads : READ_SLOTS;
    PARALLEL_FOR
    for (int slot = 0; slot < slabs; ++slot) {
        int64_t begin = steps * slot / slabs * SLAB_STEP;
        int64_t end = steps * (slot + 1) / slabs * SLAB_STEP;
        work(p, (struct slab){ begin, end < elems ? end : elems, slot });
    }
    return 0;
}

/* --------------------------------------------------------- the C library's */

static void slab_memcpy(const struct problem *p, struct slab slab)
{
    size_t bytes = dtype_bytes(p->dtype), at = (size_t)slab.begin * bytes;
    memcpy((char *)p->out + at, (const char *)p->in + at,
           (size_t)(slab.end - slab.begin) * bytes);
}

static void slab_memset(const struct problem *p, struct slab slab)
{
    size_t bytes = dtype_bytes(p->dtype);
    memset((char *)p->out + (size_t)slab.begin * bytes, WRITE_BYTE,
           (size_t)(slab.end - slab.begin) * bytes);
}
