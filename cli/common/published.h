/* SPDX-License-Identifier: MIT
 *
 * Several runs at once, for the commands that conclude from published sets.
 */
#ifndef CLI_COMMON_PUBLISHED_H
#define CLI_COMMON_PUBLISHED_H

#include "src/runs/run_folder.h"

struct published {
    struct run_folder *run; /* the newest first, by their manifests */
    size_t count, room;
};

/* Reads every folder; one without a manifest stands for the runs right below
 * it. False, after saying why: a folder without runs, or no rows. */
bool published_read(struct published *set, char *const *folders, int count);
/* A run of a GPU is among them, for all that is known. False after saying that
 * there is none: rules and ladders are of GPU variants. */
bool published_of_gpu(const struct published *set);
void published_free(struct published *set);

/* The last part of the run's path. */
const char *published_name(const struct run_folder *run);

#endif
