#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH FAILING: calls of the C library fail (FAILING is failing.c, for
# LD_PRELOAD), files cannot be read, vanish, or are written by two at a time,
# memory and descriptors run out: a command then does all that it was to do, or
# says why not and ends with status 2; and --resume makes a run whole.
set -u
scanbench=$(realpath "$1") failing=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

words='--device host --op cumsum --dtype f32 --shape 3x5:1 -f serial --cache hot
--budget 0 -q'
sweep() { # WORDS...
    # shellcheck disable=SC2086 # words
    "$scanbench" run $words "$@" >out 2>err
}

# with_failing CALL:NUMBER[:NAME] COMMAND...: the file `mark` says that it did.
with_failing() {
    rm -f mark
    plan=$1
    shift
    SCANBENCH_FAILING=$plan SCANBENCH_FAILED=mark LD_PRELOAD=$failing "$@"
}

says_why() { # STATUS: 2, and a message
    [ "$1" -eq 2 ] && grep '^scanbench: ' err && return
    echo "status $1"
    cat err
    return 1
}

cells() { # FOLDER
    cut -d , -f 2-10 "$1/cumsum.csv" | sort
}

whole_again() { # FOLDER
    sweep --resume "$1" || { cat err; return 1; }
    cells "$1" >found
    diff whole.cells found && grep '^complete,1' "$1/manifest.csv"
}

sweep -o whole
ok 'nothing fails' test $? -eq 0
cells whole >whole.cells
cp -r whole other

# ---- no memory, at any one place
for command in 'table whole' 'compare whole other' 'ladder whole' \
    'rules whole' 'table --charts charts whole' 'list --device host' \
    'run -n --device host --quick'; do
    # shellcheck disable=SC2086 # words
    "$scanbench" $command >want 2>/dev/null
    usual=$?
    number=0 bad=0
    while :; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # words
        with_failing memory:$number "$scanbench" $command >got 2>err
        got=$?
        [ -e mark ] || break
        # What cannot be opened is named and left out.
        says_why $got >/dev/null ||
            { [ $got -eq $usual ] && cmp -s want got; } ||
            { [ $got -eq $usual ] && grep -q 'is left out' err; } ||
            { bad=$number; echo "$command: memory $number: status $got"; }
    done
    ok "$command: no memory, $number times" test $bad -eq 0
    ok "$command: some" test $number -gt 20
done
ok 'a limit on memory' sh -c 'ulimit -v 60000
    SCANBENCH_HOST_CACHE=64M "$@" >out 2>err
    [ $? -eq 2 ] && grep "no memory" err' - "$scanbench" run -o limited \
    --device host --op cumsum --dtype f64 --shape 1x16777216:1 -q

# ---- what is there in place of a file
for what in 'ln -s /proc/self/mem' 'mkfifo' 'mkdir' 'ln -s /dev/zero'; do
    rm -rf odd
    cp -r whole odd
    rm odd/cumsum.csv
    $what odd/cumsum.csv
    timeout 20 "$scanbench" table odd >out 2>err
    ok "$what: a table ends" test $? -lt 3
    ok "$what: and says why" grep '^scanbench: odd/cumsum.csv.*: .*(' err
    SCANBENCH_RESULTS=. timeout -k 5 20 "$scanbench" run --resume odd >out 2>err
    ok "$what: so does --resume" says_why $?
done

# ---- a sweep whose writes and processes fail
for plan in write:1:cumsum.csv fsync:1:ceilings.csv open:1:cumsum.csv; do
    folder=run-$(echo $plan | tr : -)
    # shellcheck disable=SC2086 # words
    with_failing $plan "$scanbench" run $words -o "$folder" >out 2>err
    got=$?
    ok "$plan: failed" test -e mark
    ok "$plan: said so" says_why $got
    ok "$plan: can be resumed" whole_again "$folder"
done
for plan in fork:1 pipe:1 pipe:2; do
    # shellcheck disable=SC2086 # words
    with_failing $plan "$scanbench" run $words -o never >out 2>err
    ok "$plan: said so" says_why $?
done
# shellcheck disable=SC2086 # words
sh -c 'ulimit -n 7; exec "$@"' - "$scanbench" run $words -o descriptors \
    >out 2>err
ok 'no descriptors' says_why $?
ok 'and what to do' grep 'ulimit -n' err
ok 'then it can be resumed' whole_again descriptors

# ---- a second one at the same time, a file that vanishes under it
# shellcheck disable=SC2086 # words
"$scanbench" run $words -o shared >out.first 2>err.first &
first=$!
tries=0
until [ -s shared/ceilings.csv ] || [ $tries -gt 1200 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
sweep --resume shared
ok 'a second one' says_why $?
ok 'said so' grep 'another scanbench is writing' err
sweep -o shared
ok 'a new one there' says_why $?
until [ -s shared/copy.csv ] || [ $tries -gt 2400 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
mv shared gone
wait $first
got=$?
cp err.first err
ok 'a folder that vanished' says_why $got
ok 'it can be resumed' whole_again gone

tally
