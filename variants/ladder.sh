#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The ladders of variants/README.md, from its own tables, lessons.txt and the
# runs under results/h200:
#   ladder.sh          prints them
#   ladder.sh --write  puts them into the page
#   ladder.sh --check  1 if the page has others, or a step has no lesson
set -u
cd "$(dirname "$0")/.." || exit 2
page=variants/README.md lessons=variants/lessons.txt
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Of a point and shape that both have, the newer run counts.
variants/newest.sh headline default | while read -r run; do
    find "results/h200/$run" -name '*.csv' ! -name manifest.csv \
        ! -name ceilings.csv | sort
done >"$work/runs"
[ -s "$work/runs" ] || { echo 'FAILED: no runs under results/h200'; exit 1; }
variants/points.sh >"$work/points"
[ -s "$work/points" ] || exit 2
# shellcheck disable=SC2046 # no run has a blank in its name
LC_ALL=C awk -f variants/ladder.awk "$work/points" "$page" "$lessons" \
    $(cat "$work/runs") >"$work/ladders" || exit 2

sed -n '/^<!-- ladders -->$/,/^<!-- \/ladders -->$/p' "$page" |
    sed '1d;$d' >"$work/there"
case ${1-} in
'') cat "$work/ladders" ;;
--write)
    awk -v ladders="$work/ladders" '
        /^<!-- \/ladders -->$/ { skip = 0 }
        !skip
        /^<!-- ladders -->$/ {
            skip = 1
            while ((getline line <ladders) > 0)
                print line
        }' "$page" >"$work/page" && cat "$work/page" >"$page"
    ;;
--check)
    status=0
    diff "$work/there" "$work/ladders" || {
        echo "FAILED: $page (<) is not what the runs say (>);" \
            'to mend it: variants/ladder.sh --write'
        status=1
    }
    # Of every step one lesson, and of nothing else.
    sed -n 's/^| \[.*](\(.*\)\.cu) .*/\1/p' "$page" | sort >"$work/steps"
    sed -n 's/^\([a-z]*\/[a-z0-9_]*\): ..*/\1/p' "$lessons" | sort |
        diff "$work/steps" - || {
        echo "FAILED: the tables of $page (<) and $lessons (>)"
        status=1
    }
    exit $status
    ;;
-h | --help) sed -n 's/^# \{0,1\}//; 4,8p' "$0" ;;
*)
    echo "ladder.sh: unknown option '$1'; there are:" >&2
    sed -n 's/^#  *//; 6,8p' "$0" >&2
    exit 2
    ;;
esac
