#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Regenerates everything that pages derive from the published sets:
#
#   pages.sh            the rules, the cells of `which` (results/best/measured), the
#                       outputs in README.md, results/README.md,
#                       docs/frameworks.md and docs/adding-a-gpu.md, the tables
#                       of README.md, variants/README.md, docs/experiments.md,
#                       docs/scale.md and results/README.md, and the charts
#   pages.sh --check    compare all but rules and charts with the pages (status
#                       0, 1)
#
# An output is a fenced block "console" whose first line is the command.
# Needs no GPU; SCANBENCH and COMPARE_RATES name the programs, as in lib.sh.
set -u
. "$(dirname "$0")/lib.sh"
unset COLUMNS # so that tables are not cut
export NO_COLOR=1
cd "$(dirname "$0")/.." || exit 2
case $#${1-} in
0 | 1--check) ;;
*)
    sed -n 's/^# \{0,1\}//; 4,15p' "$0" >&2
    exit 2
    ;;
esac
need_scanbench
SCANBENCH=$(realpath "$scanbench") || exit 2
export SCANBENCH
work=$scratch
mkdir -p "$work/bin" "$work/docs" "$work/results" && ln -s "$SCANBENCH" "$work/bin/scanbench" || exit 2
PATH=$work/bin:$PATH

outputs() { # PAGE: prints it with new outputs
    awk '
        inside && $0 == "```" { inside = 0 }
        !inside { print }
        inside == 1 {
            inside = 2
            print
            sub(/^[$] /, "")
            said = 0
            while (($0 | getline line) > 0) {
                sub(/ +$/, "", line)
                print line
                said = 1
            }
            close($0)
            if (!said)
                silent = 1
        }
        $0 == "```console" { inside = 1 }
        END { exit silent }' "$1"
}

# A tree with the packed sets unpacked, since pages name files in them.
mkdir "$work/tree" && ln -s "$PWD"/* "$work/tree" && rm "$work/tree/results" &&
    cp -R results "$work/tree" && proof/unpack.sh "$work/tree/results" || exit 2
with_outputs='README.md docs/frameworks.md docs/adding-a-gpu.md results/README.md'
all_outputs() {
    for page in $with_outputs; do
        (cd "$work/tree" && outputs "$page") >"$work/$page" || return
    done
}

sets='results/h200/default results/h200/headline'
random=$work/tree/results/h200/random
redraw() { # FOLDER COMMAND...: updates the charts in FOLDER; COMMAND draws all
    folder=$1
    shift
    rm -rf "$work/plots"
    "$@" "$work/plots" || exit
    for chart in "$folder"/*.svg; do
        cp "$work/plots/${chart##*/}" "$chart" || exit
    done
}
ladder_like() { # PAGE RUN...: compares a page with a new one
    page=$1
    shift
    cp "$page" "$work/page" && scanbench ladder --write "$work/page" "$@" && diff "$page" "$work/page"
}
same() { # COMMAND...: compares a page
    "$@" || stale=1
}
operators() { # --write or --check
    h200=results/h200/operators/frameworks,results/h200/default
    h100=results/h100/frameworks,results/h100/operators,results/h100/default
    integers=results/h200/operators/integers
    [ ! -d $integers ] || h200=$h200,$integers
    DTYPE=f32 ROWS=i32 SHOWN='best peak cub torch_eager torch_compile' \
        proof/operators.sh "$h200 $h100" "$1" README.md &&
        proof/operators.sh results/h200/operators/held_out "$1" variants/README.md
}
measured() { # COMMAND: gives it each file of results/best/measured/, new
    for gpu in h100 h200; do
        proof/measured.sh "$work/tree/results" $gpu >"$work/measured" &&
            "$1" "$work/measured" results/best/measured/$gpu.csv || return
    done
}
all_outputs || exit 2
if [ "${1-}" = --check ]; then
    stale=0
    for page in $with_outputs; do
        diff "$page" "$work/$page" && continue
        echo "$page (<) is not what its commands print (>);" \
            'to mend it: proof/pages.sh'
        stale=1
    done
    # shellcheck disable=SC2086 # words
    same ladder_like variants/README.md $sets $random/held_out_*
    # shellcheck disable=SC2086 # words
    same ladder_like docs/experiments.md $sets
    same proof/report.sh results --check results/README.md
    same measured cmp
    same operators --check
    CEILINGS=results/h200/headline/ceilings.csv && export CEILINGS
    same proof/mgpu.sh results/h200_x2/mgpu --check docs/scale.md
    exit $stale
fi
# shellcheck disable=SC2086 # words
scanbench rules -o results/best/h200.csv "$work"/tree/results/h200/fit*/*/ &&
    measured cp && all_outputs &&
    for page in $with_outputs; do cat "$work/$page" >"$page" || exit; done &&
    scanbench ladder --write variants/README.md $sets $random/held_out_* &&
    scanbench ladder --write docs/experiments.md $sets &&
    proof/report.sh results --write results/README.md &&
    operators --write &&
    proof/index.sh results --write results/README.md &&
    CEILINGS=results/h200/headline/ceilings.csv \
        proof/mgpu.sh results/h200_x2/mgpu --write docs/scale.md &&
    proof/mgpu.sh results/h100_x2/mgpu --write results/README.md &&
    for runs in results/*/mgpu; do
        redraw "$runs/plots" plots/scale.sh "$runs"
    done || exit
proof/frameworks.sh --chart results/h100/frameworks/times.svg \
    results/h100/frameworks/*/ || exit
for plots in results/*/default/plots results/*/headline/plots results/*/random/*/plots; do
    [ ! -d "$plots" ] || redraw "$plots" plots/draw.sh "$work/tree/${plots%/plots}"
done
