#!/bin/sh
# SPDX-License-Identifier: MIT
#
# NVCC ARGUMENT... -o OBJECT: compiles, and keeps what the compiler says of
# each kernel beside the object, in a .csv (see resources.awk). A disassembler
# would tell as much, but is not a part of every toolkit.
set -u
here=$(dirname "$0")
for object; do :; done # the last one
kept=$object.kept
rm -rf "$kept"
mkdir -p "$kept" || exit 2
trap 'rm -rf "$kept"' EXIT

LC_ALL=C "$@" -Xptxas -v --keep --keep-dir "$kept" 2>"$kept/said"
status=$?
# Warnings and errors go on to stderr, without the report.
awk '/^ptxas info / || /^ +[0-9]+ bytes stack frame/ { next } { print }' \
    "$kept/said" >&2
[ $status -eq 0 ] || exit $status
ptx=$(find "$kept" -name '*.ptx' | sort | tail -n 1)
[ -z "$ptx" ] || LC_ALL=C awk -f "$here/resources.awk" "$ptx" "$kept/said" \
    >"${object%.o}.csv"
