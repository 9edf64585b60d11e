#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measured.py RESULTS h100|h200: prints what `which` expects of a GPU
(results/best/measured/GPU.csv, which src/choose/measured.h reads): its facts, its ceilings, the
cells of best, at shapes in the rules or not, and those of torch, compiled or not. RESULTS
is unpacked; SCANBENCH names the program."""
import math
import pathlib
import sys

import lib

# Sets of shapes that rules lack, of shapes like those they were fitted to, and of torch.
SETS = {'h100': (['random', 'operators'], ['default'], ['frameworks']),
        'h200': (['random', *(f'operators/held_out{name}' for name in (
            '', '_f64_bf16', '_integers')), 'ragged', 'recurrence_held_out'],
                 ['default', 'headline'],
                 ['frameworks', 'models', 'operators/frameworks', 'ragged', 'recurrence'])}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in SETS:
        lib.die(f'usage: {__doc__}')
    root = pathlib.Path(*sys.argv[1:])
    unseen, known, torch = ([root / name for name in names] for names in SETS[sys.argv[2]])
    facts, seen = lib.manifest(root / 'default'), set()
    print('gpu', *(facts[key] for key in ('device_name', 'compute_capability', 'sm_count',
                                          'attribute_peak_gbps')), sep=',')
    for path in sorted(path for folder in known + unseen for path in folder.rglob('ceilings.csv')):
        for row in lib.table(path.read_text()):
            key = row['twin'], row['dtype'], row['elems']
            if (row['kind'], row['cache'], row['process'], row['phase']) == (
                    'traffic', 'cold', '0', 'start') and key not in seen:
                seen.add(key)
                us = float(row['bytes']) / float(row['gbps']) / 1e3
                print('ceiling', *key[:2], 1, key[2], 1, f'{us:.6g}', 100, 0, row['variant'],
                      sep=',')
    for set_, variant, runs in (
            ('unseen', 'best', unseen), ('known', 'best', known),
            ('known', 'best', [run for run in torch if run not in unseen]),
            ('torch_eager', 'torch_eager', torch),
            ('torch_eager', 'torch_eager_with_indices', torch),
            ('torch_eager', 'torch_segment_reduce', torch),
            ('torch_compile', 'torch_compile', torch),
            ('torch_compile', 'torch_associative_scan', torch)):
        for row in lib.table(lib.printed('regret', '--variant', variant, '--cells', *runs, none=77)):
            # The launch of a slow one may have compiled; older rules lost more than 2 %.
            out = (set_ == 'torch_compile' and row['status'] == 'slow' or
                   runs is known and float(row['regret_pct'] or 0) > 2)
            cell = set_, *(row[key] for key in ('op', 'dtype', 'outer', 'axis', 'inner', 'lines'))
            if not (out or cell in seen) and row['share_pct'] and 0 < float(row['us']) < math.inf:
                seen.add(cell)
                print(*cell[:-1], *(row[key] or 'nan' for key in (
                    'us', 'share_pct', 'regret_pct', 'winner')), *filter(None, cell[-1:]), sep=',')


lib.run(main)
