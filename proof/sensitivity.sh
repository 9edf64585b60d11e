#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Three per cent is seen: a copy that takes a known 3 % longer than itself, and
# one that takes 1 % longer, compared with the one that does not
# (variants/broken/slowed.cu), at all sizes, types and cache states, three
# launches. `sensitivity.sh --help` has the options; --pct 30 compares the
# host's slowest point instead of 3. Only copies are measured so; how it goes
# among other variants, whose scatter counts as well, is told by what aa
# measured: its one side as it is, and the other with its times reckoned longer.
#
# About 2 minutes on an H200.
set -u
. "$(dirname "$0")/lib.sh"
pct=3

own_usage() {
    echo '  --pct P      how much the slow copy is slowed by (3): 3 or 30'
}

own_option() {
    [ "$1" = --pct ] && pct=$2
}
parse "$@"

shapes() { # 1x2^12x1 and on to 2^28, every power from 2^20
    awk 'BEGIN {
        for (bits = 12; bits <= 28; bits += bits < 20 ? 2 : 1)
            printf("%s1x%dx1", (bits > 12 ? "," : ""), 2 ^ bits) }'
}

folder=$results/sensitivity
# shellcheck disable=SC2086 # words
is_complete "$folder" || measure "$folder" --broken -f '^copy/slowed' \
    --processes 3 ${plan:---cache cold,hot --shape "$(shapes)"}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

only() { # POINT: its rows, under the name that all points share
    awk -F, -v OFS=, -v point="$1" '
        NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "variant") at = k; next }
        at && $at == point { $at = "slowed"; print }'
}

for point in 0 1 "$pct"; do
    mkdir -p "$work/p$point" && cp "$folder/manifest.csv" "$work/p$point"
    append_csvs "$folder" "$work/p$point" only "slowed_p$point"
    rm -f "$work/p$point/ceilings.csv"
done
# As strict as a user's runs are judged: with the floor that aa measured.
floor=$(aa_floor)
for pair in "$pct slow" '1 slight'; do
    # shellcheck disable=SC2086 # a point and a file
    set -- $pair
    compare "$work/p0" "$work/p$1" "$work/$2" ${floor:+--aa-floor "$floor"} \
        2>/dev/null
done

# The times of cells that are not short, longer by that share. (What is quoted
# holds commas, and is of no interest here.)
longer() {
    awk -F, -v OFS=, -v factor="$(awk "BEGIN { print 1 + $pct / 100 }")" '
        NR == 1 {
            for (k = 1; k <= NF; ++k) {
                if ($k == "median_us") middle = k
                if ($k == "median_us" || $k ~ /^ci_/) times[k]
            }
            next }
        { gsub(/"[^"]*"/, "text") }
        $middle > 15 { for (k in times) $k *= factor }
        { print }'
}
if is_complete "$results/aa/a" && is_complete "$results/aa/b"; then
    mkdir "$work/longer" && cp "$results/aa/b/manifest.csv" "$work/longer"
    append_csvs "$results/aa/b" "$work/longer" longer
    compare "$results/aa/a" "$work/longer" "$work/among" \
        ${floor:+--aa-floor "$floor"} 2>/dev/null
fi

long='$f["base_us"] > 20'
cells=$(count_pairs "$work/slow" "$long")
seen=$(count_pairs "$work/slow" "$long"' && $1 == "slower"')
middle() { # FILE: the median of the ratios of long cells, as per cent
    over_pairs "$1" "$long"' && $f["ratio"] > 0' 'print $f["ratio"]' | sort -n |
        awk '{ r[NR] = $1 } END {
            m = NR ? (r[int((NR + 1) / 2)] + r[int(NR / 2) + 1]) / 2 : 1
            printf "%+.2f %%", 100 * (m - 1) }'
}
gained=$(count_pairs "$work/slight" '$1 == "faster"')

heads
finding 'A/A floor that they are judged with' 'told' "${floor:--} %" -
finding "$pct % longer, cells above 20 us: called \`slower\`" 'at least 95 %' \
    "$(share "$seen" "$cells")" "$(is "$cells && $seen >= 0.95 * $cells")"
finding 'how much longer they were measured to take (median)' 'told' \
    "$(middle "$work/slow")" -
finding "$pct % longer, shorter cells: called \`slower\`" 'told' \
    "$(share "$(count_pairs "$work/slow" '!('"$long"') && $1 == "slower"')" \
        "$(count_pairs "$work/slow" '!('"$long"')')")" -
[ ! -f "$work/among" ] || finding \
    "$pct % longer, cells of aa above 20 us: called \`slower\`" 'told' \
    "$(share "$(count_pairs "$work/among" "$long"' && $1 == "slower"')" \
        "$(count_pairs "$work/among" "$long")")" -
finding '1 % longer, all cells: called `faster`' 'none' \
    "$(share "$gained" "$(count_pairs "$work/slight" 1)")" \
    "$(is "$gained == 0")"
finding '1 % longer, cells above 20 us: called `slower`' 'told' \
    "$(share "$(count_pairs "$work/slight" "$long"' && $1 == "slower"')" \
        "$(count_pairs "$work/slight" "$long")")" -
finding 'how much longer they were measured to take (median)' 'told' \
    "$(middle "$work/slight")" -
exit $missed
