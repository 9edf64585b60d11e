#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Draws every chart of a results folder, each as PNG and as SVG.
#
#   plots/draw.sh FOLDER [OUT]     into OUT, or else FOLDER/plots
#   plots/draw.sh --newest DIR     the newest run under DIR, or under the
#                                  folder (or the run) SCANBENCH_RESULTS names:
#                                  by the time that its folder is named after
#
# Charts are of the cold cache; a run that has times with a hot one too gets them
# apart, as NAME_hot. Of several launches the median is drawn.
#
# GNUPLOT names another gnuplot. Exit status: 0 drawn; 1 a chart failed, or
# there was nothing to draw; 2 usage, a damaged folder, or no gnuplot; 130
# interrupted.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
gnuplot=${GNUPLOT:-gnuplot}

die() {
    status=$1
    shift
    printf 'draw.sh: %s\n' "$@" >&2
    exit "$status"
}

# A run of its own accord is <device>/<utc>-<commit>; published sets lie beside.
newest() { # DIR
    for manifest in "$1"/*/[0-9]*T*Z-*/manifest.csv \
        "$1"/[0-9]*T*Z-*/manifest.csv; do
        run=${manifest%/manifest.csv}
        [ ! -f "$manifest" ] || printf '%s %s\n' "${run##*/}" "$run"
    done | LC_ALL=C sort | tail -n 1 | cut -d ' ' -f 2-
}

case ${1-} in
--newest)
    [ $# -eq 2 ] || die 2 "usage: draw.sh --newest DIR"
    folder=${SCANBENCH_RESULTS:-$2}
    if ! [ -f "$folder/manifest.csv" ]; then
        run=$(newest "$folder")
        [ -n "$run" ] ||
            die 1 "no run under $folder yet: ./run bench makes one"
        folder=$run
    fi
    set -- "$folder"
    ;;
-h | --help)
    sed -n 's/^# \{0,1\}//; 3,/^set/{/^set/!p;}' "$0" | sed 1d
    exit 0
    ;;
-*) die 2 "unknown option '$1'; usage: draw.sh FOLDER [OUT] | --newest DIR" ;;
esac
[ $# -eq 1 ] || [ $# -eq 2 ] || die 2 "usage: draw.sh FOLDER [OUT]"
folder=${1%/}
out=${2:-$folder/plots}

[ -e "$folder" ] || die 2 "no such folder: $folder"
[ -d "$folder" ] || die 2 "$folder is a file: name the folder of a run"
[ -f "$folder/manifest.csv" ] ||
    die 2 "$folder is no results folder: it has no manifest.csv"
[ $# -eq 1 ] || ! [ -f "$out/manifest.csv" ] ||
    die 2 "$out is a run, too, and OUT would hold charts: one FOLDER at a time"
[ "$(head -n 1 "$folder/manifest.csv" | tr -d '\r')" = key,value ] ||
    die 2 "$folder/manifest.csv is damaged: it does not begin with key,value"

for csv in "$folder"/*.csv; do
    [ -r "$csv" ] || die 2 "cannot read $csv"
done

# whole FILE COLUMN...: dies where its first line does not name them all.
whole() {
    file=$1 lacking=''
    shift
    header=,$(head -n 1 "$file" | tr -d '\r'),
    for column; do
        case $header in
        *",$column,"*) ;;
        *) lacking="$lacking, $column" ;;
        esac
    done
    [ -z "$lacking" ] || die 2 "$file is damaged: it lacks ${lacking#, }"
}

# The twins come last: the operations are what people look for.
ops='' twins=''
known=' '
if [ -f "$folder/ceilings.csv" ]; then
    whole "$folder/ceilings.csv" kind twin dtype cache elems gbps gflops process \
        phase
    known=$(awk -F , 'NR == 1 { for (i = 1; $i != "twin" && i < NF; ) ++i }
        { printf " %s ", $i }' "$folder/ceilings.csv")
fi
for csv in "$folder"/*.csv; do
    op=$(basename "$csv" .csv)
    [ "$(head -n 2 "$csv" | wc -l)" -eq 2 ] || continue # no row yet
    case $op in
    manifest | ceilings) continue ;;
    esac
    whole "$csv" variant dtype outer axis inner cache process status reason \
        bytes gbps ceiling_gbps pct_ceiling passes err_bound
    case $known in
    *" $op "*) twins="$twins $op" ;;
    *) ops="$ops $op" ;;
    esac
done
[ -n "$ops$twins" ] || die 1 "$folder holds no operation's CSV with a row"

version=$("$gnuplot" --version 2>/dev/null) || version=''
case $version in
'gnuplot 5.'[4-9]* | 'gnuplot '[6-9]* | 'gnuplot '[1-9][0-9]*) ;;
*)
    die 2 "charts need gnuplot 5.4 or newer; here: ${version:-none}." \
        "Install it: apt-get install gnuplot-nox fonts-dejavu-core," \
        "or: dnf install gnuplot dejavu-sans-fonts" \
        "Then: $here/draw.sh $folder"
    ;;
esac
if ! mkdir -p "$out" 2>/dev/null || ! [ -w "$out" ]; then
    die 2 "cannot write to $out; name another: draw.sh FOLDER OUT"
fi

drawn=0 failed=0

# What gnuplot reads: the folder, or the medians of its launches.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work" "$out"/.part.*' EXIT
trap 'die 130 "interrupted"' INT TERM
data=$folder

# field COLUMN FILES...: what the column holds, each once.
field() {
    column=$1
    shift
    awk -F , -v column="$column" 'FNR == 1 { for (at = 1; at <= NF; ++at)
            if ($at == column) break; next }
        at <= NF { print $at }' "$@" | sort -u
}

tables=''
for op in $ops $twins; do
    tables="$tables $op.csv"
done
for csv in $tables ceilings.csv; do # a killed run may leave half a line
    [ -f "$folder/$csv" ] || continue
    awk -v file="$folder/$csv" -f "$here/whole.awk" "$folder/$csv" \
        >"$work/$csv" || exit 2
    cmp -s "$folder/$csv" "$work/$csv" || data=$work
done
cp "$folder/manifest.csv" "$work" || exit 2
# shellcheck disable=SC2086 # the names hold no blanks
caches=$(cd "$work" && field cache $tables)
# shellcheck disable=SC2086
if [ "$(cd "$work" && field process $tables | wc -l)" -gt 1 ]; then
    data=$work
    for csv in $tables ceilings.csv; do
        [ -f "$work/$csv" ] || continue
        awk -f "$here/median.awk" "$work/$csv" >"$work/medians" &&
            mv "$work/medians" "$work/$csv" || exit 2
    done
fi

# in_folder TEXT: with the folder's name where it has our copy's.
in_folder() {
    rest=$1 text=''
    while :; do
        case $rest in
        *"$work"*)
            text=$text${rest%%"$work"*}$folder
            rest=${rest#*"$work"}
            ;;
        *) break ;;
        esac
    done
    printf '%s\n' "$text$rest"
}

# whole_picture FILE: gnuplot does not tell of a full disk.
whole_picture() {
    tail -c 16 "$1" 2>/dev/null | grep -aq 'IEND\|</svg>'
}

# draw NAME SCRIPT ARGS…; 77 is a script's word for "nothing to draw here".
draw() {
    name=$1 script=$2
    shift 2
    for kind in png svg; do
        file=$out/.part.$kind
        said=$("$gnuplot" -e "wanted_cache = '$wanted'" \
            -c "$here/$script" "$file" "$data" "$@" 2>&1)
        status=$?
        said=$(in_folder "$said")
        if [ $status -eq 77 ]; then
            rm -f "$file" "$out/$name.png" "$out/$name.svg"
            printf 'skipped %s: %s\n' "$name" "$said" >&2
            return
        fi
        if [ $status -ne 0 ] || ! whole_picture "$file" ||
            ! mv "$file" "$out/$name.$kind"; then
            rm -f "$file"
            printf 'FAILED %s.%s (status %s): %s\n' "$name" "$kind" "$status" \
                "${said:-not all of it: is the disk full?}" >&2
            failed=$((failed + 1))
            return
        fi
        [ -z "$said" ] || printf '%s: %s\n' "$name" "$said" >&2
    done
    drawn=$((drawn + 1))
}

# draw_all SUFFIX: every chart of the cache state $wanted (empty: cold, or else
# what there is).
draw_all() {
    if [ "$(head -n 2 "$work/ceilings.csv" 2>/dev/null | wc -l)" -eq 2 ]; then
        [ -z "$ops" ] || draw "roofline$1" roofline.gp "${ops# }"
    else
        echo "skipped roofline: $folder has no ceilings" >&2
    fi
    for op in $ops; do
        draw "${op}_bandwidth_length$1" bandwidth.gp "$op" length
        draw "${op}_bandwidth_size$1" bandwidth.gp "$op" size
        draw "${op}_ladder_contiguous$1" ladder.gp "$op" contiguous
        draw "${op}_ladder_strided$1" ladder.gp "$op" strided
        draw "${op}_best$1" best.gp "$op" contiguous
        draw "${op}_best_strided$1" best.gp "$op" strided
        draw "${op}_heat$1" heat.gp "$op"
    done
    for op in $twins; do # they know no lines: a size is all there is to them
        draw "${op}_bandwidth_size$1" bandwidth.gp "$op" size
        draw "${op}_ladder$1" ladder.gp "$op" contiguous
    done
}

wanted=''
draw_all ''
case $caches in
*cold*hot*) # sorted
    wanted=hot
    draw_all _hot
    ;;
esac

[ $failed -eq 0 ] || die 1 "$failed charts failed"
[ $drawn -gt 0 ] || die 1 "nothing measured in $folder: no chart drawn"
echo "$drawn charts (PNG and SVG) in $out"
