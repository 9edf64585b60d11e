/* SPDX-License-Identifier: MIT
 *
 * Files of rules (src/choose/rules.h), and the choice of one for a GPU. Each
 * line is a fact or a measured problem, as CSV:
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
 * A problem may also use a variant's name: smem_tree_b256=12.5. `rules` is the
 * version of the format and comes first; `model` names the meaning of the
 * problems. `scanbench rules -o` writes such a file.
 */
#ifndef SRC_CHOOSE_RULES_FILE_H
#define SRC_CHOOSE_RULES_FILE_H

#include "src/choose/rules.h"

enum { RULES_VERSION = 2, RULES_WHY_BYTES = 256 };

/* True if a variant of that name exists for one of the operations, built or
 * not. */
typedef bool rules_knows(int kind, const char *variant);

/* Reads a file's text. If it is wrong, returns false with the line and the
 * reason in `why`; nothing has to be freed then. If `knows` is NULL, any name
 * will do. */
bool rules_parse(struct rules *rules, const char *name, const char *text,
                 size_t bytes, rules_knows *knows, char why[RULES_WHY_BYTES]);

/* The rules to follow on a GPU, or NULL if there are none: the first that name
 * it and have its compute capability, or none; else the nearest, those of its
 * capability before all others. The distance is in octaves of multiprocessors,
 * bandwidths and capabilities, where these are known; capabilities count eight
 * times, as 9.0 moves data in another way than 8.6.
 *
 * `capability` is that of the code that will run, if it is older than the GPU
 * (src/choose/code_run.h): the code limits what a variant can do. */
const struct rules *rules_nearest(const struct rules *rules, size_t count,
                                  const char *gpu, int capability, int sm_count,
                                  double bus_gbps);

#endif
