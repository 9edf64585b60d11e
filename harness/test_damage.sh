#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: a run's disk is full, its files are cut, damaged and lost, and it is
# taken up again: what was whole stays, and the rest is measured again.
set -u
# shellcheck source=harness/faults.sh
. "$(dirname "$(realpath "$0")")/faults.sh"
disk=$work/disk
trap 'umount "$disk" 2>/dev/null; rm -rf "$work"' EXIT

# ---- no more space: a quota, in blocks of 512 bytes
(
    ulimit -f $((($(wc -c <whole/cumsum.csv) + 511) / 512 - 2))
    sweep -o quota >out 2>err
)
ok 'a quota' is_status 2 $?
ok 'said so' grep 'cannot write quota/.*File too large' err
ok 'and what to do' grep -e '--resume' err
rows quota >before
ok 'rows are kept' test -s before
resumes 'a quota' quota

# ---- no more space: a small disk
mkdir "$disk"
if mount -t tmpfs -o size=24k none "$disk" 2>/dev/null; then
    sweep -o "$disk/run" >out 2>err
    ok 'a full disk' is_status 2 $?
    ok 'said so' grep 'No space left' err
    rows "$disk/run" >before
    ok 'rows are kept' test -s before
    ok 'whole ones' test -z "$(rows "$disk/run" | awk -F, 'NF < 35')"
    sweep --resume "$disk/run" >out 2>err
    ok 'still full' is_status 2 $?
    ok 'nothing was lost' keeps before "$disk/run"
    mount -o remount,size=1m "$disk"
    resumes 'a full disk' "$disk/run"
else
    skip 'a full disk: no tmpfs can be mounted here'
fi

# ---- of a run that had been killed at its end
undo() { # FOLDER
    cp -r whole "$1" && sed -i 's/^complete,1/complete,0/' "$1/manifest.csv"
}
undo damaged
tail -n 1 whole/cumsum.csv >bad
sed -n 12p whole/sum.csv >>bad
sed 1d whole/read.csv >>bad
rows whole | grep -vxF -f bad >before
head -c $(($(wc -c <whole/cumsum.csv) - 40)) whole/cumsum.csv \
    >damaged/cumsum.csv
sed -i '12s/,ok,.*/,o\x00k,#@!/' damaged/sum.csv
head -c 700 whole/ceilings.csv >damaged/ceilings.csv
rm damaged/read.csv
resumes 'damaged' damaged
ok 'a torn line is reported' grep 'cumsum.csv' err
ok 'a damaged one' grep 'sum.csv:12' err

# ---- the same of a run that says that it is complete
cp -r whole losses
sed -n 5p whole/cumsum.csv >bad
sed -n 12p whole/sum.csv >>bad
tail -n 1 whole/copy.csv >>bad
rows whole | grep -vxF -f bad >before
sed -i 5d losses/cumsum.csv
sed -i '12s/,ok,.*/,o\x00k,#@!/' losses/sum.csv
truncate -s -9 losses/copy.csv
resumes 'complete, with losses' losses
ok 'reported' grep 'losses was complete, but has lost rows' err
ok 'a damaged line is reported' grep 'sum.csv:12' err
ok 'a torn one' grep 'copy.csv:.* cut short' err
ok 'counted' grep '^resumed,1' losses/manifest.csv
sweep --resume losses >out 2>err
ok 'then nothing is missing' grep 'nothing is missing' err
cp -r whole roofless # whole lines, of the first launch
sed -i '/,0,start$/d' roofless/ceilings.csv
rows whole >before
resumes 'complete, without ceilings' roofless

# ---- what is not to be taken up is left as it is
undo other
"$scanbench" run --device host --op flip --resume other >out 2>err
ok 'other words' is_status 2 $?
ok 'said so' grep "was begun with" err
sed -i 's/^commit,.*/commit,0123456789ab/' other/manifest.csv
sweep --resume other >out 2>err
ok 'another commit' is_status 2 $?
ok 'said so' grep "its commit is '0123456789ab'" err
ok 'left as it is' diff -r -x manifest.csv whole other
sweep -o whole >out 2>err
ok 'a run there' is_status 2 $?
ok 'left as it is' same_cells whole

tally
