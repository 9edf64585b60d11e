/* SPDX-License-Identifier: MIT
 *
 * The named grids of shapes. A grid is a list of shapes with the operations and
 * dtypes to measure there. The plan crosses it with the variants, and adds the
 * traffic twins at every size.
 */
#pragma once

#include "src/model/op.h"

struct grid_item {
    struct shape shape;
    uint64_t ops; /* op_bit()s */
    unsigned dtypes;
};

/* Enough for the longest name, seed and count. */
enum { GRID_NAME_BYTES = 64 };

struct grid {
    struct grid_item *items;
    size_t count;
    enum device_kind kind; /* of the last named grid's device */
};

/* X(name, text for --help): all but the random grids. */
#define GRIDS(X)                                                               \
    X(quick, "small; seconds on a GPU, minutes on a host")                     \
    X(headline, "32768 x 32768 along both dims, and a sum of 128 x 4096 x "    \
                "4095 along dim 1; all types")                                 \
    X(default, "ranges of line length and size, few long lines, strided "      \
               "axes, odd extents; minutes")                                   \
    X(full, "the same in finer steps, every type; an hour")                    \
    X(huge, "more elements than 32 bits can count; f16")                       \
    X(mgpu, "for --ranks: one line, 64 lines, and 4096 columns; 2^24 to 2^33 " \
            "elements (host: 2^14 to 2^20); f32 and f16")                      \
    X(called,                                                                  \
      "shapes that frameworks call, where best was once behind; all types")    \
    X(models, "sizes that language models have: 1 to 512 vocabularies, "       \
              "tokens of 64 to 1024 experts, 640 to 8192 position ids, "       \
              "tokens x hidden states along both dims; all types")             \
    X(ragged, "segments of 4 to 100000 elements on average, uniform and "      \
              "zipf; 2^27 elements (host: 2^22); floats")                      \
    X(aa, "a small sample of everything, to measure one build twice")          \
    X(awkward, "the shapes that tests check; not for timing")

/* Their names; ends with NULL. */
extern const char *const grid_names[];

/* Adds the named grid's items for a kind of device: the default's tensors have
 * 2^22 elements on a host, 2^28 on a GPU. False if there is no such grid. */
bool grid_add(struct grid *grid, const char *name, enum device_kind kind);

/* Adds one item, without dtypes that its shape and operations have already. */
void grid_add_item(struct grid *grid, struct grid_item item);

void grid_free(struct grid *grid);
