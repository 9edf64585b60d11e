/* SPDX-License-Identifier: MIT
 *
 * The points that variants/points.sh reads off the sources are those that the
 * compiler made of them: of every file that was built, the same names, ideas
 * and contracts in the same order. A build with CUDA and CUB compares all
 * files.
 */
#include "cli/common/commands.h"
#include "src/base/test.h"
#include "variants/registry.h"

#include <string.h>

/* Does the build leave out points of this file that points.sh sees? */
static bool in_part(const struct family *family)
{
#ifndef _OPENMP
    if (strncmp(family->id, "host/", 5) == 0)
        return true;
#endif
    /* They have points for 48 KB of shared memory. */
    static const char *const for_older[] = { "decoupled_lookback",
                                             "interleaved_lookback",
                                             "monotone_windows",
                                             "affine_column_lookback" };
    for (int k = 0; k < 4 && OLDEST_CODE >= 800; ++k)
        if (strcmp(family->id + 5, for_older[k]) == 0)
            return true;
    if (strcmp(family->id, "scan/cub_device_scan") == 0)
        return true; /* a point for CUB 3.5 */
    if (family > registry && strcmp(family[-1].id, family->id) == 0)
        return true; /* a second entry, of operators with few points */
    return !family->variants[0].name; /* all of them: no header for them */
}

static const struct catalogue_point *next(const struct catalogue_point *point,
                                          const char *id)
{
    while (point->name && strcmp(point->id, id) != 0)
        ++point;
    return point;
}

static void check_point(const struct catalogue_point *point,
                        const struct variant *v)
{
    CHECK_FOR(strcmp(point->name, v->name) == 0, "%s, not %s", point->name,
              v->name);
    CHECK_FOR(strcmp(point->idea, v->idea) == 0, "%s: %s, not %s", v->name,
              point->idea, v->idea);
}

/* `best` has several points, of which the least counts. */
static void check_contracts(const struct variant *v, enum op op,
                            enum dtype dtype)
{
    const unsigned kept = variant_contracts(v, op, dtype);
    const unsigned known =
        catalogue_contracts(variant_points, op, dtype, v->name, 0);
    CHECK_FOR(known == kept || (!strcmp(v->name, "best") && !(known & ~kept)),
              "%s %s %s: contracts %u, not %u", v->name, op_name(op),
              dtype_name(dtype), known, kept);
}

static void check_family(const struct family *family)
{
    const struct catalogue_point *point = next(variant_points, family->id);
    CHECK_FOR(point->name, "%s", family->id);
    for (const struct variant *v = family->variants; v->name; ++v) {
        if (in_part(family))
            while (point->name && strcmp(point->name, v->name) != 0)
                point = next(point + 1, family->id);
        if (!CHECK_FOR(point->name, "%s: %s", family->id, v->name))
            return;
        check_point(point, v);
        for (int op = 0; op < op_count(); ++op)
            for (int d = 0; d < DTYPE_COUNT; ++d)
                if (variant_has(v, op_at(op), (enum dtype)d))
                    check_contracts(v, op_at(op), (enum dtype)d);
        point = next(point + 1, family->id);
    }
    CHECK_FOR(in_part(family) || !point->name, "%s: no %s", family->id,
              point->name);
}

/* The second entry of a family has the points of other operators. */
static void check_operators(const struct family *family)
{
    for (const struct catalogue_point *point =
             next(operator_points, family->id);
         point->name; point = next(point + 1, family->id)) {
        const struct variant *v = family->variants;
        while (v->name && strcmp(v->name, point->name) != 0)
            ++v;
        CHECK_FOR(v->name, "%s: no %s of other operators", family->id,
                  point->name);
    }
}

/* Two folders may have points of one name. */
static void check_folders(void)
{
    static const struct catalogue_point points[] = {
        { "scan/x", "x", "", "scan/x.cu", CONTRACT_MONOTONE },
        { "reduce/x", "x", "", "reduce/x.cu", CONTRACT_DETERMINISTIC },
        { NULL },
    };
    CHECK(catalogue_contracts(points, OP_CUMSUM, DTYPE_F32, "x", 0) ==
          CONTRACT_MONOTONE);
    CHECK(catalogue_contracts(points, OP_SUM, DTYPE_F32, "x", 0) ==
          CONTRACT_DETERMINISTIC);
    CHECK(catalogue_contracts(points, OP_SUM, DTYPE_F32, "y", 1) == 1);
}

int main(void)
{
    check_folders();
    CHECK(registry[0].id != NULL && operator_points[0].name != NULL);
    for (const struct family *family = registry; family->id; ++family) {
        check_family(family);
        if (family > registry && strcmp(family[-1].id, family->id) == 0)
            check_operators(family);
    }
    return test_end();
}
