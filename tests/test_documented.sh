#!/bin/sh
# SPDX-License-Identifier: MIT
#
# README TEST_ROW SCANBENCH: results/README.md lists, between markers, the columns
# and keys that a run writes, and no others. docs/method.md has all operations,
# statuses, marks and classes of shapes, docs/adding-a-gpu.md the GPUs of --pretend,
# and every command of a page exists.
set -u
readme=$1 test_row=$2 scanbench=$3
source=$(dirname "$readme")/..
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

same() { # PAGE WHAT: the files page and code are alike
    [ -s "$work/code" ] && diff "$work/page" "$work/code" && return
    echo "$1: $2: not the code's (<: there)"
    failed=1
}

# The names of a list of results/README.md are those that COMMAND prints of a run's
# FILE.
same_list() { # LIST FILE COMMAND...
    sed -n "/^<!-- $1 -->/,/^<!-- \/$1 -->/p" "$readme" | grep '^[a-z]' |
        cut -d ' ' -f 1 >"$work/page"
    file=$2
    shift 2
    "$@" <"$work/run/$file" >"$work/code"
    same results/README.md "$file"
}

if ! "$scanbench" run --device host --op flip --dtype f32 --shape 1x64x1 \
    --budget 0 -q --samples -o "$work/run" >"$work/said" 2>&1; then
    cat "$work/said"
    exit 1
fi
same_list columns flip.csv sh -c 'head -n 1 | tr , "\n"'
same_list ceilings ceilings.csv sh -c 'head -n 1 | tr , "\n"'
same_list manifest manifest.csv sed '1d; s/,.*//'
grep -qF "\`$(head -n 1 "$work/run/samples.csv")\`" "$readme" || {
    echo "results/README.md lacks the header line of a run's samples.csv"
    failed=1
}
for table in status mark class; do
    "$test_row" "$table" | sort >"$work/code"
    sed -n "/^| $table |/,/^\$/p" "$source/docs/method.md" |
        cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' | sort >"$work/page"
    same docs/method.md "$table"
done
sed -n 's/^    X([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$source/src/model/op.h" | sort >"$work/code"
sed -n '/^| operation |/,/^$/p' "$source/docs/method.md" |
    cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' | sort >"$work/page"
same docs/method.md operations
# "known are sm_75 (Tesla T4), ..." against the page's table
"$scanbench" check --pretend none 2>&1 | tr ',' '\n' |
    sed -n 's/.*\(sm_[0-9]*\) (\(.*\)).*/| \1 | \2 |/p' >"$work/code"
grep '^| sm_' "$source/docs/adding-a-gpu.md" >"$work/page"
same docs/adding-a-gpu.md GPUs
for command in $(grep -ohE '(`|^|cli/)scanbench [a-z]+' "$source"/*.md "$source"/docs/*.md |
    sed "s/.* //" | grep -vx help | sort -u); do
    "$scanbench" help "$command" >"$work/said" 2>&1 && continue
    echo "a page has a command that does not exist: $command"
    failed=1
done
exit $failed
