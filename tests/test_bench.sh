#!/bin/sh
# SPDX-License-Identifier: MIT
#
# BENCH: the bench target's script with a sweep and charts that end as told.
set -u
bench=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

cat >sweep <<'END'
#!/bin/sh
if [ "$1" = report ]; then
    echo "reported $*" >&2
    exit "${REPORT:-0}"
fi
mkdir -p "$SCANBENCH_RESULTS/run" && : >"$SCANBENCH_RESULTS/run/manifest.csv"
echo "$SCANBENCH_RESULTS/run"
echo "swept $*" >&2
exit "$SWEEP"
END
cat >draw <<'END'
#!/bin/sh
echo "drew $1"
exit "$DRAW"
END
chmod +x sweep draw

# SWEEP DRAW WANTED SAID: the statuses of both and of bench, and its stderr.
ends() {
    SWEEP=$1 DRAW=$2 sh "$bench" ./sweep "$work/here" ./draw -q 'a b' >out 2>said
    got=$?
    if [ $got -eq "$3" ] && grep -q "$4" said; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: sweep $1, charts $2: status $got, not $3; or not '$4':"
        cat said
    fi
}

unset SCANBENCH_RESULTS
ends 0 0 0 "drew $work/here/run"
ends 0 1 1 "charts failed; the rows are in $work/here/run"
ends 0 2 0 'drew'
ends 0 0 0 'swept run -q a b'
ends 0 0 0 "charts: $work/here/run/plots"
ends 0 0 0 "reported report $work/here/run -o $work/here/run/report.html"
last=$(tail -n 1 said)
ok 'the report comes last' test "$last" = "report: $work/here/run/report.html"
ln -s mine "$work/here/run/report.html"
ends 0 0 0 'reported'
ok "no report through a stranger's link" [ ! -L "$work/here/run/report.html" ]
REPORT=2 && export REPORT
ends 0 0 1 'the report failed'
unset REPORT
ends 1 0 1 'drew'
ends 77 1 77 'charts failed'
ends 130 0 130 'interrupted'
SCANBENCH_RESULTS=$work/mine && export SCANBENCH_RESULTS
ends 0 0 0 "drew $work/mine/run"

tally
