/* SPDX-License-Identifier: MIT
 *
 * Variants whose kernels are gone, but which published runs timed. Their times
 * teach forests which problems are alike: rules that are learnt without them
 * differ by chance more than a variant is worth (docs/experiments.md). So rules
 * name them, and `best` passes over them, as over all that a build lacks.
 */
#include "src/base/memory.h"
#include "src/choose/catalogue.h"

/* As the catalogue has them: a folder, a room in it, a name. */
#define RETIRED(folder, room, point)                                           \
    {                                                                          \
        .id = folder "/", .name = point, .file = folder "/" room "/"           \
    }
static const struct catalogue_point retired_points[] = {
    RETIRED("scan", "line_owner", "warp_per_line_b128_i8"),
    RETIRED("scan", "line_owner", "cluster_per_line_tiles_c4_b256_i64"),
    RETIRED("scan", "columns", "column_in_shared_k72"),
    RETIRED("scan", "columns", "column_in_shared_k44"),
    RETIRED("scan", "columns", "column_tma_ring_l16"),
    RETIRED("reduce", "line_owner", "warp_per_line_b512_i32"),
    RETIRED("reduce", "columns", "block_per_period_b256"),
    RETIRED("reduce", "spans", "span_registers_b320_i32"),
    RETIRED("reduce", "spans", "span_tma_ring_64kx3x1"),
    RETIRED("reduce", "split_axis", "split_axis_atomics_i16"),
    { 0 },
};

struct catalogue_point *points_measured(void)
{
    const struct catalogue_point *const parts[] = { variant_points,
                                                    retired_points };
    struct catalogue_point *points = NULL;
    size_t count = 0;
    for (int k = 0; k < 2; ++k)
        for (const struct catalogue_point *p = parts[k]; p->name; ++p) {
            points = memory_more(points, count, sizeof *points);
            points[count++] = *p;
        }
    points = memory_more(points, count, sizeof *points);
    points[count] = (struct catalogue_point){ 0 };
    return points;
}

bool point_was(enum op op, const char *name)
{
    return catalogue_find(retired_points, op, name) >= 0;
}
