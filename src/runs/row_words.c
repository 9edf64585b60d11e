/* SPDX-License-Identifier: MIT */
#include "src/runs/row_words.h"

#include <stddef.h>

const struct row_word row_statuses[] = {
    { "ok", "verified, timed, verified" },
    { "suspect", "right and timed, but the host's clock saw work that the "
                 "events did not: the time may not be what it seems" },
    { "unstable", "after several tries, samples had to be kept that were taken "
                  "while the GPU had lowered its clocks; `throttle` says why" },
    { "slow", "verified, not timed: one launch (`launch_us`) takes over 50 "
              "ms or, on a GPU, over 50 times what the ceiling would take, "
              "unless `--slow` names a time (verified on exact input only, "
              "if that shows it already)" },
    { "untried", "not launched, as it was too slow at another shape (see "
                 "below)" },
    { "skip", "not launched: the variant does not serve this shape, there "
              "are no elements, or it does not fit in memory" },
    { "wrong", "a result beyond its bound, a write outside, a changed input" },
    { "error", "the launch failed or the worker died" },
    { "timeout", "not done within `--timeout`" },
    { NULL, NULL },
};

const struct row_word row_marks[] = {
    { "near_empty",
      "less than four times as long as an empty kernel: much of it "
      "is launching" },
    { "cache_assisted",
      "a tenth or more of the traffic may still lie in the cache "
      "when the clock stops (all small tensors, when cold), or the "
      "cell is faster than the memory bus: its `gbps` is not the "
      "memory's" },
    { "ungated", "the launch waited for the GPU by itself, so that the host's "
                 "time to launch may be in it" },
    { "above_ceiling",
      "more than 120 % of it: the ceiling is too low there, as it "
      "often is on a host at small sizes, and the percentage means "
      "nothing" },
    { NULL, NULL },
};
