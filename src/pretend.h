/* SPDX-License-Identifier: MIT
 *
 * GPUs that a device can pretend to be, so that refusals and the sizes of grids
 * and workspaces there can be seen without the card; one typical card per
 * architecture. Threads, blocks and shared memory are from "Technical
 * Specifications per Compute Capability" in NVIDIA's CUDA C++ Programming Guide
 * (13.0); pretend.c has the other sources.
 */
#pragma once

#include "src/variant.h"

struct known_gpu {
    const char *arch; /* "sm_86" */
    const char *card; /* "GeForce RTX 3060" */
    double bus_gbps;  /* of the memory, 1e9 bytes a second */
    struct device_facts facts;
};

/* In ascending order of compute capability; ends with a NULL arch. */
extern const struct known_gpu known_gpus[];

/* The GPU of an architecture, "sm_86" or "86", or of words of a card's name in
 * any case, "a100" or "rtx 4090"; or NULL. */
const struct known_gpu *known_gpu_find(const char *name);

/* "known are sm_75 (Tesla T4), ...", for error messages. */
enum { KNOWN_GPUS_BYTES = 256 };
const char *known_gpus_text(char text[KNOWN_GPUS_BYTES]);

/* Lowers each fact to that of the GPU, unless the machine's own is lower, so
 * that only existing resources are used. Facts that are 0 (absent or unknown)
 * stay 0. The device still runs code for its own architecture. */
void pretend(struct device_facts *facts, const struct known_gpu *gpu);

/* Fixes the facts and the rules on which a reduction's order of additions may
 * depend, so that every GPU chooses and computes the same: shared memory and
 * capability are those that all GPUs from 8.0 on have. False, and nothing is
 * changed, on a GPU that has less. */
bool pretend_portable(struct device_facts *facts);
