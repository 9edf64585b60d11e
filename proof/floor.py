#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""floor.py RUN SHAPE: how far designs are from the floor of a small problem of f32. The floor is the
time of the shortest copy: an empty kernel and one pass of memory latency. Where blocks exchange
sums, it is one pass more. Of each design, the best tuning point counts; the five nearest are
printed. SCANBENCH names the program."""
import collections
import pathlib
import sys
import textwrap

import lib

KINDS = {'cumsum': 'scan', 'sum': 'reduce'}
EMPTY = {'cold': 'empty_us', 'graph': 'empty_graph_us'}


def exchanges(kind, family):
    """True if blocks share a line; None for libraries and retired designs."""
    folder = lib.HERE.parent / 'variants' / kind
    for path in folder.glob(f'*/{family}.cu'):
        return None if path.parent.name == 'library' else '/look_back/' in path.read_text() or (
            f"'{family}': ['shares_lines'" in (folder / 'meson.build').read_text())
    return False if family == 'best' else None


def main():
    if len(sys.argv) != 3:
        lib.die(f'usage: {__doc__}')
    run, shape = sys.argv[1:]
    above = collections.defaultdict(dict)
    for row in lib.table(lib.printed('table', run, '--op', ','.join(KINDS), '--dtype', 'f32',
                                     '--shape', shape, '--format', 'csv')):
        shares = exchanges(KINDS[row['op']], row['family'])
        if row['us'] and row['cache'] in EMPTY and shares is not None:
            times = above[row['cache'], row['op'], shares]
            times[row['family']] = min(float(row['us']), times.get(row['family'], float('inf')))
    facts, ceilings = lib.manifest(run), lib.table(pathlib.Path(run, 'ceilings.csv').read_text())
    for (cache, op, shares), times in above.items():
        empty = float(facts[EMPTY[cache]])
        copy = min(float(row['bytes']) / float(row['gbps']) / 1e3 for row in ceilings
                   if (row['twin'], row['dtype'], row['cache']) == ('copy', 'f32', cache))
        floor = copy + shares * (copy - empty)
        designs = (f'{family} {times[family] - floor:.2f}'
                   for family in sorted(times, key=times.get)[:5])
        print(textwrap.fill(f'{cache} {op}{", blocks exchange" * shares}: empty {empty:.2f}, floor '
                            f'{floor:.2f} us; above it: {", ".join(designs)}', 99,
                            subsequent_indent='  '))
    return 0


lib.run(main)
