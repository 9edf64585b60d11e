#!/bin/sh
# SPDX-License-Identifier: MIT
#
# PYTHON REGISTRY.PY: the library links the families that rules name, or number, each
# file in its own way.
set -u
python=$1 script=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "${script%/*}/../src/base/test.sh"

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

families() { # WANTED RULES...
    wanted=$1
    shift
    got=$("$python" "$script" "$@" | sed 's/^[^"]*"//; s/".*//' | tr '\n' ' ')
    echo "$got"
    [ "$got" = "$wanted" ]
}

rest='reduce/far scan/ragged_spans scan/thread_per_line flip/element host/sum '
ok 'by number' families "scan/near $rest" rules registry.c points.c one.csv
ok 'by name' families "reduce/named $rest" rules registry.c points.c two.csv
ok 'both' families "scan/near reduce/named $rest" rules registry.c points.c one.csv two.csv
ok 'all' families "scan/near scan/far reduce/near reduce/named $rest" all registry.c points.c one.csv
tally
