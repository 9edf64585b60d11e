#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: a sweep on the host is killed, interrupted, or loses its worker, and
# is taken up again: in the end it has the cells of a sweep that nothing happened
# to, each once, and every row that was whole before is still there.
set -u
# shellcheck source=harness/faults.sh
. "$(dirname "$(realpath "$0")")/faults.sh"

extra='--budget 10' # slower, so as to be hit half-way
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

tally
