# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a sweep on the host is killed, interrupted, or loses its
worker, and is taken up again: in the end it has the cells of a sweep that nothing
happened to, each once, and every row that was whole before is still there."""
import os
import signal

import expect
from expect import ok, read, seen
from sweeps import WHOLE, begun, cells, fact, lost, resumes, rows, sweep

SLOWER = ('--budget', '10')  # so as to be hit half-way

# ---- killed: in the first process, and in the second
for part in (4, 2):
    folder = f'killed{part}'
    child = begun(folder, len(WHOLE) // part + 3, *SLOWER)
    child.kill()
    child.wait()
    before = rows(folder)
    ok('killed: some rows, and not all', 0 < len(before) < len(WHOLE), len(before))
    ok('killed: said so', fact(folder, 'complete,0'))
    resumes(f'killed at 1/{part}', folder, before, *SLOWER)
    ok('counted', fact(folder, 'resumed,1'))
ok('complete: nothing to do', sweep(*SLOWER, '--resume', 'killed2') == 0)
ok('said so', seen('! nothing is missing'))

# ---- interrupted
child = begun('cut', 20, *SLOWER)
child.terminate()
ok('interrupted', child.wait() == 130)
before = rows('cut')
ok('interrupted: rows are kept', len(before) >= 20)
ok('interrupted: not complete', fact('cut', 'complete,0'))
resumes('interrupted', 'cut', before, *SLOWER)

# ---- the worker is killed: one row at most, and the sweep goes on
child = begun('orphan', 20, *SLOWER)
workers = read(f'/proc/{child.pid}/task/{child.pid}/children').split()
ok('there was one', workers)
for worker in workers:
    os.kill(int(worker), signal.SIGKILL)
status = child.wait()
ok('the worker killed: the sweep goes on', cells('orphan') == WHOLE)
ok('complete', fact('orphan', 'complete,1'))
before = [row for row in rows('orphan') if ',error,' not in row]
errors = len(rows('orphan')) - len(before)
ok('one cell at most', errors <= 1, errors)
ok('its status', status == errors, status)
ok('its cell has another try', sweep(*SLOWER, '--resume', 'orphan') == 0, expect.err)
ok('and is right now', cells('orphan') == WHOLE)
ok('its row is behind the error', len(rows('orphan')) == len(WHOLE) + errors)
ok('nothing else was lost', not lost(before, 'orphan'), *lost(before, 'orphan'))
expect.tally()
