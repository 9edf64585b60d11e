#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the statuses and choices of ./run up to its build, and the sweep
# behind `./run bench`. (.ci/run goes the whole way of `./run test`.)
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
export GNUPLOT=/nope SCANBENCH_BUILD="$work/build"

ends() { # STATUS VARIABLES -- WORDS...
    wanted=$1 variables=$2
    shift 3
    # shellcheck disable=SC2086 # words
    status "$wanted" env $variables sh "$source/run" "$@" >output 2>&1 || { cat output; return 1; }
}

ok 'no command' ends 0 '' --
ok 'an unknown command' ends 2 '' -- tset
ok 'arguments without --' ends 2 '' -- test --suite unit
ok 'no folder so far' test ! -e build
ok 'refused options' ends 2 SCANBENCH_SETUP=-Dno_such=1 -- test
ok 'and no build' test ! -e build/build.ninja
ok 'a build' meson setup build "$source" -Dcuda=disabled
echo -Dcuda=disabled >build/scanbench-setup.txt
ok 'other options' ends 2 SCANBENCH_SETUP=-Dno_such=1 -- test
ok 'the option that the build keeps' grep 'the build keeps -Dcuda=disabled' output

# ---- a benchmark: stdout is the run's folder alone; the status shows what failed
bench() { # STATUS SECONDS WORDS...: interrupted after these
    wanted=$1 seconds=$2
    shift 2
    status "$wanted" timeout --preserve-status -s INT "$seconds" "$source/harness/bench.sh" \
        "$scanbench" "$work/results" "$source/plots/draw.sh" --device host -q "$@" >output &&
        folder=$(cat output) && [ -f "$folder/manifest.csv" ]
}
folder=none
cell='--op cumsum --dtype f32 --shape 64x4096:1'
# shellcheck disable=SC2086 # words
{
    ok 'a benchmark' bench 0 60 --time-limit 0.01 -f serial $cell,64x512:1
    ok 'its report' test -s "$folder/report.html"
    rm -f "$folder/report.html" && mkdir -p "$folder/report.html"
    ok 'a failing report' bench 1 60 --resume "$folder"
    ok 'wrong cells' bench 1 60 --broken -f /off_by_one/ $cell
}
ok 'an interrupt' bench 130 2 --grid full --budget 1000

# ---- ./run and the build search nvcc in the same folders
sed -n 's/:-//g; s/.*for home in \(.*\); do/\1/p' "$source/.ci/provide.sh" |
    tr -d '{}' >homes
sed -n "s/.*\\\\n\" \(.*\)',\$/\1/p" "$source/variants/cuda/meson.build" \
    >homes.meson
ok 'homes' grep -q CUDA_HOME homes
ok 'the same homes' diff homes homes.meson
tally
