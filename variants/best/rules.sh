#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The rules of best.c, from the runs under results/h200:
#   rules.sh           prints what they lose against every cell's winner
#   rules.sh --write   puts them into rules.inc
#   rules.sh --check   1 if rules.inc has others
set -u
cd "$(dirname "$0")/../.." || exit 2
table=variants/best/rules.inc
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

(cd variants && printf '%s\n' scan/*.cu sum/*.cu flip/*.cu) |
    sed 's/\.cu$//' >"$work/families"
for run in default headline; do
    for op in cumsum cumsum_exclusive cumsum_reverse masked_cumsum sum flip; do
        printf '%s\n' "results/h200/$run/$op.csv"
    done
done >"$work/csv"
# shellcheck disable=SC2046 # no run has a blank in its name
LC_ALL=C awk -v losses="$work/losses" -f variants/best/rules.awk \
    "$work/families" $(cat "$work/csv") >"$work/rules.inc" || exit 2

# The share of cells and the percentiles of what they lose, of one run.
summary() { # RUN
    grep " $1 " "$work/losses" | sort -g >"$work/run"
    awk -v run="$1" '{ lost[NR] = $1 }
        END { printf "%s: %d cells, median %.2f %%, worst %.2f %%\n", run, NR,
            lost[int((NR + 1) / 2)], lost[NR] }' "$work/run"
}

case ${1-} in
'')
    tail -n 1 "$work/losses"
    summary default
    summary headline
    echo 'Most is lost, in per cent, at'
    grep ' of ' "$work/losses" | sort -gr | head -n 12
    ;;
--write) cp "$work/rules.inc" "$table" ;;
--check)
    diff "$table" "$work/rules.inc" && exit
    echo "FAILED: $table (<) is not what the runs say (>);" \
        'to mend it: variants/best/rules.sh --write'
    exit 1
    ;;
*) sed -n '4,8p' "$0"; exit 2 ;;
esac
