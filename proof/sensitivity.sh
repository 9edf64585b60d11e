#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests that compare finds slowdowns of 3 %: copies that take 3 % and 1 % longer
# against the plain one (variants/broken/slowed.cu), at all sizes, types and cache
# states, in three processes. `sensitivity.sh --help` lists the options; --pct 30
# compares the host's slowest point instead. proof/compare_rates.c tests other variants
# by the runs of aa.sh.
#
# About 2 minutes on an H200.
set -u
. "$(dirname "$0")/lib.sh"
pct=3

own_usage() {
    echo '  --pct P      slowdown of the slow copy: 3 (default) or 30'
}

own_option() {
    [ "$1" = --pct ] && pct=$2
}
parse "$@"

# 1x2^12x1 to 1x2^28x1, every power from 2^20
shapes=''
for bits in 12 14 16 18 20 21 22 23 24 25 26 27 28; do
    shapes="$shapes${shapes:+,}1x$((1 << bits))x1"
done

folder=$results/sensitivity
# shellcheck disable=SC2086 # words
is_complete "$folder" || measure "$folder" --broken -f '^copy/slowed' \
    --processes 3 ${plan:---cache cold,hot --shape "$shapes"}

point() { # PCT: makes a run of that copy alone, by the name `slowed`
    mkdir "$scratch/p$1" &&
        cp "$folder/manifest.csv" "$folder/ceilings.csv" "$scratch/p$1" &&
        sed -n "1p; s/slowed_p$1,/slowed,/p" "$folder/copy.csv" \
            >"$scratch/p$1/copy.csv"
}

count() { # AWK-CONDITION on the verdict, the ratio and the microseconds of a cell
    awk -F , "$1"' { ++n } END { print n + 0 }' "$scratch/cells"
}

# PCT WANTED: compares the copy that takes PCT % longer
findings() {
    point "$1" && "$scanbench" compare "$scratch/p0" "$scratch/p$1" --format csv \
        --fail-on never >"$scratch/csv" 2>"$scratch/said" || {
        cat "$scratch/said" >&2
        exit 2
    }
    awk -F , 'NR > 1 && $17 > 0 { print $1 "," $13 "," $17 }' "$scratch/csv" \
        >"$scratch/cells"
    long=$(count '$3 > 20') slower=$(count '$3 > 20 && $1 == "slower"')
    met=-
    [ "$2" = reported ] || met=$(is "$long && $slower >= 0.95 * $long")
    finding "$1 % longer, cells above 20 us: \`slower\`" "$2" \
        "$(share "$slower" "$long")" "$met"
    finding 'how much longer they were measured to take (median)' reported \
        "$(awk -F , '$3 > 20 && $2 { print $2 }' "$scratch/cells" | sort -g |
            awk '{ r[NR] = $1 } END {
                m = (r[int((NR + 1) / 2)] + r[int(NR / 2) + 1]) / 2
                printf "%+.2f %%", 100 * (m - 1) }')" -
    finding "$1 % longer, shorter cells: \`slower\`" reported \
        "$(share "$(count '$3 <= 20 && $1 == "slower"')" "$(count '$3 <= 20')")" -
    faster=$(count '$1 == "faster"')
    finding "$1 % longer, all cells: \`faster\`" none \
        "$(share "$faster" "$(count 1)")" "$(is "!$faster")"
}

heads
point 0
findings "$pct" 'at least 95 %'
findings 1 reported
exit $missed
