#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE BUILD NVCC: what `new` writes compiles by the commands it
# prints, against what was installed and nothing else, and is right. NVCC is
# "no", or compiles without a GPU, too. So do the examples in other languages.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2") build=$(realpath "$3") nvcc=$4
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
export OMP_NUM_THREADS=1
meson install -C "$build" --no-rebuild --destdir "$work/root" >installed 2>&1
installed=$(find "$work/root" -path '*/bin/scanbench')
ok 'installed' test -x "$installed"
mkdir mine && cd mine || exit 2

check() { # FAMILY PLUGIN
    "$installed" check -q --device host --plugin "$2" --family "$1" \
        --shape 3x33x2,1x1000x1,5x2x7
}
ok 'help' says '  scanbench new scan/' "$installed" new --help
ok 'a host plugin' status 0 "$installed" new host/first
ok 'its file' says '^first.c$' ls
ok 'is kept' status 2 "$installed" new host/first
ok 'says so' says 'exists: remove it' "$installed" new host/first
ok 'a header' test "$(grep -cE '^ \* (Idea|Against|Traffic|Needs|Source|Lesson) ' \
    first.c)" -eq 6
rm first.c
"$installed" new host/first >out 2>commands
ok 'on stdout' grep -x first.c out
sed -n '/^  cc /,/so$/p' commands >compile
ok 'against what is installed' grep "$work/root.*/include/scanbench" compile
ok 'a short run' grep -- '/first.so --family host/first --quick$' commands
ok 'compiles' sh compile
ok 'is right' check host/first ./first.so
for word in first host/ host/9th host/serial hosts/first host/a-b 'host/a b'; do
    ok "not $word" status 2 "$installed" new "$word"
done
ok 'no word' status 2 "$installed" new
ok 'a near folder' says 'did you mean scan' "$installed" new scam/first
ok 'nothing else' test "$(find . -type f | wc -l)" -eq 5

# ---- with nvcc: compiled and loaded, as there may be no GPU
for folder in scan reduce; do
    ok "$folder" status 0 "$installed" new "$folder/my_$folder"
    if [ "$nvcc" != no ]; then
        ok "$folder compiles" "$nvcc" -std=c++20 -O1 -arch=sm_90 -shared \
            -Xcompiler -fPIC -I "$(dirname "$(find "$work/root" \
                -path '*/src/plugin.h')")/.." "my_$folder.cu" -o "$folder.so"
        ok "$folder is loaded" says "^$folder/my_$folder  *plugin" \
            "$installed" list --families --plugin "$folder.so"
    fi
done
[ "$nvcc" != no ] || skip 'CUDA: no nvcc'

tally
