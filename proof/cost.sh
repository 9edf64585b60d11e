#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Reports the cost of the instrument: the time of a sweep outside of the timed
# launches, from its manifest. RESULTS is the folder of a run, such as
# results/h200/default; if there is none, the default grid is swept into it
# (minutes). `cost.sh --help` lists the options.
set -u
. "$(dirname "$0")/lib.sh"
parse "$@"

# shellcheck disable=SC2086 # words
is_complete "$results" || measure "$results" ${plan:---grid default}

wall=$(fact "$results" wall_s) timed=$(fact "$results" timed_s)
[ -n "$wall" ] && [ -n "$timed" ] ||
    die 2 "$results/manifest.csv: no wall_s or timed_s (an older scanbench?)"
[ "$(fact "$results" resumed)" -eq 0 ] 2>/dev/null ||
    [ -z "$(fact "$results" resumed)" ] ||
    die 2 "$results was resumed: its times cover only the last part"

of_wall() { # SECONDS
    awk -v s="$1" -v wall="$wall" 'BEGIN {
        printf "%.1f s, %.1f %%", s, 100 * s / (wall ? wall : 1) }'
}
minus() { # SECONDS...: the first minus all others
    echo "$*" | awk '{ s = $1; for (k = 2; k <= NF; ++k) s -= $k; print s }'
}
verify=$(fact "$results" verify_s) sample=$(fact "$results" sample_s)
own=$(minus "$wall" "$timed")
check=$(fact "$results" check_s) changed=$(fact "$results" changed_input_s)
[ -n "$check" ] || # the keys of older sets
    check=$(fact "$results" look_s) changed=$(fact "$results" edition_s)

heads
finding 'the sweep' 'reported' "$wall s" -
finding 'verifying' 'reported' "$(of_wall "$verify")" -
finding 'sampling: flushing, waiting for the device, reading clocks' 'reported' \
    "$(of_wall "$(minus "$sample" "$timed")")" -
if [ -n "$check" ]; then # absent in the oldest
    finding 'of verifying: launches on a changed input' \
        'reported' "$(of_wall "$changed")" -
    finding 'of sampling: canaries and output checks' 'at most 2 %' \
        "$(of_wall "$check")" "$(is "$check <= 0.02 * $wall")"
fi
finding 'processes, memory, files and all else' 'reported' \
    "$(of_wall "$(minus "$wall" "$verify" "$sample")")" -
finding "the instrument's own share, all of these" 'below 50 %' \
    "$(of_wall "$own")" "$(is "$own < 0.5 * $wall")"
exit $missed
