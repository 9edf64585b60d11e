/* SPDX-License-Identifier: MIT
 *
 * The points that variants/points.sh reads off the sources are those that the
 * compiler made of them: of every file that was built, the same names and ideas
 * in the same order. A build with CUDA and CUB compares all files.
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
        CHECK_FOR(strcmp(point->name, v->name) == 0, "%s, not %s", point->name,
                  v->name);
        CHECK_FOR(strcmp(point->idea, v->idea) == 0, "%s: %s, not %s", v->name,
                  point->idea, v->idea);
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

int main(void)
{
    CHECK(registry[0].id != NULL && operator_points[0].name != NULL);
    for (const struct family *family = registry; family->id; ++family) {
        check_family(family);
        if (family > registry && strcmp(family[-1].id, family->id) == 0)
            check_operators(family);
    }
    return test_end();
}
