#!/bin/sh
# SPDX-License-Identifier: MIT
#
# All proofs but cost.sh, one after the other, with the options that all know.
# About 15 minutes on an H200; called again it goes on where it was.
set -u
. "$(dirname "$0")/lib.sh"
parse "$@"
worst=0
for proof in repeat sensitivity agreement aa; do
    echo "## $proof"
    "$here/$proof.sh" "$@"
    status=$?
    case $status in
    77 | 130) exit $status ;;
    esac
    [ $status -le $worst ] || worst=$status
done
exit $worst
