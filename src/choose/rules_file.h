/* SPDX-License-Identifier: MIT
 *
 * A file of rules, and which of several to follow. A fact or a measured
 * problem (src/choose/rules.h) per line, as CSV:
 *
 *     rules,2
 *     gpu,NVIDIA H200
 *     compute_capability,9.0
 *     sm_count,132
 *     bus_gbps,4916
 *     model,forest
 *     variant,0,warp_per_line_b256_i16
 *     variant,1,smem_tree_b256
 *     problem,sum,f32,64,1024,1,0=0 1=12.5
 *
 * A problem may also name a variant itself: smem_tree_b256=12.5. `rules` is the
 * version of this format, and comes first; `model` names what the lines behind
 * it mean (src/choose/rules.h), so that another model is another name.
 * `scanbench rules -o` writes such a file.
 */
#ifndef SRC_CHOOSE_RULES_FILE_H
#define SRC_CHOOSE_RULES_FILE_H

#include "src/choose/rules.h"

enum { RULES_VERSION = 2, RULES_WHY_BYTES = 256 };

/* Whether a variant of that name exists for one of the operations, built or
 * not. */
typedef bool rules_knows(unsigned ops, const char *variant);

/* Reads a file's text. False: nothing has to be freed, and `why` says what is
 * wrong, with the line's number. `knows` may be NULL: any name will do. */
bool rules_parse(struct rules *rules, const char *name, const char *text,
                 size_t bytes, rules_knows *knows, char why[RULES_WHY_BYTES]);

/* Of the rules the first of that GPU's name, if they are of that compute
 * capability or of none that is known; else, of those of that capability if
 * there are any, the nearest: the fewest powers of two between multiprocessors,
 * bandwidths and capabilities (where known), the last eight times, as 8.6 to
 * 9.0 is a new way to move data. NULL: there are none.
 *
 * The capability is that of the code which will run, where it is older than the
 * GPU (src/choose/code_run.h): what a variant cannot do there, it cannot do
 * here. */
const struct rules *rules_nearest(const struct rules *rules, size_t count,
                                  const char *gpu, int capability, int sm_count,
                                  double bus_gbps);

#endif
