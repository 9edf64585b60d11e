#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH RESULTS DRAW [ARGS]: sweeps with ARGS, or else with the options in
# $SCANBENCH_ARGS (default: the default grid), then draws the charts; ./run
# bench and the bench target. Runs go below $SCANBENCH_RESULTS, or else RESULTS.
# Exit status: the sweep's; 1 if that was 0 and a chart failed (none can be drawn
# without gnuplot: no failure).
set -u
if [ $# -lt 3 ]; then
    echo 'usage: bench.sh SCANBENCH RESULTS DRAW [ARGS]' >&2
    exit 2
fi
SCANBENCH=$1 SCANBENCH_RESULTS=${SCANBENCH_RESULTS:-$2} draw=$3
export SCANBENCH SCANBENCH_RESULTS
shift 3
# shellcheck disable=SC2086 # the options are words
[ $# -gt 0 ] || set -- ${SCANBENCH_ARGS:-}

say() {
    printf 'run: %s\n' "$@" >&2
}

trap : INT # the sweep ends in order, and we tell where it left its rows
answer=$("$SCANBENCH" run "$@")
status=$?
trap - INT
[ -z "$answer" ] || printf '%s\n' "$answer"
folder=$(printf '%s\n' "$answer" | tail -n 1)
[ -f "$folder/manifest.csv" ] || exit $status
say "results: $folder"
if [ $status -eq 130 ]; then
    say "interrupted; to draw what is there: $draw $folder"
    exit $status
fi
"$draw" "$folder" >&2
case $? in
0) say "charts: $folder/plots" ;;
2) ;; # no gnuplot: draw.sh said how to draw later
*)
    say "charts failed; the rows are in $folder"
    [ $status -ne 0 ] || status=1
    ;;
esac
exit $status
