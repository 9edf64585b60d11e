/* SPDX-License-Identifier: MIT
 *
 * Idea     The traffic twins on the host: the C library, a plain loop and (with
 *          OpenMP) every core together move the same bytes.
 * Against  nothing: these are the ceilings that the others are held to.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   Some probes use one core and some all: the best of them is the roof.
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
        if (begin < end)
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

/* ------------------------------------------------------------- plain loops */

/* Hides the value from the compiler, which would turn a loop that only copies
 * or fills into memcpy or memset. */
static uint64_t opaque(uint64_t value)
{
    __asm__("" : "+r"(value));
    return value;
}

#define LOOPS(word)                                                            \
    static void copy_##word(const word *restrict in, word *restrict out,       \
                            int64_t count)                                     \
    {                                                                          \
        const word zero = (word)opaque(0);                                     \
        for (int64_t k = 0; k < count; ++k)                                    \
            out[k] = in[k] ^ zero;                                             \
    }                                                                          \
    static void masked_copy_##word(                                            \
        const word *restrict in, const uint8_t *restrict mask,                 \
        word *restrict out, int64_t count, word fill)                          \
    {                                                                          \
        /* Bits, not a condition, as no branch predictor guesses the mask. */  \
        for (int64_t k = 0; k < count; ++k)                                    \
            out[k] = fill ^ ((in[k] ^ fill) & (word)(0 - (word) !!mask[k]));   \
    }                                                                          \
    static void copy_xor_##word(const word *restrict in,                       \
                                const word *restrict in2, word *restrict out,  \
                                int64_t count)                                 \
    {                                                                          \
        for (int64_t k = 0; k < count; ++k)                                    \
            out[k] = in[k] ^ in2[k];                                           \
    }                                                                          \
    static void write_##word(word *out, int64_t count)                         \
    {                                                                          \
        const word pattern = (word)opaque(WRITE_BYTE * 0x0101010101010101u);   \
        for (int64_t k = 0; k < count; ++k)                                    \
            out[k] = pattern;                                                  \
    }                                                                          \
    static void loop_##word(const struct problem *p, struct slab slab)         \
    {                                                                          \
        const word *in = p->in, *in2 = p->in2;                                 \
        word *out = (word *)p->out + slab.begin;                               \
        const int64_t count = slab.end - slab.begin;                           \
        if (p->op == OP_COPY)                                                  \
            copy_##word(in + slab.begin, out, count);                          \
        else if (p->op == OP_COPY_XOR)                                         \
            copy_xor_##word(in + slab.begin, in2 + slab.begin, out, count);    \
        else if (p->op == OP_WRITE)                                            \
            write_##word(out, count);                                          \
        else                                                                   \
            masked_copy_##word(in + slab.begin, p->mask + slab.begin, out,     \
                               count,                                          \
                               (word)op_identity_bits(p->op, p->dtype));       \
    }

LOOPS(uint8_t)
LOOPS(uint16_t)
LOOPS(uint32_t)
LOOPS(uint64_t)

#define WIDEN(name, element, value)                                            \
    static void widen_##name(const struct problem *p, struct slab slab)        \
    {                                                                          \
        const element *restrict in = p->in;                                    \
        const uint8_t *restrict mask = p->mask;                                \
        int64_t *restrict out = p->out;                                        \
        for (int64_t k = slab.begin; k < slab.end; ++k)                        \
            out[k] = mask ? (value) & -(int64_t) !!mask[k] : (value);          \
    }

WIDEN(i32, int32_t, in[k])
WIDEN(u8, uint8_t, in[k])
WIDEN(bool, uint8_t, in[k] != 0)

static void slab_loop(const struct problem *p, struct slab slab)
{
    if (op_widens(p->op))
        return p->dtype == DTYPE_I32  ? widen_i32(p, slab)
               : p->dtype == DTYPE_U8 ? widen_u8(p, slab)
                                      : widen_bool(p, slab);
    switch (dtype_bytes(p->dtype)) {
    case 8:
        return loop_uint64_t(p, slab);
    case 4:
        return loop_uint32_t(p, slab);
    case 2:
        return loop_uint16_t(p, slab);
    default:
        return loop_uint8_t(p, slab);
    }
}

/* memcpy() of a word, since elements may be narrower, and begin anywhere. */
static void slab_read(const struct problem *p, struct slab slab)
{
    const size_t elem_bytes = dtype_bytes(p->dtype);
    const char *in = (const char *)p->in + (size_t)slab.begin * elem_bytes;
    const size_t bytes = (size_t)(slab.end - slab.begin) * elem_bytes;
    uint32_t all = 0, word, last = 0;
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        memcpy(&word, in + at, 4);
        all ^= word;
    }
    memcpy(&last, in + bytes / 4 * 4, bytes % 4);
    ((uint32_t *)p->out)[slab.slot] = all ^ last;
}

/* ---------------------------------------------------------------- launches */

static int loop_on(const struct problem *p, int threads)
{
    if (p->op != OP_READ)
        return in_slabs(p, threads, slab_loop);
    memset(p->out, 0, READ_SLOTS * sizeof(uint32_t));
    return in_slabs(p, threads, slab_read);
}

#define LAUNCH(name, call)                                                     \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        (void)stream;                                                          \
        return call;                                                           \
    }

LAUNCH(memcpy, in_slabs(p, 1, slab_memcpy))
LAUNCH(memset, in_slabs(p, 1, slab_memset))
LAUNCH(loop, loop_on(p, 1))
#ifdef _OPENMP
LAUNCH(memcpy_parallel, in_slabs(p, p->device->sm_count, slab_memcpy))
LAUNCH(memset_parallel, in_slabs(p, p->device->sm_count, slab_memset))
LAUNCH(loop_parallel, loop_on(p, p->device->sm_count))
#endif

/* Any reducer, as libscanbench masks inputs with their identities. */
#define ANY ~UINT64_C(0)

#define POINT(name_, forms, idea_)                                             \
    {                                                                          \
        .name = #name_, .idea = idea_, .runs_on = DEVICE_HOST,                 \
        .ops = { forms, { ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY } },          \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch_##name_                                               \
    }

VARIANTS(host__stream) = {
    POINT(memcpy, FORM_OF(OP_COPY), "the C library's copy"),
    POINT(memset, FORM_OF(OP_WRITE), "the C library's fill"),
    POINT(loop, FORMS_TWIN, "a plain loop over the elements"),
#ifdef _OPENMP
    POINT(memcpy_parallel, FORM_OF(OP_COPY), "memcpy on every core"),
    POINT(memset_parallel, FORM_OF(OP_WRITE), "memset on every core"),
    POINT(loop_parallel, FORMS_TWIN, "a plain loop on every core"),
#endif
    { 0 },
};
