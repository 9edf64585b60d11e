/* SPDX-License-Identifier: MIT */
#include "cli/suggest.h"

#include "cli/common/points.h"
#include "harness/sweep/plan.h"
#include "src/base/nearest.h"

#include <stdio.h>
#include <string.h>

/* The first word of --family that names nothing, with its nearest family of
 * any build. */
static void tell_family(const char *family)
{
    enum { MOST = 512, WORD_BYTES = 96 };
    const char *names[MOST], *near;
    char word[WORD_BYTES];
    size_t count = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(family, ","), family);
    for (const struct catalogue_point *p = variant_points;
         p->name && count < MOST; ++p)
        if (p == variant_points || strcmp(p->id, p[-1].id) != 0)
            names[count++] = p->id;
    fprintf(stderr, " '%s'", word);
    if (nearest_names(word, names, count, &near, 1) == 0)
        return;
    if (strcmp(near, word) == 0)
        fputs(", which is not built here", stderr);
    else
        fprintf(stderr, "; did you mean %s?", near);
}

void suggest_tell_empty(const struct options *options, unsigned kinds)
{
    const char *family = plan_unknown_family(options);
    fputs("scanbench: nothing matches", stderr);
    if (family)
        tell_family(family);
    else if (kinds == 1u << DEVICE_HOST)
        fputs(device_of(DEVICE_CUDA)
                  ? " on the host (GPU variants need a usable GPU)"
                  : " on the host (this build has no GPU variants)",
              stderr);
    else if (kinds == 1u << DEVICE_CUDA)
        fputs(" on the GPU", stderr);
    fputs("\nscanbench list --families shows every family\n", stderr);
}
