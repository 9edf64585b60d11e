/* SPDX-License-Identifier: MIT
 *
 * Bug      Says that a NaN spreads, which it does not: so nobody would ask.
 * Shows    where a NaN and an infinity are planted all the same.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    return 0;
}

VARIANTS(broken__host_spreads_nothing) = {
    { .name = "spreads_nothing",
      .idea = "bug: a stale trait",
      .runs_on = DEVICE_HOST,
      .ops = OP_BIT(OP_CUMSUM),
      .dtypes = DTYPE_BIT(DTYPE_F32),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .spreads_nonfinite = true,
      .launch = launch },
    { 0 },
};
