#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints a Markdown table of runs over several ranks: the fastest design of each
# operation, type and kind of shape at the largest size that one rank also ran (for
# cumsum f32 along one line, every design) with the fitted model; and the time of
# reading relative to copying.
#
#   mgpu.sh RUNS                print it; RUNS contains the folders of the runs
#   mgpu.sh RUNS --write PAGE   write it between the markers "mgpu" of PAGE, and
#                               the speedup in words between "times"
#   mgpu.sh RUNS --check PAGE   compare PAGE with it (status 0, 1)
#
# Without RUNS the table is empty. CEILINGS names the ceilings.csv of a run on one such
# GPU that measured reading and copying.
set -u
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
scale=$here/scale.py runs=$results

# "operation type kind axis ranks variant us per_cent exchange elements bytes"
rows() {
    [ -d "$runs" ] || return 0
    "$scale" --cells "$runs"/*/*.csv | awk -F, '$7 ~ /^mgpu_/ {
        printf "%s %s %sxNx%s %s %s %s %s %s %s %.0f %s\n", $1, $2, $3, $5, $4,
            $6, $7, $8, $9, ($10 == "" ? "-" : $10), $3 * $4 * $5, $11 }'
}

# Appends to the sorted rows the best time on one rank, or "-" if not measured.
beside_one() {
    awk '
        { problem = $1 " " $2 " " $3 " " $4 }
        NR == FNR {
            if ($5 == 1 && (!(problem in us) || $7 < us[problem]))
                us[problem] = $7
            next
        }
        { print $0, (problem in us ? us[problem] : "-") }' "$work/rows" \
        "$work/rows" | sort -k 1,3 -k 4,4n -k 5,5n -k 7,7g
}

models() {
    [ ! -s "$work/cells" ] || "$scale" "$runs"/*/*.csv | sed 's/,,/,-,/g; s/,,/,-,/g; s/,$/,-/; y/,/ /'
}

chosen() { # the cells of the table
    awk '{ kind = $1 $2 $3 " " $5 }
        NR == FNR {
            if ($12 != "-") beside[kind] = $4
            axis[kind] = kind in beside ? beside[kind] : $4
            next
        }
        $5 > 1 && $4 == axis[kind] && (!seen[kind]++ || kind ~ /^cumsumf321xNx1 /)
    ' "$work/cells" "$work/cells"
}

lines() {
    echo '| operation | shape | ranks | us | % of all ceilings | design | times as fast as one | latency, us | passes | model off by, % | pays from |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    awk '
        function size(bytes,   x, tenths) { # a power of two; an awk may lack log()
            if (bytes == "-") return bytes
            for (x = bytes / ($11 / $10); x >= 2; x /= 2) tenths += 10
            x *= x # to the tenth, and half a tenth more to round
            for (x = x * x * x * x * x * 1.41421356; x >= 2; x /= 2) ++tenths
            return sprintf("2^%.1f", tenths / 10)
        }
        function real(format, x) { return x == "-" ? x : sprintf(format, x) }
        NR == FNR {
            if ($11 != "-") fitted[$1, $2, $3 "xNx" $4, $5] = $0
            next
        }
        {
            shape = $3
            sub(/N/, $4, shape)
            if (!split(fitted[$1, $2, $3, $6], m))
                m[7] = m[9] = m[11] = m[12] = "-"
            else if (m[8] != "-") m[7] += m[8] * ($5 - 1)
            printf "| %s %s | %s | %d | %.1f | %.1f | %s | %s | %s | %s | %s | %s |\n",
                $1, $2, shape, $5, $7, $8, $6,
                ($12 == "-" ? $12 : sprintf("%.2f", $12 / $7)),
                real("%.1f", m[7]), real("%.3f", m[9]), real("%.1f", m[11]),
                size(m[12])
        }' "$work/models" "$work/chosen"
}

reading() {
    [ -f "${CEILINGS-}" ] || return 0
    "$scale" --read "$CEILINGS" | awk -F, '$2 == "f32" {
        printf "\nReading takes r = %.2f of the time of a copy (%s): beyond the L2, a scan along a split line reaches at most %.1f %% of the ceilings.\n",
            $3, $2, 100 * $4 }'
}

in_short() { # cumsum f32 in words: by whole lines, and along one line
    awk '
        $1 $2 != "cumsumf32" || $12 == "-" || ($3 in faster) { next }
        { faster[$3] = $12 / $7 }
        $3 ~ /^[0-9]+xNx1$/ && $3 != "1xNx1" { whole = $3 }
        END { if (whole != "" && ("1xNx1" in faster))
            printf "%.2f times as fast as one by whole lines, %.2f times along one line",
                faster[whole], faster["1xNx1"] }' "$work/chosen"
}

rows >"$work/rows" && beside_one >"$work/cells" || exit
models >"$work/models" && chosen >"$work/chosen" || exit
{ [ ! -s "$work/rows" ] || { lines && reading; }; } >"$work/table"
publish mgpu "$work/table" "$action" "$page" \
    "s|\\(<!-- times -->\\).*\\(<!-- /times -->\\)|\\1$(in_short)\\2|"
