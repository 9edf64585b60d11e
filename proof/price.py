#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the price of contracts (docs/contracts.md) as Markdown: by operation and class of shape,
in f32, the median share of the ceiling, per cent, of the fastest variant and of the fastest that
keeps a contract, with the median of its time over the fastest's in brackets.

RESULTS is a run or a folder of runs; those of several GPUs, with blanks between, get columns of
their own. A shape where no variant that keeps the contract has a time counts as
infinitely slow. CHART=FILE draws the times of every shape and type of the first GPU instead."""
import collections
import itertools
import math
import os
import pathlib
import statistics

import lib
import markdown

CONTRACTS = ['', 'deterministic', 'portable_bits']  # the sets are older than scan/monotone
NONE = math.inf, 0
OPS = 'cumsum,masked_cumsum,sum'
TYPES = {'f32': 1, 'f16': 2, 'f64': 3, 'bf16': 4}  # colours of plots/style.gp


def read(set_):
    """The fastest variant's time and share by (operation, class, type), shape and contract."""
    kept = collections.defaultdict(lambda: collections.defaultdict(dict))
    runs = [path.parent for path in sorted(pathlib.Path(set_).rglob('manifest.csv'))]
    for run, contract in itertools.product(runs, CONTRACTS):
        words = ['--contract', contract] if contract else []
        for row in lib.table(lib.printed('show', run, '--all', '--cache', 'cold', '--op', OPS,
                                         *words, '--format', 'csv', none=77)):
            shapes = kept[row['op'], row['class'], row['dtype']]
            shapes[row['outer'], row['axis'], row['inner']][contract] = (
                float(row['us'] or 'inf'), float(row['pct_ceiling'] or 0))
    return kept


def times_of(shapes, contract):
    """The times over the fastest's, of the shapes that have a fastest."""
    return sorted(own.get(contract, NONE)[0] / own[''][0]
                  for own in shapes.values() if own[''] != NONE)


def figure(shapes, contract):
    ratio = statistics.median_high(times_of(shapes, contract) or [math.inf])
    if ratio == math.inf:
        return '–'
    share = statistics.median_low(own.get(contract, NONE)[1] for own in shapes.values())
    return f'{share:.0f}' + (f'&nbsp;({ratio:.2f})' if contract else '')


def draw(runs, kept, out):
    rows, lost = [], 0
    for contract in CONTRACTS[1:]:
        for op, kind in dict.fromkeys(of[:2] for of in kept):
            points = [(ratio, TYPES[dtype]) for dtype in TYPES
                      for ratio in times_of(kept[op, kind, dtype], contract)]
            timed = [point for point in points if point[0] < math.inf]
            if timed:
                median = statistics.median_high(ratio for ratio, _ in points)
                seen = {(round(ratio, 2), colour) for ratio, colour in timed}  # a smaller file
                rows.append((f'{contract}: {op} {kind}', median, sorted(seen)))
                lost += len(points) - len(timed)
    return lib.draw(
        'price', out,
        [('title', f'The fastest variant that keeps a contract, of {runs}'),
         ('subtitle', 'Shapes in f32 (blue), f16 (orange), f64 (green), bf16 (pink). Tick: median, '
          f'{lost} without a time count as infinite.'), ('rows', len(rows))],
        [(k, label, f'{median:.6g}') for k, (label, median, _) in enumerate(rows, 1)],
        [(k, colour, f'{ratio:.3g}') for k, (*_, points) in enumerate(rows, 1)
         for ratio, colour in points])


def main():
    asked = markdown.parse(__doc__)
    groups = {group: read(group) for group in asked.results.split()}
    name, first = next(iter(groups.items()))
    if os.environ.get('CHART'):
        return draw(name, first, os.environ['CHART'])
    columns = [(group, contract) for group in groups for contract in CONTRACTS]
    names = ['&nbsp;'.join([*[gpu.upper() for gpu in group.split('/')[1:2] if len(groups) > 1],
                            contract.replace('_', '&nbsp;') or 'fastest']) for group, contract in columns]
    lines = ['|'.join(['|operation|class', *names, '']), '|---|---' + '|--:' * len(columns) + '|']
    lines += ['|'.join([f'|{op}|{kind}', *(figure(groups[group][op, kind, 'f32'], contract)
                                           for group, contract in columns), ''])
              for op, kind, dtype in first if dtype == 'f32']
    return markdown.publish('price', '\n'.join(lines) + '\n', asked)


lib.run(main)
