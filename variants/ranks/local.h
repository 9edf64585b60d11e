/* SPDX-License-Identifier: MIT
 *
 * What the designs of mgpu/ are put together from: steps of one rank, which are
 * queued on one of its streams (host: done), and the exchange. Scans are those
 * of the registry; the carry comes to them as elements in front of the line.
 * All return 0 or the device's error code.
 */
#ifndef VARIANTS_RANKS_LOCAL_H
#define VARIANTS_RANKS_LOCAL_H

#include "src/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lines [first, first + count) of a part: whole outer slices. */
struct lines {
    int64_t first, count;
};

/* A stage of totals that are in `gathered` already, which nobody waits for. */
enum { GATHERED = -1 };

/* One device's way to do it. Of only_exchange, totals are published and waited
 * for, and that is all. */
struct local {
    /* totals = the sums of the part's lines. */
    int (*totals)(const struct ranks *ranks, int rank, struct lines lines,
                  void *stream);
    /* The same, of a part that was scanned into out. */
    int (*last)(const struct ranks *ranks, int rank, void *stream);
    /* Puts own totals into `gathered` of every rank that this one comes before
     * (of a sum: of all), and flags behind them. */
    int (*publish)(const struct ranks *ranks, int rank, struct lines lines,
                   int stage, void *stream);
    /* These wait for what the ranks before (of a sum: all) publish at that
     * stage. Ranks may be streams of one GPU: all of them publish before the
     * first waits.
     *
     * The room in front of the lines = what `gathered` has of ranks before. */
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
int local_select(int gpu); /* the calls after it are its */
int local_nccl_gather(const struct ranks *ranks); /* totals to gathered */
#endif

/* Whether this build has NCCL. */
bool local_has_nccl(void);

/* The device's steps; the rank's GPU is selected. */
const struct local *local_of(const struct ranks *ranks, int rank);

static inline struct lines all_lines(const struct ranks *ranks)
{
    const struct lines all = { 0, ranks->lines };
    return all;
}

/* The part's own scan, or that of its lines: the registry's best. */
int local_scan(const struct ranks *ranks, int rank, struct lines lines,
               void *stream);

/* What a part's scan needs, or that of half of its outer slices: `best` may
 * choose another there. Asked with part.shape alone. */
size_t local_workspace_bytes(const struct problem *part);

/* Why the registry has no scan for such parts, or NULL. */
const char *local_refuses(const struct problem *problem,
                          const struct split *split);

/* Steps of every rank, in their order. */
int local_each_totals(const struct ranks *ranks);
int local_each_scan(const struct ranks *ranks);

/* The exchange by peers' memory or by NCCL. */
int local_gather(const struct ranks *ranks, bool nccl);

/* The stage that whoever needs the totals of local_gather() waits for. */
static inline int gathered_stage(bool nccl)
{
    return nccl ? GATHERED : 0;
}

/* The whole of a sum along the axis. */
int local_each_sum(const struct ranks *ranks, bool nccl);

#ifdef __cplusplus
}
#endif
#endif
