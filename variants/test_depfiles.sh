#!/bin/sh
# SPDX-License-Identifier: MIT
#
# NINJA BUILD SOURCE: an edited .cuh or .h rebuilds exactly the kernels that
# include it. Compares, for every header of ours, the kernels whose recorded
# dependencies name it (these are what ninja rebuilds) with those whose
# includes, followed in the sources, lead to it. 77: nothing to compare.
set -u
ninja=$1 build=$2 source=$(realpath "$3")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$build" || exit 2

# ---- what ninja recorded: "OBJECT PATH", one a line, paths from the source
"$ninja" -t targets all 2>/dev/null | sed -n 's/\(.*\.cu\.o\): .*/\1/p' \
    >"$work/objects"
[ -s "$work/objects" ] || { echo 'no kernels are built here'; exit 77; }
# shellcheck disable=SC2046 # no object has a blank in its name
"$ninja" -t deps $(cat "$work/objects") >"$work/deps" ||
    { echo "$ninja cannot say what it recorded"; exit 77; }
sed -n 's/^    //p' "$work/deps" | sort -u >"$work/paths"
tr '\n' '\0' <"$work/paths" | xargs -r0 realpath -m >"$work/real"
paste -d '\n' "$work/paths" "$work/real" | awk -v root="$source/" '
    FNR == NR { if (FNR % 2) path = $0; else real[path] = $0; next }
    /^[^ ].*: / { object = $0; sub(/: .*/, "", object); next }
    NF && index(real[substr($0, 5)], root) == 1 {
        print object, substr(real[substr($0, 5)], length(root) + 1) }
    ' - "$work/deps" | sort -u >"$work/recorded"

# ---- what the sources say, starting from each object's own .cu
includes() { # FILE: itself and all that it includes, directly or not
    echo "$1"
    sed -n 's/^# *include "\(.*\)".*/\1/p' "$source/$1" |
        while read -r header; do
            [ ! -f "$source/$header" ] || includes "$header"
        done
}
grep '\.cu$' "$work/recorded" | while read -r object kernel; do
    includes "$kernel" | sed "s|^|$object |"
done | sort -u >"$work/included"

# ---- the two must be the same
failed=0
while read -r object; do
    grep -q "^$object .*\.cu$" "$work/recorded" && continue
    echo "FAILED: nothing is recorded for $object: is its depfile read?"
    failed=1
done <"$work/objects"
stale=$(comm -13 "$work/recorded" "$work/included")
needless=$(comm -23 "$work/recorded" "$work/included")
[ -z "$stale" ] || { echo "FAILED: would go stale: $stale"; failed=1; }
[ -z "$needless" ] || { echo "FAILED: needlessly rebuilt: $needless"; failed=1; }
echo "$(wc -l <"$work/objects") kernels," \
    "$(cut -d ' ' -f 2 "$work/included" | grep -v '\.cu$' | sort -u | wc -l)" \
    "headers, $(grep -c ' variants/device\.cuh$' "$work/included") with" \
    "device.cuh"
exit $failed
