#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: a run on several devices, for which the host stands in
# twice, and `compare --cards` on made runs of two cards.
# shellcheck source=harness/cli/made_runs.sh
. "$2/harness/cli/made_runs.sh"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

beside() { # STATUS FOLDER OPTION...: --slow 0 times nothing, which is quick
    wanted=$1 to=$2
    shift 2
    status "$wanted" "$scanbench" run --device host,host --op write \
        --dtype f32 --shape 1x64:1 --slow 0 -o "$to" "$@" >printed 2>err
}
fact() { # RUN KEY VALUE
    grep -x "$2,$3" "$1/manifest.csv"
}
ok 'two at a time' beside 77 both
ok 'the joined folder is printed' [ "$(cat printed)" = both ]
for run in both/device0 both/device1; do
    ok "$run is complete" fact $run complete 1
    ok "$run knows of the other" fact $run together 2
    ok "$run has a device of its own" has $run/manifest.csv 'device host"$'
done
ok 'one after the other' beside 77 turns --one-at-a-time -q
ok 'is alone' fact turns/device1 together 1
sed 's/^complete,1/complete,0/' both/device1/manifest.csv >changed
mv changed both/device1/manifest.csv
sed -i '$d' both/device1/write.csv
rows=$(wc -l <both/device1/write.csv)
ok 'resume' status 77 "$scanbench" run --resume both -q
ok 'completes what was cut short' fact both/device1 complete 1
ok 'with the row that was lost' \
    [ "$(wc -l <both/device1/write.csv)" -eq $((rows + 1)) ]
ok 'of what was begun together' fact both/device1 together 2
ok 'a folder that holds runs' beside 2 both
ok 'says which failed' has err 'both/device0 ended with status 2'
ok 'several are of run alone' says 'only run takes several' \
    "$scanbench" check --device host,host
ok 'an empty name' says 'a name is empty' "$scanbench" run --device host,
ok 'no such device' says "device 'gpu'" "$scanbench" run --device host,gpu
killed() {
    "$scanbench" run --device host,host --op sum -q -o cut >/dev/null 2>&1 &
    pid=$!
    while ! { [ -f cut/device0/ceilings.csv ] && [ -f cut/device1/ceilings.csv ]; }; do
        sleep 0.1
    done
    kill -TERM $pid
    wait $pid
    [ $? -eq 130 ] && fact cut/device0 complete 0 && fact cut/device1 complete 0
}
ok 'an interrupt ends all' killed

card() { # FOLDER HASH TOGETHER GBPS
    manifest "$1" 'device_name,NVIDIA H200' "gpu_hash,$2" "together,$3"
    echo device,op,variant,family,dtype,outer,axis,inner,cache,process,status,\
median_us,ci_low_us,ci_high_us,gbps,pct_ceiling >"$1/sum.csv"
    for rows in 1 2; do
        echo "x,sum,wide_b256,wide,f32,$rows,1000000,1,cold,0,ok,1,1,1,$4,80" \
            >>"$1/sum.csv"
    done
}
card alone0 aaaa111122223333 1 4000
card alone1 bbbb111122223333 1 4100
card with0 aaaa111122223333 2 3960
card with1 bbbb111122223333 2 4018
cards() { # PATTERN
    compare 0 --cards alone0 alone1 with0 with1 && has out "$1"
}
ok 'a card by itself' cards '  NVIDIA H200 bbbb   *4100 '
ok 'and together' cards '  NVIDIA H200 bbbb, together 2   *4018 '
ok 'cards apart' cards '^NVIDIA H200 aaaa to bbbb, 1 at a time: +2.50 % GB/s$'
ok 'apart, together' cards 'aaaa to bbbb, 2 at a time: +1.46 % GB/s$'
ok 'what it costs' cards '^NVIDIA H200 bbbb: with 2 at a time -2.00 % of'
ok 'as data' compare 0 --cards alone0 alone1 --format csv
ok 'is data alone' [ "$(grep -c , out)" -eq "$(wc -l <out)" ]
ok 'by name they are one' compare 2 --gpus alone0 alone1
ok 'one card' compare 2 --cards alone0
ok 'says so' has err 'of one card'
tally
