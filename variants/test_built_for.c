/* SPDX-License-Identifier: MIT */
#include "src/base/test.h"
#include "variants/common/built_for.h"

int main(void)
{
    const int turing[] = { 750 };
    const int ampere[] = { 800 }, both[] = { 800, 900 };
    const int consumer[] = { 860, 890 }, newest[] = { 900, 1000 };

    /* its own code, or the closest below of its major version */
    CHECK(code_run(both, 2, 90) == 900);
    CHECK(code_run(both, 2, 80) == 800);
    CHECK(code_run(both, 2, 86) == 800);
    CHECK(code_run(consumer, 2, 89) == 890);
    CHECK(code_run(consumer, 2, 87) == 860);
    CHECK(code_run(newest, 2, 90) == 900);
    CHECK(code_run(newest, 2, 103) == 1000);

    /* the PTX of the newest, where there is no such code */
    CHECK(code_run(ampere, 1, 90) == 800);
    CHECK(code_run(both, 2, 100) == 900);
    CHECK(code_run(newest, 2, 120) == 1000);
    CHECK(code_run(turing, 1, 75) == 750);
    CHECK(code_run(turing, 1, 90) == 750);

    /* none: the PTX is for a newer device */
    CHECK(code_run(ampere, 1, 75) == 0);
    CHECK(code_run(newest, 2, 80) == 0);

    /* A GPU stands for an older one if its code is a major version older. */
    CHECK(code_level(900, 90) == 90 && code_level(800, 89) == 89);
    CHECK(code_level(800, 90) == 80 && code_level(750, 86) == 75);
    CHECK(code_level(900, 100) == 90 && code_level(0, 90) == 90);
    CHECK(code_level(900, 86) == 86); /* what it is taken for is older */

    /* Without an architecture list the device alone decides. */
    const struct device_facts old = { .compute_capability = 80 };
    const struct device_facts hopper = { .compute_capability = 90 };
    CHECK(built_for(&(struct problem){ .device = &hopper }, 90));
    CHECK(!built_for(&(struct problem){ .device = &old }, 90));
    CHECK(built_for(&(struct problem){ .device = &old }, 80));
    CHECK(built_for(&(struct problem){ .device = NULL }, 90));

    /* Taken for an older one, it runs the code it has, and no more of it than
     * the older one would. */
    const struct device_facts taken = { .compute_capability = 86,
                                        .code_capability = 90 };
    CHECK(built_for(&(struct problem){ .device = &taken }, 80));
    CHECK(!built_for(&(struct problem){ .device = &taken }, 90));
    return test_end();
}
