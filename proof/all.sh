#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs all proofs but cost.sh, with the options that they share. About 15 minutes on an
# H200; an interrupted run continues when called again.
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
