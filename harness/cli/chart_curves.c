/* SPDX-License-Identifier: MIT */
#include "harness/cli/chart_curves.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct chart_order chart_order_make(const struct chart_grid *grid)
{
    const size_t room = (size_t)grid->family_count;
    struct chart_order order = { memory_for(room, sizeof *order.family),
                                 memory_for(room, sizeof *order.score), 0 };
    for (int f = 0; f < grid->family_count; ++f)
        order.family[f] = f;
    order.count = grid->family_count;
    return order;
}

/* Stable; drops those of no score. */
void chart_order_sort(struct chart_order *order)
{
    int count = 0;
    for (int k = 0; k < order->count; ++k) {
        const int family = order->family[k];
        if (!(order->score[family] > 0))
            continue;
        int at = count++;
        for (; at > 0 &&
               order->score[family] > order->score[order->family[at - 1]];
             --at)
            order->family[at] = order->family[at - 1];
        order->family[at] = family;
    }
    order->count = count;
}

void chart_order_free(struct chart_order *order)
{
    free(order->family);
    free(order->score);
}

static bool is_power(int64_t extent)
{
    return extent > 0 && (extent & (extent - 1)) == 0;
}

bool chart_is_near(int64_t extent, int64_t power)
{
    return is_power(power) && !is_power(extent) &&
           fabs((double)extent / (double)power - 1) < 0.05;
}
