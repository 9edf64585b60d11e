#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Draws runs over several ranks (docs/scale.md): for each operation, type, kind of
# shape and number of ranks, the share of all ceilings against the size with one
# curve per design, and the curve of the model up to 1024 ranks.
#
#   plots/scale.sh RUNS OUT      RUNS holds the folders of the runs
#
# GNUPLOT names another gnuplot than that of PATH. Exit status: 0 drawn; 1 a chart
# failed, or there was nothing to draw; 2 usage.
set -u
LC_ALL=C
export LC_ALL
[ $# -eq 2 ] || { echo 'usage: scale.sh RUNS OUT' >&2; exit 2; }
absolute() { # a leading - or other special character loses its meaning
    case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s/%s\n' "$PWD" "$1" ;;
    esac
}
runs=$(absolute "$1") out=$(absolute "$2")
here=$(cd "$(dirname "$0")" && pwd) || exit 2
scale=$here/../proof/scale.py
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" || exit 2
drawn=0 failed=0

draw() { # NAME TITLE LABEL SUBTITLE: draws $work/points, sorted lines of "curve x y",
    # unless all have the same x
    [ "$(cut -d ' ' -f 2 "$work/points" | sort -u | wc -l)" -gt 1 ] || return 0
    awk '{ if ($1 != last) print (NR > 1 ? "\n\n" : "") $1
        last = $1; print $2, $3 }' "$work/points" >"$work/blocks"
    if LC_ALL=C.UTF-8 "${GNUPLOT:-gnuplot}" -c "$here/scale.gp" "$out/$1.svg" "$work/blocks" \
        "$2" "$3" "$4"; then
        drawn=$((drawn + 1))
    else
        failed=1
    fi
}

# Lines of "key variant bytes share"; the key also names a file.
"$scale" --cells "$runs"/*/*.csv | awk -F , '
    $9 != "" {
        key = $1 "_" $2 "_" $3 "xNx" $5 "_" $6 "ranks"
        if (key ~ /^[a-z_]+_b?f[0-9]+_[0-9]+xNx[0-9]+_[0-9]+ranks$/ &&
            $7 ~ /^mgpu_[0-9a-z_]+$/)
            print key, $7, $11, $9 / 100
    }' | sort -k 1,1 -k 2,2 -k 3,3g >"$work/all"
cut -d ' ' -f 1 "$work/all" | uniq >"$work/keys"
while read -r key; do
    awk -v key="$key" '$1 == key { print $2, $3, $4 }' "$work/all" \
        >"$work/points"
    draw "$key" "$(echo "$key" | sed 's,_\([0-9]*\)ranks, over \1 ranks,; s,_\(b*f[0-9]*\)_, \1 ,')" \
        'compulsory bytes' \
        'One curve per design. Every rank has one contiguous part of each line.'
done <"$work/keys"

for op in $(for file in "$runs"/*/*.csv; do basename "$file" .csv; done |
    sort -u); do
    grep -q "^${op}_[fb]" "$work/keys" || continue
    "$scale" --curve 1024 "$runs"/*/"$op".csv >"$work/curves" || failed=1
    for scaling in strong weak; do
        awk -F , -v scaling=$scaling '$6 == scaling {
            print $5 "," $2 "," $3 "xNx" $4, $7, $9 }' "$work/curves" |
            sort -k 1,1 -k 2,2g >"$work/points"
        draw "${op}_model_$scaling" \
            "$op, $scaling scaling" ranks 'Predicted by the fitted model, not measured.'
    done
done
[ "$drawn" -gt 0 ] || { echo 'scale.sh: no timed row over ranks' >&2; exit 1; }
echo "$drawn charts in $out"
exit $failed
