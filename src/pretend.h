/* SPDX-License-Identifier: MIT
 *
 * GPUs that a device can be taken for, so that what would be refused and how
 * grids and workspace would be sized there can be seen without the card. One
 * typical card an architecture. Threads, blocks and shared memory are those of
 * "Technical Specifications per Compute Capability" in NVIDIA's CUDA C++
 * Programming Guide (13.0); the rest has its source at the table, pretend.c.
 */
#ifndef SRC_PRETEND_H
#define SRC_PRETEND_H

#include "src/variant.h"

struct known_gpu {
    const char *arch; /* "sm_86" */
    const char *card; /* "GeForce RTX 3060" */
    double bus_gbps;  /* of its memory, 1e9 bytes a second */
    struct device_facts facts;
};

/* In ascending order of compute capability; ends with a NULL arch. */
extern const struct known_gpu known_gpus[];

/* By its architecture, "sm_86" or "86"; NULL: unknown. */
const struct known_gpu *known_gpu_find(const char *arch);

/* "known are sm_75 (Tesla T4), ...": for who named another. */
enum { KNOWN_GPUS_BYTES = 256 };
const char *known_gpus_text(char text[KNOWN_GPUS_BYTES]);

/* The least of each fact and the pretended one: what a machine cannot give is
 * not promised. Facts that are 0 (not there, or unknown) stay 0. The code that
 * the device runs stays that of the real one. */
void pretend(struct device_facts *facts, const struct known_gpu *gpu);

#endif
