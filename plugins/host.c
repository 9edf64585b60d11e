/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread walks one line after the other, and adds.
 * Against  (the simpler neighbour, and what is different here)
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   (what one should know afterwards)
 */
#include "src/plugin.h"

/* Scans or sums one line. */
static void walk(const struct problem *p, int64_t line)
{
    const struct shape s = p->shape;
    const bool reverse = op_is_reverse(p->op);
    const int64_t first = line / s.inner * s.axis * s.inner + line % s.inner;
    double sum = 0;
    for (int64_t step = 0; step < s.axis; ++step) {
        const int64_t a = reverse ? s.axis - 1 - step : step;
        const int64_t at = first + a * s.inner;
        const bool keep = !op_has_mask(p->op) || p->mask[at];
        const double before = sum;
        sum += keep ? dtype_load(p->dtype, p->in, at) : 0;
        if (!op_is_reduction(p->op))
            dtype_store(p->dtype, p->out, at,
                        op_is_exclusive(p->op) ? before : sum);
    }
    if (op_is_reduction(p->op))
        dtype_store(p->dtype, p->out, line, sum);
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream; /* always NULL on the host */
    for (int64_t line = 0; line < shape_lines(p->shape); ++line)
        walk(p, line);
    return 0;
}

/* src/variant.h documents every field, and the limits of a launch. */
static const struct variant points[] = {
    { .name = "my_idea",
      .idea = "one thread walks one line after the other",
      .runs_on = DEVICE_HOST,
      .ops = OPS(FORMS_SCAN | FORM_REDUCE, DTYPES_FLOAT),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .launch = launch },
    { 0 },
};

PLUGIN("my_idea", { "host/my_idea", points });
