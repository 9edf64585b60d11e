#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What rules.awk makes of runs that are made up: who won is chosen; who ran
# alone, or was left far behind by best, is not.
set -u
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/run"
printf 'sum/%s %s\n' quick quick slow slow other other >"$work/points"

# Each cell: what the variants took. "-": not measured.
cell() { # OUTER AXIS QUICK SLOW OTHER BEST
    shape=$1,$2,1
    for pair in "quick $3" "slow $4" "other $5" "best $6"; do
        [ "${pair#* }" = - ] || printf 'sum,%s,f32,%s,cold,ok,%s,1,\n' \
            "${pair% *}" "$shape" "${pair#* }"
    done >>"$work/run/sum.csv"
}

first_choices() {
    LC_ALL=C awk -f rules.awk -f read.awk -f tree.awk "$work/points" \
        "$work/run/sum.csv" | sed -n 's/^ *{ CHOICE([^"]*"\([a-z]*\)".*/\1/p' |
        sort -u | tr '\n' ' '
}

start() {
    echo op,variant,dtype,outer,axis,inner,cache,status,median_us,passes,reason \
        >"$work/run/sum.csv"
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
exit $failed
