/* SPDX-License-Identifier: MIT */
#include "src/choose/measured.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"

/* A copy takes 2 us and 2000 us, so that 8 kB more take 0.0163 us more. */
#define HEAD                                                                   \
    "gpu,A GPU,8.6,28,360.5\n"                                                 \
    "ceiling,copy,f32,1,1024,1,2,100,0,copy\n"                                 \
    "ceiling,copy,f32,1,1048576,1,2000,100,0,copy\n"

static const char text[] =
    HEAD "unseen,cumsum,f32,64,1024,1,9,90,1,a\n"
         "unseen,cumsum,f32,128,1024,1,9,80,2,a\n"
         "unseen,cumsum,f32,256,1024,1,9,70,3,best\n"
         "unseen,cumsum,f32,32,1024,7,9,10,50,a\n"
         "unseen,cumsum,f16,64,1024,1,9,20,0,a\n"
         "known,cumsum,f32,64,1100,1,9,11,0,a\n"
         "torch_eager,cumsum,f32,64,1024,1,99,9,900,best\n"
         "unseen,cumsum,f32,1,4096,1,9,60,0,a,64:zipf:0:i64\n"
         "unseen,cumsum,f32,1,8192,1,9,50,0,a,64:zipf:0:i64\n"
         "unseen,cumsum,f32,1,4096,1,9,40,0,a,64:uniform:0:i64\n";

static void check_nearest(const struct measured *measured)
{
    const struct shape here = { 100, 1024, 1 };
    struct measured_near near[MEASURED_NEAR];
    CHECK(measured_nearest(measured, "unseen known", OP_CUMSUM, DTYPE_F32, here,
                           near) == 4);
    CHECK(near[0].cell->shape.outer == 128 && near[1].cell->shape.axis == 1024);
    CHECK(is_near(near[0].octaves, log2(1.28)) && !near[4].cell);
    CHECK(near[2].cell->shape.axis == 1100 && near[3].cell->shape.outer == 256);
    CHECK(measured_nearest(measured, "torch_eager", OP_CUMSUM, DTYPE_F32, here,
                           near) == 1);
    CHECK(near[0].cell->us == 99 && !strcmp(near[0].cell->fastest, "best"));
    CHECK(measured_nearest(measured, "unseen", OP_CUMSUM, DTYPE_F32,
                           (struct shape){ 100, 1024, 3 }, near) == 1);
    CHECK(near[0].cell->share_pct == 10);
    CHECK(!measured_nearest(measured, "unseen", OP_SUM, DTYPE_F32, here, near));
    /* The nearest ragged lines have as many segments, then half as many;
     * another kind is farther. */
    const struct shape ragged = { 1, 8192, 1, { 64, 1, LINES_ZIPF, 4 } };
    CHECK(measured_nearest(measured, "unseen", OP_CUMSUM, DTYPE_F32, ragged,
                           near) == 3);
    CHECK(near[0].cell->share_pct == 50 && near[0].octaves == 0);
    CHECK(near[1].cell->share_pct == 60 && near[1].octaves == 1);
    CHECK(near[2].cell->share_pct == 40 && is_near(near[2].octaves, sqrt(2)));
}

static void check_expected(const struct measured *measured)
{
    struct expectation expected = measured_expect(
        measured, OP_CUMSUM, DTYPE_F32, (struct shape){ 100, 1024, 1 });
    const double us = 2 + 1998. * (100 * 1024 - 1024) / (1048576 - 1024);
    CHECK(expected.share_pct == 80 && is_near(expected.octaves, log2(1.28)));
    CHECK(is_near(expected.us, us / 0.8));
    /* Class few_lines: each of these three by the other two; the f16 one is
     * alone. Errors 15, 0 and 15; regrets 1, 2 and 3. */
    CHECK(expected.shapes == 3 && is_near(expected.error_points, 15));
    CHECK(is_near(expected.regret_pct, 2.8) && expected.usual_octaves == 1);
    /* A shape's own cell does not count. */
    expected = measured_expect(measured, OP_CUMSUM, DTYPE_F32,
                               (struct shape){ 128, 1024, 1 });
    CHECK(expected.share_pct == 80 && expected.octaves == 1);
    expected = measured_expect(measured, OP_CUMSUM, DTYPE_F32,
                               (struct shape){ 256, 1024, 1 });
    CHECK(expected.share_pct == 85);
    /* Below the probes no time is shorter than theirs. */
    expected = measured_expect(measured, OP_CUMSUM, DTYPE_F32,
                               (struct shape){ 1, 1, 1 });
    CHECK(is_near(expected.us, 2 / 0.8));
    expected = measured_expect(measured, OP_SUM, DTYPE_F32,
                               (struct shape){ 128, 1024, 1 });
    CHECK(isnan(expected.share_pct) && isnan(expected.us) && !expected.shapes &&
          isinf(expected.octaves));
}

int main(void)
{
    struct measured measured = { .count = 0 };
    CHECK(measured_parse(&measured, text) && measured.count == 10);
    CHECK(!strcmp(measured.gpu, "A GPU") && measured.capability == 86 &&
          measured.sm_count == 28 && measured.bus_gbps == 360.5);
    check_nearest(&measured);
    check_expected(&measured);
    measured_free(&measured);
    CHECK(!measured_parse(&measured, HEAD "unseen,cumsun,f32,1,2,1,9,9,0,a\n"));
    measured_free(&measured);
    CHECK(!measured_parse(&measured, HEAD "unseen,cumsum,f32,1,2,1,9,9,0\n"));
    measured_free(&measured);
    CHECK(!measured_parse(&measured, "unseen,cumsum,f32,1,2,1,9,9,0,a\n"));
    measured_free(&measured);
    return test_end();
}
