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

status() { # WANTED COMMAND...
    wanted=$1
    shift
    "$@"
    got=$?
    [ "$got" -eq "$wanted" ] || { echo "status $got, not $wanted"; return 1; }
}

says() { # TEXT COMMAND...
    text=$1
    shift
    "$@" 2>&1 | grep -e "$text"
}

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

# ---- no workspace is asked of what refuses: picky would abort
ok 'picky is checked' sh -c '"$1" check -q --broken -f picky --device host \
    --shape 3x5:1,3x6:1 | grep -q "^1 passed, 0 failed, 1 skipped"' - \
    "$scanbench"
# shellcheck disable=SC2086
ok 'and planned' status 0 "$scanbench" run --broken -f picky --dry-run \
    --shape 3x5:1,3x6:1 $host

# ---- what is cut must not pass as whole
ok 'a full list' status 2 sh -c '"$1" list >/dev/full' - "$scanbench"
ok 'a full help' status 2 sh -c '"$1" --help >/dev/full' - "$scanbench"

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

# ---- what a user may get wrong
# shellcheck disable=SC2086
ok 'a folder in use' status 2 "$scanbench" run --quick $host -o sweep
ok 'a mistyped op' says 'did you mean cumsum' "$scanbench" run --op cumsun
ok 'a mistyped option' says 'did you mean grid' "$scanbench" run --gird quick
ok 'a bad shape' status 2 "$scanbench" run --shape 3x:1
ok 'too many elements' says 'more than 2^56 elements' \
    "$scanbench" check --device host --shape 1152921504606846976:0
ok 'as many as there can be' says 'needs [0-9.]* GB of memory' \
    "$scanbench" check --device host --shape 72057594037927936:0 --dtype f64
ok 'a filter that matches nothing' status 2 \
    "$scanbench" check --device host -f no_such_variant
ok 'a folder that cannot be made' status 2 \
    "$scanbench" run --quick --device host -o /proc/none/here
complaint() { # TEXT FOLDER: status 2, and TEXT is the advice
    "$scanbench" run --quick --device host -o "$2" >bad.out 2>bad.said
    [ $? -eq 2 ] && grep -e "$1" bad.said
}
ok 'a folder below none' complaint 'can be no such folder' /proc/none/here
ok 'a folder below a file' complaint 'can be no such folder' \
    "$work/sweep/copy.csv/x"
ok 'a folder named without end' complaint 'can be no such folder' \
    "$(printf '%0300d' 0)"
# Root may write anywhere, but not on a full device.
ok 'a full disk' says 'free some space' sh -c \
    "ulimit -f 0; '$scanbench' run --quick --device host -o small"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 locked
    ok 'a folder of others' complaint 'may not write' locked/x
fi
if ! "$scanbench" list --device cuda >list.ids 2>&1; then
    ok 'why there is no CUDA' says 'no CUDA (.* when it was configured)' \
        "$scanbench" check --device cuda
fi
ok 'the list' says '^cumsum/serial/f32/32768x32768x1$' \
    "$scanbench" list --device host --grid headline
near() { # WORDS FILTER: what it says of a filter that matches nothing
    says "near: $1" "$scanbench" list --device host -f "$2"
}
ok 'a mistyped op in a filter' near 'cumsum, sum, masked' '^cumsun/'
ok 'in an id' near 'masked_cumsum, masked_copy' 'masked_cumsm/serial/f32/3x5x1'
ok 'by itself' near 'flip$' 'flpi'
ok 'a mistyped variant' near 'serial' '^cumsum/serail'
ok 'a mistyped dtype' near 'f32, f64' '/serial/f23/'
far() { # what is like nothing is reported without a guess
    "$scanbench" list --device host -f '^cumsum/decoupled' 2>far.said
    grep 'nothing matches' far.said && ! grep near: far.said
}
ok 'a variant that is not here' far
nothing() { # COMMAND...: the answer is a message, status 2, and no data
    "$@" >list.ids 2>list.said
    [ $? -eq 2 ] && [ ! -s list.ids ] && grep 'nothing matches' list.said
}
ok 'a list of nothing' nothing "$scanbench" list -f no_such_variant
ok 'a list of nothing here' nothing \
    "$scanbench" list --device host -f block_per_line_registers
quiet_list() { # what one kind of device does not have, another may
    "$scanbench" list -f 'cumsum/serial/f32' >list.ids 2>list.said &&
        [ -s list.ids ] && [ ! -s list.said ]
}
ok 'a list of what only the host has' quiet_list
ok 'a dry run' says 'cells' "$scanbench" run --quick --device host -n
ok 'help' says 'Exit status' "$scanbench" --help

# ---- the same bits in every launch, or not: only --repeat sees it
bits="$scanbench check --device host --broken -f nondeterministic -q"
# shellcheck disable=SC2086
ok 'other bits are right' status 0 $bits --shape 3x1025:1
# shellcheck disable=SC2086
ok 'other bits are seen' says 'launch 2 of 6 gave other bits.*element [0-9]' \
    status 1 $bits --shape 3x1025:1 --repeat 5
repeat="$scanbench check --device host -f ^cumsum/serial/f32 --shape 3x1025:1"
# shellcheck disable=SC2086
ok 'the same bits' says '^scanbench: 1 cells .*up to 5 .* at least 5 times$' \
    $repeat --repeat 5
# shellcheck disable=SC2086
$repeat --repeat 1000000 >repeat.out 2>repeat.said
ok 'fewer launches than asked for' says 'at least [0-9]* times$' cat repeat.said
ok 'are reported' says '^scanbench: 1 of them fewer .* after 0.5 s' cat repeat.said
ok 'and none of five' test 0 -eq \
    "$($repeat --repeat 5 2>&1 | grep -c 'fewer')"

# ---- nothing but skips is no success, whatever the ceilings' probes say
none="--op cumsum --dtype f32 --shape 3x0x1 $host -q"
# shellcheck disable=SC2086
ok 'all cells skipped' status 77 "$scanbench" run $none -o none
# shellcheck disable=SC2086
ok 'and why' says 'nothing was measured: all 3 .* the first: no output elem' \
    "$scanbench" run --op cumsum --shape 3x0x1 --dtype f32 $host -o none2
ok 'they are rows' grep ',skip,no output' none/cumsum.csv
ok 'a check of nothing' status 77 "$scanbench" check --op cumsum \
    --shape 3x0x1 --device host
# Sums of nothing are outputs, and no time.
# shellcheck disable=SC2086
ok 'no elements' status 77 "$scanbench" run --op sum --shape 0x4:0 $host \
    --dtype f32 -q -o empty
ok 'why' grep ',sum,.*,0,4,.*,skip,no elements: ' empty/sum.csv
ok 'they are checked' says '^[1-9].* passed, 0 failed' "$scanbench" check --op sum \
    --device host --shape 0x4:0 --dtype f32
# shellcheck disable=SC2086
ok 'a part of them skipped' status 0 "$scanbench" run --op cumsum \
    --dtype f32 --shape 3x0x1,3x5x1 $host -q -o some
# shellcheck disable=SC2086
ok 'a probe that was asked for' status 0 "$scanbench" run --op copy,cumsum \
    -f ^copy/ --dtype f32 --shape 1x1024x1 $host -q -o probe

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
ok 'a row for the crash' grep 'crash,.*,error,.*signal' broken/cumsum.csv
ok 'a row for the wrong' grep 'off_by_one,.*,wrong,' broken/cumsum.csv

ok 'no messages in it' status 1 sh -c '"$@" 2>&-' - "$scanbench" run --broken \
    -f off_by_one --shape 3x2049:1 --device host --budget 0 -o closed
ok 'where stderr is closed' status 1 grep -e wrong: closed/ceilings.csv
ok 'complete, but wrong' status 1 "$scanbench" run --broken -f off_by_one \
    --shape 3x2049:1 --device host --budget 0 --resume closed

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
