#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SANITIZE.SH: what it makes of a command, with echo for a sanitizer.
set -u
failed=0

is() { # WANTED WHAT GOT
    [ "$1" = "$3" ] && return
    echo "FAILED: $2: '$3', not '$1'"
    failed=1
}
ends() { # PATTERN WHAT GOT
    # shellcheck disable=SC2254 # a pattern
    case $3 in
    $1) ;;
    *) is "$1" "$2" "$3" ;;
    esac
}

ends '--tool memcheck *--quiet x/scanbench check -q --in-process --shape *x1203' \
    'a check' "$("$1" echo memcheck x/scanbench check -q)"
ends '*check --shape 3x4:1 --in-process' 'a check of one shape' \
    "$("$1" echo racecheck x/scanbench check --shape 3x4:1)"
ends '*--quiet x/test_kernels' 'a test' "$("$1" echo synccheck x/test_kernels)"
for word in x/test_broken.sh --must-fail --repeat --blocks --room --streams; do
    "$1" echo memcheck x/scanbench check "$word" 2
    is 77 "$word" $?
done
ends 'usage: *' 'no words' "$("$1" 2>&1)"
"$1" 2>/dev/null
is 2 'no words' $?
ends '*no program x/nosuch*' 'no sanitizer' "$("$1" x/nosuch memcheck x 2>&1)"
"$1" x/nosuch memcheck x 2>/dev/null
is 2 'no sanitizer' $?
exit $failed
