# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: runs of very many cells. A command whose time grows with their
square meets the test's time limit."""
import os

import expect
from expect import ok, transcript
from made_runs import manifest, rows

CELLS = 40000


def large(folder, device, op, cells):
    """A process of (variant, axis) each."""
    manifest(folder, f'device_name,{device}')
    rows(folder, op, *(
        f'x,{op},{variant},f32,1,{axis},1,cold,0,ok,,,{100 + k % 10},99,110,1000,50'
        for k, (variant, axis) in enumerate(cells)))


def seconds(line):
    """The processor time of a command that has to succeed."""
    before = os.times()
    transcript(line)
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


# ---- as many variants as cells, at one shape
large('variants', 'NVIDIA H200', 'sum', [(f'v{k}', 4096) for k in range(CELLS)])
transcript(rf'''
0 compare variants --against v0 => of {CELLS} (--top 0 lists all)$
0 compare variants --against v1 --top 0 --format markdown => # {CELLS} | `v
0 table variants --format google-benchmark
''')
ok('every variant once', expect.out.count('"run_name": "sum/v') == CELLS)

# An interval costs no more than reading its row: a cell of one process has a
# thousand degrees of freedom, and their quantile is a long computation.
reading = seconds('0 table variants => v1')
judging = seconds('0 compare variants --against v0 --top 1 => v0')
ok('intervals are cheap', judging < 4 * reading, reading, judging)

# ---- as many shapes as cells, all won by one
for folder, device in (('one', 'NVIDIA H200'), ('other', 'NVIDIA H100'), ('same', 'NVIDIA H200')):
    large(folder, device, 'sum', [('v', k) for k in range(1, CELLS)])
transcript('0 compare --gpus one other => sum .* v ')
judging = seconds(f'3 compare one same => {CELLS - 1} unclear')
ok('verdicts are cheap', judging < 5 * reading, reading, judging)
expect.tally()
