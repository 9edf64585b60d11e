#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: `scanbench compare` as a user would run it, on folders made
# here: what forbids verdicts, every way in which input can
# be bad, and speed-ups within one run; and the published sets.
#
# shellcheck disable=SC2016 # no expansion is meant between single quotes
# shellcheck source=harness/cli/made_runs.sh
. "$(dirname "$0")/made_runs.sh"

# ---- no verdicts: other devices, clocks locked on one side
run other 1.5
sed -i 's/H200/A100/' other/manifest.csv
sed -i '/,v400,/d' other/sum.csv
untimed other sum v400 skip 'does not fit'
ok 'another device: 0' compare 0 base other --fail-on any
ok 'said so' has out '^note: different devices, .*A100 in NEW'
ok 'ratios' has out '^no_verdict .*+50.0 %.*50.0 -> 50.0 % of ceiling'
ok 'no limits' hasnt out '^limit'
ok 'csv says it on stderr' compare 0 base other --format csv
ok 'so' has err 'different devices'
run slice 1.5
sed -i 's/sm_count,132/sm_count,16/' slice/manifest.csv
ok 'a slice is another device' compare 0 base slice
ok 'said so' has out 'different devices, .*sm_count 132 in BASE, 16 in NEW'
run locked 1.5
echo clocks_locked,1 >>locked/manifest.csv
ok 'clocks unknown on one side' compare 1 base locked
ok 'said so' has out '^note: whether clocks were locked is known of one side'
run unlocked 1
echo clocks_locked,0 >>unlocked/manifest.csv
ok 'clocks locked on one side' compare 0 unlocked locked --fail-on any
ok 'said so' has out '^note: clocks locked on one side only'
run nameless 1.5
rm nameless/manifest.csv
ok 'no manifest: 2' compare 2 base nameless
ok 'said so' has err 'nameless/manifest.csv: No such file'

# ---- what else differs is said, and judged all the same
run elsewhere 1.1
sed -i 's/complete,1/complete,0/' elsewhere/manifest.csv
echo host_hash,2 >>elsewhere/manifest.csv
run here 1
sed -i 's/complete,1/complete,0/' here/manifest.csv
printf 'host_hash,1\ncuda_driver,13000\n' >>here/manifest.csv
echo cuda_driver,12080 >>elsewhere/manifest.csv
ok 'another host' compare 1 here elsewhere
ok 'said so' has out '^note: not the same machine'
ok 'base cut' has out '^note: BASE did not come to its end'
ok 'new cut' has out '^note: NEW did not come to its end'
ok 'driver' has out '^note: .*cuda_driver 13000 in BASE, 12080 in NEW'

# ---- a word that is none of the few there are
ok 'no format: 2' compare 2 base base --format html
ok 'which there are' has err 'format .*here are: text, markdown, csv$'
ok 'nothing to fail on: 2' compare 2 base base --fail-on all
ok 'which there is' has err 'here are: slower, unclear, any, never$'

# ---- ceilings that moved
for gbps in 4000 3800; do
    run roof$gbps 1
    echo 'kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase
traffic,copy,f32,cold,1024,8192,'$gbps',,a,0,start' >roof$gbps/ceilings.csv
done
ok 'other ceilings' compare 0 roof4000 roof3800
ok 'said so' has out '^note: the ceiling of copy f32 cold moved by -5.0 %'
ok 'the same ceilings' compare 0 roof4000 roof4000
ok 'nothing to say' hasnt out '^note'

# ---- damage: reported with its line, and the rest is compared
run damaged 1.1
sed -i '3s/,ok,.*/,ok/; 4s/,ok,,,[0-9.]*/,ok,,,fast/' damaged/cumsum.csv
printf 'h200,sum,v100,f32,64,40' >>damaged/sum.csv
ok 'damaged lines' compare 1 base damaged
ok 'a short line' has err 'damaged/cumsum.csv:3: 10 fields under 17 columns ('
ok 'no number' has err "damaged/cumsum.csv:4: median_us cannot be 'fast' ("
ok 'a torn line' has err 'damaged/sum.csv:14: cut short'
ok 'the rest' has out '^3 slower, 1 unclear, 4 unchanged$'
run beside 1.1 # an interval that would forbid any verdict
sed -i '/,v800,/s/,[0-9.]*,1000,50$/,1,1000,50/' beside/cumsum.csv
ok 'intervals beside their medians' compare 1 base beside
ok 'said so' has err 'cumsum.csv:11: the interval of the median does not hold'
ok 'and left out' has out '^3 slower, 4 unchanged, 1 only in BASE$'
for side in base new; do # a torn file alone: nothing to fail on, and no success
    run torn$side 1
    printf 'h200,sum,v100,f32,64,40' >>torn$side/sum.csv
done
ok 'a torn NEW: 2' compare 2 base tornnew
ok 'named' has err 'tornnew/sum.csv:14: cut short'
ok 'the rest' has out '^8 unchanged$'
ok 'why 2' has err '1 damaged lines or lost files were left out'
ok 'a torn BASE: 2' compare 2 tornbase base
ok 'a torn run against a variant: 2' compare 2 tornnew --against v100
ok 'never fail: 2' compare 2 base tornnew --fail-on never
run tornfacts 1
printf 'empty_us,1' >>tornfacts/manifest.csv
ok 'a torn manifest: 2' compare 2 base tornfacts
ok 'named' has err 'tornfacts/manifest.csv:[0-9]*: cut short'
run blank 1
: >blank/manifest.csv
ok 'an empty manifest: 2' compare 2 base blank
ok 'said so' has err 'blank/manifest.csv: empty ('
run columnless 1.1
sed -i '1s/median_us/middle_us/' columnless/cumsum.csv
ok 'a missing column' compare 2 base columnless
ok 'named' has err 'columnless/cumsum.csv:1: no column median_us ('
ok 'the rest' has out '^4 unchanged, 4 only in BASE$'
run newer 1
sed -i 's/schema,3/schema,7/' newer/manifest.csv
sed -i '1s/$/,novel/; 2,$s/$/,1/' newer/*m.csv
ok 'a newer schema' compare 2 base newer
ok 'said so' has err 'newer/manifest.csv: schema 7, not 3 ('
sed -i 's/schema,7/schema,2/' newer/manifest.csv
ok 'an older one' compare 2 base newer
ok 'what to do' has err 'schema 2, not 3 (scanbench convert newer makes it'
sed -i 's/schema,2/schema,3/' newer/manifest.csv
run part 1.1
grep -v v400 slow/cumsum.csv >part/cumsum.csv
cell part sum v1 10 3
ok 'partial overlap' compare 1 base part
ok 'counted' has out '1 only in BASE, 1 only in NEW$'
ok 'named' has err 'base: only in BASE: 1 cells, the first .*cumsum/v400/f32/'
manifest apart 'device_name,NVIDIA H200' sm_count,132
cell apart flip v100 100 3
ok 'no overlap' compare 2 base apart
ok 'said so' has err 'no cell in common'
awk 'BEGIN { for (k = 0; k < 500; ++k) print "bad" }' >>newer/sum.csv
ok 'many bad lines' compare 2 base newer
ok 'the others are counted' has err 'newer: and 49[0-9] problems more'
ok 'are cut short' test "$(wc -l <err)" -lt 20

# ---- against a variant
manifest race
for op in cumsum flip; do
    cell race $op b 400 3
    cell race $op a 800 3
    cell race $op d 200 3
    cell race $op c 100 3
done
cell race sum c 100 3
ok 'against' compare 0 race --against b
ok 'its heads' test "$(grep -c 'f32 64x4096x1 cold: how many times as fast as b$' out)" -eq 2
ok 'a speed-up' has out '^ *4.000 x .* 100.00 us .* c$'
sed -n 's/.* us .* //p' out | paste -sd' ' - >order
ok 'the fastest first' has order '^c d b a c d b a$'
ok 'what is left out' has err '1 timed cells are left out: b has no time there'
ok 'against, markdown' compare 0 race --against b --format markdown
ok 'a speed-up' has out '^| `c` | 4.000 | '
ok 'against, csv' compare 0 race --against b --format csv
ok 'a row' has out '^flip,f32,64,4096,1,cold,a,b,0.5,.*,3,[0-9.]*,[0-9.]*,50$'
ok 'all rows' test "$(wc -l <out)" -eq 9
ok 'a mistyped variant' compare 2 base --against v40
ok 'its neighbours' has err "unknown variant 'v40'; did you mean v400 or"

# ---- what a user may get wrong
ok 'no folder' compare 2
ok 'said so' has err 'a folder is missing: .*BASE NEW'
ok 'one folder' compare 2 base
ok 'three folders' compare 2 base same slow
ok 'no such folder' compare 2 base nowhere
ok 'said so' has err 'nowhere: No such file'
ok 'no run in it' compare 2 base .
ok 'a mistyped option' compare 2 base same --fromat csv
ok 'the nearest' has err "unknown option '--fromat'; did you mean format"
ok 'one dash' compare 2 -all base same
ok 'says which' has err "unknown option '-all'"
ok 'one dash after an option' compare 2 --all -x3 base same
ok 'says which' has err "unknown option '-x3'"
ok 'a letter' compare 2 --all -x base same
ok 'says which' has err "unknown option '-x'"
ok 'a mistyped format' compare 2 base same --format cvs
ok 'the nearest' has err "unknown format 'cvs'; did you mean csv"
ok 'a mistyped verdict' compare 2 base same --fail-on slow
ok 'no value' compare 2 base same --format
ok 'said so' has err 'needs a value'
ok 'no number' compare 2 base same --top many
ok 'against and two folders' compare 2 base same --against v100
ok 'help' compare 0 --help
ok 'on stdout' has out 'Exit status'
ok 'a full disk' sh -c \
    '"$1" compare base same >/dev/full 2>/dev/null; test $? -eq 2' - \
    "$scanbench"

# ---- what is published can be compared, and is as it was
for manifest in "$source"/results/*/headline/manifest.csv \
    "$source"/results/*/default/manifest.csv; do # not the user's own runs
    set=$(dirname "$manifest")
    [ -f "$manifest" ] || continue
    ok 'a published set with itself' compare 0 "$set" "$set"
    ok 'has no damage' test ! -s err
    ok 'of one process' hasnt out '^[0-9]* unchanged'
done

tally
