#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What rules.awk makes of runs that are made up: who won is chosen; who ran
# alone, or was left far behind by best, is not.
set -u
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/run" "$work/old"
printf 'sum/%s %s\n' quick quick slow slow other other >"$work/points"

# Each cell: what the variants took, or their status. "-": not measured.
cell() { # OUTER AXIS QUICK SLOW OTHER BEST
    shape=$1,$2,1
    for pair in "quick $3" "slow $4" "other $5" "best $6"; do
        case ${pair#* } in
        -) ;;
        *[!0-9]*)
            printf 'sum,%s,f32,%s,cold,%s,,1,\n' "${pair% *}" "$shape" \
                "${pair#* }"
            ;;
        *)
            printf 'sum,%s,f32,%s,cold,ok,%s,1,\n' "${pair% *}" "$shape" \
                "${pair#* }"
            ;;
        esac
    done >>"$work/${run-run}/sum.csv"
}

first_choices() {
    LC_ALL=C awk -f rules.awk -f read.awk -f tree.awk "$work/points" \
        "$work/run/sum.csv" "$work/old/sum.csv" | sed -n 's/^ *{ CHOICE([^"]*"\([a-z]*\)".*/\1/p' |
        sort -u | tr '\n' ' '
}

start() {
    for run in run old; do
        echo op,variant,dtype,outer,axis,inner,cache,status,median_us,passes,reason \
            >"$work/$run/sum.csv"
    done
    run=run
}

expect() { # WHAT WANTED
    got=$(first_choices)
    [ "$got" = "$2 " ] || { echo "FAILED: $1: chosen $got, not $2"; failed=1; }
    start
}

some='1 2 4 8 16 32'
failed=0
start
for k in $some; do cell "$k" 1000 10 30 20 10; done
expect 'who won everywhere' quick
for k in $some; do cell "$k" 1000 10 30 20 10; done
for k in $some; do cell "$k" 1000000 30 10 20 10; done
expect 'each where it won' 'quick slow'
for k in $some; do cell "$k" 1000 10 30 20 10; done
for k in $some; do cell "$k" 1000000 - 10 - -; done
expect 'not who ran alone' quick
for k in $some; do cell "$k" 1000 10 30 20 10; done
for k in $some; do cell "$k" 1000000 - 30 40 10; done
expect 'not whom best left behind' quick
for k in $some; do cell "$k" 1000 error 30 40 -; done
for k in $some; do cell "$k" 2000 10 30 40 -; done
expect 'not who failed anywhere' slow
for k in $some; do cell "$k" 1000 timeout 30 40 -; done
for k in $some; do cell "$k" 1000000 10 30 40 -; done
expect 'who was slow elsewhere' 'quick slow'
cell 1 1 10 12 40 -
for k in $some; do cell "$k" 1000 - 12 40 -; done
run=old
for k in $some; do cell "$k" 1000 10 5 - -; done
expect 'who is known from an older run, and a newer one counts' quick
exit $failed
