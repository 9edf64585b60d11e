/* SPDX-License-Identifier: MIT */
#include "harness/cli/options_parts.h"

const char options_help[] =
    "How fast can a scan or a reduction along one axis run on this machine?\n"
    "\n"
    "  scanbench run --quick                     sweep small shapes\n"
    "  scanbench run --grid headline             32768x32768 and friends\n"
    "  scanbench run --op cumsum_reverse --shape 32768x32768:1 --dtype f32\n"
    "  scanbench check -f '^cumsum/decoupled'    correctness only\n"
    "  scanbench list -f '^sum/.*/f16/'           ids, one a line\n"
    "  scanbench compare BASE NEW                what changed (--help: more)\n"
    "  scanbench table RUN                       who is fastest where "
    "(--help)\n"
    "  scanbench tune cumsum 32768x32768:1       the best points (--help: more)"
    "\n"
    "  scanbench ladder, scanbench rules         what published runs teach\n"
    "  scanbench convert OLD                     a run of an older schema\n"
    "\n"
    "A cell's id is op/variant/dtype/OUTERxAXISxINNER.\n"
    "\n"
    "What to run\n"
    "  -f, --filter REGEX    ids that match (extended; may be repeated: any)\n"
    "      --exclude REGEX   not these\n"
    "      --op A,B          cumsum cumsum_exclusive cumsum_reverse\n"
    "                        masked_cumsum sum flip copy masked_copy read "
    "write\n"
    "      --dtype A,B       f32 f64 f16 bf16\n"
    "      --shape S,S       a tensor and a dim, 128x4096x4095:1 (-1 is the\n"
    "                        last), or OUTERxAXISxINNER; with --grid, too\n"
    "      --grid G,G        quick headline default full awkward aa huge\n"
    "                        random:SEED[:COUNT] (2^24 to 2^30 elements)\n"
    "                        random_small:SEED[:COUNT] (2^18 to 2^24); 60\n"
    "                        shapes where no count is given\n"
    "      --quick           --grid quick and a short time a cell\n"
    "      --family F,F      the variants of one file, scan/block_per_line, "
    "or\n"
    "                        of a folder\n"
    "      --broken          the variants that only tests run, most of them\n"
    "                        with a planted bug\n"
    "      --device D        host, or cuda:N (default: cuda:0, or else the "
    "host)\n"
    "How\n"
    "  -o, --out DIR         where the CSVs go (default:\n"
    "                        results/<device>/<utc>-<commit>/)\n"
    "      --resume DIR      go on with a run that was cut short; alone: its\n"
    "                        arguments are in its manifest\n"
    "  -n, --dry-run         print the plan as CSV, launch nothing\n"
    "      --cache C,C       cold (default): out of the last-level cache;\n"
    "                        hot: back-to-back launches\n"
    "      --processes N     repeat the run in N fresh processes (default 1)\n"
    "      --seed N          of the order that variants are sampled in\n"
    "      --budget MS       sampling time a cell (default 30)\n"
    "      --slow MS         a variant that takes longer for one launch is\n"
    "                        verified, not timed (default: 50, and on a\n"
    "                        GPU 50 times what the ceiling would take)\n"
    "      --timeout S       then a cell is given up (default 60)\n"
    "      --offset N        move all pointers by N elements (check)\n"
    "      --repeat N        check: N launches more, each to give the same "
    "bits\n"
    "                        (on exact input where not deterministic); a cell\n"
    "                        is left after 0.5 s, but not before 3 launches\n"
    "      --blocks N        check, GPU: also with all grids cut to N blocks\n"
    "      --room N          check, GPU: also with only N blocks resident at "
    "a\n"
    "                        time\n"
    "      --streams N       check, GPU: also N launches at once (2 to 8)\n"
    "      --must-fail       check: every variant has to be caught\n"
    "      --profile ID      this cell once, for ncu --profile-from-start "
    "off\n"
    "      --in-process      no worker process (for debuggers and profilers;\n"
    "                        a crash then ends the run)\n"
    "  -q, --quiet           no progress\n"
    "  -h, --help   --version\n"
    "\n"
    "stdout carries data (run: the results folder), stderr the talk.\n"
    "Exit status: 0 all right; 1 a wrong result, or a cell that failed;\n"
    "2 usage, bad input or a results folder that cannot be written; 77 no "
    "usable\n"
    "GPU where one was asked for, or all cells skipped; 130 interrupted, with\n"
    "every finished row on disk.\n";

const char *const command_names[] = { "run",     "check",   "list",  "tune",
                                      "compare", "show",    "table", "ladder",
                                      "rules",   "convert", NULL };

const struct option_row option_rows[] = {
    { { "filter", required_argument, NULL, 'f' }, FOR_ALL },
    { { "exclude", required_argument, NULL, OPT_EXCLUDE }, FOR_ALL },
    { { "op", required_argument, NULL, OPT_OP }, FOR_PLANS },
    { { "dtype", required_argument, NULL, OPT_DTYPE }, FOR_ALL },
    { { "shape", required_argument, NULL, OPT_SHAPE }, FOR_PLANS },
    { { "grid", required_argument, NULL, OPT_GRID }, FOR_PLANS },
    { { "quick", no_argument, NULL, OPT_QUICK }, FOR_PLANS },
    { { "family", required_argument, NULL, OPT_FAMILY }, FOR_ALL },
    { { "broken", no_argument, NULL, OPT_BROKEN }, FOR_PLANS },
    { { "device", required_argument, NULL, OPT_DEVICE }, FOR_ALL },
    { { "format", required_argument, NULL, OPT_FORMAT }, FOR_TUNE },
    { { "out", required_argument, NULL, 'o' }, FOR_TIMING },
    { { "resume", required_argument, NULL, OPT_RESUME }, FOR_RUN },
    { { "dry-run", no_argument, NULL, 'n' }, FOR_RUN | FOR_CHECK },
    { { "cache", required_argument, NULL, OPT_CACHE }, FOR_TIMING },
    { { "processes", required_argument, NULL, OPT_PROCESSES }, FOR_TIMING },
    { { "seed", required_argument, NULL, OPT_SEED }, FOR_TIMING },
    { { "profile", required_argument, NULL, OPT_PROFILE }, FOR_RUN },
    { { "budget", required_argument, NULL, OPT_BUDGET }, FOR_TIMING },
    { { "slow", required_argument, NULL, OPT_SLOW }, FOR_TIMING },
    { { "timeout", required_argument, NULL, OPT_TIMEOUT },
      FOR_TIMING | FOR_CHECK },
    { { "offset", required_argument, NULL, OPT_OFFSET }, FOR_CHECK },
    { { "repeat", required_argument, NULL, OPT_REPEAT }, FOR_CHECK },
    { { "blocks", required_argument, NULL, OPT_BLOCKS }, FOR_CHECK },
    { { "room", required_argument, NULL, OPT_ROOM }, FOR_CHECK },
    { { "streams", required_argument, NULL, OPT_STREAMS }, FOR_CHECK },
    { { "must-fail", no_argument, NULL, OPT_MUST_FAIL }, FOR_CHECK },
    { { "in-process", no_argument, NULL, OPT_IN_PROCESS },
      FOR_TIMING | FOR_CHECK },
    { { "quiet", no_argument, NULL, 'q' }, FOR_TIMING | FOR_CHECK },
    { { "help", no_argument, NULL, 'h' }, FOR_ALL },
    { { "version", no_argument, NULL, OPT_VERSION }, FOR_ALL },
    { { 0 }, 0 },
};
