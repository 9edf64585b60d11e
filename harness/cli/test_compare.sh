#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: `scanbench compare` as a user would run it, on folders made
# here: verdicts, formats and exit statuses.
#
# shellcheck disable=SC2016 # no expansion is meant between single quotes
# shellcheck source=harness/cli/made_runs.sh
. "$(dirname "$0")/made_runs.sh"

# ---- verdicts, formats and exit statuses
ok 'the same: 0' compare 0 base same --fail-on any
ok 'nothing is listed' hasnt out 'v100'
ok 'they are counted' has out '^8 unchanged$'
ok 'unless asked for' compare 0 base same --all
ok 'listed' has out '^unchanged .*cumsum/v100/f32/64x4096x1/cold .*+0.0 %'
ok 'slower: 1' compare 1 base slow
ok 'counted' has out '^4 slower, 4 unchanged$'
ok 'named' has out '^slower .*cumsum/v800/f32/64x4096x1/cold .* +10.0 %'
ok 'geometric mean' has out '^cumsum .*1.1000 .*+10.00 %'
ok 'of the other op' has out '^sum .*1.0000 .*+0.00 %'
ok 'slower, but never fail' compare 0 base slow --fail-on never
ok 'faster: 0' compare 0 base fast
ok 'counted' has out '^4 faster, 4 unchanged$'
ok 'faster fails on any' compare 1 base fast --fail-on any
ok 'markdown' compare 1 base slow --format markdown
ok 'its verdict' has out '^\*\*4 slower, 4 unchanged\*\*$'
ok 'its rows' has out '^| slower | `cumsum/v800/f32/64x4096x1/cold` | 800.00 |'
ok 'its means' has out '^| `cumsum` | 4 | 1.1000 | +10.00 % |$'
ok 'csv' compare 1 base slow --format csv
ok 'its columns' has out '^verdict,op,variant,dtype,outer,axis,inner,cache,r'
ok 'every pair' test "$(wc -l <out)" -eq 9
ok 'its rows' has out '^slower,cumsum,v800,f32,64,4096,1,cold,1.1,'
ok 'constant columns' test "$(awk -F, '{print NF}' out | sort -u)" -eq 27
ok 'its summary' has err 'cumsum: geometric mean 1.1000 of 4 cells'
ok 'only the first rows' compare 1 base slow --top 1
ok 'how many more' has out '^and 3 more'

# ---- the worst comes first, and what broke before all
run broken 1
grep -v ',v400,\|,v800,' slow/cumsum.csv >broken/cumsum.csv
untimed broken cumsum v400 wrong 'element 7 is off'
untimed broken cumsum v800 skip 'does not fit'
ok 'broken fails' compare 1 base broken
ok 'counted' has out '^1 broken, 2 slower, 4 unchanged, 1 timed on one side'
ok 'why' has out 'cumsum/v400.*ok -> wrong: element 7 is off'
ok 'lost' has out 'cumsum/v800.*ok -> skip: does not fit'
sed -n 's/^\(broken\|slower\|unmeasured\) .*/\1/p' out | paste -sd' ' - >order
ok 'first' has order '^broken slower slower unmeasured$'
ok 'as a table' compare 1 base broken --format markdown
ok 'as a row' has out '^| broken | .* ok → wrong: element 7 is off |'
run marked 0.9
sed -i 's/,v400,\(.*\),ok,,,/,v400,\1,suspect,why,near_empty,/' marked/cumsum.csv
ok 'a suspect one' compare 0 base marked
ok 'is not faster' has out '^unclear .*/v400/.* ok -> suspect  (none -> near_empty)$'
ok 'the others are' has out '^1 unclear, 3 faster'
run wrong 1
sed -i '/,v400,/d' wrong/cumsum.csv
untimed wrong cumsum v400 error 'no memory'
ok 'broken alone fails' compare 1 base wrong
ok 'counted' has out '^1 broken, 7 unchanged$'
ok 'mended does not fail' compare 0 broken base

# ---- floors, and that NEW cannot widen them
ok 'another floor' compare 0 base slow --floor-pct 12
ok 'a floor in microseconds' compare 0 base slow --floor-us 100
run silencing 1.1
printf '%s\n' empty_us,1e9 >>silencing/manifest.csv
sed -i 's/,ok,,,/,ok,,near_empty,/' silencing/cumsum.csv
ok 'NEW widens no limit' compare 1 base silencing
ok 'all are seen' has out '^4 slower, 4 unchanged$'

# ---- few processes: one never alarms and proves nothing
for us in 389 400 800; do
    manifest single$us 'device_name,NVIDIA H200' sm_count,132
    cell single$us cumsum v "$us" 1
done
ok 'one process' compare 0 single389 single800
ok 'said so' has out '^note: 1 cells have one process on a side, so their scatter is unk'
ok 'unclear' has out '^unclear .*+105.7 %  \[no interval\] '
ok 'nor unchanged' compare 0 single389 single389
ok 'unclear' has out '^1 unclear$'
ok 'no mean of what is unclear' hasnt out 'geometric mean'
ok 'unclear fails on unclear' compare 1 single389 single400 --fail-on unclear
for us in 100 104 120; do
    manifest double$us 'device_name,NVIDIA H200' sm_count,132
    cell double$us cumsum v "$us" 2
done
ok 'two processes, 4 %' compare 0 double100 double104
ok 'unclear' has out '^1 unclear$'
ok 'two processes, 20 %' compare 0 double100 double120
ok 'slower, but no failure' has out '^1 slower$'
ok 'said so' has out '^note: 1 cells have two processes on a side: '
ok 'unless any change is one' compare 1 double100 double120 --fail-on any

# ---- too short to tell, and what lost processes
for us in 6.0 6.1; do
    manifest brief$us 'device_name,NVIDIA H200' sm_count,132
    cell brief$us cumsum v "$us" 3
done
ok 'a short cell' compare 0 brief6.0 brief6.1 --all
ok 'is too short' has out '^1 too short to tell$'
ok 'listed so' has out '^too_short .*+1.7 %'
ok 'with its limit' compare 0 brief6.0 brief6.1 --format csv
ok 'of 0.5 us' has out '^too_short,cumsum,.*,8.333'
run dropped 1
sed -i '/,v400,.*,[12],ok,/s/,ok,,,[0-9.]*/,unstable,clocks fell,,1200/' \
    dropped/cumsum.csv
ok 'two processes of three unstable' compare 0 base dropped
ok 'are not unchanged' has out \
    '^unclear .*v400.* ok -> unstable  3 of 3 -> 1 of 3 processes$'
ok 'and counted' has out '^note: 1 cells have processes that did not time them'
ok 'as csv' compare 0 base dropped --format csv
ok 'their number' has out '^unclear,cumsum,v400,.*,unstable,1,2,399.6,'

# ---- two cards of one name: shares of each one's own ceiling
run card1 1
run card2 1.03
echo gpu_hash,1 >>card1/manifest.csv
echo gpu_hash,2 >>card2/manifest.csv
sed -i 's/,50$/,52/' card2/sum.csv
ok 'two cards' compare 0 card1 card2 --all
ok 'said so' has out '^note: two cards of one name: '
ok 'the same share, other times' has out \
    '^unchanged .*cumsum/v400/.*\[-0.1, +0.1\] .* times +3.0 %'
ok 'another share, the same times' has out \
    '^faster .*sum/v400/.* -3.8 % .* times +0.0 %'
ok 'as markdown' compare 0 card1 card2 --format markdown
ok 'a row' has out '^| faster | .*| -3.8 % | .* times +0.0 % |$'

# ---- text from a stranger is no more than text
run strange 1.1
sed -i 's/,v400,/,<b>`|@v,/' strange/cumsum.csv
cp -r strange stranger
ok 'markdown' compare 0 strange stranger --all --format markdown
ok 'in a code span' has out "^| unchanged | .cumsum/<b>'/@v/f32"

tally
