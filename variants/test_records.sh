#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE FILE:TRAIT...: the traits of the records in variants/meson.build are
# those that the files have: `waits` and `staggered_start` if their includes
# lead to the header of that name, `sound` and `shown` in broken/ only, and
# `per_arch` if it has code of some architectures only: its own, or bulk and
# asynchronous copies.
set -u
cd "$1/variants" || exit 2
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

same() { # TRAIT: $work/found are the files with that trait
    sed -n "s/ $1\$//p" "$work/traits" | sort >"$work/listed"
    sort -u "$work/found" | diff "$work/listed" - >"$work/diff" && return
    echo "FAILED: trait $1 in variants/meson.build (<), in the files (>):"
    grep '^[<>]' "$work/diff"
    failed=1
}

includes() { # FILE: all that it includes of ours, directly or not
    sed -n 's/^# *include "variants\/\(.*\)".*/\1/p' "$1" |
        while read -r header; do
            echo "$header"
            includes "$header"
        done
}

printf '%s\n' "$@" >"$work/traits"
for file in */*.cu; do
    includes "$file" | sed "s|^|$file |"
done | sort -u >"$work/included"

grep -v '^broken/' "$work/included" | sed -n 's| common/delays\.cuh$||p' \
    >"$work/found"
same waits
# look_back.cuh brings the header to all: the call is what counts.
grep -lE '(starts_after|staggered_start)<|kStaggered' scan/*.cu sum/*.cu \
    >"$work/found"
same staggered_start
{
    grep -lE '__CUDA_ARCH__|compute_capability|built_for' scan/*.cu sum/*.cu
    sed -n 's, common/\(bulk\|async\)_copy\.cuh$,,p' "$work/included"
} | grep -v '^broken/' >"$work/found"
same per_arch
grep -E ' (sound|shown)$' "$work/traits" | grep -v '^broken/' &&
    { echo 'FAILED: these are not of broken/'; failed=1; }
exit $failed
