#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH WORD...: `check WORD...` passes as each GPU that a device can be
# taken for, and a run says so: the program's own list of them.
set -u
scanbench=$1
shift
failed=0 tried=0
known=$("$scanbench" check --pretend none 2>&1 | grep -o 'sm_[0-9]*')
for arch in $known; do
    "$scanbench" check --quiet --pretend "$arch" "$@"
    status=$?
    [ $status -ne 77 ] || exit 77
    [ $status -eq 0 ] || { echo "FAILED: as $arch: status $status"; failed=1; }
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo 'FAILED: no GPU is known'; failed=1; }
exit $failed
