# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# Helpers of the tests in shell. Source it once the arguments' paths are absolute,
# as it changes to an empty folder, $work, which it removes at the end.
# `ok` counts, and `tally` prints the last line and sets the status.
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE # a hook of git sets them
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0 skipped=0

ok() { # DESCRIPTION COMMAND...
    what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $*"
        cat "$work/said"
    fi
}

status() { # WANTED COMMAND...
    wanted=$1
    shift
    "$@"
    got=$?
    [ "$got" -eq "$wanted" ] || { echo "status $got, not $wanted"; return 1; }
}

says() { # TEXT COMMAND...: on stdout or stderr
    text=$1
    shift
    "$@" 2>&1 | grep -e "$text"
}

skip() { # WHY
    skipped=$((skipped + 1))
    echo "skipped: $1"
}

tally() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
