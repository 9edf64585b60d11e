#!/bin/sh
# SPDX-License-Identifier: MIT
#
# PYTHON REGISTRY.PY: the library links the families that rules name, or number, each
# file in its own way.
set -u
python=$1 script=$(realpath "$2")
work=$(mktemp -d) && cd "$work" || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

cat >points.c <<'END'
    { "scan/near", "near" "_b" "128", "the idea" },
    { "scan/far", "far", "the idea" },
    { "reduce/near", "near" "_b" "128", "the idea" },
    { "reduce/named", "named_i4", "the idea" },
    { "scan/thread_per_line", "thread_per_line", "the idea" },
    { "flip/element", "element", "the idea" },
END
cat >registry.c <<'END'
    { "scan/near", scan__near },
    { "scan/far", scan__far },
    { "reduce/near", reduce__near },
    { "reduce/named", reduce__named },
    { "reduce/far", variants__others__reduce__far },
    { "best/best", best__best },
    { "scan/ragged_spans", scan__ragged_spans },
    { "scan/thread_per_line", scan__thread_per_line },
    { "flip/element", flip__element },
    { "host/sum", host__sum },
const struct family registry_broken[] = {
    { "broken/one", broken__one },
END
cat >one.csv <<'END'
rules,2
model,forest
variant,0,far
variant,1,near_b128
problem,cumsum,f32,1,8,1,1=0 0=80
END
cat >two.csv <<'END'
rules,2
model,forest
variant,0,near_b128
problem,sum,f32,1,8,1,named_i4=24.9 0=25.1
END

check() { # WANTED RULES...: the families
    wanted=$1
    shift
    got=$("$python" "$script" "$@" | sed 's/^[^"]*"//; s/".*//' | tr '\n' ' ')
    if [ "$got" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s: %s, not %s\n' "$*" "$got" "$wanted" >&2
    fi
}

rest='reduce/far scan/ragged_spans scan/thread_per_line flip/element host/sum '
check "scan/near $rest" rules registry.c points.c one.csv
check "reduce/named $rest" rules registry.c points.c two.csv
check "scan/near reduce/named $rest" rules registry.c points.c one.csv two.csv
check "scan/near scan/far reduce/near reduce/named $rest" all registry.c points.c one.csv
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
