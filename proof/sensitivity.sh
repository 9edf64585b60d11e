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
"$rates" --slowed "$pct" "$folder"
