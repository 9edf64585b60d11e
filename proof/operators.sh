#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the median share of the ceiling, per cent, of `best` and of frameworks, by
# operation and type, as Markdown:
#
#   operators.sh RUNS                print it; RUNS is a run, or a folder of runs
#   operators.sh RUNS --write PAGE   write it between the markers of PAGE
#   operators.sh RUNS --check PAGE   compare PAGE with it (status 0, 1)
#
# A variant that was too slow to be timed counts with its verified launch. SCANBENCH
# names the program.
set -u
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
need_scanbench

for variant in best torch_eager torch_eager_with_indices torch_compile jax cupy; do
    "$scanbench" regret "$results" --variant "$variant" --format cells 2>"$work/said"
    case $? in
    0 | 77) ;;
    *) cat "$work/said" >&2 && exit 2 ;;
    esac
done | awk -F, ' # place of the row, column, row, share
    $9 ~ /^(ok|suspect|unstable|slow)$/ && $10 != "inf" {
        # torch must also write these: an index of 64 bits per element
        bits = substr($2, length($2) - 1)
        times = sub(/_with_indices$/, "", $8) ? 1 + 64 / (2 * bits) : 1
        row = $1 " " $2
        if (!(row in place))
            place[row] = ++rows
        print place[row] "," $8 "," row "," $11 * times
    }' | sort -t, -k 1,1n -k 2,2 -k 4,4g | awk -F, -v runs="$results" '
    function cell(variant, n) {
        n = count[variant]
        return !n ? "–" : sprintf("%.0f",
            (share[variant, int((n + 1) / 2)] + share[variant, int(n / 2) + 1]) / 2)
    }
    function out() {
        if (row)
            print "| " row " | " cell("best") " | " cell("torch_eager") " | " \
                cell("torch_compile") " | " cell("jax") " | " cell("cupy") " |"
        split("", count)
    }
    BEGIN {
        print "Median share of the ceiling, per cent, over the shapes of `" runs "`:\n"
        print "| | best | torch | compiled | JAX | CuPy |"
        print "| --- | --: | --: | --: | --: | --: |"
    }
    $3 != row { out(); row = $3 }
    { share[$2, ++count[$2]] = $4 }
    END { out(); exit !row }' >"$work/operators" || die 77 "no cells in $results"
publish operators "$work/operators" "$action" "$page"
