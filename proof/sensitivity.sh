#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Three per cent is seen: a copy that takes a known 3 % longer than itself, and
# one that takes 1 % longer, compared with the one that does not
# (variants/broken/slowed.cu), at all sizes, types and cache states, three
# processes. `sensitivity.sh --help` has the options; --pct 30 compares the
# host's slowest point instead of 3. Only copies are measured so; how it goes
# among other variants is found from what aa measured (proof/compare_rates.c).
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

# 1x2^12x1 and on to 2^28, every power from 2^20
shapes=''
for bits in 12 14 16 18 20 21 22 23 24 25 26 27 28; do
    shapes="$shapes${shapes:+,}1x$((1 << bits))x1"
done

folder=$results/sensitivity
# shellcheck disable=SC2086 # words
is_complete "$folder" || measure "$folder" --broken -f '^copy/slowed' \
    --processes 3 ${plan:---cache cold,hot --shape "$shapes"}
"$rates" --slowed "$pct" "$folder"
