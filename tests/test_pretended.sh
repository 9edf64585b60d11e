#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH WORD...: `check WORD...` passes as each GPU that a device can be
# taken for, the program's own list of them. And a run says which it was taken
# for: its manifest, the device's name there, and the folder's. (On the host:
# the names are made in one place.)
set -u
scanbench=$1
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
SCANBENCH_RESULTS=$work
export SCANBENCH_RESULTS
failed=0 tried=0

fail() {
    echo "FAILED: $*"
    failed=1
}

known=$("$scanbench" check --pretend none 2>&1 | grep -o 'sm_[0-9]*')
for arch in $known; do
    "$scanbench" check --quiet --pretend "$arch" "$@"
    status=$?
    [ $status -ne 77 ] || exit 77
    [ $status -eq 0 ] || fail "as $arch: status $status"
    "$scanbench" run --quiet --device host --pretend "$arch" -f serial \
        --op sum --dtype f32 --shape 3x33x1 >"$work/said" 2>&1 ||
        fail "a run as $arch: $(cat "$work/said")"
    manifest=$(echo "$work"/*-as-sm-"${arch#sm_}"/*/manifest.csv)
    { grep -qx "pretend,$arch" "$manifest" &&
        grep -q "^device_name,.* as $arch\$" "$manifest"; } ||
        fail "a run as $arch does not say so: $manifest"
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || fail 'no GPU is known'
exit $failed
