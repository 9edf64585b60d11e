# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: runs of very many cells. Who looks at every cell for every
cell takes minutes here, and meets the test's time limit."""
import expect
from expect import ok, read, told
from made_runs import manifest, rows

CELLS = 80000


def large(folder, device, op, cells):
    """A process of (variant, axis) each, without an interval."""
    manifest(folder, f'device_name,{device}')
    rows(folder, op, *(
        f'x,{op},{variant},f32,1,{axis},1,cold,0,ok,,,{100 + k % 10},,,1000,50'
        for k, (variant, axis) in enumerate(cells)))


# ---- as many variants as cells, at one shape
large('variants', 'NVIDIA H200', 'sum', [(f'v{k}', 4096) for k in range(CELLS)])
told(rf'''
0 compare variants --against v0 => of {CELLS} (--top 0 lists all)$
0 compare variants --against v1 --top 0 --format markdown => # {CELLS} ^| `v
0 export variants --format nvbench-json -o nvbench.json
''')
ok('every variant once', read('nvbench.json').count('"name": "sum/v') == CELLS)

# ---- as many shapes as cells, all won by one
for folder, device in (('one', 'NVIDIA H200'), ('other', 'NVIDIA H100')):
    large(folder, device, 'sum', [('v', k) for k in range(1, CELLS)])
told('0 compare --gpus one other => sum .* v ')
expect.tally()
