#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE BUILD TEST_PLAN: the installed library is found by pkg-config, and
# linked, shared and static, by the clients of two pages as C and C++; no
# name but scanbench_* leaves it; and a GPU's rules are found where the page
# says.
set -u
source=$(realpath "$1") build=$(realpath "$2") test_plan=$(realpath "$3")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
unset SCANBENCH_RULES FAKE_GPU

ok 'install' meson install -C "$build" --no-rebuild --destdir "$work/root"
library=$(find "$work/root" -name 'libscanbench.so.0')
dir=${library%/*}
header=$(find "$work/root" -name scanbench.h)
ok 'SONAME' says 'SONAME.*\[libscanbench.so.0\]' readelf -d "$library"
only_ours() { # NM'S OPTION FILE
    nm "$1" --defined-only "$2" | awk 'NF == 3 { print $3 }' | sort >names
    sed -n 's/^[^ ].*[ *]\(scanbench_[a-z_]*\)(.*/\1/p' "$header" | sort |
        diff - names
}
ok 'names of the shared one' only_ours -D "$library"
ok 'names of the static one' only_ours -g "$dir/libscanbench.a"

# ---- clients
block() { # PAGE: its first block of C
    awk '/^```/ && on { exit }
        on
        $0 == "```c" { on = 1 }' "$source/docs/$1.md"
}
for page in library ragged; do
    block $page >$page.c
    cp $page.c $page.cc
done
runs() {
    LD_LIBRARY_PATH=$dir "$@" | grep -x '3 4 8, 1 6 15\|4 0 19'
}
if command -v pkg-config >/dev/null 2>&1; then
    # Not a sysroot: the toolkit's folders are where they are.
    config() {
        PKG_CONFIG_PATH=$dir/pkgconfig pkg-config \
            --define-variable=prefix="${header%/include/*}" "$@" scanbench
    }
    flags=$(config --cflags --libs)
    static="$(config --cflags --libs-only-L) -l:libscanbench.a
        -Wl,--as-needed $(config --static --libs)"
    # shellcheck disable=SC2086 # words
    for kind in "${CC:-cc} -std=c11 library.c" "${CXX:-c++} library.cc" \
        "${CC:-cc} -std=c11 ragged.c" "${CXX:-c++} ragged.cc"; do
        command -v "${kind%% *}" >/dev/null 2>&1 || continue
        strict='-Wall -Wextra -Wpedantic -Werror'
        ok "$kind" $kind $strict -o shared $flags
        ok "$kind runs" runs ./shared
        ok "$kind, static" $kind $strict -o static $static
        ok "$kind, static, runs" runs ./static
        ok "$kind is static" sh -c '! readelf -d static | grep libscanbench'
    done
else
    skip 'clients: no pkg-config'
fi

# ---- the package, without an index
if python3 -c 'import setuptools, pip, wheel' 2>/dev/null; then
    cp -r "$source/python" package
    ok 'a wheel' python3 -m pip wheel --no-index --no-deps \
        --no-build-isolation -w wheels ./package
    ok 'its version and no compiled parts' \
        test -s "wheels/scanbench-$(cat "$source/python/scanbench/VERSION")-py3-none-any.whl"
    ok 'what it contains' says 'scanbench/VERSION' python3 -m zipfile -l wheels/*.whl
else
    skip 'a wheel: no setuptools, pip or wheel'
fi

# ---- rules: of a name, beside the program, in share, or built in
mkdir -p bin/scanbench/mine share/scanbench/rules/other
cp "$test_plan" bin/test_plan
ok 'built in' bin/test_plan 'NVIDIA H200' 'rules h200.csv'
made() { # GPU FILE
    printf 'rules,2\ngpu,%s\nmodel,forest\nproblem,sum,f32,1,8,1,a=0\n' "$1" >"$2"
}
made Mine bin/scanbench/mine/rules.csv
made Other share/scanbench/rules/other/rules.csv
FAKE_GPU=Mine && export FAKE_GPU
ok 'beside it' bin/test_plan 'rules rules.csv'
FAKE_GPU=Other
ok 'in share' bin/test_plan 'rules rules.csv'
made x named.csv
SCANBENCH_RULES=named.csv && export SCANBENCH_RULES
ok 'named' bin/test_plan 'rules named.csv'
echo nonsense >named.csv
ok 'a bad one' bin/test_plan 'named.csv' 'line 1' 'begins with rules,2'
SCANBENCH_RULES=absent.csv
ok 'none of that name' bin/test_plan 'absent.csv' 'No such file'
tally
