#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Draws every chart of a results folder as SVG, and writes an index.html.
#
#   plots/draw.sh [OPTIONS] FOLDER [OUT]     into OUT (default: FOLDER/plots)
#   --png         also draw PNGs
#   --dtype D     draw type D instead of f32; needs its own OUT
#
# Charts show the cold cache; other cache states have charts of their own, such as
# NAME_hot. charts.py takes the data from the report.
#
# SCANBENCH, GNUPLOT and PYTHON name other programs than those of build/ and PATH.
# Exit status: 0 drawn; 1 a chart failed, or there was nothing to draw; 2 usage, a
# damaged folder, no gnuplot, python3 or scanbench; 130 interrupted.
set -u
LC_ALL=C
export LC_ALL

# absolute PATH: a leading - or other special character loses its meaning.
absolute() {
    case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s/%s\n' "$PWD" "$1" ;; esac
}

here=$(cd "$(dirname "$0")" && pwd) || exit 2
gnuplot=${GNUPLOT:-gnuplot}
case $gnuplot in */*) gnuplot=$(absolute "$gnuplot") ;; esac
python=${PYTHON:-python3}
case $python in */*) python=$(absolute "$python") ;; esac
scanbench=${SCANBENCH:-${SCANBENCH_BUILD:-$here/../build}/cli/scanbench}
[ -x "$scanbench" ] || # installed
    scanbench=${SCANBENCH:-$(command -v scanbench || echo "$scanbench")}
scanbench=$(absolute "$scanbench")
usage='usage: draw.sh [--png] [--dtype D] FOLDER [OUT]'
# shellcheck disable=SC2059 # a format
say() { # FORMAT WORDS...; drops control characters, which terminals obey
    printf "$@" | tr -d '\000-\010\013-\037\177'
}

die() {
    status=$1
    shift
    say 'draw.sh: %s\n' "$@" >&2
    exit "$status"
}

kinds=svg dtype=''
while :; do
    case ${1-} in
    --png) kinds='svg png' ;;
    --dtype) dtype=${2-} && shift ;;
    -h | --help) sed -n 's/^# \{0,1\}//; 4,15p' "$0" && exit ;;
    --) shift && break ;;
    -*) die 2 "unknown option '$1'; $usage" ;;
    *) break ;;
    esac
    shift || die 2 "$usage"
done
case $#${2-} in 2--*) die 2 "$usage" ;; 1 | 2*) ;; *) die 2 "$usage" ;; esac
folder=$(absolute "${1%/}") out=${2-}
out=${out:+$(absolute "$out")} out=${out:-$folder/plots}

[ -e "$folder" ] || die 2 "no such folder: $folder"
[ -d "$folder" ] || die 2 "$folder is a file: name the folder of a run"
[ -f "$folder/manifest.csv" ] ||
    die 2 "$folder is no results folder: it has no manifest.csv"
[ ! -f "$out/manifest.csv" ] ||
    die 2 "$out is a run, too, and OUT would hold charts: one FOLDER at a time"
[ -x "$scanbench" ] ||
    die 2 "no $scanbench: ./run builds it; or name one in SCANBENCH"
version=$("$gnuplot" --version 2>/dev/null) || version=''
case $version in
'gnuplot 5.'[4-9]* | 'gnuplot '[6-9]* | 'gnuplot '[1-9][0-9]*) ;;
*) die 2 "charts need gnuplot 5.4 or newer; here: ${version:-none}." \
        "Install it: apt-get install gnuplot-nox fonts-dejavu-core," \
        "or: dnf install gnuplot dejavu-sans-fonts" \
        "Then: $here/draw.sh $folder" ;;
esac
command -v "$python" >/dev/null || die 2 'charts need python3: install it, or name it in PYTHON'
{ mkdir -p "$out" 2>/dev/null && [ -w "$out" ]; } ||
    die 2 "cannot write to $out; name another: draw.sh FOLDER OUT"

# Parts lie in a temporary folder, so that gnuplot gets plain names only.
work=$(mktemp -d "$out/.draw.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'die 130 "interrupted"' HUP INT TERM
cd "$work" || exit 2
"$python" -B "$here/charts.py" "$scanbench" "$folder" ${dtype:+"$dtype"}
case $? in 0) ;; 77) exit 1 ;; *) die 2 "$folder cannot be drawn" ;; esac

# In a dark colour scheme an SVG is inverted, but every colour keeps its hue.
rule='filter: invert(0.92) hue-rotate(180deg)'
rule="<style>@media (prefers-color-scheme: dark) { svg { $rule } }</style>"
finish() { # KIND; gnuplot does not report a full disk
    tail -c 16 "part.$1" 2>/dev/null | grep -aq 'IEND\|</svg>' || return
    [ "$1" = png ] && return
    sed "s|^</svg>|$rule&|" part.svg >styled && mv styled part.svg
}

drawn=0 failed=0
for chart in *.*; do
    name=${chart%.*} script=${chart##*.}
    for kind in $kinds; do
        if said=$({ LC_ALL=C.UTF-8 "$gnuplot" -c "$here/style.gp" \
            "part.$kind" "$chart" "$script" && finish "$kind" &&
            mv -f "part.$kind" "$out/$name.$kind"; } 2>&1); then
            drawn=$((drawn + 1))
        else
            said="FAILED (status $?): ${said:-is the disk full?}"
            failed=$((failed + 1))
        fi
        [ -z "$said" ] || say '%s.%s: %s\n' "$name" "$kind" "$said" >&2
    done
done

mv -f page "$out/index.html" || die 1 'index.html: FAILED'
[ $failed -eq 0 ] || die 1 "$failed charts failed"
say '%s charts in %s\n' "$drawn" "$out"
