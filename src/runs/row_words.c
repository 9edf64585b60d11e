/* SPDX-License-Identifier: MIT */
#include "src/runs/row_words.h"

#include <stddef.h>

const struct row_word row_statuses[] = {
    { "ok", "verified, timed, verified again" },
    { "suspect", "correct and timed, but the host's clock saw work that the "
                 "events did not: the time is doubtful" },
    { "unstable", "even after several tries, some samples were taken while the "
                  "GPU had lowered its clocks; `throttle` says why" },
    { "slow", "verified, but not timed: one launch (`launch_us`) takes over 50 "
              "ms or, on a GPU, over 50 times as long as the ceiling, unless "
              "`--slow` sets another limit (verified on exact input only, if "
              "that already shows it)" },
    { "untried", "not launched: the variant was too slow at another shape, and "
                 "is predicted to be as slow at this one" },
    { "skip", "not launched: the variant does not serve this shape, there "
              "are no elements, or it does not fit in memory" },
    { "wrong", "a result beyond its bound, a write outside the output, or a "
               "changed input" },
    { "error", "the launch failed or the worker died" },
    { "timeout", "not done within `--timeout`" },
    { NULL, NULL },
};

const struct row_word row_marks[] = {
    { "near_empty",
      "less than four times as long as an empty kernel: much of the "
      "time is launching" },
    { "cache_assisted",
      "a tenth or more of the traffic may still lie in the cache "
      "when the clock stops (all small tensors, when cold), or the "
      "cell is faster than the memory buses of its GPUs (also where an "
      "exclusive scan does not load a line's last element): its `gbps` is "
      "not the memory's" },
    { "ungated", "the launch itself waited for the GPU, so the host's launch "
                 "time may be included" },
    { "above_ceiling",
      "more than 120 % of the ceiling: the ceiling is too low there, "
      "as it often is on a host at small sizes, and the percentage "
      "means nothing" },
    { NULL, NULL },
};
