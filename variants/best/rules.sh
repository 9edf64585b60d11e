#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The rules of best.c, from the runs under results/h200:
#   rules.sh             prints what they lose against every cell's winner, if
#                        several variants were measured there
#   rules.sh --held-out  the same of rules that did not know the cell's shape:
#                        what to expect of shapes between the measured ones
#   rules.sh --write     puts them into rules.inc
#   rules.sh --check     1 if rules.inc has others
set -u
cd "$(dirname "$0")/../.." || exit 2
table=variants/best/rules.inc
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

variants/points.sh >"$work/points"
[ -s "$work/points" ] || exit 2
# Of a variant that several runs have at a problem, the first counts: the newest
# comes first.
runs=$(variants/newest.sh default headline marks/short_axis marks/odd_pitch \
    marks/huge marks/long marks/sum marks/narrow marks/lines marks/lines_f64 \
    marks/odd marks/strided marks/short marks/short_sums marks/small) || exit 2
for run in $runs; do
    for op in cumsum cumsum_exclusive cumsum_reverse masked_cumsum sum flip; do
        find "results/h200/$run" -name "$op.csv"
    done
done >"$work/csv"

derive() { # AWK OPTION...
    # shellcheck disable=SC2046 # no run has a blank in its name
    LC_ALL=C awk -v losses="$work/losses" "$@" -f variants/best/rules.awk \
        -f variants/best/read.awk -f variants/best/tree.awk \
        "$work/points" $(cat "$work/csv")
}

# Of one run, the middle and the worst of what its cells lose.
summary() { # RUN
    grep "^[^ ]* $1 " "$work/losses" | sort -g | awk -v run="$1" '
        $1 == "unknown" { ++unknown; next }
        { lost[++n] = $1; good += $1 <= 10 }
        END {
            if (n)
                printf "%s: %d cells, median %.2f %%, worst %.2f %%; " \
                    "%.0f %% of them lose at most 10 %%%s\n", run, n, \
                    lost[int((n + 1) / 2)], lost[n], 100 * good / n, \
                    unknown ? "; in " unknown \
                    " more the choice was not measured" : ""
        }'
}

report() {
    for run in $runs; do summary "${run##*/}"; done
    echo 'Most is lost, in per cent, at'
    grep ' of ' "$work/losses" | sort -gr | head -n 12
}

case ${1-} in
'')
    derive >/dev/null || exit 2
    grep ' rules$' "$work/losses"
    report
    ;;
--held-out)
    # shellcheck disable=SC2046 # as above
    awk -F , 'FNR > 1 { print $5 "x" $6 "x" $7 }' $(cat "$work/csv") |
        sort -u >"$work/shapes"
    while read -r shape; do
        derive -v without="$shape" >/dev/null || exit 2
        cat "$work/losses" >>"$work/all"
    done <"$work/shapes"
    mv "$work/all" "$work/losses"
    report
    ;;
--write) derive >"$work/rules.inc" && cp "$work/rules.inc" "$table" ;;
--check)
    derive >"$work/rules.inc" || exit 2
    diff "$table" "$work/rules.inc" && exit
    echo "FAILED: $table (<) is not what the runs say (>);" \
        'to mend it: variants/best/rules.sh --write'
    exit 1
    ;;
*)
    echo "rules.sh: unknown option '$1'; there are:" >&2
    sed -n 's/^#  *//; 5,10p' "$0" >&2
    exit 2
    ;;
esac
