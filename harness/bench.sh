#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The bench target: SCANBENCH RESULTS DRAW. Sweeps with the options in
# $SCANBENCH_ARGS (default: the default grid), then draws the charts.
set -u
SCANBENCH_RESULTS=$2 && export SCANBENCH_RESULTS
# shellcheck disable=SC2086 # the options are words
folder=$("$1" run ${SCANBENCH_ARGS:-})
status=$?
if [ -n "$folder" ]; then
    "$3" "$folder" || echo "the rows are in $folder" >&2
fi
exit "$status"
