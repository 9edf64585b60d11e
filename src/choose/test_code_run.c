/* SPDX-License-Identifier: MIT */
#include "src/choose/code_run.h"

#include "src/base/test.h"

static void check_run(void)
{
    const int ampere[] = { 800 }, both[] = { 800, 900 };
    const int consumer[] = { 860, 890 }, newest[] = { 900, 1000 };

    /* its own code, or the closest below of its major version */
    CHECK(code_run(both, 2, 90) == 900);
    CHECK(code_run(both, 2, 86) == 800);
    CHECK(code_run(consumer, 2, 89) == 890);
    CHECK(code_run(consumer, 2, 87) == 860);
    CHECK(code_run(newest, 2, 103) == 1000);

    /* the PTX of the newest, where there is no such code */
    CHECK(code_run(ampere, 1, 90) == 800);
    CHECK(code_run(both, 2, 100) == 900);
    CHECK(code_run(newest, 2, 120) == 1000);

    /* no code, as the PTX is for a newer device */
    CHECK(code_run(ampere, 1, 75) == 0);
    CHECK(code_run(newest, 2, 80) == 0);
}

/* Only code of an older major version limits a GPU. */
static void check_level(void)
{
    CHECK(code_level(900, 90) == 90 && code_level(800, 89) == 89);
    CHECK(code_level(800, 90) == 80 && code_level(750, 86) == 75);
    CHECK(code_level(900, 100) == 90 && code_level(0, 90) == 90);
    CHECK(code_level(900, 86) == 86); /* 9.0's code on 8.6: no limit */
}

#define PAIR(virtual, real) "-gencode=arch=compute_" virtual ",code=" real

static void check_built(void)
{
    int built[3] = { 0 };
    CHECK(code_built(PAIR("80", "sm_90"), built, 3) == 1 && built[0] == 800);
    CHECK(code_built(PAIR("75", "sm_75") " " PAIR("120", "sm_120") " " PAIR(
                         "120", "compute_120"),
                     built, 3) == 3 &&
          built[0] == 750 && built[1] == 1200 && built[2] == 1200);
    CHECK(code_built(PAIR("90a", "sm_90a"), built, 3) == 1 && built[0] == 900);
    CHECK(code_built(PAIR("100f", "sm_100f"), built, 3) == 1);
    CHECK(!code_built(PAIR("80", "x") " " PAIR("80", "x"), built, 1));
    static const char *const unknown[] = {
        "",
        "-arch=native",
        "-gencode",
        "-gencode=arch=compute_",
        "-gencode=arch=compute_80",
        "-gencode=arch=compute_,code=sm_80",
        "-gencode=arch=compute_-80,code=sm_80",
        "-gencode=arch=compute_99999999999999999999,code=sm_80",
        "-gencode=arch=compute_80,code=sm_80 -arch=native",
    };
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; ++k)
        CHECK_FOR(!code_built(unknown[k], built, 3), "%s", unknown[k]);
}

int main(void)
{
    check_run();
    check_level();
    check_built();
    return test_end();
}
