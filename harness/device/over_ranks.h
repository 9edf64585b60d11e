/* SPDX-License-Identifier: MIT
 *
 * A device over several ranks (src/ranks.h). It is the device of its kind, but
 * that a problem with a rank_count is dealt out to the ranks before a launch,
 * and taken together again before anybody looks at it: so inputs, guards and
 * the verifier know of one tensor. Dealing out is not timed. What moves data
 * only, a twin, works on all ranks at once, and so its time is a ceiling of
 * them all.
 */
#ifndef HARNESS_DEVICE_OVER_RANKS_H
#define HARNESS_DEVICE_OVER_RANKS_H

#include "harness/device/device.h"
#include "src/ranks.h"

/* The device of a kind, with ranks. */
const struct device *ranks_device(enum device_kind kind);

/* How a variant's problem is split: by its own split, or a twin's. NULL: it
 * cannot be. */
const struct split *ranks_split(const struct variant *variant, enum op op);

/* What follows up to ranks_sums() is rank_parts.c's.
 *
 * A part of a tensor, as rows of elements that lie one behind the other on the
 * rank, and `pitch` apart in the whole; `room` before a row's own elements. */
struct part_rows {
    int64_t rows, width, first, pitch; /* elements, in the whole */
    int64_t part_first, part_pitch;    /* in the part */
    struct shape shape; /* the part's, its room for a carry too */
    int64_t carry_rows;
};

/* That of rank `rank` of `count`. */
struct part_rows ranks_part(const struct split *split, int rank, int count,
                            enum op op, enum dtype dtype, struct shape shape);

/* The same of a sum's output, where it is split by lines. */
struct part_rows ranks_sums(const struct split *split, int rank, int count,
                            struct shape shape);

/* What only a machine can do: over_ranks.c's for the host, over_ranks_cuda.c's.
 * Functions return NULL, or what went wrong. */
struct rank_machine {
    /* Streams, and what GPUs need to reach each other. */
    const char *(*open)(struct ranks *ranks, bool nccl);
    const char *(*allocate)(const struct rank *rank, size_t bytes,
                            void **memory);
    void (*release)(const struct rank *rank, void *memory);
    /* Rows of `width` bytes from one place to another, on any GPUs. */
    const char *(*copy)(void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t width, size_t rows);
    const char *(*set)(const struct rank *rank, void *memory, int byte,
                       size_t bytes);
    const char *(*wait)(const struct ranks *ranks); /* until all is done */
    const char *(*flush)(const struct ranks *ranks, size_t bytes);
    /* Ranks begin with the stream, and the stream goes on when all ended. */
    int (*fork)(const struct ranks *ranks, void *stream);
    int (*join)(const struct ranks *ranks, void *stream);
};
#ifdef SCANBENCH_CUDA
extern const struct rank_machine rank_machine_cuda;

/* GPUs from `first` on that reach each other's memory. */
int rank_gpus_cuda(int first);
#endif

#endif
