#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: a sweep on the host is killed, interrupted, loses its worker, its
# disk and parts of its files, and is taken up again: in the end it has the
# cells of a sweep that nothing happened to, each once, and every row that was
# whole before is still there.
set -u
# shellcheck source=harness/faults.sh
. "$(dirname "$(realpath "$0")")/faults.sh"
disk=$work/disk
trap 'umount "$disk" 2>/dev/null; rm -rf "$work"' EXIT

extra='--budget 30' # slower, so as to be hit half-way
# ---- killed: in the first process, and in the second
for part in 4 2; do
    start killed$part $((count / part + 3))
    kill -KILL "$child"
    wait "$child" 2>/dev/null
    rows killed$part >before
    ok 'killed: some rows' test -s before
    ok 'killed: not all' test "$(wc -l <before)" -lt "$count"
    ok 'killed: said so' grep '^complete,0' killed$part/manifest.csv
    resumes "killed at 1/$part" killed$part
    ok 'counted' grep '^resumed,1' killed$part/manifest.csv
done
sweep --resume killed2 >out 2>err
ok 'complete: nothing to do' is_status 0 $?
ok 'said so' grep 'nothing is missing' err

# ---- interrupted
start cut 20
kill -TERM "$child" # a shell without job control has its children ignore INT
wait "$child"
ok 'interrupted' is_status 130 $?
rows cut >before
ok 'interrupted: rows are kept' test "$(wc -l <before)" -ge 20
ok 'interrupted: not complete' grep '^complete,0' cut/manifest.csv
resumes 'interrupted' cut

# ---- the worker is killed: one row at most, and the sweep goes on
start orphan 20
for worker in $(cat "/proc/$child/task/$child/children"); do
    kill -KILL "$worker"
done
ok 'there was one' test -n "${worker-}"
wait "$child"
status=$?
ok 'the worker killed: the sweep goes on' same_cells orphan
ok 'complete' grep '^complete,1' orphan/manifest.csv
errors=$(rows orphan | grep -c ',error,')
ok 'one cell at most' test "$errors" -le 1
ok 'its status' is_status "$errors" $status
rows orphan | grep -v ,error, >before
sweep --resume orphan >out 2>err
ok 'its cell has another try' is_status 0 $?
ok 'and is right now' same_cells orphan
ok 'no errors are left' test "$(rows orphan | grep -c ',error,')" -eq 0
ok 'nothing else was lost' keeps before orphan

extra=''

# ---- no more space: a quota, in blocks of 512 bytes
(
    ulimit -f 8
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

# ---- files cut, damaged and lost, as the whole run's, had it been killed at
# its end: what was whole stays, the rest is measured again
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
ok 'said so' grep "its arguments are" err
sed -i 's/^commit,.*/commit,0123456789ab/' other/manifest.csv
sweep --resume other >out 2>err
ok 'another commit' is_status 2 $?
ok 'said so' grep "its commit is '0123456789ab'" err
ok 'left as it is' diff -r -x manifest.csv whole other
sweep -o whole >out 2>err
ok 'a run there' is_status 2 $?
ok 'left as it is' same_cells whole

tally
