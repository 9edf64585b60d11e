#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compares one build with itself: two sides of three processes each (--processes N),
# over the grid aa in both cache states. The processes alternate as A B B A A B, so
# that drift affects both sides, and so does any effect with a period of two
# processes, such as the placement in memory. `--first b` swaps the sides. The
# findings cover all ways to split the processes into halves. `aa.sh --help` lists
# the options.
#
# About 6 minutes on an H200 (six processes, each about a minute).
set -u
. "$(dirname "$0")/lib.sh"
first=a processes=3

own_usage() {
    echo '  --first S      the side to measure first: a (default) or b'
    echo '  --processes N  processes per side, 2 to 6 (3)'
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
        # A complete side may also have all its processes in one folder.
        # shellcheck disable=SC2086 # words
        is_complete "$folder/$side" ||
            is_complete "$folder/$side/$process" ||
            measure "$folder/$side/$process" --seed "$process" \
                ${plan:---grid aa --cache cold,hot}
    done
done
"$rates" "$folder"
