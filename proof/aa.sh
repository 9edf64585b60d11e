#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The same code twice is the same: two sides of one build, three processes each
# (--processes N), over the grid aa in both cache states. The processes take
# turns, A B B A A B: what drifts meets both, and so does what goes to and fro
# from process to process (the place in memory that one leaves is taken by the
# next but one). `--first b` swaps the sides, for those who suspect their order; what is
# found is of all ways to split them into halves. `aa.sh --help` has the options.
#
# About 6 minutes on an H200 (six processes, each about a minute).
set -u
. "$(dirname "$0")/lib.sh"
first=a processes=3

own_usage() {
    echo '  --first S      a (default) or b: the side that is measured first'
    echo '  --processes N  of a side, 2 to 6 (3)'
}

own_option() {
    [ "$1" = --processes ] && processes=$2 && return
    [ "$1" = --first ] || return
    [ "$2" = a ] || [ "$2" = b ] || die 2 "--first: a or b, not $2"
    first=$2
}
parse "$@"
case $first in
a) second=b ;;
b) second=a ;;
esac

folder=$(unpacked "$results/aa") || exit
process=0
while [ $process -lt "$processes" ]; do
    process=$((process + 1))
    sides="$first $second"
    [ $((process % 2)) -eq 1 ] || sides="$second $first"
    for side in $sides; do
        # A side whose processes are in one folder has been measured, too.
        # shellcheck disable=SC2086 # words
        is_complete "$folder/$side" ||
            is_complete "$folder/$side/$process" ||
            measure "$folder/$side/$process" --seed "$process" \
                ${plan:---grid aa --cache cold,hot}
    done
done
"$rates" "$folder"
