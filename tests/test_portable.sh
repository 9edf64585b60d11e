#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: the scripts under every shell and awk that is installed: a folder in
# front of PATH has `sh` and `awk` as links to each. mawk also with a locale of
# decimal commas, which it follows.
set -u
source=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
MALLOC_PERTURB_=17 # mawk 1.3.4 of 2024 reads uninitialized memory
export MALLOC_PERTURB_

# A build's scripts in awk: C sources, and the compiler's report.
awks() {
    sh "$source/variants/heads.sh" "$source"/variants/host/*.c "$source"/variants/reduce/*/*.cu |
        "${CC:-cc}" -fsyntax-only -I "$source" -x c - || return
    sh "$source/variants/cuda/test_compile.sh" "$source"
}

# Every script parses, and some that need no GPU run.
scripts() { # SHELL...
    for script in "$source"/run "$source"/.ci/run "$source"/*/*.sh \
        "$source"/*/*/*.sh; do
        "$@" -n "$script" || return
    done
    "$@" "$source/run" help &&
        "$@" "$source/plots/draw.sh" --help &&
        "$@" "$source/variants/points.sh" variant_points "${CC:-cc}" -- \
            "$source/variants/host/serial.c" | grep -q 'host/serial'
}

under() { # NAME FUNCTION TARGET ARGUMENTS: FUNCTION with TARGET as NAME
    name=$1 function=$2
    shift 2
    rm -rf "${work:?}/bin" && mkdir "$work/bin"
    printf '#!%s\nexec %s "$@"\n' "$(command -v sh)" "$*" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
    PATH=$work/bin:$PATH "$function" "$@"
}

each() { # NAME FUNCTION PROGRAM...: those that are installed
    name=$1 function=$2
    shift 2
    for program; do
        if command -v "${program%% *}" >/dev/null; then
            # shellcheck disable=SC2046,SC2086 # busybox and its applet
            ok "$program" under "$name" "$function" \
                $(command -v ${program%% *}) ${program#"${program%% *}"}
        else
            skip "no $program"
        fi
    done
}

each awk awks mawk gawk original-awk 'busybox awk'
each sh scripts dash bash 'busybox sh'
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>locale.err; then
    commas() (
        export LOCPATH="$work" LC_ALL=de_DE.UTF-8
        awks
    )
    each awk commas mawk
else
    skip "no locale with decimal commas: $(cat locale.err)"
fi
tally
