/* SPDX-License-Identifier: MIT
 *
 * Prints the nanoseconds per plan of some operations, over random shapes on the
 * fake H200 of fake_gpu.c, as the minimum of many rounds. With arguments, it
 * only checks that scanbench_device_text() of cuda:0 contains them. Exit status
 * 77: no kernel for a GPU is linked.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/scanbench.h"
#include "src/base/clock.h"

static double drawn(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static struct scanbench_shape drawn_shape(void)
{
    const double bits = 31 * drawn(), part = drawn(), of = drawn();
    const int strided = drawn() < 0.5;
    struct scanbench_shape shape = {
        (int64_t)exp2(bits * (1 - part)),
        (int64_t)exp2(bits * part * (strided ? 1 - of : 1)),
        strided ? (int64_t)exp2(bits * part * of) : 1
    };
    return shape;
}

enum { PLANS = 1000, ROUNDS = 200 };

static int time_op(const char *name, int op, int dtype)
{
    static struct scanbench_shape shapes[PLANS];
    struct scanbench_plan plan;
    double least = INFINITY;
    for (int k = 0; k < PLANS; ++k)
        shapes[k] = drawn_shape();
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = clock_us();
        for (int k = 0; k < PLANS; ++k) {
            const int error = scanbench_plan(op, dtype, shapes[k], 0, &plan);
            if (error == SCANBENCH_NOT_BUILT)
                return 77;
            if (error) {
                puts(scanbench_error_text(error));
                return 1;
            }
        }
        const double us = (clock_us() - start) / PLANS;
        least = us < least ? us : least;
    }
    printf("%s: %.0f ns\n", name, least * 1e3);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int op;
    } ops[] = {
        { "cumsum", SCANBENCH_CUMSUM },
        { "cumsum_reverse", SCANBENCH_CUMSUM | SCANBENCH_REVERSE },
        { "masked_cumsum", SCANBENCH_CUMSUM | SCANBENCH_MASKED },
        { "sum", SCANBENCH_SUM },
        { "flip", SCANBENCH_FLIP },
        { "cumprod", SCANBENCH_CUMPROD },
        { "amax", SCANBENCH_AMAX },
        { "argmax", SCANBENCH_ARGMAX },
        { "logsumexp", SCANBENCH_LOGSUMEXP },
    };
    int timed = 0;
    struct scanbench_plan plan;
    scanbench_plan(SCANBENCH_CUMSUM, SCANBENCH_F32,
                   (struct scanbench_shape){ 1, 1, 1 }, 0, &plan);
    puts(scanbench_device_text(0));
    for (int k = 1; k < argc; ++k)
        if (!strstr(scanbench_device_text(0), argv[k]))
            return 1;
    for (size_t k = 0; argc == 1 && k < sizeof ops / sizeof *ops; ++k) {
        const int status = time_op(ops[k].name, ops[k].op, SCANBENCH_F32);
        if (status == 1)
            return 1;
        timed += status == 0;
    }
    return argc > 1 || timed ? 0 : 77;
}
