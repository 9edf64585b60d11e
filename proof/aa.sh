#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The same code twice is the same: two runs of one build, three launches each,
# over the grid aa in both cache states. The launches take turns, A B B A A B:
# what drifts meets both, and so does what goes to and fro from process to
# process (the place in memory that one leaves is taken by the next but one).
# `--first b` swaps the sides, for those who suspect their order.
# `aa.sh --help` has the options.
#
# About 8 minutes on an H200 (six launches, each below two minutes).
set -u
. "$(dirname "$0")/lib.sh"
first=a

own_usage() {
    echo '  --first S    a (default) or b: the side that is launched first'
}

own_option() {
    [ "$1" = --first ] || return
    [ "$2" = a ] || [ "$2" = b ] || die 2 "--first: a or b, not $2"
    first=$2
}
parse "$@"
case $first in
a) second=b ;;
b) second=a ;;
esac

folder=$results/aa
if ! is_complete "$folder/a" || ! is_complete "$folder/b"; then
    for launch in 0 1 2; do
        case $launch in
        1) sides="$second $first" ;;
        *) sides="$first $second" ;;
        esac
        for side in $sides; do
            # shellcheck disable=SC2086 # words
            measure "$folder/$side$launch" --seed $((launch + 1)) \
                ${plan:---grid aa --cache cold,hot}
        done
    done
    rm -rf "$folder/a" "$folder/b"
    for side in a b; do
        join_launches "$folder/$side" "$folder/${side}0" "$folder/${side}1" \
            "$folder/${side}2"
    done
    rm -rf "$folder"/[ab][012]
fi

pairs=$(mktemp) || exit 2
trap 'rm -f "$pairs"' EXIT
compare "$folder/a" "$folder/b" "$pairs" 2>/dev/null
floor=$(aa_floor)
# The others have floors of their own: src/judge/aa_floor.h
common=$("$scanbench" compare --aa "$folder/a" "$folder/b" 2>&1 >/dev/null |
    sed -n 's/^scanbench: \([0-9]*\) cells (.*/\1/p')

all=$(count_pairs "$pairs" 1)
same=$(count_pairs "$pairs" '$1 == "unchanged"')
alarms=$(count_pairs "$pairs" '$1 != "unchanged" && $1 != "unclear"')
# How far the false alarms lie apart: max(ratio, 1 / ratio) - 1. (One that is
# broken has no ratio.)
worst=$(over_pairs "$pairs" '$1 != "unchanged" && $1 != "unclear"' '
    r = $f["ratio"]; if (r && r < 1) r = 1 / r; if (r > w) w = r' \
    'print(w ? 100 * (w - 1) : 0)')
longest=$(for side in a b; do fact "$folder/$side" longest_launch_s; done |
    sort -n | tail -n 1)

heads
finding 'cells' 'at least 300' "$all" "$(is "$all >= 300")"
finding 'false alarms: `slower`, `faster` or `broken`' 'at most 1 %' \
    "$(share "$alarms" "$all")" "$(is "$alarms <= 0.01 * $all")"
finding 'the farthest of them' 'at most 5 %' "$(printf '%.2f %%' "$worst")" \
    "$(is "$worst <= 5")"
finding '`unchanged`' 'at least 85 %' "$(share "$same" "$all")" \
    "$(is "$same >= 0.85 * $all")"
finding 'the longest launch' 'below 120 s' "$longest s" "$(is "$longest < 120")"
finding 'A/A floor (`compare --aa`)' 'told' \
    "${floor:--} %, of ${common:-0} cells" -
exit $missed
