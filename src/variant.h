/* SPDX-License-Identifier: MIT
 *
 * The whole boundary between the instrument (harness/) and its subject
 * (variants/): the input of a kernel, and its description.
 */
#pragma once

#include "src/model/op.h"

struct rules; /* src/choose/rules.h */
struct ranks; /* src/ranks.h: several GPUs, or streams in their place */
struct split; /* src/ranks.h: the split of a problem over them */

/* Facts of the machine. Grid sizes are computed from these, never from
 * constants. */
struct device_facts {
    enum device_kind kind;
    int index;
    int sm_count;           /* host: threads */
    int compute_capability; /* 90 for 9.0; host: 0 */
    int code_capability;    /* of the code it runs, if these facts are lowered
                               to another GPU's (src/pretend.h), else 0 */
    int max_threads_per_sm; /* 0 on the host, like all other facts of CUDA */
    int max_threads_per_block;
    int max_blocks_per_sm;
    int64_t shared_optin_bytes; /* largest shared memory of one block */
    int64_t shared_per_sm_bytes;
    int64_t l2_bytes; /* host: the last-level cache */
    int64_t memory_bytes;
    int64_t memory_free_bytes;
    const struct rules *rules; /* for `best`, or NULL */
    int gpus; /* number of GPUs, from this one on, that reach each other's
                 memory; 0 on the host */
    const struct rules *portable_rules; /* by which CONTRACT_PORTABLE_BITS
                                           chooses on every GPU, or NULL */
};

/* Guarantees that a caller may demand. Results of integers and bools, and
 * operations that move data, keep them all. */
enum contract {
    CONTRACT_DETERMINISTIC = 1, /* the same bits in every launch */
    CONTRACT_PORTABLE_BITS = 2, /* reductions: the same bits on every GPU */
    CONTRACT_MONOTONE = 4,      /* cumulative sums: over x >= 0 no output is
                                   below the one before it, and over a run of
                                   zeros, whatever is around it, all are equal */
    CONTRACTS = 7
};

/* The work of one launch. Pointers are of the variant's device. `in` has
 * shape_elems() elements, `mask` as many bytes (0 or 1; NULL unless the
 * operation is masked), `out` op_out_elems() elements. `in2` and `initial` are
 * NULL unless op_inputs() is 2 and op_may_start(); the members behind them
 * are NULL or 0 unless the shape is ragged. Inputs are read-only and do not
 * overlap `out`. `workspace` is 256-byte aligned, has
 * workspace_bytes() and is NOT cleared. In refuses() and workspace_bytes() the
 * pointers may be NULL or invalid, but have the alignment of the launch. */
struct problem {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    const void *in;
    const uint8_t *mask;
    void *out;
    void *workspace;
    const struct device_facts *device;
    int rank_count;            /* of a split problem, else 0 */
    const struct ranks *ranks; /* in a launch of a variant with a split, in
                                  place of in, mask and out */
    const void *in2;     /* the second input: a recurrence's b, where in is a */
    const void *initial; /* one element per line (outer x inner), from which its
                            recurrence starts; NULL for none */
    const void *offsets; /* starts of the segments of a ragged shape, ascending
                            from 0, and the end of the last, the axis: segments
                            + 1 integers. A segment may be empty: its reduction
                            is that of an empty axis. A library's caller gives
                            only the mean of the shape's `lines` */
    int64_t segments;    /* 1 at least */
    int offset_bytes;    /* 4 or 8 */
    unsigned contracts;  /* enum contract: what `best` and the library demand of
                            the variant that they call */
    double max_error;    /* the most roundings that the variant's growth may
                            allow (verify_most()), or 0 */
};

/* Growth of a variant's rounding error along a line of n elements: the longest
 * chain of additions, from which the verifier computes a bound
 * (src/verify/verify.h). */
enum error_growth {
    ERROR_NONE,      /* moves data: must be equal */
    ERROR_SERIAL,    /* n additions */
    ERROR_TREE,      /* about 2 log2 n */
    ERROR_TILED,     /* at most 80, and one per error_tile elements: the
                        shortest tile, often that of doubles */
    ERROR_CANCELLING /* subtracts large sums: bounded by the magnitude of the
                        whole line, not of the prefix */
};

/* A variant: one kernel design at one tuning point. It never allocates,
 * synchronises, times or prints; keeps no state between launches, not even on
 * the device; starts no thread or stream, leaves the floating-point mode as it
 * is, and accesses nothing but its problem. docs/verification.md lists which
 * violations are detected. */
struct variant {
    const char *name; /* unique within its operations and its device */
    const char *idea; /* one line */
    enum device_kind runs_on;
    struct op_set ops; /* with their dtypes */
    double passes;     /* its traffic by design, as a multiple of the compulsory
                          traffic: 1, 1.5, 3 … */
    double passes_masked; /* the same for a masked operation in f32, if the mask
                             changes it, else 0 */
    enum error_growth error_growth;
    int64_t error_tile;     /* elements, with ERROR_TILED */
    bool deterministic;     /* keeps CONTRACT_DETERMINISTIC */
    bool spreads_nonfinite; /* a NaN or an infinity reaches other sums than
                               those of its line at and behind its place */
    bool loses_subnormals;  /* the hardware may flush sums of subnormal numbers
                               to 0, or lose bits of them */

    /* The reason why it cannot serve the problem, or NULL. Called for non-empty
     * problems only. A NULL function refuses nothing. */
    const char *(*refuses)(const struct problem *problem);

    /* Bytes of workspace, called only if refuses() returns NULL. A NULL
     * function needs none. */
    size_t (*workspace_bytes)(const struct problem *problem);

    /* Queues the work on the stream, or does it on the host, and returns 0 or
     * the device's error code. Resets all that it needs (look-back flags)
     * itself, so that this is timed. Never called if op_out_bytes() is 0, but
     * called for a sum along an axis of extent 0, which is 0. */
    int (*launch)(const struct problem *problem, void *stream);

    /* The split over several ranks, whose work it queues on the streams of
     * `ranks`; NULL if it works on one device. */
    const struct split *split;

    /* For a variant that allocates its output itself, as frameworks do: the
     * output of the last launch, op_out_bytes() on the variant's device, which
     * stay valid until the next launch. Called right after launch(), as a part
     * of it. With a NULL function, the output is in problem->out. */
    const void *(*output)(const struct problem *problem);

    bool compiles;   /* the first launch on a problem compiles: it may take long
                        without being called slow */
    bool host_waits; /* every launch waits for the device, as a library with
                        its own streams may have to: its time is marked
                        `ungated`. A launch that waits without this is wrong */

    /* True if it serves the problem, but leaves so much of the device idle that
     * another design is faster: a choice by speed leaves it out while another
     * variant serves. A NULL function never idles. */
    bool (*idles)(const struct problem *problem);

    /* The reason of an error that launch() has just returned, for a variant
     * whose errors are not the device's, such as a framework's exceptions. With
     * a NULL function, it is the device's text. */
    const char *(*error_text)(int error);

    bool ordinary_only; /* treats NaNs and subnormal numbers in its own way, as
                           a framework may: verified on exact and real input
                           alone */

    /* True if the last launch left the work to another library's operation: its
     * rows are marked. With a NULL function, none does. */
    bool (*calls_torch)(void);

    bool ragged; /* serves ragged shapes that refuses() accepts; others never
                    get them */

    bool portable_bits; /* a reduction whose bits depend on the problem and, on
                           a GPU alone, on the device's facts: keeps
                           CONTRACT_PORTABLE_BITS where these are fixed
                           (src/pretend.h) */
    bool monotone;      /* a scan that keeps CONTRACT_MONOTONE */
};

static inline bool variant_has(const struct variant *variant, enum op op,
                               enum dtype dtype)
{
    return op_set_has(&variant->ops, op, dtype);
}

/* The contracts that the variant declares. */
static inline unsigned variant_declares(const struct variant *variant)
{
    return (variant->deterministic ? (unsigned)CONTRACT_DETERMINISTIC : 0) |
           (variant->portable_bits ? (unsigned)CONTRACT_PORTABLE_BITS : 0) |
           (variant->monotone ? (unsigned)CONTRACT_MONOTONE : 0);
}

/* Those of the declared contracts that apply to the operation, or all where
 * nothing can break them: the order of elements changes neither an extreme (in
 * doubles, a zero's sign alone) nor its place. Exponentials differ by GPU. */
static inline unsigned contracts_kept(unsigned declared, enum op op,
                                      enum dtype dtype)
{
    const bool reduces = op_is_reduction(op), scans = op_is_scan(op);
    if (!dtype_is_float(dtype) ||
        (declared & CONTRACT_DETERMINISTIC && !reduces && !scans))
        return CONTRACTS;
    if (REDUCERS_EXACT >> op_reducer(op) & 1 &&
        (dtype != DTYPE_F64 || op_gives_index(op)))
        declared = CONTRACTS;
    if (!reduces || op_reducer(op) == REDUCER_LOGADDEXP)
        declared &= ~(unsigned)CONTRACT_PORTABLE_BITS;
    if (!scans || !op_adds(op))
        declared &= ~(unsigned)CONTRACT_MONOTONE;
    return declared;
}

static inline unsigned variant_contracts(const struct variant *variant,
                                         enum op op, enum dtype dtype)
{
    return contracts_kept(variant_declares(variant), op, dtype);
}

/* The reason why it cannot serve the problem, or NULL. */
static inline const char *variant_refuses(const struct variant *variant,
                                          const struct problem *problem)
{
    if (shape_is_ragged(problem->shape) && !variant->ragged)
        return "it serves lines of one length alone";
    return variant->refuses ? variant->refuses(problem) : NULL;
}

static inline bool variant_serves(const struct variant *variant,
                                  const struct problem *problem)
{
    return !variant_refuses(variant, problem);
}

static inline bool variant_idles(const struct variant *variant,
                                 const struct problem *problem)
{
    return variant->idles && variant->idles(problem);
}

/* Traffic of the variant as a multiple of the compulsory traffic. */
static inline double variant_passes(const struct variant *variant, enum op op)
{
    return op_has_mask(op) && variant->passes_masked > 0
               ? variant->passes_masked
               : variant->passes;
}

/* Ends a table of variants: `VARIANTS(scan__block_per_line) = { {...}, {} };`.
 * variants/meson.build expects this symbol of FOLDER/FILE. (In C++, a const at
 * namespace scope has internal linkage unless it is declared first.) */
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
