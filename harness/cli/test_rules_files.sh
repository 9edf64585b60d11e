#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: files of rules, from a user's runs to a run that follows
# them: made by one command, found in the order that is documented, named in the
# manifest; a bad one is one message with its line, and status 2.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
unset SCANBENCH_RULES SCANBENCH_RESULTS

# A run with two variants of sum at some shapes: FOLDER GPU
made() {
    mkdir -p "$1"
    printf '%s\n' key,value schema,3 complete,1 utc,20260131T120000Z \
        "device_name,$2" compute_capability,8.9 sm_count,58 \
        attribute_peak_gbps,300.1 >"$1/manifest.csv"
    {
        echo device,op,variant,dtype,outer,axis,inner,cache,process,status,\
median_us,ci_low_us,ci_high_us,gbps,pct_ceiling,passes
        for axis in 64 100000; do
            echo "l4,sum,warp_per_line_b256_i16,f32,4,$axis,1,cold,0,ok,9,9,9,9,90,1"
            echo "l4,sum,split_axis_last_block_i16,f32,4,$axis,1,cold,0,ok,90,90,90,9,9,1"
        done
    } >"$1/sum.csv"
}
made l4/one 'NVIDIA L4'
made t4/one 'Tesla T4'
ok 'rules are made' status 0 "$scanbench" rules -o my.csv l4/one
ok 'of that GPU' grep -x 'gpu,NVIDIA L4' my.csv
ok 'with its bandwidth' grep -x 'bus_gbps,300.1' my.csv
ok 'and its winner' grep '^problem,sum,f32,4,64,1,warp_per_line_b256_i16=0$' my.csv
ok 'a folder of runs will do' status 0 "$scanbench" rules --out of.csv l4
ok 'and says the same' cmp my.csv of.csv
ok 'they are held against the runs' status 0 "$scanbench" rules --check my.csv l4
ok 'one GPU a file' says 'a file of rules is of one GPU' \
    "$scanbench" rules -o none.csv l4/one t4/one

# WORDS...: a small run of the host's; its manifest says which rules
follow() {
    rm -rf out
    "$scanbench" run --device host -f ^sum/serial/f32 --shape 3x4:1 \
        --budget 0 -q -o out "$@" >/dev/null 2>&1
    sed -n 's/^rules,//p' out/manifest.csv
}
is() { # WANTED, WORDS...
    wanted=$1
    shift
    got=$(follow "$@")
    [ "$got" = "$wanted" ] || { echo "it follows '$got', not '$wanted'"; false; }
}
ok 'the host follows none' is ''
ok 'but those that are named' is my.csv --rules my.csv
SCANBENCH_RULES=of.csv
export SCANBENCH_RULES
ok 'the environment names some' is of.csv
ok 'the option goes first' is my.csv --rules my.csv
unset SCANBENCH_RULES
hash() {
    sed -n 's/^rules_hash,//p' out/manifest.csv
}
follow --rules my.csv >/dev/null
first=$(hash)
sed 's/sm_count,58/sm_count,60/' my.csv >other.csv
follow --rules other.csv >/dev/null
ok 'the manifest tells two files apart' [ "$first" != "$(hash)" ]
resumed() {
    cp -r out cut && sed -i 's/^complete,1/complete,0/' cut/manifest.csv &&
        says 'its rules_hash is' "$scanbench" run --device host \
            -f ^sum/serial/f32 --shape 3x4:1 --budget 0 -q --rules my.csv --resume cut
}
sed -i 's/ --rules other.csv/ --rules my.csv/' out/manifest.csv
ok 'a run goes on with its own rules alone' resumed

sed 's/warp_per_line_b256_i16/warp_per_lime/' my.csv >bad.csv
check() {
    "$scanbench" check --device host -f ^sum/serial/ --shape 3x4:1 -q "$@"
}
ok 'a bad file is refused' status 2 check --rules bad.csv
ok 'by its line' says "rules bad.csv: line 7: no variant of these operations \
is called 'warp_per_lime'" check --rules bad.csv
ok 'once' [ "$(check --rules bad.csv 2>&1 | grep -c .)" -eq 1 ]
ok 'a file that is not there' says 'No such file' check --rules none.csv
ok 'no file but a folder' status 2 check --rules l4
printf '%s\n' rules,1 model,nearest \
    problem,sum,f32,9223372036854775807,9223372036854775807,2,x=0 >huge.csv
ok 'extents beyond all bounds' says 'line 3: outer, axis and inner are no shape' \
    check --rules huge.csv
mkdir -p results/pipe "results/$(printf '\033[2Jx')"
mkfifo results/pipe/rules.csv
cp bad.csv results/*x/rules.csv
ok 'what is no file, or has no name to be printed, is none' timeout 60 \
    "$scanbench" check --device host -f ^sum/serial/ --shape 3x4:1 -q
rm -r results
mkdir -p results/l4
cp bad.csv results/l4/rules.csv
ok 'one is found beside results' says 'rules results/l4/rules.csv: line 7' check
mkdir -p elsewhere/l4
mv results/l4/rules.csv elsewhere/l4
ok 'wherever those are' says 'rules elsewhere/l4/rules.csv: line 7' \
    env SCANBENCH_RESULTS=elsewhere "$scanbench" check --device host -q
tally
