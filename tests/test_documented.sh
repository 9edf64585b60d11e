#!/bin/sh
# SPDX-License-Identifier: MIT
#
# README TEST_ROW SCANBENCH: the lists of results/README.md, between their markers,
# are those of the code, word for word, and a run writes those columns and keys
# and no others. docs/method.md has all statuses, marks and classes of shapes, and
# docs/adding-a-gpu.md the GPUs of --pretend.
set -u
readme=$1 test_row=$2 scanbench=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# LIST COMMAND...: prints the list as the code has it.
same_list() {
    list=$1
    shift
    "$@" >"$work/code"
    sed -n "/^<!-- $list -->/,/^<!-- \/$list -->/p" "$readme" |
        grep '^[a-z]' >"$work/readme"
    [ -s "$work/code" ] && diff "$work/readme" "$work/code" && return
    echo "results/README.md's list '$list' is not the code's (<: there)"
    failed=1
}

# FILE WORDS: one a line, in order.
same_words() {
    cut -d ' ' -f 1 "$work/code" >"$work/names"
    diff "$work/names" "$work/words" && return
    echo "a run's $1 has other names than the code's list (>: there)"
    failed=1
}

if ! "$scanbench" run --device host --op flip --dtype f32 --shape 1x64x1 \
    --budget 0 -q --samples -o "$work/run" >"$work/said" 2>&1; then
    cat "$work/said"
    exit 1
fi
same_list columns "$test_row" columns
head -n 1 "$work/run/flip.csv" | tr , '\n' >"$work/words"
same_words flip.csv
same_list ceilings "$test_row" ceilings
head -n 1 "$work/run/ceilings.csv" | tr , '\n' >"$work/words"
same_words ceilings.csv
grep -qF "\`$(head -n 1 "$work/run/samples.csv")\`" "$readme" || {
    echo "results/README.md lacks the header line of a run's samples.csv"
    failed=1
}
same_list manifest "$test_row" manifest
sed 1d "$work/run/manifest.csv" | cut -d , -f 1 >"$work/words"
same_words manifest.csv

for table in status mark class; do
    "$test_row" "$table" | sort >"$work/code"
    sed -n "/^| $table |/,/^\$/p" "$(dirname "$readme")/../docs/method.md" |
        cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' | sort >"$work/page"
    if ! [ -s "$work/code" ] || ! diff "$work/page" "$work/code"; then
        echo "docs/method.md has another table of each $table (<: there)"
        failed=1
    fi
done

# "known are sm_75 (Tesla T4), ..." against the page's table
"$scanbench" check --pretend none 2>&1 | tr ',' '\n' |
    sed -n 's/.*\(sm_[0-9]*\) (\(.*\)).*/| \1 | \2 |/p' >"$work/code"
grep '^| sm_' "$(dirname "$readme")/../docs/adding-a-gpu.md" >"$work/page"
if ! [ -s "$work/code" ] || ! diff "$work/page" "$work/code"; then
    echo 'docs/adding-a-gpu.md has other GPUs than --pretend (<: there)'
    failed=1
fi
exit $failed
