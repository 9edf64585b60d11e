/* SPDX-License-Identifier: MIT */
#include "src/base/test.h"
#include "variants/common/launch/built_for.h"

int main(void)
{
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
