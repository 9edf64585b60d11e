/* SPDX-License-Identifier: MIT */
#include "harness/sweep/host_load.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/test.h"

static void test_share(void)
{
    const struct host_load from = { 100, 10, 5 };
    const struct host_load to = { 200, 60, 25 };
    CHECK(host_load_others_pct(&from, &to) == 30);
    CHECK(isnan(host_load_others_pct(&from, &from)));
    const struct host_load all_own = { 200, 60, 105 }; /* clocks are coarse */
    CHECK(host_load_others_pct(&from, &all_own) == 0);
    const struct host_load unknown = { NAN, NAN, 5 };
    CHECK(isnan(host_load_others_pct(&unknown, &to)));
}

static volatile double sink;

static void burn(double seconds)
{
    const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end)
        sink += 1;
}

/* What is our own is ours: in this process, in a child that runs, and in one
 * that has gone. */
static void test_own(void)
{
    const struct host_load before = host_load_now(0);
    CHECK(before.all_s >= before.busy_s && before.busy_s >= 0);
    burn(0.1);
    const struct host_load own = host_load_now(0);
    CHECK(own.own_s - before.own_s >= 0.09);
    const pid_t child = fork();
    if (child == 0) {
        burn(0.1);
        pause();
        _exit(0);
    }
    struct host_load running = host_load_now(child);
    for (int k = 0; k < 500 && running.own_s - own.own_s < 0.08; ++k) {
        usleep(20000);
        running = host_load_now(child);
    }
    CHECK(running.own_s - own.own_s >= 0.08);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK(host_load_now(0).own_s - own.own_s >= 0.08);
}

int main(void)
{
    test_share();
    test_own();
    return test_end();
}
