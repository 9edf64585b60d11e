#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures how well the ceiling repeats: the best cold copy of 2^28 floats in ten
# processes. `repeat.sh --help` lists the options.
#
# About a minute on an H200.
set -u
. "$(dirname "$0")/lib.sh"
parse "$@"

folder=$results/repeat
# shellcheck disable=SC2086 # words
is_complete "$folder" || measure "$folder" --processes 10 --op copy \
    --dtype f32 ${plan:---shape 1x268435456x1}

ceilings=$(awk -F, '
    NR == 1 { for (k = 1; k <= NF; ++k) f[$k] = k; next }
    $f["twin"] == "copy" && $f["phase"] == "start" { print $f["gbps"] }
    ' "$folder/ceilings.csv" | sort -n)
# shellcheck disable=SC2086 # words
set -- $ceilings
[ $# -gt 0 ] || die 2 "$folder/ceilings.csv: no ceiling of copy"
spread=$(echo "$ceilings" | awk '{ g[NR] = $1 } END {
    m = (g[int((NR + 1) / 2)] + g[int(NR / 2) + 1]) / 2
    printf "%.3f", 100 * (g[NR] - g[1]) / m }')

heads
finding 'fresh processes' '10' "$#" "$(is "$# >= 10")"
finding 'copy ceiling, lowest to highest' 'reported' \
    "$(echo "$ceilings" | awk 'NR == 1 { low = $1 } END {
        printf "%.1f to %.1f GB/s", low, $1 }')" -
finding 'spread: (highest - lowest) / median' 'below 1 %' "$spread %" \
    "$(is "$spread < 1")"
exit $missed
