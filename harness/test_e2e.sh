#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the whole pipeline on the host, as a user would run it, in
# a folder of its own: sweep, CSV, charts, and what goes wrong.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
SCANBENCH=$scanbench # for draw.sh
export SCANBENCH
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

nonempty() {
    for file; do
        [ -s "$file" ] || { echo "$file is missing or empty"; return 1; }
    done
}

no_host_name() { # FILES: they are published
    ! grep -i "$(uname -n)" "$@"
}

no_folder() { # FILES
    ! grep -e "$work" -e "$HOME/" -e "$source" "$@"
}

host="--device host --budget 0"

# ---- a sweep, its CSV and its charts
# shellcheck disable=SC2086
ok 'a quick sweep' status 0 \
    "$scanbench" run --quick --dtype f32 $host -q -o sweep
ok 'its files' nonempty sweep/manifest.csv sweep/ceilings.csv \
    sweep/cumsum.csv sweep/masked_cumsum.csv sweep/sum.csv sweep/flip.csv \
    sweep/copy.csv sweep/read.csv
ok 'the columns are documented' \
    sh "$source/harness/test_columns.sh" sweep/cumsum.csv \
    "$source/results/README.md"
ok 'rows measured' grep -q ',ok,,' sweep/cumsum.csv
above() { # rows without a reason: what is far above its ceiling is marked
    awk -F, '$11 == "ok" && ($28 > 120) != ($13 ~ /above_ceiling/) {
        print FILENAME ": " $0; wrong = 1 } END { exit wrong }' sweep/*sum*.csv
}
ok 'what is above its ceiling' above
ok 'passes' grep -q '^[^,]*,cumsum,chunked_two_pass,.*,1\.5,' sweep/cumsum.csv
ok 'passes with a mask' grep -q \
    '^[^,]*,masked_cumsum,chunked_two_pass,.*,1\.5555' sweep/masked_cumsum.csv
ok 'complete' grep -q '^complete,1' sweep/manifest.csv
ok 'no host name' no_host_name sweep/*.csv
ok 'no folder of ours' no_folder sweep/*.csv
if command -v gnuplot >/dev/null 2>&1; then
    ok 'charts' "$source/plots/draw.sh" sweep
    ok 'charts are there' nonempty sweep/plots/*.svg
fi

# ---- a cell's first launch may load its code: the second says whether it is
# slow
# shellcheck disable=SC2086
ok 'one is slow' status 0 "$scanbench" run -f /serial/ --op cumsum \
    --shape 1x3:1,1x400000:1 --slow 0.02 --dtype f32 $host -q -o slow
ok 'by its second launch' grep -q ',400000,.*,slow,one launch took ' \
    slow/cumsum.csv
# shellcheck disable=SC2086
ok 'one is held up once' status 0 "$scanbench" run --broken -f copy/stalled/f32 \
    --shape 1x1000:1 --slow 20 $host -q -o stalled
ok 'its time' grep -q ',400000,.*,slow,[^,]*,,,,[0-9.]' slow/cumsum.csv
ok 'and not slow' grep -q '^[^,]*,copy,stalled,.*,ok,' stalled/copy.csv

# ---- a single wrong launch is seen by a run; so is one that does nothing, or a
# result that is remembered
bugs='wrong_third wrong_fifth rests remembers remembers_pointer'
# shellcheck disable=SC2086
ok 'a run sees bugs' status 1 "$scanbench" run --broken --shape 3x33:1 --dtype f32 \
    -f "cumsum/($(echo $bugs | tr ' ' '|'))/" --op cumsum $host -q -o bugs
for bug in $bugs; do
    ok "it sees $bug" grep -q "cumsum,$bug,.*,wrong," bugs/cumsum.csv
done
# shellcheck disable=SC2086
ok 'a run sees one wrong launch in 100' status 1 "$scanbench" run --broken \
    -f cumsum/wrong_hundredth --dtype f32 --op cumsum $host -q -o hundred \
    --shape 3x33:1,3x34:1,3x35:1,3x36:1,3x37:1,3x38:1

# ---- no workspace is asked of what refuses: picky would abort
ok 'picky is checked' sh -c '"$1" check -q --broken -f picky --device host \
    --shape 3x5:1,3x6:1 | grep -q "^1 passed, 0 failed, 1 skipped"' - \
    "$scanbench"
# shellcheck disable=SC2086
ok 'and planned' status 0 "$scanbench" run --broken -f picky --dry-run \
    --shape 3x5:1,3x6:1 $host

# ---- runs of one second
SCANBENCH_RESULTS=twice
export SCANBENCH_RESULTS
for k in 1 2; do # shellcheck disable=SC2086
    "$scanbench" run -f /serial/ --op cumsum --shape 1x3:1 --dtype f32 $host \
        -q --processes 1 >"twice$k" &
done
wait
unset SCANBENCH_RESULTS
ok 'have two folders' test "$(cat twice1)" != "$(cat twice2)"
ok 'both' test -f "$(cat twice1)/manifest.csv" -a -f "$(cat twice2)/manifest.csv"

# ---- a run that was killed may end in half a line
cp -r sweep torn
echo 'garbage' >>torn/sum.csv
printf 'NVIDIA X,copy,driver,f32,1,2' >>torn/copy.csv
if command -v gnuplot >/dev/null 2>&1; then
    ok 'charts of a torn run' "$source/plots/draw.sh" torn
    ok 'and what was left out' says 'sum.csv:[0-9]*: .*left out' \
        "$source/plots/draw.sh" torn
fi

# ---- both cache states, two processes: charts of each state, of medians
# shellcheck disable=SC2086
ok 'a run of two processes' status 0 "$scanbench" run --op flip --dtype f32 \
    --shape 16x64:1,2x512:1 --cache cold,hot --processes 2 $host -q -o both
if command -v gnuplot >/dev/null 2>&1; then
    ok 'charts of both' "$source/plots/draw.sh" both
    ok 'cold and hot ones' nonempty both/plots/flip_bandwidth_length.svg \
        both/plots/flip_bandwidth_length_hot.svg
    ok 'a chart of one state' says 'Hot cache' cat \
        both/plots/flip_bandwidth_length_hot.svg
    ok 'and of the other' says 'Cold cache' cat \
        both/plots/flip_bandwidth_length.svg
fi

# ---- shapes of a grid: those of a GPU, or of this machine
same_shapes() { # FIRST COUNT ARGS...
    first=$1 count=$2
    shift 2
    "$scanbench" list --shapes "$@" >shapes || return
    cat shapes
    [ "$(head -n 1 shapes)" = "$first" ] && [ "$(wc -l <shapes)" -eq "$count" ]
}
ok 'random shapes' same_shapes 3x32768x512 60 --grid random:1
ok 'of a host' same_shapes 1x128x128 7 --grid random:1:7 --device host
ok 'once each' same_shapes 32768x32768x1 2 --grid headline,headline --op cumsum
ok 'no GPU needed' same_shapes 5x4x3 1 --shape 5x4x3 --dtype f16

# ---- the best points
# shellcheck disable=SC2086
ok 'tune' says '^cumsum,f32,3,1025,1,cold,host/.*,1,.*,ok,' \
    "$scanbench" tune cumsum 3x1025:1 $host -q -o tuned --format csv
ok 'its folder' grep '^complete,1' tuned/manifest.csv
ok 'tune says no more' status 2 "$scanbench" tune cumsum 3x5:1 --grid quick

# ---- a crash or a hang costs one row, and the sweep goes on
# shellcheck disable=SC2086
ok 'a sweep with bad variants' status 1 \
    "$scanbench" run --broken --shape 3x2049:1 $host --timeout 1 -q -o broken
ok 'a row for the hang' grep 'hang,.*,timeout,' broken/cumsum.csv
ok 'a row for the crash' grep 'crash,.*,error,.*the worker [de]' broken/cumsum.csv
ok 'a row for the wrong' grep 'off_by_one,.*,wrong,' broken/cumsum.csv

ok 'no messages in it' status 1 sh -c '"$@" 2>&-' - "$scanbench" run --broken \
    -f off_by_one --shape 3x2049:1 --device host --budget 0 -o closed
ok 'where stderr is closed' status 1 grep -e wrong: closed/ceilings.csv
ok 'complete, but wrong' status 1 "$scanbench" run --broken -f off_by_one \
    --shape 3x2049:1 --device host --budget 0 --resume closed

# ---- a run is gone on with by its folder's name alone
ok 'alone' status 1 "$scanbench" run --resume closed
lines() { wc -l <both/flip.csv; }
before=$(lines)
sed '$d' both/flip.csv >less && mv less both/flip.csv
ok 'one row is missing' says 'lost rows' "$scanbench" run --resume both
ok 'and is there again' test "$(lines)" -eq "$before"
ok 'with other words' status 2 "$scanbench" run --resume both --op sum \
    --dtype f32
ok 'they are named' says "both was begun with .*, and not with --op 'sum'$" \
    "$scanbench" run --resume both --op sum --dtype f32
# shellcheck disable=SC2086
ok 'with some of its own' status 0 "$scanbench" run --op flip $host \
    --resume both

# ---- an interrupt leaves what was finished
"$scanbench" run --grid default --dtype f32 --device host -q -o cut \
    >cut.said 2>&1 &
child=$!
tries=0
until [ -s cut/copy.csv ] && [ "$(wc -l <cut/copy.csv)" -gt 1 ]; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || break
    sleep 1
done
kill -INT "$child"
wait "$child"
ok 'interrupted' test $? -eq 130
ok 'rows are kept' grep ',ok,' cut/copy.csv
ok 'marked incomplete' grep '^complete,0' cut/manifest.csv

tally
