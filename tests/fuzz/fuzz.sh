#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the fuzzing targets (fuzz_*.c) with clang and its libFuzzer, under its
# sanitizers, and runs them.
#
#   tests/fuzz/fuzz.sh BUILD quick [TARGET...]     the same inputs every time:
#                                                  seconds a target
#   tests/fuzz/fuzz.sh BUILD SECONDS [TARGET...]   new ones, so long a target
#
# BUILD is a folder for what is built and found (build/fuzz); corpus/ beside
# this script is what they begin with. CLANG names another clang. Exit status:
# 0 nothing found; 1 found, and the input is in BUILD/found; 2 usage, or it does
# not build; 77 no clang with libFuzzer.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
usage='usage: tests/fuzz/fuzz.sh BUILD quick|SECONDS [TARGET...]'

die() { # STATUS WHAT
    printf 'fuzz.sh: %s\n' "$2" >&2
    exit "$1"
}

[ $# -ge 2 ] || die 2 "$usage"
mkdir -p "$1/objects" "$1/found" || exit 2
build=$(cd "$1" && pwd) || exit 2
case $2 in
quick) limit='-seed=1' ;;
*[!0-9]* | '') die 2 "$usage" ;;
*) limit="-max_total_time=$2" ;;
esac
shift 2

# ---- building: what is older than any source is made anew
flags="-std=gnu11 -g -O1 -fno-omit-frame-pointer -I$source
-fsanitize=address,undefined -fno-sanitize-recover=all"
for clang in "${CLANG:-clang}" clang-14; do
    printf 'int LLVMFuzzerTestOneInput(const void *d, unsigned long n)
        { return d && n > 9; }' >"$build/probe.c"
    "$clang" -w -fsanitize=fuzzer,address "$build/probe.c" -o "$build/probe" \
        >/dev/null 2>&1 && break
    clang=''
done
[ -n "$clang" ] || die 77 'skipped: no clang with libFuzzer'

sources() { # of what the targets link; tests and targets apart
    find "$source/src" -name '*.c' ! -name 'test_*'
    find "$source/cli/common" -name 'escape*.c'
}

compile() {
    rm -f "$build"/objects/*.o
    # shellcheck disable=SC2086,SC2046 # words
    (cd "$build/objects" && printf '%s\n' $(sources) |
        xargs -P 2 -n 8 "$clang" $flags -fsanitize=fuzzer-no-link -c) || return
    for target in "$source"/tests/fuzz/fuzz_*.c; do
        name=${target##*/fuzz_}
        # shellcheck disable=SC2086 # words
        "$clang" $flags -fsanitize=fuzzer "$target" "$build"/objects/*.o -lm \
            -o "$build/${name%.c}" || return
    done
    touch "$build/made"
}

if [ ! -f "$build/made" ] || [ -n "$(find "$source/src" "$source/cli/common" \
    "$source/tests/fuzz" -name '*.[ch]' -newer "$build/made")" ]; then
    compile >"$build/log" 2>&1 || {
        cat "$build/log" >&2
        die 2 'the targets do not build'
    }
fi

# ---- running
[ $# -gt 0 ] || set -- escape rows rules
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
for target; do
    [ -x "$build/$target" ] || die 2 "no target '$target'"
    corpus=$build/corpus/$target runs=''
    case $limit in
    *seed*) corpus=$work/corpus.$target runs=-runs=10000 ;; # no earlier finds
    esac
    mkdir -p "$corpus"
    # shellcheck disable=SC2086 # words
    "$build/$target" $limit $runs -max_len=8192 -timeout=20 -rss_limit_mb=3000 \
        -close_fd_mask=2 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$build/found/$target-" "$corpus" \
        "$source/tests/fuzz/corpus/$target" >"$work/log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    if [ $status -eq 0 ]; then
        echo "$target: ${runs:-no} inputs, nothing found"
    else
        failed=1
        echo "FAILED: $target (status $status)"
        cat "$work/log"
    fi
done
[ $failed -eq 0 ]
