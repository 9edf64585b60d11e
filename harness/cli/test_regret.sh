#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what `scanbench regret` says of a made run, in every format,
# and when it ends with which status.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

header=device,op,variant,family,dtype,outer,axis,inner,cache,process,status,\
reason,marks,launch_us,median_us,ci_low_us,ci_high_us,gbps,ceiling_gbps,\
pct_ceiling,passes

manifest() { # FOLDER UTC
    mkdir -p "$1"
    printf 'key,value\nschema,3\ncomplete,1\ndevice_name,X\nutc,%s\n' "$2" \
        >"$1/manifest.csv"
    echo kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase \
        >"$1/ceilings.csv"
}

# Regrets of 0 to 100 %, of a fastest at half of the ceiling.
manifest run 20260101T000000Z
{
    echo $header
    awk 'BEGIN {
        for (k = 0; k <= 100; ++k)
            for (v = 0; v < 2; ++v) {
                us = v ? 20 : 20 * (1 + k / 100)
                name = v ? "fast_b256,fast" : "best,best"
                printf "X,cumsum,%s,f32,%d,1000,2,cold,0,ok,,,%g,", name,
                    k + 1, us
                printf "%g,%g,%g,%g,100,%g,1\n", us, us, us, 1000 / us,
                    1000 / us
            }
    }'
} >run/cumsum.csv
{
    echo $header
    for status in slow untried skip; do
        echo "X,sum,best,best,f16,$status,1000,1,cold,0,$status,why,,4000,,,,,,,1"
        echo "X,sum,fast,fast,f16,$status,1000,1,cold,0,ok,,,20,20,20,20,50,100,50,1"
    done | sed 's/f16,slow/f16,1/; s/f16,untried/f16,2/; s/f16,skip/f16,3/'
    echo X,sum,best,best,f16,64,4096,1,hot,0,ok,,,90,90,90,90,50,100,50,1
} >run/sum.csv

ok 'text' status 0 "$scanbench" regret run
"$scanbench" regret run >out 2>err
ok 'no complaint' sh -c '! grep -v "no column" err'
ok 'quantiles' grep -x \
    '  all            101    50    90    95    99   100    26    29    33    50    50    50    75       0' out
ok 'by class' grep '^  tiny_inner     101    50 ' out
ok 'untimed ones, too' grep -x \
    '  short_lines      2   inf   inf   inf   inf   inf   0.0   0.1   0.1    50    50    50     2       1' out
ok 'the worst' grep 'sum f16 2x1000x1 *short_lines *untried *+inf %: fast 20.0 us, 50 %' out
ok 'a slow one' grep 'sum f16 1x1000x1 *short_lines *4000.0 us, 0.2 %, untimed *+19900 %' out
ok 'how many are low' grep '^Low: 77 of 103 (the first 10; --top 0: all)' out
all_low() {
    "$scanbench" regret run --top 0 2>/dev/null | sed -n '/^Low/,$p' | grep -c '^  '
}
ok 'all of them' test "$(all_low)" -eq 77

csv() { # PATTERN ARGS...
    pattern=$1
    shift
    "$scanbench" regret run "$@" 2>/dev/null | tee said.csv | grep -x -e "$pattern"
}
ok 'csv' csv 'cumsum,f32,all,101,0,0,75,5,25,50,75,90,95,99,100,.*' --format csv
ok 'of all quantiles' csv 'op,.*,regret_p5_pct,.*,winner_share_p100_pct' --format csv
ok 'cells' csv \
    'cumsum,f32,101,1000,2,tiny_inner,cold,best,ok,40,25,fast_b256,20,50,100' \
    --format cells
ok 'what is refused, too' csv 'sum,f16,3,.*,best,skip,inf,0,fast,20,50,inf' \
    --format cells
ok 'markdown' csv '| cumsum | f32 | all | 101 | 50 | 90 | .*' --format markdown
ok 'another' csv 'cumsum,f32,all,101,0,0,0,0,0,0,0,0,0,0,0,50,.*' --format csv \
    --variant fast_b256
ok 'one operation' csv 'op,.*' --format csv --op sum --dtype f16
ok 'and no other' sh -c '! grep cumsum said.csv'
ok 'a hot cache' csv 'sum,f16,64,.*,few_lines,hot,best,ok,90,50,best,90,50,0' \
    --format cells --cache hot

# ---- a newer run of a problem counts
manifest newer 20270101T000000Z
echo $header >newer/cumsum.csv
echo X,cumsum,best,best,f32,101,1000,2,cold,0,ok,,,30,30,30,30,33,100,33,1 \
    >>newer/cumsum.csv
ok 'the newest' says '^cumsum,f32,101,.*,best,ok,30,33,best,30,33,0$' \
    "$scanbench" regret run newer --format cells
once() {
    "$scanbench" regret run newer --format cells 2>/dev/null | grep 'f32,101,'
}
ok 'once' test "$(once | wc -l)" -eq 1

# ---- what is allowed
f32='--op cumsum --format csv'
# shellcheck disable=SC2086 # words
{
    ok 'enough' status 0 "$scanbench" regret run $f32 --max-regret 90,99
    ok 'too much' status 1 "$scanbench" regret run $f32 --max-regret 89.9,99
    ok 'is told' says 'cumsum f32: the 90th percentile of the regret is 90 %, above 89.9' \
        "$scanbench" regret run $f32 --max-regret 89.9,99
    ok 'at the worst' status 1 "$scanbench" regret run $f32 --max-regret 90,98.9
    ok 'few are low' status 0 "$scanbench" regret run $f32 --max-low 75
    ok 'too many are' status 1 "$scanbench" regret run $f32 --max-low 74
    ok 'infinite' status 1 "$scanbench" regret run --op sum --max-regret 5,1e9
}
ok 'no such variant' status 77 "$scanbench" regret run --variant none
for words in '--max-regret 5' '--max-regret 5,x' '--max-regret 5,6,7' \
    '--max-low -1' '--max-low x' '--top 1.5' '--format html' '--op summ' \
    '--max-regret nan,nan' nowhere --frmat; do
    # shellcheck disable=SC2086 # words
    ok "$words" status 2 "$scanbench" regret run $words
done
ok 'no run' status 2 "$scanbench" regret
tally
