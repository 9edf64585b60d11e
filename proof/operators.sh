#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the median share of the ceiling, per cent, of `best` and of what people call
# otherwise, by operation and type, as Markdown:
#
#   operators.sh RUNS                print it
#   operators.sh RUNS --write PAGE   write it between the markers of PAGE
#   operators.sh RUNS --check PAGE   compare PAGE with it (status 0, 1)
#
# RUNS is a run or a folder of runs, or several of one GPU, joined by commas: the first
# that has an operation and a column counts, and only operations of the very first have
# a row. Words of several GPUs get columns of their own. A variant that was too slow to
# be timed counts with its verified launch.
#
# DTYPE=f32 leaves other types out; beside it, ROWS=i32 gives operations of that type rows
# of their own, of any set. SHOWN names columns (default: "best torch_eager torch_compile
# jax cupy"; also peak, best in per cent of the bandwidth in the data sheet, and cub, the
# best of CUB's calls). SCANBENCH names the program.
set -u
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
need_scanbench
shown=${SHOWN:-best torch_eager torch_compile jax cupy} dtype=${DTYPE:+--dtype $DTYPE${ROWS:+,$ROWS}}

shares() { # SET VARIANT: lines "operation,type,shape,share"
    # shellcheck disable=SC2086 # words
    "$scanbench" regret "$1" --variant "$2" $dtype --cells >"$work/regret" 2>"$work/said"
    case $? in
    0) awk -F, '$9 ~ /^(ok|suspect|unstable|slow)$/ && $10 != "inf" {
        # torch must also write these: an index of 64 bits per element
        bits = $2 ~ /^(u8|bool)$/ ? 8 : substr($2, length($2) - 1)
        times = $8 ~ /_with_indices$/ ? 1 + 64 / (2 * bits) : 1
        print $1 "," $2 "," $3 "x" $4 "x" $5 "," $11 * times }' "$work/regret" ;;
    77) ;;
    *) cat "$work/said" >&2 && exit 2 ;;
    esac
}

peaks() { # SET: the same
    find "$1" -name manifest.csv | sort | while read -r manifest; do
        # shellcheck disable=SC2086 # words
        "$scanbench" table "${manifest%/*}" -f /best/ $dtype --format csv | awk -F, \
            -v bus="$(sed -n 's/^attribute_peak_gbps,//p' "$manifest")" '
            $10 == "ok" && bus > 0 {
                print $1 "," $4 "," $5 "x" $6 "x" $7 "," 100 * $16 / bus }'
    done
}

group=0
for runs in $results; do
    group=$((group + 1))
    for set in $(echo "$runs" | tr , ' '); do
        for column in $shown; do
            case $column in
            torch_eager) variants='torch_eager torch_eager_with_indices' ;;
            cub) variants='cub_device_scan cub_scan_by_key cub_segmented_reduce' ;;
            *) variants=$column ;;
            esac
            for variant in $variants; do
                if [ "$variant" = peak ]; then peaks "$set"; else shares "$set" "$variant"; fi
            done | sed "s|^|$group,$set,$column,|"
        done
    done
done >"$work/cells" || exit 2
awk -F, -v runs="$results" -v shown="$shown" -v own="${ROWS:-none}" -v base="${DTYPE-}" '
    $5 == own { $4 = $4 " " $5; $5 = base }
    { at = $1 "," $3 "," $5 SUBSEP $4 } # group, column and type; operation
    NR == 1 { first = $2 }
    ($2 == first || $4 ~ / /) && !($4 in row) { row[$4] = ++rows; name[rows] = $4 }
    !(at in set) { set[at] = $2 }
    set[at] != $2 || !($4 in row) { next }
    !($5 in type) { type[$5] = ++types; types_name[types] = $5 }
    !((at, $6) in share) { shape[at, ++count[at]] = $6 }
    $7 > share[at, $6] { share[at, $6] = $7 }
    function median(at, n, k, j, sorted, next_one) {
        for (k = 1; k <= n; ++k) {
            next_one = share[at, shape[at, k]]
            for (j = k; j > 1 && sorted[j - 1] > next_one; --j)
                sorted[j] = sorted[j - 1]
            sorted[j] = next_one
        }
        return (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
    }
    function add(group, column, type, k, at, used) { # a column, if any row has it
        for (k = 1; k <= rows; ++k) {
            at = group "," column "," type SUBSEP name[k]
            line[k] = line[k] "|" (count[at] ? sprintf("%.0f", median(at, count[at])) : "–")
            used += count[at]
        }
        if (!used) {
            for (k = 1; k <= rows; ++k)
                sub(/[|][^|]*$/, "", line[k])
            return
        }
        split(all[group], parts, "/")
        head = head "|" (groups > 1 ? toupper(parts[2]) " " : "") \
            (columns > 1 || types == 1 ? title[column] : "") \
            (types > 1 ? (columns > 1 ? " " : "") type : "")
        rule = rule "|--:"
    }
    END {
        if (!rows)
            exit 1
        groups = split(runs, all, " ")
        columns = split(shown, wanted, " ")
        split("best peak cub torch_eager torch_compile jax cupy", key, " ")
        split("best,of peak,CUB,torch,compiled,JAX,CuPy", words, ",")
        for (k in key)
            title[key[k]] = words[k]
        for (g = 1; g <= groups; ++g)
            for (c = 1; c <= columns; ++c)
                for (t = 1; t <= types; ++t)
                    add(g, wanted[c], types_name[t])
        gsub(/[ ,]/, "`, `", runs)
        print "Median per cent of the ceiling, " (types == 1 ? types_name[1] : "") \
            (types == 1 ? (own == "none" ? ", " : " unless named, ") : "") \
            "over the shapes of `" runs "`:\n"
        print "|operation" head "|\n|---" rule "|"
        for (k = 1; k <= rows; ++k)
            print "|" name[k] line[k] "|"
    }' "$work/cells" >"$work/operators" || die 77 "no cells in $results"
publish operators "$work/operators" "$action" "$page"
