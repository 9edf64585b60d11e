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

# Each cell: what the variants took, in times of the ceiling's, or why they have
# none. "-": not measured. Microseconds tell nothing: runs are of several cards.
cell() { # OUTER AXIS QUICK SLOW OTHER BEST
    shape=$1,$2,1
    for pair in "quick $3" "slow $4" "other $5" "best $6"; do
        row=sum,${pair% *},f32,$shape,$cache
        case ${pair#* } in
        -) ;;
        wrong | error | timeout) echo "$row,${pair#* },,1,," ;;
        refuses) echo "$row,skip,,1,,serves others" ;;
        too_slow) echo "$row,skip,,1,,right but slow" ;;
        *) echo "$row,ok,1,1,$((10000 / ${pair#* }))," ;;
        esac
    done >>"$work/$run/sum.csv"
}

first_choices() {
    LC_ALL=C awk -f rules.awk -f read.awk -f tree.awk "$work/points" \
        "$work/run/sum.csv" "$work/old/sum.csv" | sed -n 's/^ *{ CHOICE([^"]*"\([a-z]*\)".*/\1/p' |
        sort -u | tr '\n' ' '
}

start() {
    for run in run old; do
        echo op,variant,dtype,outer,axis,inner,cache,status,median_us,passes,pct_ceiling,reason \
            >"$work/$run/sum.csv"
    done
    run=run cache=cold
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
for why in wrong error; do
    for k in $some; do cell "$k" 1000 $why 30 40 -; done
    for k in $some; do cell "$k" 2000 10 30 40 -; done
    expect "not who was $why anywhere" slow
done
for why in timeout too_slow; do
    for k in $some; do cell "$k" 1000 $why 30 40 -; done
    for k in $some; do cell "$k" 1000000 10 30 40 -; done
    expect "who is $why elsewhere" 'quick slow'
    for k in $some; do cell "$k" 1000 $why 30 40 -; done
    for k in $some; do cell "$k" 1008 10 30 40 -; done
    expect "not who is $why among the like" slow
done
for k in $some; do cell "$k" 1000 10 30 40 -; done
for k in $some; do cell "$k" 1008 refuses 30 40 -; done
expect 'who refuses some, others follow' quick
for k in $some; do cell "$k" 1000 10 30 40 -; done
cache=hot
for k in $some; do cell "$k" 2000 30 10 40 -; done
expect 'not who wins in a hot cache' quick
cell 1 1 10 12 40 -
for k in $some; do cell "$k" 1000 - 12 40 -; done
run=old
for k in $some; do cell "$k" 1000 10 5 - -; done
expect 'who is known from an older run, and a newer one counts' quick
for k in $some; do cell "$k" 1000 30 10 40 10; done
run=old
for k in $some; do cell "$k" 1000 - - - 1; done
expect 'who won, whatever best once took' 'quick slow'
exit $failed
