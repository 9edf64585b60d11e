#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE SCANBENCH COMPARE_RATES: the scripts, by their own tests,
# under every shell and awk that is there: a folder in front of PATH has `sh` and
# `awk` as links to each. Once more where numbers have a decimal comma, which
# mawk follows.
set -u
source=$(realpath "$1") scanbench=$(realpath "$2") rates=$(realpath "$3")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
MALLOC_PERTURB_=17 # a mawk of 2024 reads what it never wrote
export MALLOC_PERTURB_

# What awk does for a build: C, and the compiler's report.
awks() {
    for made in variants/heads.sh plugins/embed.sh; do
        sh "$source/$made" "$source"/variants/host/*.c "$source"/variants/sum/*.cu |
            "${CC:-cc}" -fsyntax-only -I "$source" -x c - || return
    done
    sh "$source/variants/cuda/test_compile.sh" "$source"
}

# Every script parses, and those that need no GPU and no time say how they are
# used, or do their work.
scripts() { # SHELL...
    for script in "$source"/run "$source"/.ci/run "$source"/*/*.sh \
        "$source"/*/*/*.sh; do
        "$@" -n "$script" || return
    done
    "$@" "$source/run" help &&
        "$@" "$source/plots/draw.sh" --help &&
        "$@" "$source/tests/test_run.sh" "$source" &&
        "$@" "$source/variants/points.sh" "${CC:-cc}" -- \
            "$source/variants/host/serial.c" | grep -q 'host/serial' &&
        drawn "$@"
}

# One chart of a run of the host; without gnuplot, what draw.sh says then.
drawn() { # SHELL...
    [ -d "$work/run" ] || "$scanbench" run -q --device host --op cumsum \
        --dtype f32 --shape 64x64:1 --budget 1 -o "$work/run" || return
    rm -rf "$work/run/plots"
    SCANBENCH=$scanbench "$@" "$source/plots/draw.sh" "$work/run" 2>told
    case $? in
    0) ls "$work/run/plots/cumsum_ladder_contiguous.svg" ;;
    *) grep 'charts need gnuplot' told ;;
    esac
}

under() { # NAME WHAT TARGET ARGS...: WHAT with NAME standing for TARGET ARGS
    name=$1 what=$2
    shift 2
    rm -rf "${work:?}/bin" && mkdir "$work/bin"
    printf '#!%s\nexec %s "$@"\n' "$(command -v sh)" "$*" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
    if [ "$name" = sh ]; then
        PATH=$work/bin:$PATH "$what" "$@"
    else
        PATH=$work/bin:$PATH "$what"
    fi
}

for awk in mawk gawk original-awk 'busybox awk'; do
    if command -v "${awk%% *}" >/dev/null; then
        # shellcheck disable=SC2086 # busybox and its word
        ok "$awk" under awk awks "$(command -v ${awk%% *})" \
            ${awk#"${awk%% *}"}
    else
        skip "no $awk"
    fi
done
if command -v mawk >/dev/null &&
    localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>locale.err; then
    commas() (
        export LOCPATH="$work" LC_ALL=de_DE.UTF-8
        awks && sh "$source/proof/test_scale.sh" "$source" &&
            sh "$source/proof/test_proof.sh" "$scanbench" "$source" "$rates"
    )
    ok 'decimal commas' under awk commas "$(command -v mawk)"
else
    skip "no mawk, or no locale with decimal commas: $(cat locale.err 2>&1)"
fi
for shell in dash bash 'busybox sh'; do
    if command -v "${shell%% *}" >/dev/null; then
        # shellcheck disable=SC2086
        ok "$shell" under sh scripts "$(command -v ${shell%% *})" \
            ${shell#"${shell%% *}"}
    else
        skip "no $shell"
    fi
done
tally
