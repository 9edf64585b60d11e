#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks all variants at random shapes, in all operations and types, with aligned and
# unaligned pointers.
#
#   random_check.sh [OPTIONS] FILE.csv [-- WORDS for `scanbench check`]
#
#   --device D   cuda:0 (default), cuda:N or host
#   --grid G,G   random (2^24 to 2^30 elements), random_small (2^18 to 2^24), or both
#                (default)
#   --seed S     seed of the first grid (default 1); the next has S + 1
#   --seeds N    number of seeds (default 21)
#   --shapes N   shapes per grid (default 4)
#
# A chunk is a grid of one seed at one offset, 0 or 1 elements. FILE gets one line per
# chunk with the counts of passed, failed and skipped checks; failures are listed on
# stderr. An interrupted check continues when called again with the same words.
#
# SCANBENCH names the program, as for the proofs. Exit status: 0 all passed; 1
# something failed, now or earlier in FILE; 2 usage, or a check that did not run; 77 no
# usable GPU, or nothing passed; 130 interrupted.
set -u
. "$(dirname "$0")/lib.sh"
set -f # words for `check` may contain *

is_count() { # WORD
    case $1 in *[!0-9]* | '') return 1 ;; esac
    [ ${#1} -le 9 ]
}

grids='random random_small' seed=1 seeds=21 shapes=4
own_option() {
    case $1 in
    --grid) grids=$(echo "$2" | tr , ' ') ;;
    --seed | --seeds | --shapes)
        is_count "$2" || die 2 "$1 takes a whole number, not '$2'"
        eval "${1#--}=\$2"
        ;;
    *) return 1 ;;
    esac
}
usage() {
    sed -n 's/^# \{0,1\}//; 4,22p' "$0"
}
parse "$@"
[ -z "$judge_only" ] || die 2 'unknown option --judge (see --help)'
out=$results
for grid in $grids; do
    case $grid in
    random | random_small) ;;
    *) die 2 "--grid takes random and random_small, not '$grid'" ;;
    esac
done

# A line counts for this run only if these fields are the same.
commit=$("$scanbench" --version | sed -n 's/.*commit \([^,]*\),.*/\1/p')
own="${commit:-none},$device,\"$(echo "$plan" | sed 's/"/""/g')\""
heads=commit,device,words,grid,offset,passed,failed,skipped,seconds
if [ -s "$out" ]; then
    [ "$(head -n 1 "$out")" = "$heads" ] ||
        die 2 "$out is no file of this script: name another"
    sed 1d "$out" | cut -c "1-${#own}" | grep -qvxF -e "$own" &&
        die 2 "$out is of another commit, device or words: name another"
else
    echo "$heads" >"$out" || die 2 "cannot write to $out"
fi

chunk() { # GRID OFFSET
    shapes_of=$1 offset=$2 which="$1,$2" start=$(date +%s)
    grep -qF -e "$own,$which," "$out" && return
    # shellcheck disable=SC2086 # words
    said=$("$scanbench" check -q --device "$device" --grid "$shapes_of" \
        --offset "$offset" $plan)
    status=$?
    counts=$(echo "$said" | sed -n \
        's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1,\2,\3/p')
    case $status/$counts in
    [01]/?* | 77/?*) ;;
    77/* | 130/*) exit $status ;;
    *) die 2 "the check of $which ended with $status" ;;
    esac
    echo "$own,$which,$counts,$(($(date +%s) - start))" >>"$out" ||
        die 2 "cannot write to $out"
    echo "$which: $said"
}

at=0
while [ "$at" -lt "$seeds" ]; do
    for grid in $grids; do
        chunk "$grid:$((seed + at)):$shapes" 0
        chunk "$grid:$((seed + at)):$shapes" 1
    done
    at=$((at + 1))
done

# Words may contain commas, so fields are counted from the end.
awk -F , -v out="$out" 'NR > 1 {
    passed += $(NF - 3); failed += $(NF - 2); skipped += $(NF - 1)
} END {
    printf "%d chunks in %s: %d passed, %d failed, %d skipped\n",
        NR - 1, out, passed, failed, skipped
    exit failed ? 1 : passed ? 0 : 77
}' "$out"
