#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE BUILD NVCC: what is installed is whole and works where it lies:
# the man page is one, the completions offer what there is, charts are drawn by
# the scripts that came along, and what `new` writes compiles by the commands it
# prints, against what was installed and nothing else, and is right. NVCC is "no",
# or compiles without a GPU, too.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2") build=$(realpath "$3") nvcc=$4
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
export OMP_NUM_THREADS=1

ok 'install' meson install -C "$build" --no-rebuild --destdir "$work/root"
find_one() { find root -path "*$1"; }
for file in /bin/scanbench /man1/scanbench.1 /completions/scanbench \
    /site-functions/_scanbench /vendor_completions.d/scanbench.fish \
    /plots/draw.sh /plots/style.gp /doc/scanbench/README.md \
    /doc/scanbench/docs/method.md /scanbench/src/variant.h /scanbench/src/plugin.h; do
    ok "$file" test -s "$(find_one "$file")"
done

# ---- the man page
page=$(find_one /man1/scanbench.1)
commands=$("$scanbench" --help | sed -n 's/^  scanbench \([a-z]*\)  .*/\1/p')
for command in $commands; do
    [ "$command" = help ] ||
        ok "man: $command" grep -i "^.SH SCANBENCH $command\$" "$page"
done
ok 'man: an option' grep -e '\\-\\-processes N' "$page"
if command -v groff >/dev/null 2>&1; then
    groff -man -ww -z "$page" >groff.said 2>&1
    ok 'groff has nothing to say' test ! -s groff.said
else
    skip 'man page: no groff'
fi

# ---- completion
if command -v bash >/dev/null 2>&1; then
    completes() { # WANTED WORD...: the last word becomes one of these
        wanted=$1
        shift
        # shellcheck disable=SC2016 # bash's
        bash -c '. "$0"; shift 0; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _scanbench; printf "%s\n" "${COMPREPLY[@]}"' \
            "$(find_one /completions/scanbench)" "$@" | grep -x -e "$wanted"
    }
    ok 'a command' completes compare "$scanbench" com
    ok 'an option' completes --processes "$scanbench" run --pro
    ok 'of that command' completes --fail-on "$scanbench" compare --fa
    ok 'a family' completes host/serial "$scanbench" check --family host/s
    ok 'help' completes compare "$scanbench" help com
else
    skip 'completion: no bash'
fi

# ---- the charts
if command -v gnuplot >/dev/null 2>&1; then
    PATH=$work/$(dirname "$(find_one /bin/scanbench)"):$PATH
    unset SCANBENCH SCANBENCH_BUILD
    ok 'charts' "$(find_one /plots/draw.sh)" "$source/results/h200/headline" \
        drawn
    ok 'are drawn' test -n "$(find drawn -name '*.svg')"
else
    skip 'charts: no gnuplot'
fi

# ---- what `new` writes
installed=$work/$(find_one /bin/scanbench)
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
