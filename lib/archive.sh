#!/bin/sh
# SPDX-License-Identifier: MIT
#
# archive.sh OUT OBJCOPY AR CC... -- ARCHIVE...: links the first archive and what it needs
# into a static library of one object, whose only global names are scanbench_*.
set -u
out=$1 objcopy=$2 ar=$3
shift 3
cc=''
while [ "$1" != -- ]; do
    cc="$cc $1"
    shift
done
shift
first=$1
shift
# shellcheck disable=SC2086 # a compiler with its options
$cc -r -nostdlib -o "$out.o" -Wl,--force-group-allocation \
    -Wl,--whole-archive "$first" -Wl,--no-whole-archive \
    -Wl,--start-group "$@" -Wl,--end-group &&
    "$objcopy" --wildcard --keep-global-symbol='scanbench_*' "$out.o" &&
    rm -f "$out" && "$ar" rcs "$out" "$out.o" && rm "$out.o"
