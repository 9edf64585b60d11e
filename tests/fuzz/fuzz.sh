#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the fuzzing targets (fuzz_*.c), which clang builds with its libFuzzer and
# its sanitizers.
#
#   tests/fuzz/fuzz.sh BUILD quick [TARGET...]     the same inputs every time:
#                                                  seconds per target
#   tests/fuzz/fuzz.sh BUILD SECONDS [TARGET...]   new inputs, for so long each
#
# BUILD is a build folder (build/fuzz), configured and built if it does not exist;
# CLANG names another clang. The inputs start from corpus/ beside this script.
# Exit status: 0 nothing found; 1 found, and the input is in BUILD/found; 2 usage,
# or the build failed.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd) || exit 2

die() {
    printf 'fuzz.sh: %s\n' "$1" >&2
    exit 2
}

[ $# -ge 2 ] || die 'usage: tests/fuzz/fuzz.sh BUILD quick|SECONDS [TARGET...]'
build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- escape rows rules
if [ "$seconds" != quick ]; then
    [ -f "$build/build.ninja" ] ||
        CC=${CLANG:-clang} meson setup "$build" "$source" -Dcuda=disabled \
            --buildtype=debug -Db_sanitize=address,undefined -Db_lundef=false >&2 ||
        exit 2
    # shellcheck disable=SC2046 # words
    ninja -C "$build" $(printf 'tests/fuzz_%s ' "$@") >&2 || exit 2
fi
mkdir -p "$build/found" && build=$(cd "$build" && pwd) || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
for target; do
    corpus=$build/corpus/$target limit="-max_total_time=$seconds"
    if [ "$seconds" = quick ]; then # without what earlier runs found
        corpus=$work/$target limit='-seed=1 -runs=10000'
    fi
    mkdir -p "$corpus"
    # shellcheck disable=SC2086 # words
    "$build/tests/fuzz_$target" $limit -max_len=8192 -timeout=20 \
        -rss_limit_mb=3000 -close_fd_mask=2 -verbosity=0 \
        -artifact_prefix="$build/found/$target-" "$corpus" \
        "$source/tests/fuzz/corpus/$target" >"$work/log" 2>&1 || {
        failed=1
        echo "FAILED: $target (status $?)"
        cat "$work/log"
    }
done
exit $failed
