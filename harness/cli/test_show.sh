#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what `show` says of runs made here, in every format, and
# what `run` says in the end.
set -u
# shellcheck source=harness/cli/made_runs.sh
. "$(dirname "$(realpath "$0")")/made_runs.sh"

show() { # WANTED STATUS, ARGUMENTS: what it says is in out and err
    wanted=$1
    shift
    "$scanbench" show "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out err
    return 1
}

# A cell of a shape: FOLDER OP FAMILY SHAPE US [MARKS]
at() {
    [ -f "$1/$2.csv" ] || echo "$header" >"$1/$2.csv"
    for process in 0 1 2; do
        echo "h200,$2,$3,f32,$4,cold,$process,ok,,${6-},$5,$5,$5,1000,50"
    done >>"$1/$2.csv"
}

manifest gpu 'device_name,NVIDIA H200' 'device_kind,cuda' \
    'ceiling_drift_pct,-41'
at gpu cumsum lookback_b256 64,4096,1 10
at gpu cumsum lookback_b512 64,4096,1 11
at gpu cumsum packed_i8 64,4096,1 10
at gpu cumsum cub_scan 64,4096,1 25
at gpu cumsum packed_i8 32,4096,1 4 near_empty
at gpu cumsum lookback_b256 32,4096,1 5
at gpu cumsum column 1,64,4096 7 above_ceiling
at gpu copy driver 1,64,1 1
untimed gpu sum v1 skip 'too large'

# ---- a line a class, at its largest shape
ok 'text' show 0 gpu
ok 'who is ahead, and how far CUB is behind' \
    has out '^  64x4096x1  *few_lines  *lookback  *10.00  *1000  *50  *2.50x'
ok 'who is tied, and how often it is ahead' \
    has out '= packed; ahead at 1 of 2 shapes$'
ok 'the smaller shape is of that class' hasnt out 32x4096x1
ok 'a share that means nothing' \
    has out '^  1x64x4096  *wide_inner  *column .* >120  *above_ceiling$'
ok 'what has no time, and why' \
    has out '^  64x4096x1  .*(no time)  *skip: too large'
ok 'no traffic unasked' hasnt out '^copy'
ok 'unless asked' show 0 gpu --op copy
ok 'there it is' has out '^  1x64x1  .*driver  *1.00'
ok 'a warning' has out '^warning: the ceilings moved by -41'
narrow() { # no line is wider than the terminal
    for columns in 40 60 80 100 130; do
        COLUMNS=$columns "$scanbench" show gpu --all >out 2>err
        awk -v columns=$columns 'length > columns { print; wrong = 1 }
            END { exit wrong }' out || return 1
    done
}
ok 'the width' narrow
ok 'shapes are whole at 80' sh -c \
    'COLUMNS=80 "$1" show gpu | grep "^  64x4096x1 .*lookback"' - "$scanbench"

# ---- every shape
ok 'all shapes' show 0 gpu --all
ok 'the smaller' has out '^  32x4096x1  .*packed  *4.00 .*near_empty'
ok 'one shape' show 0 gpu --shape 32x4096:1
ok 'is that one' test "$(grep -c '^  [0-9]*x' out)" -eq 1
ok 'a filter' show 0 gpu -f /packed
ok 'leaves others out' hasnt out lookback
ok 'nothing left' show 77 gpu -f nobody
ok 'says so' has err 'no such cell'
ok 'a format that is none' show 2 gpu --format jsn
ok 'names the near' has err 'did you mean json'
ok 'no run' show 2
ok 'two runs' show 2 gpu gpu

# ---- for programs
ok 'csv' show 0 gpu --format csv
ok 'a record' has out '^cumsum,f32,64,4096,1,few_lines,cold,lookback,lookback_b256,ok,,,3,10,'
ok 'CUB in it' has out ',1,cub_scan,25,2,1$'
ok 'its warnings' has err 'warning: the ceilings moved'
ok 'markdown' show 0 gpu --format markdown
ok 'a row' has out '^| *64x4096x1 | few&#95;lines | lookback | 10.00 | 1000 |'
ok 'json' show 0 gpu --format json
if command -v python3 >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # Python's
    ok 'is JSON' python3 -c 'import json
run = json.load(open("out"))
first = run["leads"][0]
assert run["run"]["device_name"] == "NVIDIA H200", run
assert first["class"] == "few_lines" and first["us"] == 10, first
assert first["tied"] == 1 and first["cub_us"] == 25, first
none = [lead for lead in run["leads"] if lead["op"] == "sum"][0]
assert none["us"] is None and none["reason"] == "too large", none
assert run["warnings"][0].startswith("the ceilings moved"), run'
else
    skip 'JSON: no python3'
fi

# ---- other commands on such runs
table() { "$scanbench" table "$@" >out 2>err; }
ok 'table' table gpu
ok 'a share that means nothing' has out 'column  *7.00 .* >120$'
ok 'its columns are explained' has out '^%: of the ceiling .*error:'
told() { # COMMAND WANTED STATUS WORDS
    "$scanbench" "$1" host >out 2>err
    [ $? -eq "$2" ] && [ ! -s out ] && has err "$3"
}
manifest host device_kind,host complete,1
at host cumsum serial 64,4096,1 10
ok 'rules of a host' told rules 77 'only runs of a host, and rules'
ok 'ladder of a host' told ladder 77 'only runs of a host, and rules'
manifest cut && sed -i.bak 's/complete,1/complete,0/' cut/manifest.csv
ok 'a run without rows' show 2 cut
ok 'what to do with it' has err 'cut short before .*run --resume'

# ---- the end of a run
quick="run --op cumsum --dtype f32 --shape 3x65:1 --device host --budget 0"
# shellcheck disable=SC2086
ok 'a run' sh -c '"$@" >run.out 2>run.err' - "$scanbench" $quick -o here
ok 'prints its folder' test "$(cat run.out)" = here
ok 'and its table' has run.err '^  3x65x1  *short_lines  '
ok 'and its doubts' has run.err '^warning: one process'
# shellcheck disable=SC2086
ok 'a quiet run' sh -c '"$@" >run.out 2>run.err' - "$scanbench" $quick -q \
    -o quiet
ok 'prints its folder' test "$(cat run.out)" = quiet
ok 'and no table' hasnt run.err few_lines
ok 'its host was looked at' has quiet/manifest.csv '^host_busy_pct,[0-9]'

tally
