#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What runs over several ranks came to, as Markdown: of each problem the fastest
# design, against one rank's in the same set of runs.
#
#   mgpu.sh RUNS                print it; RUNS holds the folders of the runs
#   mgpu.sh RUNS --write PAGE   put it between the page's markers
#   mgpu.sh RUNS --check PAGE   is it there, word for word? (status 0, 1)
#
# Without RUNS there is nothing to say, and nothing is to stand on the page.
# SCALE: another than build/proof/scale.
set -u
LC_ALL=C
export LC_ALL
[ $# -eq 1 ] || { [ $# -eq 3 ] && [ -f "$3" ]; } || {
    sed -n 's/^# \{0,1\}//p' "$0" | sed -n 5,7p >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd) || exit 2
scale=${SCALE:-$here/../build/proof/scale}
runs=$1 action=${2:-} page=${3-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# "operation type kind axis ranks variant us per_cent exchange_us" of each cell
rows() {
    [ -d "$runs" ] || return 0
    [ -x "$scale" ] || { echo "mgpu.sh: no program $scale: build it" >&2; exit 2; }
    "$scale" --cells "$runs"/*/*.csv | awk -F, '$7 ~ /^mgpu_/ {
        print $1, $2, $3 "xNx" $5, $4, $6, $7, $8, $9, ($10 == "" ? "-" : $10) }'
}

tell() {
    echo '| operation | shape | ranks | us | of all ceilings | design | exchange, us | one rank, us | times as fast |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    awk '
        {
            problem = $1 " " $2 " " $3 " " $4
            key = problem " " $5
            if (!(key in us) || $7 + 0 < us[key] + 0) {
                us[key] = $7
                line[key] = $0
            }
        }
        END {
            for (key in line) {
                split(line[key], f, " ")
                if (f[5] == 1)
                    continue
                alone = f[1] " " f[2] " " f[3] " " f[4] " 1"
                shape = f[3]
                sub(/N/, f[4], shape)
                printf "%s %s %s %.0f %d\t| %s %s | %s | %d | %.1f | %.1f %% | %s | %s | %s | %s |\n",
                    f[1], f[2], f[3], f[4], f[5], f[1], f[2], shape, f[5],
                    f[7], f[8], f[6],
                    (f[9] == "-" ? "-" : sprintf("%.1f", f[9])),
                    (alone in us ? sprintf("%.1f", us[alone]) : "-"),
                    (alone in us ? sprintf("%.2f", us[alone] / f[7]) : "-")
            }
        }' "$work/rows" | sort -k 1,3 -k 4,4n -k 5,5n | cut -f 2
}

rows >"$work/rows" || exit
{ [ ! -s "$work/rows" ] || tell; } >"$work/table"
case $action in
'') cat "$work/table" ;;
--write)
    sed '/^<!-- mgpu -->$/,/^<!-- \/mgpu -->$/{
        /^<!-- mgpu -->$/{
            p
            r '"$work/table"'
        }
        /^<!-- \/mgpu -->$/!d
    }' "$page" >"$work/page" && cat "$work/page" >"$page"
    ;;
--check)
    sed -n '/^<!-- mgpu -->$/,/^<!-- \/mgpu -->$/p' "$page" | sed '1d;$d' |
        diff - "$work/table" || {
        echo "FAILED: $page (<) is not what the runs say (>);" \
            "to mend it: proof/mgpu.sh RUNS --write PAGE"
        exit 1
    }
    ;;
*)
    echo "mgpu.sh: unknown option '$action'" >&2
    exit 2
    ;;
esac
