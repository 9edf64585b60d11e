#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: many families in one `check`: which are meant, and what one that
# hangs costs the others.
set -u
scanbench=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../../src/base/test.sh"

check() { # WORDS...: sets status; what was said is in out and err
    "$scanbench" check --device host -q --shape 3x33:1 --dtype f32 "$@" \
        >out 2>err
    status=$?
}

is_status() {
    [ "$status" -eq "$1" ] || { echo "status $status"; cat out err; return 1; }
}

check --family host
ok 'a folder' is_status 0
all=$(cut -d ' ' -f 1 out)
sum=0
for name in stream serial chunked_two_pass openmp_lines; do
    check --family "host/$name"
    [ "$status" -eq 2 ] || sum=$((sum + $(cut -d ' ' -f 1 out)))
done
ok 'is all its families' [ "$all" -eq "$sum" ]
check --family host/serial,host/stream
ok 'a list' is_status 0
ok 'is fewer than all' [ "$(cut -d ' ' -f 1 out)" -lt "$all" ]
check --family host/seri,host
ok 'one word of it unknown' is_status 2
ok 'and what may be meant' grep 'near: host/serial' err
check --family hos
ok 'no part of a name' is_status 2

check --broken --family broken/host_hang,broken/host_off_by_one --timeout 0.5 \
    --shape 5x33:1
ok 'one hangs' is_status 1
ok 'at once' [ "$(grep -c '^timeout: ' err)" -eq 1 ]
ok 'and no more' grep 'of what hung were not tried' err
ok 'the other had its turn' grep '^wrong: cumsum/off_by_one' err

check --broken --must-fail --family broken/host_nondeterministic
ok 'caught by what its record says' is_status 0
check --must-fail --family host/serial
ok 'nothing to be caught' is_status 1
ok 'by name' grep '^not caught: sum/serial' err

# ---- a wrong cell: what it is, what it ought to be, and how to see it again
check --broken -f cumsum/off_by_one/f32 --shape 3x5x1
ok 'wrong' is_status 1
ok 'its values' grep '^wrong: .*; expected [0-9]*; got [0-9]*$' err
again=$(sed -n "s|^  again: scanbench check |$scanbench check -q |p" err)
sh -c "$again" >out 2>err
status=$?
ok 'again' is_status 1
ok 'the same cell' grep '^0 passed, 1 failed, 0 skipped' out
tally
