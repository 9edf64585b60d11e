/* SPDX-License-Identifier: MIT
 *
 * The whole boundary between the instrument (harness/) and the subject
 * (variants/): what a kernel is given, and what it says of itself.
 */
#ifndef SRC_VARIANT_H
#define SRC_VARIANT_H

#include "src/model/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rules; /* src/choose/rules.h */
struct ranks; /* src/ranks.h: several GPUs, or what stands in for them */
struct split; /* likewise: how a problem lies on them */

/* What the machine is. Grid sizes come from here, never from a constant. */
struct device_facts {
    enum device_kind kind;
    int index;
    int sm_count;           /* host: threads */
    int compute_capability; /* 90 for 9.0; host: 0 */
    int code_capability;    /* whose code it runs, where these facts are
                               lowered to another GPU's (src/pretend.h); 0: the
                               same */
    int max_threads_per_sm; /* host: 0, like all below that CUDA owns */
    int max_threads_per_block;
    int max_blocks_per_sm;
    int64_t shared_optin_bytes; /* most shared memory one block may ask for */
    int64_t shared_per_sm_bytes;
    int64_t l2_bytes; /* host: the last-level cache */
    int64_t memory_bytes;
    int64_t memory_free_bytes;
    const struct rules *rules; /* which variant when, for `best`; NULL: none */
    int gpus; /* in this machine, that reach each other's memory from this one
                 on; host: 0 */
};

/* One launch's work. Pointers live on the variant's device. `in` holds
 * shape_elems elements, `mask` as many bytes (0 or 1; NULL unless the operation
 * is masked), `out` op_out_elems elements. `in` and `mask` are read only; they
 * do not overlap `out`. `workspace` is 256-byte aligned, workspace_bytes() long
 * and NOT cleared. In refuses() and workspace_bytes() the pointers may be NULL,
 * or point nowhere; then they are aligned as they will be. */
struct problem {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    const void *in;
    const uint8_t *mask;
    void *out;
    void *workspace;
    const struct device_facts *device;
    int rank_count;            /* over which it is split; 0: it is whole */
    const struct ranks *ranks; /* theirs, in the launch of a variant that has a
                                  split; in, mask and out are not used then */
};

/* How a variant's rounding error may grow along a line of n elements; the
 * verifier turns it into a bound (src/verify/verify.h). */
enum error_growth {
    ERROR_NONE,      /* moves data, adds nothing: must be equal */
    ERROR_SERIAL,    /* a chain of n additions */
    ERROR_TREE,      /* a chain of about 2 log2 n */
    ERROR_TILED,     /* short chains in tiles of error_tile elements, and one
                        chain over the tiles */
    ERROR_CANCELLING /* subtracts large sums: bounded by the whole line's
                        magnitude, not by the prefix's */
};

/* A variant: one kernel design at one tuning point. It never allocates,
 * synchronises, times or prints; it keeps no state between launches, on the
 * device neither; it starts no thread and no stream, leaves the floating-point
 * mode as it is, and touches nothing but its problem. docs/verification.md says
 * what of that is found out. */
struct variant {
    const char *name; /* unique within its operations and its device */
    const char *idea; /* one line */
    enum device_kind runs_on;
    unsigned ops;    /* OP_BIT()s */
    unsigned dtypes; /* DTYPE_BIT()s */
    double passes;   /* compulsory traffic it moves, by design: 1, 1.5, 3 … */
    double passes_masked; /* the same of a masked operation in f32, where the
                             mask makes it another; 0: as passes */
    enum error_growth error_growth;
    int64_t error_tile;     /* elements, with ERROR_TILED */
    bool deterministic;     /* the same bits in every launch */
    bool spreads_nonfinite; /* a NaN or an infinity reaches sums that do not
                               depend on it; else they are contained: in their
                               line, at and behind their place */
    bool loses_subnormals;  /* sums of subnormal numbers may come out as 0, or
                               short of bits: for a lack of the hardware */

    /* Why not, or NULL (as is a NULL function): it can. Asked of non-empty
     * problems only. */
    const char *(*refuses)(const struct problem *problem);

    /* Bytes of workspace, asked only where refuses() has no reason; a NULL
     * function means none. */
    size_t (*workspace_bytes)(const struct problem *problem);

    /* Queues the work on the stream (host: does it) and returns 0, or the
     * device's error code. Resets whatever it must (look-back flags) itself,
     * so that is timed. Never called where op_out_bytes() is 0. A sum along
     * an axis of extent 0 is called, and is 0. */
    int (*launch)(const struct problem *problem, void *stream);

    /* How it lies on several ranks, of which it queues the work on the streams
     * of `ranks`; NULL: it works on one device. */
    const struct split *split;

    /* Of a variant that allocates its output itself, as frameworks do: where
     * the last launch put it, op_out_bytes() of the variant's device, which
     * stay the instrument's until the next launch. A NULL function: it is in
     * problem->out. Asked right behind launch(), as a part of it. */
    const void *(*output)(const struct problem *problem);

    bool compiles; /* the first launch on a problem compiles: it may take long,
                      and is not called slow */
    bool host_waits; /* for the device, in every launch, as a library with
                        streams of its own may have to: the time is marked
                        `ungated`. A launch that waits without this is wrong */

    /* Whether it serves the problem, but with so little of the device at work
     * that another design is faster: who chooses a variant by its speed leaves
     * it out while anything else serves. A NULL function: never. */
    bool (*idles)(const struct problem *problem);
};

static inline bool variant_serves(const struct variant *variant,
                                  const struct problem *problem)
{
    return !variant->refuses || !variant->refuses(problem);
}

static inline bool variant_idles(const struct variant *variant,
                                 const struct problem *problem)
{
    return variant->idles && variant->idles(problem);
}

/* How often the variant moves the operation's compulsory bytes. */
static inline double variant_passes(const struct variant *variant, enum op op)
{
    return op_has_mask(op) && variant->passes_masked > 0
               ? variant->passes_masked
               : variant->passes;
}

/* Ends a table of variants: `VARIANTS(scan__block_per_line) = { {...}, {} };`.
 * The symbol is what variants/meson.build expects of FOLDER/FILE. (In C++ a
 * const at namespace scope has internal linkage unless declared first.) */
#ifdef __cplusplus
#define VARIANTS(id)                                                           \
    extern "C" {                                                               \
    extern const struct variant variants__##id[];                              \
    }                                                                          \
    const struct variant variants__##id[]
#else
#define VARIANTS(id)                                                           \
    extern const struct variant variants__##id[];                              \
    const struct variant variants__##id[]
#endif

#ifdef __cplusplus
}
#endif
#endif
