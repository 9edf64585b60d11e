#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the time of all other variants of a run relative to `best` on the same
# problem: median and minimum by operation, and the cells that are faster than best.
# Made for runs with --frameworks.
#
#   frameworks.sh RUN...             by operation; the ten fastest cells
#   frameworks.sh --classes RUN...   by operation and class of shape; all of them
#   frameworks.sh --chart OUT RUN... draw a chart
#
# Variants that were too slow to be timed count with the time of their verified launch.
# The number of cells without any time is printed last. Needs no GPU; SCANBENCH names
# the program. Exit status: 0; 2 usage or bad input; 77 no cell beside one of best.
set -u
# shellcheck source=proof/lib.sh
. "$(dirname "$0")/lib.sh"
by=op most=10 chart=
case ${1-} in
--classes) by=class most=1000000 && shift ;;
--chart) chart=${2?} && shift 2 ;;
esac
case ${1--} in
-*)
    sed -n 's/^# \{0,1\}//; 8,10p' "$0" >&2
    exit 2
    ;;
esac
need_scanbench
work=$scratch

cells() { # RUN VARIANT: op,dtype,outer,axis,inner,class,cache,variant,status,us...
    "$scanbench" regret "$1" --variant "$2" --cells >"$work/cells" 2>"$work/said"
    case $? in
    0) sed 1d "$work/cells" | sed "s|^|$1,|" ;;
    77) ;;
    *) cat "$work/said" >&2 && exit 2 ;;
    esac
}

for run; do
    [ -f "$run/manifest.csv" ] || die 2 "no run: $run"
    cells "$run" best || exit
    awk -F, 'FNR == 1 { rows = $1 == "variant"; next }
        rows && $1 != "best" && !seen[$1]++ { print $1 }' "$run"/*.csv |
        while read -r variant; do cells "$run" "$variant" || exit; done || exit
done >"$work/all" || exit 2

# op,class,variant,times,cell,us,best's us; the first run wins
: >"$work/lost"
awk -F, -v lost="$work/lost" '{ at = $2 "," $3 "," $4 "x" $5 "x" $6 }
    $10 ~ /^(untried|timeout|error|wrong)$/ && ($1 "," at) in best &&
        !gone[$9 "," at]++ { ++count[$9 " (" $10 ")"] }
    $11 == "inf" || $10 !~ /^(ok|unstable|slow)$/ { next }
    $9 == "best" { best[$1 "," at] = $11; next }
    ($1 "," at) in best && !seen[$9 "," at]++ {
        us = best[$1 "," at]
        printf "%s,%s,%s,%.9f,%s/%s/%s/%sx%sx%s,%s,%s\n", $2, $7, $9, $11 / us, $2,
            $9, $3, $4, $5, $6, $11, us
    }
    END { for (one in count) print count[one] " of " one >lost }' \
    "$work/all" >"$work/times"
[ -s "$work/times" ] || die 77 'nothing beside best in there'

if [ "$chart" ]; then # points are "row name operation times median" per cell
    sort -t, -k 1,1 -k 3,3 -k 4,4g "$work/times" | awk -F, '
        function out(k, median) {
            median = (times[int((n + 1) / 2)] + times[int(n / 2) + 1]) / 2
            for (k = 1; k <= n; ++k)
                print row, name, ops, times[k], median
            n = 0
        }
        $1 "/" $3 != name { out(); ++row; name = $1 "/" $3 }
        $1 != op { ++ops; op = $1 }
        { times[++n] = $4 }
        END { out() }' >"$work/points"
    rows=$(tail -n 1 "$work/points" | cut -d ' ' -f 1)
    LC_ALL=C.UTF-8 "${GNUPLOT:-gnuplot}" -c "$here/../plots/frameworks.gp" \
        "$chart" "$work/points" \
        "$rows" "$(wc -l <"$work/points") cells, one point each. Tick: median. Left of 1: faster than best."
    exit
fi
printf '%-35s %5s %7s %6s %6s\n' "times best's time" cells median least ahead
sort -t, -k 1,1 -k "$([ $by = op ] && echo 3,3 || echo 2,3)" -k 4,4g "$work/times" |
    awk -F, -v by="$by" '
        function tell() {
            if (!n)
                return
            printf "%-35s %5d %7.2f %6.2f %6d\n", name, n,
                (times[int((n + 1) / 2)] + times[int(n / 2) + 1]) / 2, times[1],
                ahead
            n = ahead = 0
        }
        { now = by == "op" ? $1 " " $3 : $1 " " $2 " " $3 }
        now != name { tell(); name = now }
        { times[++n] = $4; ahead += $4 < 1 }
        END { tell() }'
sort -t, -k 4,4g "$work/times" | awk -F, -v most="$most" '
    $4 < 1 && ++n <= most {
        line[n] = sprintf("  %-50s %5.3f %9.4g %9.4g", $5, $4, $6, $7)
    }
    END {
        print "faster than best: " n + 0 " of " NR " cells" (n ? "; times, us, best us" : "")
        for (k = 1; k <= n && k <= most; ++k)
            print line[k]
        if (n > most)
            print "  … " n - most " more"
    }'
sort -k 3 "$work/lost" | awk '{ text = text (NR > 1 ? ", " : "") $0 }
    END { if (NR) print "left out, as they have no time: " text }'
