#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE BUILD: what is installed is whole and works where it lies:
# the man page is one, the completions offer what there is, a kernel's contract
# compiles by itself, and charts are drawn by the scripts that came along.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2") build=$(realpath "$3")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

install_it() {
    meson install -C "$build" --no-rebuild --destdir "$work/root"
}
ok 'install' install_it
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

# ---- the contract of a kernel, and the charts
printf '#include "src/plugin.h"\nint main(void) { return 0; }\n' >contract.c
include=$(find_one /scanbench/src/variant.h)
ok 'the contract' "${CC:-cc}" -std=c11 -fsyntax-only \
    -I "${include%/src/variant.h}" contract.c
if command -v gnuplot >/dev/null 2>&1; then
    PATH=$work/$(dirname "$(find_one /bin/scanbench)"):$PATH
    unset SCANBENCH SCANBENCH_BUILD
    ok 'charts' "$(find_one /plots/draw.sh)" "$source/results/h200/headline" \
        drawn
    ok 'are drawn' test -n "$(find drawn -name '*.svg')"
else
    skip 'charts: no gnuplot'
fi

tally
