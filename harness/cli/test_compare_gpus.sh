#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: `scanbench compare --gpus` on made runs of two GPUs: only
# what both have timed counts, each winner's figures are means, and what differs
# is marked; in all three formats.
# shellcheck source=harness/cli/made_runs.sh
. "$2/harness/cli/made_runs.sh"

gpu() { # FOLDER NAME: starts a run
    manifest "$1" "device_name,$2" "utc,${3:-20260131T120000Z}"
    echo device,op,variant,family,dtype,outer,axis,inner,cache,process,status,\
median_us,ci_low_us,ci_high_us,gbps,pct_ceiling >"$1/sum.csv"
}
row() { # FOLDER VARIANT OUTER,AXIS,INNER US GBPS PCT [CACHE]
    echo "x,sum,$2_b256,$2,f32,$3,${7:-cold},0,ok,$4,$4,$4,$5,$6" \
        >>"$1/sum.csv"
}
gpu h200 'NVIDIA H200'
row h200 wide 1,1000000,1 1 4000 80
row h200 narrow 1,1000000,1 2 2000 40
row h200 wide 2,1000000,1 1 1000 20
row h200 narrow 2,1000000,1 2 500 10
row h200 wide 4000,5000,1 1 3000 75
row h200 wide 7,8,9 1 30 7
gpu t4 'Tesla T4'
row t4 narrow 1,1000000,1 10 300 90
row t4 wide 1,1000000,1 20 150 45
row t4 narrow 2,1000000,1 10 300 90
row t4 wide 2,1000000,1 20 150 45
row t4 wide 4000,5000,1 9 250 81
row t4 narrow 4000,5000,1 1 999 99 hot
row t4 wide 6000,5000,1 1 999 99 hot
row h200 wide 6000,5000,1 1 999 99 hot

in_csv() { # LINE
    compare 0 --gpus h200 t4 --format csv && has out "^$1\$"
}
ok 'means of the problems in common' in_csv \
    'sum,few_lines,2,NVIDIA H200,2000,40,wide,2,1'
ok 'and where winners differ' in_csv 'sum,few_lines,2,Tesla T4,300,90,narrow,2,1'
ok 'and where not' in_csv 'sum,many_lines,1,NVIDIA H200,3000,75,wide,1,0'
ok 'in a cold cache' in_csv 'sum,many_lines,1,Tesla T4,250,81,wide,1,0'
ok 'nothing of one GPU alone' [ "$(grep -c ,NVIDIA out)" -eq 2 ]
text() {
    compare 0 --gpus h200 t4 && has out \
        '^sum  *few_lines  *2  Tesla T4  *300  *90.0  \* narrow (2)$' &&
        has out '^sum  *many_lines  *1  Tesla T4  *250  *81.0    wide (1)$'
}
ok 'for a terminal' text
markdown() {
    compare 0 --gpus h200 t4 --format markdown && has out \
        '^| sum | few_lines | 2 | Tesla T4 | 300 | 90.0 % | \*\*narrow\*\* (2) |$'
}
ok 'as Markdown' markdown

picked() { # LINES WORDS...: as many rows of the Tesla T4
    lines=$1
    shift
    compare 0 --gpus h200 t4 --format csv "$@" &&
        [ "$(grep -c ',Tesla T4,' out)" -eq "$lines" ]
}
ok 'all rows' picked 2
ok 'the first' picked 1 --top 1
ok 'and how many there are' has err '1 of 2 rows'
ok 'by shape' picked 1 --shape 4000x5000x1
ok 'by variant' picked 2 -f wide
ok 'without one' picked 1 --exclude wide --exclude nobody

mkdir all && cp -r h200 t4 all
ok 'a folder of runs' compare 0 --gpus all
gpu t4/../newer 'Tesla T4' 20260201T120000Z
row newer wide 1,1000000,1 1 310 91
newest() {
    compare 0 --gpus all newer --format csv &&
        has out '^sum,few_lines,2,Tesla T4,304.959014,90.4986188,wide,1,0$'
}
ok 'the newest of a GPU counts' newest
gpu a100 'A100 <b>'
row a100 wide 1,1000000,1 5 1400 88
three() {
    compare 0 --gpus h200 t4 a100 --format csv &&
        has out '^sum,few_lines,1,A100 <b>,1400,88,wide,1,1$' &&
        [ "$(grep -c . out)" -eq 4 ]
}
ok 'three of them' three

says_so() { # STATUS TEXT, ARGUMENTS
    wanted=$1 text=$2
    shift 2
    compare "$wanted" "$@" && has err "$text"
}
ok 'one GPU' says_so 2 'are of one GPU' --gpus t4 newer
gpu other 'L4'
row other wide 3,3,3 1 1 1
ok 'nothing in common' says_so 2 'measure the same grid' --gpus t4 other
ok 'of no such operation' says_so 2 'measure the same grid' \
    --gpus t4 h200 --op flip
ok 'no run' says_so 2 'a folder is missing' --gpus
for words in '--all' '--fail-on any' '--floor-us 1' '--cache hot' \
    '--against wide'; do
    # shellcheck disable=SC2086 # words
    ok "not $words" says_so 2 "^scanbench: --gpus: .*${words%% *}" \
        --gpus t4 h200 $words
done
echo 'x,sum,torn' >>t4/sum.csv
ok 'damage is no success' says_so 2 'damaged' --gpus t4 h200
tally
