#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what a user may get wrong, and what becomes of it: mistyped
# words, folders that cannot be, disks that are full, problems without elements.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

host="--device host --budget 0"
# shellcheck disable=SC2086
ok 'a run' status 0 "$scanbench" run -f ^cumsum/serial/f32 --shape 3x5:1 \
    $host -q -o sweep

# ---- what is cut must not pass as whole
ok 'a full list' status 2 sh -c '"$1" list >/dev/full' - "$scanbench"
ok 'a full help' status 2 sh -c '"$1" --help >/dev/full' - "$scanbench"

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
ok 'a folder below none' complaint 'no folder can be made there' /proc/none/here
ok 'a folder below a file' complaint 'no folder can be made there' \
    "$work/sweep/cumsum.csv/x"
ok 'a folder named without end' complaint 'no folder can be made there' \
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
ok 'they are checked' says '^[1-9].* passed, 0 failed' \
    "$scanbench" check --op sum --device host --shape 0x4:0 --dtype f32
# shellcheck disable=SC2086
ok 'a part of them skipped' status 0 "$scanbench" run --op cumsum \
    --dtype f32 --shape 3x0x1,3x5x1 $host -q -o some
# shellcheck disable=SC2086
ok 'a probe that was asked for' status 0 "$scanbench" run --op copy,cumsum \
    -f ^copy/ --dtype f32 --shape 1x1024x1 $host -q -o probe

tally
