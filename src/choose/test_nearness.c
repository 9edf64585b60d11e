/* SPDX-License-Identifier: MIT
 *
 * How near shapes are: what is the same, what is nearer, what is another world.
 * With the argument `distances`, what the report's test compares.
 */
#include "src/choose/nearness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/model/split_mix.h"
#include "src/base/test.h"

static double apart(enum op op, struct shape left, struct shape right)
{
    return nearness_distance(op, DTYPE_F32, left, right);
}

static void check_distances(void)
{
    const struct shape lines = { 1024, 4096, 1 }, odd = { 1024, 4095, 1 };
    const struct shape slabs = { 16, 256, 1024 };
    CHECK(apart(OP_SUM, lines, lines) == 0);
    CHECK(isinf(apart(OP_SUM, lines, slabs)));
    CHECK(apart(OP_CUMSUM, lines, odd) >
          apart(OP_CUMSUM, lines, (struct shape){ 1024, 4092, 1 }));
    CHECK(apart(OP_FLIP, slabs, (struct shape){ 16, 256, 2048 }) ==
          apart(OP_FLIP, (struct shape){ 16, 256, 2048 }, slabs));
    CHECK(apart(OP_SUM, slabs, (struct shape){ 64, 256, 1024 }) >
          apart(OP_SUM, slabs, (struct shape){ 32, 256, 1024 }));
}

/* For the report's test: random pairs of shapes of one kind and how far apart
 * they are, a line each: dtype, two shapes, distance. */
static void print_distances(void)
{
    uint64_t seed = 1;
    for (int k = 0; k < 500; ++k) {
        int64_t extent[6];
        char left[SHAPE_TEXT_BYTES], right[SHAPE_TEXT_BYTES];
        for (int e = 0; e < 6; ++e) { /* many that are aligned, and ones */
            const int64_t one = 1 + (int64_t)(split_mix_draw(&seed) % 99);
            extent[e] = one << split_mix_draw(&seed) % 8;
            if (split_mix_draw(&seed) % 4 == 0)
                extent[e] = 1;
        }
        if (k % 2)
            extent[2] = extent[5] = 1;
        const enum dtype dtype = split_mix_draw(&seed) % DTYPE_COUNT;
        const struct shape from = { extent[0], extent[1], extent[2] };
        const struct shape to = { extent[3], extent[4], extent[5] };
        const enum op op = k % 3 ? OP_CUMSUM : OP_SUM;
        const double far = nearness_distance(op, dtype, from, to);
        if (isfinite(far))
            printf("%s %s %s %s %.6f\n", op_name(op), dtype_name(dtype),
                   shape_format(from, left), shape_format(to, right), far);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "distances") == 0) {
        print_distances();
        return 0;
    }
    check_distances();
    return test_end();
}
