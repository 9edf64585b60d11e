/* SPDX-License-Identifier: MIT
 *
 * The ladder from the simplest kernel to the fastest: tables in Markdown of the
 * catalogue's files and their shares of the ceiling in published runs.
 */
#pragma once

#include <stdio.h>

#include "src/choose/catalogue.h"
#include "src/runs/run_folder.h"

struct ladder;

/* Reads the runs, the newest first: it counts for every point and shape that it
 * has. For ladder_free(). */
struct ladder *ladder_make(const struct catalogue_point *points,
                           const struct run_folder *runs, size_t run_count);
void ladder_free(struct ladder *ladder);

/* Writes a row for every file of the folder (stream, scan, reduce or flip): its
 * shares of the ceiling, in per cent with a cold cache, over random shapes and,
 * in f32, at the folder's headline shapes. */
void ladder_write(const struct ladder *ladder, const char *folder, FILE *file);
