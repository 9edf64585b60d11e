/* SPDX-License-Identifier: MIT
 *
 * What the charts of several families along an axis share.
 */
#ifndef HARNESS_CLI_CHART_CURVES_H
#define HARNESS_CLI_CHART_CURVES_H

#include <stdint.h>

#include "harness/cli/chart.h"

/* The families of a chart, those that deserve a colour first. */
struct chart_order {
    int *family;
    double *score; /* [family]; 0: not drawn */
    int count;
};
struct chart_order chart_order_make(const struct chart_grid *grid);
void chart_order_sort(struct chart_order *order);
void chart_order_free(struct chart_order *order);

/* Whether an extent lies beside a power of two (4095, 4097). */
bool chart_is_near(int64_t extent, int64_t power);

#endif
