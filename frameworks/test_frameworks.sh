#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE PYTHON: frameworks as variants, with NumPy where PYTHON has
# it, and without a Python that could be embedded.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2") python=$3
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
export OMP_NUM_THREADS=1

check() { # WORDS...: sets status
    "$scanbench" check -q --device host --frameworks --family frameworks \
        --shape 3x33x2,1x1000x1,5x2x7 "$@" >out 2>err
    status=$?
}
is_status() {
    [ "$status" -eq "$1" ] || { echo "status $status"; cat out err; return 1; }
}
ok 'the list' says '^frameworks/torch_eager  *plugin frameworks' \
    "$scanbench" list --families --frameworks
ok 'no broken ones' status 2 "$scanbench" check --broken --frameworks

# ---- a named Python that does not run, or without its library, is an error
SCANBENCH_PYTHON=no-such-python
export SCANBENCH_PYTHON
check
ok 'no Python' is_status 2
ok 'says so' grep 'start: no Python 3.10 or newer runs by the name no-such-python' err
SCANBENCH_PYTHON=$python
SCANBENCH_LIBPYTHON=$work/none.so
export SCANBENCH_LIBPYTHON
check
ok 'no library' is_status 2
ok 'says which' grep 'libpython.* is missing' err
unset SCANBENCH_LIBPYTHON

# ---- nothing is imported from the current folder, which may be hostile, nor from
# relative paths
modules='sysconfig linecache site sitecustomize usercustomize os torch numpy'
for module in $modules; do
    echo "open('PWNED_$module', 'w')" >"$module.py"
done
nothing_ran() { ! ls PWNED*; }
for path in none '' : :/none . ./; do
    [ "$path" = none ] || export PYTHONPATH="$path"
    check --op cumsum --dtype f32
    ok "nothing ran: PYTHONPATH=$path" nothing_ran
    unset PYTHONPATH
done
for module in $modules; do
    rm "$module.py"
done

mkdir named # but from what an absolute PYTHONPATH names, and from the user's
echo 'raise ImportError("as named")' >named/numpy.py
export PYTHONPATH=":$work/named"
check --op cumsum --dtype f32
ok 'PYTHONPATH' grep 'as named\|is missing' err
unset PYTHONPATH

# ---- the reason of a row is the first line of the exception
printf '%s\n' 'def dtype(kind): raise RuntimeError("as planted\nand more")' \
    >named/numpy.py
export PYTHONPATH="$work/named"
"$scanbench" run --device host --frameworks -f numpy --op cumsum --dtype f32 \
    --shape 3x500x2 --budget 0 -q -o raised >out 2>err
ok 'a launch that raises' grep \
    '^numpy,f32,.*,error,RuntimeError: as planted,\|is missing' \
    raised/cumsum.csv
unset PYTHONPATH
export PYTHONUSERBASE="$work/user"
own='import sys; sys.exit(sys.prefix != sys.base_prefix)' # a venv's come first
if user=$("$python" -m site --user-site) && "$python" -c "$own"; then
    mkdir -p "$user"
    echo 'raise ImportError("as the user has it")' >"$user/numpy.py"
    check --op cumsum --dtype f32
    ok 'the user'\''s packages' grep 'as the user has it\|is missing' err
fi
unset PYTHONUSERBASE

check --op cumsum --dtype f32
if grep 'no numpy to import\|is missing' err; then
    skip "NumPy: $(grep -o 'no numpy.*\|[^ ]* is missing' err | head -n 1)"
    tally
    exit
fi

# ---- NumPy, like any variant
check --family frameworks/numpy
ok 'NumPy' is_status 0
all_but_one_type() { # "N passed, 0 failed, M skipped": 22 operations, of integers 18 and one of i32
    awk '{ print; exit $5 == 0 || 22 * $1 != (3 * 22 + 4 * 18 + 1) * $5 }' out
}
ok 'all but bfloat16' all_but_one_type
ragged='--family frameworks/numpy_reduceat --shape ragged:999:9:zipf'
# shellcheck disable=SC2086 # words
check $ragged --shape ragged:500:4:geometric,inner=3,offsets=i32
ok 'ragged lines' is_status 0
ok 'three operations of two types' grep '^12 passed, 0 failed' out
check --op cumsum --dtype f32,i32 --repeat 3
ok 'again' is_status 0
ok 'a run' "$scanbench" run --device host --frameworks -f 'numpy|/serial/' \
    --op cumsum --dtype f32 --shape 3x500x2 --budget 0 -q -o one
ok 'its row' grep '^numpy,f32,.*,ok,' one/cumsum.csv
ok 'its plugin' grep '^plugins,frameworks:[0-9a-f]*$' one/manifest.csv
ok 'resumed' says 'one is complete' "$scanbench" run --resume one
tally
