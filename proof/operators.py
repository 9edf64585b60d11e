#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the median share of the ceiling, per cent, of `best` and of its alternatives, by
operation and type, as Markdown.

RESULTS is a run or a folder of runs, or several of one GPU, joined by commas: the first that has an
operation and a column counts, and only operations of the very first have a row. Several words get
columns of their own, named by where their paths differ. A variant that was too slow to be timed
counts with its verified launch. Without DTYPE, `best` has its lower quartile, too, over many shapes.

DTYPE=f32 leaves other types out; beside it, ROWS=i32 gives operations of that type rows of their
own, of any set. SHOWN names columns (default: "best torch_eager torch_compile jax cupy"; also peak,
best in per cent of the bandwidth in the data sheet, and cub, the best of CUB's calls)."""
import os
import pathlib
import statistics

import lib
import markdown

TITLES = {'best': 'best', 'peak': 'of peak', 'cub': 'CUB', 'torch_eager': 'torch',
          'torch_compile': 'compiled', 'jax': 'JAX', 'cupy': 'CuPy'}
VARIANTS = {'torch_eager': ['torch_eager', 'torch_eager_with_indices'],
            'cub': ['cub_device_scan', 'cub_scan_by_key', 'cub_segmented_reduce']}
SHOWN = os.environ.get('SHOWN', 'best torch_eager torch_compile jax cupy').split()
MANY = 12  # shapes
DTYPE, ROWS = os.environ.get('DTYPE', ''), os.environ.get('ROWS', '')
OF_TYPES = ['--dtype', f'{DTYPE},{ROWS}'.rstrip(',')] if DTYPE else []


def shares(set_, variant):
    """(operation, type, shape), share of each cell."""
    for row in lib.table(lib.printed('regret', set_, '--variant', variant, *OF_TYPES, '--cells',
                                     none=77)):
        if row['status'] in ('ok', 'suspect', 'unstable', 'slow') and row['us'] != 'inf':
            # torch must also write these: an index of 64 bits per element
            bits = 8 if row['dtype'] in ('u8', 'bool') else int(row['dtype'][-2:])
            times = 1 + 64 / (2 * bits) if variant.endswith('_indices') else 1
            yield row, float(row['share_pct'] or 0) * times


def peaks(set_):
    for path in sorted(pathlib.Path(set_).rglob('manifest.csv')):
        bus = float(lib.manifest(path.parent).get('attribute_peak_gbps') or 0)
        for row in lib.table(lib.printed('table', path.parent, '-f', '/best/', *OF_TYPES,
                                         '--format', 'csv')):
            if row['status'] == 'ok' and bus > 0:
                yield row, 100 * float(row['gbps']) / bus


def cells(groups):
    """Group, set, column, operation, type, shape and share of each cell."""
    for group in groups:
        for set_ in group.split(','):
            for column in SHOWN:
                for variant in VARIANTS.get(column, [column]):
                    for row, share in peaks(set_) if variant == 'peak' else shares(set_, variant):
                        own = row['dtype'] == ROWS
                        yield (group, set_, column, f'{row["op"]} {ROWS}' if own else row['op'],
                               DTYPE if own else row['dtype'],
                               (row['outer'], row['axis'], row['inner']), share)


def main():
    asked = markdown.parse(__doc__)
    groups, rows, types = asked.results.split(), {}, {}
    first, set_of, best = None, {}, {}
    for group, set_, column, op, dtype, shape, share in cells(groups):
        first, at = first or set_, (group, column, dtype, op)
        if set_ == first or ' ' in op:
            rows.setdefault(op)
        if set_of.setdefault(at, set_) == set_ and op in rows:
            types.setdefault(dtype)
            own = best.setdefault(at, {})
            own[shape] = max(share, own.get(shape, 0))
    if not rows:
        lib.die(f'no cells in {asked.results}', 77)
    columns = [(group, column, dtype) for group in groups for column in SHOWN for dtype in types
               if any((group, column, dtype, op) in best for op in rows)]

    paths = [group.replace(',', '/').split('/') for group in groups]
    names = [name.capitalize().replace('_', ' ')
             for name in next((parts for parts in zip(*paths) if len({*parts}) > 1), groups)]

    def title(group, column, dtype):
        return ' '.join([*[names[groups.index(group)]] * (len(groups) > 1),
                         *[TITLES.get(column, '')] * (len(SHOWN) > 1 or len(types) == 1),
                         *[dtype] * (len(types) > 1)])

    def figure(at):
        if at not in best:
            return '–'
        values = [*best[at].values()]
        low = statistics.quantiles(values, n=4, method='inclusive')[0] if quartiles(at) else 0
        return f'{low:.0f}/' * quartiles(at) + f'{statistics.median(values):.0f}'

    def quartiles(at):
        return not DTYPE and at[1] == 'best' and len(best.get(at, '')) >= MANY
    named = ', ' if not ROWS else ' unless named, '
    types_words = ''.join(dtype + named for dtype in types if len(types) == 1)
    runs = asked.results.replace(' ', ',').replace(',', '`, `')
    many = ' (of many: lower quartile/median)' * any(map(quartiles, best))
    lines = [f'Median per cent of the ceiling{many}, {types_words}over the shapes of `{runs}`:', '',
             '|'.join(['|operation', *(title(*column) for column in columns), '']),
             '|---' + '|--:' * len(columns) + '|']
    lines += ['|'.join([f'|{op}', *(figure((*column, op)) for column in columns), ''])
              for op in rows]
    return markdown.publish('operators', '\n'.join(lines) + '\n', asked)


lib.run(main)
