/* SPDX-License-Identifier: MIT
 *
 * A variant sees every problem at one address, and is asked for its output once
 * a launch, as a part of it.
 */
#include "harness/device/launched.h"

#include "src/base/test.h"

static const struct problem *seen;
static int asked, result;

static int launch(const struct problem *p, void *stream)
{
    seen = p;
    CHECK(stream == &asked);
    return result;
}

static const void *output(const struct problem *p)
{
    CHECK(p == seen);
    ++asked;
    return p->workspace;
}

int main(void)
{
    struct variant variant = { .name = "any", .launch = launch };
    const struct problem first = { .workspace = &asked };
    const struct problem second = { .workspace = &result };
    CHECK(launched_by(&variant, &first, &asked) == 0);
    CHECK(seen->workspace == &asked && !launched_to());
    const struct problem *const there = seen;
    variant.output = output;
    CHECK(launched_by(&variant, &second, &asked) == 0);
    CHECK(seen == there && seen->workspace == &result);
    CHECK(launched_to() == &result && asked == 1);
    result = 7;
    CHECK(launched_by(&variant, &first, &asked) == 7);
    CHECK(!launched_to() && asked == 1);
    return test_end();
}
