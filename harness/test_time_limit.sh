#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: a run with a time limit measures whole problems, the same ones in
# every process, in an order that the seed picks; what it left out it says, and
# a resumed run measures. With a limit of 0 that is one problem a time.
set -u
scanbench=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

words='--device host --op cumsum --dtype f32 --budget 0 --processes 2
--grid random_small:1:3 --time-limit 0'

# shellcheck disable=SC2086 # words
sweep() {
    "$scanbench" run $words -q "$@" >out 2>err
}

# shellcheck disable=SC2086 # words
planned() { # SEED: op/dtype/shape and how many cells, in the plan's order
    "$scanbench" run $words --dry-run --seed "$1" 2>/dev/null |
        awk -F '[/,]' '$1 == "cumsum" { cells[$3 "," $4]++
            if ($3 "," $4 != last) print last = $3 "," $4 }' >order
    "$scanbench" run $words --dry-run --seed "$1" 2>/dev/null |
        awk -F '[/,]' '$1 == "cumsum" { print $3 "," $4 "," $2 }' | sort >plan
}

whole() { # FOLDER PROBLEMS: the plan's first ones, in both processes
    head -n "$2" order >wanted
    for process in 0 1; do
        awk -F, -v process=$process 'NR > 1 && $10 == process {
            print $5 "," $6 "x" $7 "x" $8 "," $3 }' "$1/cumsum.csv" |
            sort >measured
        grep -F -f wanted plan | diff - measured || return
    done
}

told() { # TEXT: on stderr, once
    cat err
    [ "$(grep -c "$1" err)" -eq 1 ]
}

fact() { # FOLDER KEY,VALUE
    grep -x "$2" "$1/manifest.csv" || { cat "$1/manifest.csv" && false; }
}

planned 2
cp order order2
planned 1
ok 'three problems' test "$(wc -l <order)" -eq 3
ok 'several variants' test "$(wc -l <plan)" -gt 6
ok 'problems are not mixed' test "$(sort -u order | wc -l)" -eq 3
ok 'another seed, another order' sh -c '! diff order order2'
sort order >sorted
ok 'of the same problems' sh -c 'sort order2 | diff sorted -'

ok 'a limit' sweep -o run
ok 'is told' told 'time limit: 1 of 3 problems measured, 2 left out; --resume run'
ok 'one whole problem' whole run 1
ok 'the manifest has the rest' fact run left_out,2
ok 'and the run came to its end' fact run complete,1
cp run/cumsum.csv before.csv

ok 'resumed' sweep --resume run
ok 'what is next' told 'run reached its time limit with problems left out (2)'
ok 'two whole problems' whole run 2
kept() {
    head -n "$(wc -l <before.csv)" run/cumsum.csv | diff before.csv -
}
ok 'rows are kept' kept

# Problems without all their rows come first, so that none is left half done.
awk -F, '$10 != 0 || lost[$6, $7, $8]++' run/cumsum.csv >cut.csv
mv cut.csv run/cumsum.csv
ok 'lost rows' sweep --resume run
ok 'are there' whole run 2
ok 'the rest' sweep --resume run
ok 'all whole problems' whole run 3
ok 'nothing is left' fact run left_out,0
ok 'no limit is told' sh -c '! grep "time limit: " err'
ok 'once more' sweep --resume run
ok 'is told, too' told 'run is complete: nothing is missing'
tally
