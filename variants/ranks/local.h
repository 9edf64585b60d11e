/* SPDX-License-Identifier: MIT
 *
 * The parts of the designs of mgpu/: steps of one rank, which are queued on one
 * of its streams (on the host: done at once), and the exchange. Scans are those
 * of the registry, which get the carry as elements in front of the line. All
 * return 0 or the device's error code.
 */
#ifndef VARIANTS_RANKS_LOCAL_H
#define VARIANTS_RANKS_LOCAL_H

#include "src/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lines [first, first + count) of a part, in whole outer slices. */
struct lines {
    int64_t first, count;
};

/* The stage of totals that are in `gathered` already, so that no rank waits. */
enum { GATHERED = -1 };

/* The steps on one kind of device. With only_exchange, they publish totals and
 * wait for them, and do nothing else. */
struct local {
    /* totals = the sums of the part's lines. */
    int (*totals)(const struct ranks *ranks, int rank, struct lines lines,
                  void *stream);
    /* The same, from a part that was scanned into out. */
    int (*last)(const struct ranks *ranks, int rank, void *stream);
    /* Writes the rank's totals into `gathered` of all ranks after it (in a sum:
     * of all ranks), and then raises their flags. */
    int (*publish)(const struct ranks *ranks, int rank, struct lines lines,
                   int stage, void *stream);
    /* These wait for what the ranks before this one (in a sum: all ranks)
     * publish at that stage. Since ranks may be streams of one GPU, all of them
     * publish before the first waits.
     *
     * The room in front of the lines = the sum of the earlier ranks' totals. */
    int (*carry)(const struct ranks *ranks, int rank, struct lines lines,
                 int stage, void *stream);
    /* out += the same. */
    int (*add)(const struct ranks *ranks, int rank, int stage, void *stream);
    /* out = the sum of all ranks' totals. */
    int (*sum)(const struct ranks *ranks, int rank, int stage, void *stream);
};

extern const struct local local_host;
#ifdef SCANBENCH_CUDA
extern const struct local local_cuda;
int local_select(int gpu); /* for the calls that follow */
int local_nccl_gather(const struct ranks *ranks); /* totals to gathered */
#endif

/* Returns true if this build has NCCL. */
bool local_has_nccl(void);

/* Selects the rank's GPU, and returns the steps on its device. */
const struct local *local_of(const struct ranks *ranks, int rank);

static inline struct lines all_lines(const struct ranks *ranks)
{
    const struct lines all = { 0, ranks->lines };
    return all;
}

/* Scans or sums the lines of a part by the registry's `best`. */
int local_scan(const struct ranks *ranks, int rank, struct lines lines,
               void *stream);

/* Returns the workspace that suffices for the scan of a part and of either half
 * of its outer slices, for which `best` may choose another variant. Of the part
 * only the shape is read. */
size_t local_workspace_bytes(const struct problem *part);

/* Returns the reason why the registry has no scan for such parts, or NULL. */
const char *local_refuses(const struct problem *problem,
                          const struct split *split);

/* Takes `step`, an error code by rank `r` and its `local`, for every rank, in
 * their order, and returns from the caller with the first error. */
#define EACH_RANK(ranks, r, step)                                              \
    do {                                                                       \
        int error_ = 0;                                                        \
        for (int r = 0; r < (ranks)->count && !error_; ++r) {                  \
            const struct local *local = local_of(ranks, r);                    \
            error_ = local ? (step) : -1;                                      \
        }                                                                      \
        if (error_)                                                            \
            return error_;                                                     \
    } while (0)

/* Queue a step of every rank. */
int local_each_totals(const struct ranks *ranks);
int local_each_scan(const struct ranks *ranks);

/* Exchanges totals through peers' memory or by NCCL. */
int local_gather(const struct ranks *ranks, bool nccl);

/* Returns the stage to wait for after local_gather(). */
static inline int gathered_stage(bool nccl)
{
    return nccl ? GATHERED : 0;
}

/* Queues a whole sum along the axis. */
int local_each_sum(const struct ranks *ranks, bool nccl);

/* refuses() and launch() of a split whose launch_as() exchanges either way. */
#define EXCHANGE_BY(split)                                                     \
    static const char *refuses_##split(const struct problem *p)                \
    {                                                                          \
        return local_refuses(p, &split);                                       \
    }                                                                          \
    static int launch_##split(const struct problem *p, void *stream)           \
    {                                                                          \
        (void)stream;                                                          \
        return launch_as(p->ranks, split.nccl);                                \
    }

#ifdef __cplusplus
}
#endif
#endif
