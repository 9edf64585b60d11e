/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>

#include "cli/common/commands.h"
#include "cli/compare/compare.h"
#include "cli/common/runs.h"
#include "src/base/exit.h"
#include "src/ranks.h"

const struct command_row command_rows[COMMAND_COUNT] = {
    [COMMAND_RUN] = { "run", "measure", 0, 0, "options only" },
    [COMMAND_CHECK] = { "check", "verify on awkward shapes, without timing", 0,
                        0, "options only" },
    [COMMAND_LIST] = { "list", "ids, families, devices or shapes", 0, 0,
                       "options only" },
    [COMMAND_TUNE] = { "tune", "find the best tuning points at one shape", 2, 2,
                       "an operation and a shape, as in tune sum 64x4096:1" },
    [COMMAND_WHICH] = { "which", "the kernel for a shape, without a GPU", 2, 2,
                        "an operation and a shape, as in which sum 64x4096:1" },
    [COMMAND_COMPARE] = { "compare",
                          "compare two runs, the variants of one, or GPUs", 0,
                          INT_MAX, "runs" },
    [COMMAND_SHOW] = { "show", "a run's fastest variants, by class of shape", 1,
                       1, "one run" },
    [COMMAND_TABLE] = { "table", "a run as one row per cell, also for CI tools",
                        1, 1, "one run" },
    [COMMAND_REPORT] = { "report", "runs as one page, report.html", 1, INT_MAX,
                         "one run or more" },
    [COMMAND_REGRET] = { "regret", "the cost of choosing by best", 1, INT_MAX,
                         "one run or more" },
    [COMMAND_LADDER] = { "ladder", "every design at the headline shapes", 1,
                         INT_MAX, "one run or more" },
    [COMMAND_RULES] = { "rules", "make selection rules from runs", 1, INT_MAX,
                        "one run or more" },
    [COMMAND_NEW] = { "new", "start a kernel of your own", 1, 1,
                      "one word such as scan/my_idea" },
};

/* Commands of an option. */
#define FOR(name) (1u << COMMAND_##name)
#define FOR_TIMING (FOR(RUN) | FOR(TUNE))
#define FOR_PLANS (FOR(RUN) | FOR(CHECK) | FOR(LIST))
#define FOR_ALL (FOR_PLANS | FOR(TUNE))
/* Commands whose rows have every format. `ladder` prints parts of a page,
 * `report` and `new` write files. `run` and `check` have text and the JSON of
 * `table`; the JSON of `which` has lists of cells, which no CSV holds. */
#define FOR_ROWS                                                               \
    (FOR(COMPARE) | FOR(SHOW) | FOR(TABLE) | FOR(REGRET) | FOR(RULES))
#define FOR_RUNS (FOR_ROWS | FOR(LADDER))
#define FOR_ALL_ROWS (FOR_ROWS | FOR(TUNE) | FOR(LIST))
#define FOR_EVERY (FOR(COUNT) - 1)

#define FOR_DEVICE (FOR_TIMING | FOR(CHECK))

const struct exit_row exit_rows[] = {
    { EXIT_OK, FOR_EVERY, "success" },
    { EXIT_WRONG, FOR_DEVICE, "a result was wrong, or a cell failed" },
    { EXIT_WRONG, FOR(COMPARE),
      "a cell is broken, or slower with at least three processes on each side "
      "(--fail-on has other rules)" },
    { EXIT_WRONG, FOR(REGRET), "a limit was exceeded" },
    { EXIT_BAD, FOR_EVERY,
      "usage, bad input, or a folder that cannot be written" },
    { EXIT_BAD, FOR(COMPARE),
      "no cell in common, or damaged or lost files, which are named and left "
      "out while the rest is compared" },
    { EXIT_BAD, FOR(LIST), "no match" },
    { EXIT_BLIND, FOR(COMPARE),
      "nothing failed, but no cell could have: different devices, fewer than "
      "three processes on a side, or fewer than half of the cells show what "
      "--detect names" },
    { EXIT_NOTHING, FOR_DEVICE,
      "nothing was done: no usable GPU, or every cell was skipped" },
    { EXIT_NOTHING, FOR_RUNS & ~FOR(COMPARE), "no such cell" },
    { EXIT_INTERRUPTED, FOR_DEVICE,
      "interrupted by ^C, SIGTERM or SIGHUP; every finished row is on disk" },
    { 128 + SIGPIPE, FOR_EVERY & ~FOR_DEVICE,
      "the reader of stdout ended (SIGPIPE)" },
    { 0 },
};

/* In the order of enum format. */
static const char *const text_or_json[] = { "text", "json", NULL };
static const char *const formats[] = { "text", "json", "csv", "markdown",
                                       NULL };
static const char *const table_formats[] = {
    "text", "json", "csv", "markdown", "google-benchmark", NULL
};
static const char *const orders[] = { "time", "error", NULL };
static const char *const fail_ons[] = { "slower", "unclear", "any", "never",
                                        NULL };

#define AT(how, type, member)                                                  \
    .kind = how, .offset = offsetof(struct type, member)

#define OPERATION(constant, name, reducer, kind, flags) " " name
#define OP_NAMES OPERATIONS(OPERATION)

/* The filter is the first member of every command's options. */
const struct option_row option_rows[] = {
    { "filter", 'f', FOR_RUNS | FOR_ALL, "REGEX",
      "Only ids op/variant/dtype/OUTERxAXISxINNER that match this extended "
      "expression (repeatable: any of them)",
      AT(OPTION_TAKE, filter, filters), .take = take_patterns },
    { "exclude", 0, FOR_RUNS | FOR_ALL, "REGEX", "Except ids that match",
      AT(OPTION_TAKE, filter, excludes), .take = take_patterns },
    { "op", 0, FOR_PLANS | FOR_RUNS, "A,B",
      "Operations (default all):" OP_NAMES, AT(OPTION_TEXT, filter, late_ops) },
    { "dtype", 0, FOR_ALL | FOR_RUNS | FOR(WHICH), "A,B",
      "Element types: f32 f64 f16 bf16 i32 i64 u8 bool (default: the floats; "
      "check: all; tune, which: f32)",
      AT(OPTION_NAMES, filter, dtypes), .choices = dtype_names },
    { "shape", 0, FOR_PLANS | FOR_RUNS, "S,S",
      "A tensor and a dim, 128x4096x4095:1 or 128,4096,4095:1 (-1 is the "
      "last), OUTERxAXISxINNER, or segments of an axis, "
      "ragged:TOTAL:MEAN:KIND[,inner=N][,seed=N][,offsets=i32] with KIND "
      "uniform, equal, zipf, geometric or one; added to --grid, if given",
      AT(OPTION_TAKE, options, filter), .take = take_shapes },
    { "grid", 0, FOR_PLANS, "G,G",
      "Shapes by name, see GRIDS (default: default; check: awkward)",
      AT(OPTION_TAKE, options, filter), .take = take_grids },
    { "quick", 0, FOR_PLANS, NULL, "--grid quick, with a short time per cell",
      AT(OPTION_TAKE, options, filter), .take = take_quick },
    { "family", 0, FOR_ALL | FOR_RUNS, "F,F",
      "Only these files (scan/block_per_line) or folders",
      AT(OPTION_TEXT, filter, family) },
    { "contract", 0, FOR_RUNS | FOR(CHECK), "C,C",
      "Only variants that are declared to give, for floats, the same bits in "
      "every launch (deterministic), reductions with the same bits on every "
      "GPU (portable_bits), sums that never fall (monotone): "
      "docs/contracts.md. check: test all variants for it, declared or not",
      AT(OPTION_NAMES, filter, contracts), .choices = contract_names },
    { "plugin", 0, FOR_ALL, "FILE",
      "Also the variants of this shared object (repeatable)",
      AT(OPTION_TAKE, options, filter), .take = take_plugin },
    { "python", 0, FOR_ALL, "FILE:NAME",
      "Also this Python function, such as f.py:scan, on arrays of torch, CuPy, "
      "JAX or NumPy, or a class such as ModelNew; needs --op",
      AT(OPTION_TAKE, options, filter), .take = take_plugin },
    { "frameworks", 0, FOR_ALL, NULL,
      "Also PyTorch, Triton, CuPy, JAX, CUB, NumPy via Python",
      AT(OPTION_FLAG, options, frameworks) },
    { "broken", 0, FOR_PLANS, NULL,
      "Only variants for the tests, mostly with planted bugs",
      AT(OPTION_FLAG, options, broken) },
    { "device", 0, FOR_ALL, "D",
      "host or cuda:N (default: cuda:0, or else the host); run also takes "
      "several, cuda:0,cuda:1 or all, and writes a folder for each",
      AT(OPTION_TAKE, options, filter), .take = take_devices },
    { "families", 0, FOR(LIST), NULL,
      "List files of kernels with contracts and ideas instead; -f is of files",
      AT(OPTION_FLAG, options, families) },
    { "devices", 0, FOR(LIST), NULL, "List the devices of this machine instead",
      AT(OPTION_FLAG, options, devices) },
    { "shapes", 0, FOR(LIST), NULL,
      "List the shapes of --grid instead; on a terminal, with their classes",
      AT(OPTION_FLAG, options, only_shapes) },
    { "ranks", 0, FOR_PLANS, "N",
      "One tensor over N GPUs (1 to 8), starting at --device: variants of "
      "mgpu/. Streams of one GPU stand in for missing ones",
      AT(OPTION_WHOLE, options, ranks), .least = 1, .most = RANKS_MOST },
    { "pretend", 0, FOR_TIMING | FOR(CHECK), "ARCH",
      "Lower the device's facts to those of sm_75, sm_80, sm_86, sm_89, sm_90, "
      "sm_100 or sm_120, by which variants refuse shapes and size their grids",
      AT(OPTION_TAKE, options, pretend), .take = take_pretend },
    { "gpu", 0, FOR(WHICH), "GPU",
      "h200 (default), h100, another card such as a100, or a file of rules",
      AT(OPTION_TEXT, which_options, gpu) },
    { "rules", 0, FOR_TIMING | FOR(CHECK), "FILE",
      "Rules that best follows, from scanbench rules -o (default: "
      "SCANBENCH_RULES, or those for this or the nearest GPU in "
      "results/<gpu>/rules.csv or built in)",
      AT(OPTION_TEXT, options, rules) },
    { "format", 0, FOR(RUN) | FOR(CHECK) | FOR(WHICH), "F",
      "text (default) or json, on stdout; of run and check: every cell, as by "
      "table",
      AT(OPTION_CHOICE, filter, format), .choices = text_or_json },
    { "format", 0, FOR_ALL_ROWS & ~FOR(TABLE), "F",
      "text (default), json, csv or markdown; json and csv have more columns "
      "and, in compare, unchanged cells",
      AT(OPTION_CHOICE, filter, format), .choices = formats },
    { "format", 0, FOR(TABLE), "F",
      "text (default), json, csv, markdown, or google-benchmark: JSON with "
      "every timed cell, a repetition per process, for github-action-benchmark "
      "and Bencher (docs/ci.md)",
      AT(OPTION_CHOICE, filter, format), .choices = table_formats },
    { "top", 0, FOR_ROWS | FOR(TUNE), "N",
      "Number of rows, 0 for all. show: N families per shape (default 1); "
      "table: likewise (all); compare: N changes (20), or with --against or in "
      "tune N variants per shape; regret, rules: N cells of each kind (10)",
      AT(OPTION_WHOLE, filter, top), .most = 999999 },
    { "out", 'o', FOR_TIMING, "DIR",
      "Folder for the CSVs (default: results/<device>/<utc>-<commit>/)",
      AT(OPTION_TEXT, options, out) },
    { "resume", 0, FOR(RUN), "DIR",
      "Continue a run as it began; repeat only --plugin",
      AT(OPTION_TEXT, options, resume) },
    { "dry-run", 'n', FOR(RUN) | FOR(CHECK), NULL,
      "Print the plan as CSV, and launch nothing",
      AT(OPTION_FLAG, options, dry_run) },
    { "cache", 0, FOR_TIMING | FOR_RUNS, "C,C",
      "cold: data outside the last-level cache; hot: back-to-back launches; "
      "graph: the same in a CUDA graph (default: cold; show, table and "
      "compare: all)",
      AT(OPTION_NAMES, filter, caches), .choices = cache_names },
    { "processes", 0, FOR_TIMING, "N",
      "Repeat the run in N fresh processes (default 1)",
      AT(OPTION_WHOLE, options, processes), .least = 1, .most = 1000 },
    { "samples", 0, FOR(RUN), NULL,
      "Keep every sample of every timed cell in the run's samples.csv",
      AT(OPTION_FLAG, options, samples) },
    { "seed", 0, FOR_TIMING, "N", "Seed for the sampling order (default 1)",
      AT(OPTION_TAKE, options, seed), .take = take_seed },
    { "profile", 0, FOR(RUN), "ID",
      "Launch only this cell, for ncu --profile-from-start off",
      AT(OPTION_TAKE, options, filter), .take = take_profile },
    { "budget", 0, FOR_TIMING, "MS",
      "Sampling time per cell (default 30; tune: 200)",
      AT(OPTION_REALS, options, budget_ms), .count = 1, .most = 1e9 },
    { "slow", 0, FOR_TIMING, "MS",
      "Verify, but do not time, variants whose launch takes longer than MS "
      "(default: 50, and on a GPU 50 times the ceiling's time)",
      AT(OPTION_REALS, options, slow_ms), .count = 1, .most = 1e9 },
    { "timeout", 0, FOR_TIMING | FOR(CHECK), "S",
      "Give up on a cell after S seconds (default 60)",
      AT(OPTION_REALS, options, timeout_s), .count = 1, .least = 0.1,
      .most = 1e9 },
    { "time-limit", 0, FOR(RUN), "S",
      "End the run after S seconds, when the current problem is finished. "
      "--seed shuffles the problems, so that any S gives a fair sample; "
      "--resume continues",
      AT(OPTION_REALS, options, time_limit_s), .count = 1, .most = 1e9 },
    { "offset", 0, FOR(CHECK), "N,...",
      "Move all pointers by N elements; N:O:M moves the output by O and the "
      "mask or the second input by M more. Problems cycle through a list",
      AT(OPTION_TAKE, options, filter), .take = take_offsets },
    { "repeat", 0, FOR(CHECK), "N",
      "N more launches, each of which must give the same bits (on exact input, "
      "or else be verified, if not deterministic); a cell ends after 0.5 s, "
      "but not before 3 launches",
      AT(OPTION_WHOLE, options, repeats), .least = 1, .most = 1 << 20 },
    { "blocks", 0, FOR(CHECK), "N",
      "GPU: also check with all grids cut to N blocks",
      AT(OPTION_WHOLE, options, stress.blocks), .least = 1, .most = 1 << 20 },
    { "room", 0, FOR(CHECK), "N",
      "GPU: also check with only N blocks resident at a time",
      AT(OPTION_WHOLE, options, stress.room), .least = 1, .most = 1 << 20 },
    { "streams", 0, FOR(CHECK), "N",
      "GPU: also check N launches at once (2 to 8)",
      AT(OPTION_WHOLE, options, stress.streams), .least = 2,
      .most = STRESS_MOST_STREAMS },
    { "must-fail", 0, FOR(CHECK), NULL,
      "Exit with 1 unless every variant is caught",
      AT(OPTION_FLAG, options, must_fail) },
    { "in-process", 0, FOR_TIMING | FOR(CHECK), NULL,
      "Without the worker (debuggers): a crash ends the run",
      AT(OPTION_FLAG, options, in_process) },
    { "quiet", 'q', FOR_TIMING | FOR(CHECK), NULL,
      "Show no progress, and no table after run",
      AT(OPTION_FLAG, options, quiet) },
    { "all", 0, FOR(SHOW), NULL,
      "One line per shape instead of per class; --shape implies it",
      AT(OPTION_FLAG, show_options, all) },
    { "by", 0, FOR(SHOW) | FOR(TABLE), "WHAT",
      "Rank by time (default), or by error: the largest that was found",
      AT(OPTION_CHOICE, show_options, by), .choices = orders },
    { "all", 0, FOR(TABLE), NULL,
      "text: every tuning point, and cells without a time",
      AT(OPTION_FLAG, show_options, all) },
    { "fail-on", 0, FOR(COMPARE), "WHAT",
      "Exit with 1 if a cell is slower (default), unclear or slower (unclear), "
      "changed (any), or never; a broken result counts as slower",
      AT(OPTION_CHOICE, compare_options, fail_on), .choices = fail_ons },
    { "detect", 0, FOR(COMPARE), "P",
      "Exit with 3 unless a slow-down of P per cent would show in half of the "
      "cells (a note tells it of 5 per cent)",
      AT(OPTION_REALS, compare_options, detect_pct), .count = 1, .least = 0.1,
      .most = 1e6 },
    { "all", 0, FOR(COMPARE), NULL, "Also list unchanged cells",
      AT(OPTION_FLAG, compare_options, all) },
    { "floor-pct", 0, FOR(COMPARE), "P",
      "Per cent below which a difference is no change (default 2)",
      AT(OPTION_REALS, compare_options, floor_pct), .count = 1, .most = 1e6 },
    { "floor-us", 0, FOR(COMPARE), "T",
      "Microseconds below which a difference is no change (default 0.5)",
      AT(OPTION_REALS, compare_options, floors.absolute_us), .count = 1,
      .least = 0, .most = 1e6 },
    { "against", 0, FOR(COMPARE), "V",
      "Compare every selected variant with variant V, or with the best of "
      "family V",
      AT(OPTION_TEXT, compare_options, against) },
    { "gpus", 0, FOR(COMPARE), NULL,
      "Compare runs of several GPUs, or folders of such runs: GB/s, share of "
      "the GPU's own ceiling and winner for each operation and class of shape; "
      "NAME=RUN replaces the GPU's name",
      AT(OPTION_FLAG, compare_options, gpus) },
    { "cards", 0, FOR(COMPARE), NULL,
      "Like --gpus, but by card: cards of one name are separate, and so are "
      "runs of a card alone and together with others (run --device all); also "
      "shows the spread of the cards",
      AT(OPTION_FLAG, compare_options, cards) },
    { "out", 'o', FOR(REPORT), "FILE",
      "Where to write the page (default: stdout)",
      AT(OPTION_TEXT, page_options, write) },
    { "variant", 0, FOR(REGRET), "V",
      "Variant to judge (default best, with a contract best_CONTRACT)",
      AT(OPTION_TEXT, regret_options, variant) },
    { "rules", 0, FOR(REGRET), "FILE",
      "Judge what these rules rank first among the run's variants, which takes "
      "no GPU",
      AT(OPTION_TEXT, regret_options, rules) },
    { "cells", 0, FOR(REGRET), NULL, "Instead, every cell, as json or csv",
      AT(OPTION_FLAG, regret_options, cells) },
    { "max-regret", 0, FOR(REGRET), "A,B",
      "Exit with 1 if the 90th percentile of an operation and type is above A "
      "per cent, or the 99th above B",
      AT(OPTION_REALS, regret_options, limits.pct), .count = REGRET_MOST,
      .most = 1e10 },
    { "min-share", 0, FOR(REGRET), "A,B,C",
      "Exit with 1 if the 5th percentile of the share of an operation and type "
      "is below A per cent, the 25th below B, or the median below C",
      AT(OPTION_REALS, regret_options, limits.pct[REGRET_MOST]),
      .count = REGRET_LEAST, .most = 1e10 },
    { "max-low", 0, FOR(REGRET), "N",
      "Exit with 1 if more than N cells are low",
      AT(OPTION_REALS, regret_options, limits.most_low), .count = 1,
      .most = 1e10 },
    { "out", 'o', FOR(RULES), "FILE", "Write the rules, for run --rules FILE",
      AT(OPTION_TEXT, page_options, write) },
    { "as", 0, FOR(RULES), "ARCH",
      "Rules for another GPU, such as sm_80, from runs of code for that "
      "architecture alone (-Dgpu_arch=compute_80)",
      AT(OPTION_TAKE, page_options, as), .take = take_pretend },
    { "held-out", 0, FOR(RULES), NULL,
      "Judge each eighth of the shapes by rules from the others, as an "
      "estimate for new shapes",
      AT(OPTION_FLAG, page_options, held_out) },
    { "help", 'h', FOR_EVERY, NULL, "This text", .kind = OPTION_HELP },
    { "version", 0, FOR_EVERY, NULL,
      "Version, commit, toolkit and architectures", .kind = OPTION_VERSION },
    { 0 },
};
