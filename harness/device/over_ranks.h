/* SPDX-License-Identifier: MIT
 *
 * A device for --ranks (src/ranks.h). It wraps the device of its kind: before a
 * launch, and untimed, a problem is dealt out to the ranks; before the whole is
 * read or changed, the parts are gathered. So buffers, guards and the verifier
 * have one tensor. A traffic twin runs on all ranks at once, and its time is
 * the ceiling of them all.
 */
#pragma once

#include "harness/device/device.h"
#include "src/ranks.h"

const struct device *ranks_device(enum device_kind kind);

/* The variant's own split, a twin's, or NULL if it has none. */
const struct split *ranks_split(const struct variant *variant, enum op op);

/* A part of a tensor: rows `pitch` apart, on the rank part_pitch. */
struct part_rows {
    int64_t rows, width, first, pitch; /* elements, in the whole */
    int64_t part_first, part_pitch;
    struct shape shape; /* of the part, with its room for a carry */
    int64_t carry_rows;
};

struct part_rows ranks_part(const struct split *split, int rank, int count,
                            enum op op, enum dtype dtype, struct shape shape);

/* The part of a sum's output, for a split by lines. */
struct part_rows ranks_sums(const struct split *split, int rank, int count,
                            struct shape shape);

/* fork() and join() return an error code, the others NULL or a reason. */
struct rank_gpus {
    /* Number of GPUs from `first` on that reach each other's memory. */
    int (*reach)(int first);
    /* Makes streams, peer access and, if asked, NCCL's communicators. */
    const char *(*open)(struct ranks *ranks, bool nccl);
    const char *(*select)(const struct rank *rank);
    /* Copies rows of `width` bytes, between any two GPUs. */
    const char *(*copy)(void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t width, size_t rows);
    const char *(*wait)(const struct ranks *ranks); /* for all GPUs */
    const char *(*flush)(const struct ranks *ranks, size_t bytes);
    /* fork(): the ranks wait for the stream; join(): the stream for them. */
    int (*fork)(const struct ranks *ranks, void *stream);
    int (*join)(const struct ranks *ranks, void *stream);
};
#ifdef SCANBENCH_CUDA
extern const struct rank_gpus rank_gpus;
#endif
