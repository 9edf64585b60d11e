#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `./run bench` and the bench target: SCANBENCH RESULTS DRAW [ARGS...]. Sweeps
# with the options in $SCANBENCH_ARGS and ARGS (default: the default grid), then
# draws the charts and writes report.html into the run. stdout has the run's
# folder. Runs go below $SCANBENCH_RESULTS, or else RESULTS. Exit status: the
# sweep's; 1 if that was 0 and a chart or the report failed (no gnuplot or
# Python, and hence no charts, is no failure).
set -u
if [ $# -lt 3 ]; then
    echo 'usage: bench.sh SCANBENCH RESULTS DRAW [ARGS...]' >&2
    exit 2
fi
SCANBENCH=$1 draw=$3
export SCANBENCH
SCANBENCH_RESULTS=${SCANBENCH_RESULTS:-$2} && export SCANBENCH_RESULTS
shift 3
trap : INT # the sweep ends in order, and the place of its rows is printed below
# shellcheck disable=SC2086 # the options are words
answer=$("$SCANBENCH" run ${SCANBENCH_ARGS:-} "$@")
status=$?
trap - INT
[ -z "$answer" ] || printf '%s\n' "$answer"
folder=$(printf '%s\n' "$answer" | tail -n 1)
[ -f "$folder/manifest.csv" ] || exit $status
if [ $status -eq 130 ]; then
    echo "interrupted; to draw what is there: $draw $folder" >&2
    exit $status
fi
"$draw" "$folder" >&2
case $? in
0) echo "charts: $folder/plots" >&2 ;;
2) ;; # no gnuplot or Python, and draw.sh said what to install
*)
    echo "charts failed; the rows are in $folder" >&2
    [ $status -ne 0 ] || status=1
    ;;
esac
# In a resumed run, it may be a link out of the folder.
[ ! -L "$folder/report.html" ] || rm "$folder/report.html"
if "$SCANBENCH" report "$folder" -o "$folder/report.html" >&2; then
    echo "report: $folder/report.html" >&2
else
    echo "the report failed; the rows are in $folder" >&2
    [ $status -ne 0 ] || status=1
fi
exit $status
