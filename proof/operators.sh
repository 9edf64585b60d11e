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
    "$scanbench" regret "$results" --variant "$variant" --cells 2>"$work/said"
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
    function out(k) {
        for (k = 1; row && k <= columns; ++k)
            if ((text[lines, k] = cell(variant[k], 0)) != "–")
                used[k] = 1
        lines += row != ""
        split("", count)
    }
    function line(first, k, said) {
        said = "| " first " |"
        for (k = 1; k <= columns; ++k)
            if (used[k])
                said = said " " (first == "---" ? "--:" : first ? text[at, k] : title[k]) " |"
        print said
    }
    BEGIN {
        columns = split("best torch_eager torch_compile jax cupy", variant, " ")
        split("best torch compiled JAX CuPy", title, " ")
        print "Median share of the ceiling, per cent, over the shapes of `" runs "`:\n"
    }
    $3 != row { out(); row = name[lines] = $3 }
    { share[$2, ++count[$2]] = $4 }
    END {
        out()
        line("")
        line("---")
        for (at = 0; at < lines; ++at)
            line(name[at])
        exit !row
    }' >"$work/operators" || die 77 "no cells in $results"
publish operators "$work/operators" "$action" "$page"
