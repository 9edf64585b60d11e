/* SPDX-License-Identifier: MIT */
#include "harness/cli/help_words.h"

#include <stddef.h>

const struct row_word help_signs[] = {
    { "%", "Share of the ceiling: pct_ceiling" },
    { "CUB", "The time of CUB's fastest variant over that of the fastest" },
    { "=", "Within noise of the first: the 95 % intervals of the two overlap" },
    { "?", "Doubtful: unstable or suspect, as its reason says" },
    { "us", "Microseconds: the geometric mean of the processes' medians" },
    { "GB/s", "Compulsory bytes over that time, in 1e9 bytes a second: gbps" },
    { "error", "The largest error: max_err" },
    { NULL, NULL },
};

const char *help_op(enum op op)
{
    static const char *const meanings[OP_COUNT] = {
        [OP_CUMSUM] = "y[a] = x[0] + ... + x[a]",
        [OP_CUMSUM_EXCLUSIVE] = "y[a] = x[0] + ... + x[a-1], y[0] = 0",
        [OP_CUMSUM_REVERSE] = "y[a] = x[a] + ... + x[axis-1]",
        [OP_MASKED_CUMSUM] = "cumsum of (mask ? x : 0)",
        [OP_SUM] = "y = x[0] + ... + x[axis-1], one output per line",
        [OP_FLIP] = "y[a] = x[axis-1-a]",
        [OP_COPY] = "y[a] = x[a]: the ceiling of scans and flips",
        [OP_MASKED_COPY] = "y[a] = mask ? x[a] : 0: masked_cumsum's ceiling",
        [OP_READ] = "all of x is read: the ceiling of sums",
        [OP_WRITE] = "all of y is written",
    };
    return meanings[op];
}

const struct row_word help_grids[] = {
    { "quick", "small; seconds on a GPU, minutes on a host" },
    { "headline", "32768 x 32768 along both dims, and a sum of 128 x 4096 x "
                  "4095 along dim 1; all types; hours on a host" },
    { "default", "ranges of line length and size, few long lines, strided "
                 "axes, odd extents; minutes" },
    { "full", "the same in finer steps, every type; an hour" },
    { "huge", "more elements, or longer extents, than 32 bits can count; f16" },
    { "mgpu", "one line, 64 lines, and 4096 columns; 2^24 to 2^33 elements on "
              "GPUs, 2^14 to 2^20 on a host; f32 and f16; for --ranks" },
    { "called", "shapes that people call from frameworks, where best was once "
                "behind: 4096 x 5120, 100003 x 12, 12 x 100003 and 500009 x "
                "301 along the last dim, 12 x 100003 and 300 x 300 x 300 along "
                "the first, one line of 6553600 and of 26214400; all types" },
    { "aa", "a small sample of everything, for measuring one build twice" },
    { "random", "60 or COUNT shapes, drawn log-uniformly: 2^24 to 2^30 "
                "elements, all types; the same on every machine" },
    { "random_small", "the same with 2^18 to 2^24 elements" },
    { "awkward", "the shapes that tests check; not for timing" },
    { NULL, NULL },
};

const struct row_word help_exit_statuses[] = {
    { "0", "success" },
    { "1", "a result was wrong, or a cell failed; compare: a cell is broken, "
           "or slower with at least three processes on each side; regret: more "
           "than was allowed" },
    { "2", "usage, bad input, or a folder that cannot be written" },
    { "77", "nothing was done: the GPU that was asked for is missing or "
            "unusable, or every requested cell was skipped" },
    { "130", "interrupted by ^C, SIGTERM, or SIGHUP (the terminal was closed, "
             "without nohup); every finished row is on disk" },
    { "141", "whoever read stdout is gone, as head may be: the shell's number "
             "for SIGPIPE, in commands that only print" },
    { NULL, NULL },
};

const char *help_dtype(enum dtype dtype)
{
    static const char *const meanings[DTYPE_COUNT] = {
        [DTYPE_F32] = "IEEE 754 single precision, 4 bytes",
        [DTYPE_F64] = "IEEE 754 double precision, 8 bytes",
        [DTYPE_F16] = "IEEE 754 half precision, 2 bytes; summed in float",
        [DTYPE_BF16] =
            "bfloat16, 2 bytes: the upper half of a float; summed in "
            "float",
    };
    return meanings[dtype];
}
