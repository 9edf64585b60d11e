/* SPDX-License-Identifier: MIT
 *
 * What a manifest holds of the build, the command, the host and the device,
 * and whether a run that was begun can be taken up with what is here now.
 */
#ifndef HARNESS_RUN_FOLDER_FACTS_H
#define HARNESS_RUN_FOLDER_FACTS_H

#include "src/runs/manifest.h"
#include "src/variant.h"

enum { UTC_BYTES = 20 };

/* This moment, as 20260131T120000Z. */
char *facts_utc(char utc[UTC_BYTES]);

/* The commit measured: SCANBENCH_COMMIT's word for a tree without git, else
 * what the build saw. */
const char *facts_commit(void);

/* "NVIDIA H200" -> "h200". */
void facts_slug(const char *name, char *slug, size_t bytes);

/* Fills in all that is known when a run starts. False: no memory. */
bool facts_fill(struct manifest *manifest, const struct device_facts *facts,
                int argc, char *const *argv);

/* Is `old` a run that `now` would continue? Says on stderr, key by key, what
 * differs. */
bool facts_match(const struct manifest *old, const struct manifest *now,
                 const char *folder);

#endif
