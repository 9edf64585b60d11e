/* SPDX-License-Identifier: MIT
 *
 * A variant gets every problem at one address, at one depth of the stack, and
 * returns its output's place once per launch, as part of it.
 */
#include "harness/device/device.h"

#include "src/base/test.h"

#include <execinfo.h>

static const struct problem *seen;
static int asked, result;

static int launch(const struct problem *p, void *stream)
{
    seen = p;
    CHECK(stream == &asked);
    return result;
}

/* A launch's stack frame, registers, and number of callers. */
static struct found {
    const void *frame;
    uintptr_t registers;
    int callers;
} found;

__attribute__((noinline)) static int launch_and_look(const struct problem *p,
                                                     void *stream)
{
    void *callers[16];
    (void)p;
    (void)stream;
#ifdef __x86_64__
    __asm__ volatile("lea (%%r12, %%r13), %0\n"
                     "or %%r14, %0\n"
                     "or %%r15, %0\n"
                     : "=r"(found.registers));
#endif
    found.frame = __builtin_frame_address(0);
    found.callers = backtrace(callers, 16);
    return 0;
}

/* Launches from so many frames further down, with every register in use. */
__attribute__((noinline)) static struct found look_from(int depth)
{
    static const struct variant looks = { .name = "looks",
                                          .launch = launch_and_look };
    const struct problem problem = { .rank_count = depth };
    volatile char room[1000];
    room[0] = (char)depth;
    struct found deeper = { 0 };
    if (depth > 0)
        deeper = look_from(depth - 1);
#ifdef __x86_64__
    __asm__ volatile("mov %0, %%r12\n"
                     "mov %0, %%r13\n"
                     "mov %0, %%r14\n"
                     "mov %0, %%r15\n"
                     :
                     : "r"(&room)
                     : "r12", "r13", "r14", "r15");
#endif
    if (depth == 0) {
        CHECK(launched_by(&looks, &problem, NULL) == 0);
        return found;
    }
    return deeper;
}

static void test_depth(void)
{
    const struct found near = look_from(0), far = look_from(9);
    CHECK(near.frame == far.frame && near.callers == far.callers);
    CHECK(near.callers <= 4 && near.registers == far.registers);
}

static const void *output(const struct problem *p)
{
    CHECK(p == seen);
    ++asked;
    return p->workspace;
}

static const char *error_text(int error)
{
    return error == 7 ? "seven" : NULL;
}

int main(void)
{
    struct variant variant = { .name = "any", .launch = launch };
    const struct problem first = { .workspace = &asked };
    const struct problem second = { .workspace = &result };
    CHECK(launched_by(&variant, &first, &asked) == 0);
    CHECK(seen->workspace == &asked && !last_launch.to);
    const struct problem *const there = seen;
    variant.output = output;
    CHECK(launched_by(&variant, &second, &asked) == 0);
    CHECK(seen == there && seen->workspace == &result);
    CHECK(last_launch.to == &result && asked == 1);
    result = 7;
    CHECK(launched_by(&variant, &first, &asked) == 7);
    CHECK(!last_launch.to && asked == 1 && !last_launch.why);
    variant.error_text = error_text;
    CHECK(launched_by(&variant, &first, &asked) == 7);
    CHECK(strcmp(last_launch.why, "seven") == 0);
    result = 0;
    CHECK(launched_by(&variant, &first, &asked) == 0 && !last_launch.why);
    test_depth();
    return test_end();
}
