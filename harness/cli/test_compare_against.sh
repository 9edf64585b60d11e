#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: one variant, or a family's best, against the others of a
# run; and what of two runs is compared.
# shellcheck disable=SC2016 # no expansion is meant between single quotes
set -u
# shellcheck source=harness/cli/made_runs.sh
. "$(dirname "$(realpath "$0")")/made_runs.sh"

manifest race 'device_name,NVIDIA H200'
for op in cumsum sum; do
    us=50
    for variant in c b a; do
        us=$((us * 2))
        cell race $op $variant $us 3
    done
done
mkdir races && cp race/manifest.csv races
for op in cumsum sum; do # at a second shape, too
    sed '1!s/,64,4096,/,32,4096,/' race/$op.csv >races/$op.csv
    sed '1d' race/$op.csv >>races/$op.csv
done

# ---- one shape, and two
ok 'of one shape' compare 0 race --against b
ok 'no means' hasnt out 'geometric mean'
ok 'what its columns are' \
    has out '^ *speed-up  *95 % interval  *time  *ceiling  variant'
ok 'of two' compare 0 races --against b
ok 'means' has out '^cumsum  *2.000 x of  *2 cells  c$'
ok 'of two, markdown' compare 0 races --against b --format markdown
ok 'means' has out '^| `sum` | `a` | 0.500 | 2 |$'
order() { sed -n 's/.* cells  //p' out | paste -sd' ' -; }
ok 'of two' compare 0 races --against b
ok 'the fastest first' test "$(order)" = 'c a c a'

# ---- which
ok 'one operation' compare 0 races --against b --op sum
ok 'is that one' hasnt out cumsum
ok 'a filter' compare 0 races --against b -f /c/
ok 'lists those' hasnt out ' us .* a$'
ok 'against the same' has out 'as fast as b$'
ok 'the top' compare 0 races --against b --top 1
listed() { sed -n 's/.* us .* //p' out | sort -u | paste -sd' ' -; }
ok 'and the base' test "$(listed)" = 'b c'
ok 'of how many' has out 'of 3 (--top 0 lists all)'
cell race cumsum b_i4 50 3
awk -F, -v OFS=, 'NR == 1 { print $0, "family"; next }
    { f = $3; sub(/_i4$/, "", f); print $0, f }' race/cumsum.csv >with
mv with race/cumsum.csv && rm race/sum.csv
ok 'a variant' compare 0 race --against a
ok 'is that' has out 'as fast as a$'
ok 'a family' compare 0 race --against b
ok 'is its best' has out 'as fast as b_i4$'

# ---- two runs
ok 'cells of two runs' compare 0 base same --op cumsum -f v100 --all
ok 'are those' test "$(grep -c '^unchanged' out)" -eq 1
ok 'no such cell' compare 2 base same -f nobody
ok 'says so' has err 'base has no such cell'
cp -r base host && rm host/sum.csv
sed 's/,v\([0-9]*\),/,serial\1,/' base/cumsum.csv >host/cumsum.csv
echo device_kind,host >>host/manifest.csv
ok 'nothing in common' compare 2 base host
ok 'the same grid' has err 'run the same grid'
echo device_kind,cuda >>base/manifest.csv
ok 'a GPU and a host' compare 2 base host
ok 'get other advice' has err 'one is of a GPU and one of a host'
ok 'and not that' hasnt err 'the same grid'

# ---- two processes a side: an interval that says nothing is not printed
for side in two too; do
    manifest $side 'device_name,NVIDIA H200'
    echo "$header" >$side/sum.csv
done
for us in 1 9; do
    echo "h200,sum,v,f32,64,4096,1,cold,$us,ok,,,$us,$us,$us,1,1" >>two/sum.csv
    echo "h200,sum,v,f32,64,4096,1,cold,$us,ok,,,$us,$us,$us,1,1" >>too/sum.csv
done
ok 'two processes' compare 0 two too
ok 'no interval' has out ' \[too wide\] '
ok 'two processes, markdown' compare 0 two too --format markdown
ok 'no interval' has out '| too wide |'

tally
