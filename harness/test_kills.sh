#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH [KILLS [SEED]]: a sweep is killed again and again, its parent, its
# worker or both, at moments that the seed picks, and taken up each time: no
# row that was whole is lost, and in the end it has all cells, each once. It
# gives up after 40 seconds, with as many kills as there were.
set -u
scanbench=$(realpath "$1")
kills=${2-100} seed=${3-1}
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

words='--device host --op cumsum --dtype f32 --cache hot --budget 2 -q
--shape 3x2049:1 -f serial|copy --processes 3 --samples'

whole_rows() { # FOLDER: without a line that is being written
    for csv in "$1"/c*m.csv "$1"/copy.csv; do
        [ ! -s "$csv" ] || awk 'NR > 1 && NF { if (held) print line
            line = $0; held = 1 }' "$csv"
    done | grep -v ',error,' | sort
}

# shellcheck disable=SC2086 # words
sweep() {
    "$scanbench" run $words "$@" >out 2>err
}

is_status() { # WANTED GOT
    [ "$1" -eq "$2" ] || { echo "status $2, not $1"; cat err; return 1; }
}

cells() { # FOLDER
    sed 1d "$1/cumsum.csv" | cut -d , -f 2-10 | sort
}

once() {
    cells "$1" | uniq -d >twice
    [ ! -s twice ] || { cat twice; return 1; }
}

sweep -o whole
ok 'nothing happens' is_status 0 $?
cells whole >whole.cells

# A moment to wait, and whom to kill, one line per kill.
awk -v seed="$seed" -v kills="$kills" 'BEGIN {
    srand(seed)
    for (k = 0; k < kills; ++k)
        printf "%.3f %d\n", 0.02 + 0.3 * rand(), int(3 * rand())
}' >plan

begun=$(date +%s) done=0 number=0 lost=0
: >before
while read -r moment who; do
    [ $(($(date +%s) - begun)) -lt 40 ] || break
    folder=run$number
    if [ -f "$folder/manifest.csv" ]; then
        set -- --resume "$folder"
    else
        set -- -o "$folder"
    fi
    # shellcheck disable=SC2086 # words
    "$scanbench" run $words "$@" >out 2>err </dev/null &
    parent=$!
    sleep "$moment"
    workers=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null)
    # shellcheck disable=SC2086 # words
    case $who in
    0) kill -KILL "$parent" ;;
    1) kill -KILL $workers ;;
    2) kill -KILL "$parent" $workers ;;
    esac 2>/dev/null
    wait "$parent" 2>/dev/null
    status=$?
    done=$((done + 1))
    case $status in
    0 | 1 | 2 | 137) ;;
    *)
        echo "kill $done: status $status"
        lost=1
        ;;
    esac
    [ -d "$folder" ] || continue
    whole_rows "$folder" >now
    comm -23 before now >gone
    if [ -s gone ]; then
        echo "kill $done: lost:"
        cat gone
        lost=1
    fi
    mv now before
    if grep -q '^complete,1' "$folder/manifest.csv" 2>/dev/null; then
        number=$((number + 1))
        : >before
    fi
done <plan
echo "$done kills, $((number + 1)) runs"
ok 'kills' test $done -gt 0
ok 'no row was lost' test $lost -eq 0
if [ -f "run$number/manifest.csv" ]; then
    sweep --resume "run$number"
    ok 'resumed' is_status 0 $?
    cells "run$number" >found
    ok 'all cells' diff whole.cells found
fi
# Of every timed row as many samples as it says, in the last line of the cell.
sampled() { # FOLDER
    [ -f "$1/cumsum.csv" ] || return 0
    awk -F , 'FNR == NR { count[$2, $6, $8] = split($9, us, " "); next }
        $11 == "ok" && count[$3, $8, $10] != $14 { print; bad = 1 }
        END { exit bad }' "$1/samples.csv" "$1/cumsum.csv"
}

for run in run*/; do
    ok "each once in $run" once "$run"
    ok "samples in $run" sampled "$run"
done
tally
