#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the time of all other variants of a run relative to `best` on the same problem: median and
minimum by operation, and the cells that are faster than best. Made for runs with --frameworks.

Variants that were too slow to be timed count with the time of their verified launch. The number of
cells without any time is printed last. Needs no GPU; SCANBENCH names the program. Exit status: 0; 2
usage or bad input; 77 no cell beside one of best."""
import argparse
import collections
import itertools
import pathlib
import statistics

import lib

Cell = collections.namedtuple('Cell', 'op kind variant times at us best_us')


def variants_of(run):
    found = dict.fromkeys(row['variant'] for _, rows in lib.tables(run) for row in rows)
    return ['best', *(name for name in found if name != 'best')]


def cells_of(runs):
    """The cells beside one of best, of which the first run's counts, and the number of those
    without a time."""
    best, cells, lost = {}, {}, {}
    for run in runs:
        if not lib.manifest(run):
            lib.die(f'no run: {run}')
        for row in [row for name in variants_of(run) for row in lib.regrets(run, name)]:
            problem = row['op'], row['dtype'], '{outer}x{axis}x{inner}'.format(**row)
            at, us = (row['variant'], *problem), float(row['us'] or 'inf')
            if row['status'] in ('untried', 'timeout', 'error', 'wrong') and (run, problem) in best:
                lost.setdefault(at, f'{at[0]} ({row["status"]})')
            if us == float('inf') or row['status'] not in ('ok', 'unstable', 'slow'):
                continue
            if at[0] == 'best':
                best[run, problem] = us
            elif (run, problem) in best:
                cells.setdefault(at, Cell(
                    problem[0], row['class'], at[0], us / best[run, problem],
                    '/'.join((problem[0], at[0], *problem[1:])), us, best[run, problem]))
    return sorted(cells.values()), sorted(collections.Counter(lost.values()).items())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--classes', action='store_true',
                        help='by operation and class of shape; all faster cells, not ten')
    parser.add_argument('runs', metavar='RUN', nargs='+', type=pathlib.Path)
    asked = parser.parse_args()
    lib.need_scanbench()
    cells, lost = cells_of(asked.runs)
    if not cells:
        lib.die('nothing beside best in there', 77)

    def group_of(cell):
        return (cell.op, *([cell.kind] if asked.classes else []), cell.variant)
    groups = [(name, sorted(cell.times for cell in own)) for name, own in
              itertools.groupby(sorted(cells, key=group_of), group_of)]
    print("times best's time".ljust(35), 'cells  median  least  ahead')
    for name, own in groups:
        print(f'{" ".join(name):35} {len(own):5} {statistics.median(own):7.2f} {own[0]:6.2f} '
              f'{sum(ratio < 1 for ratio in own):6}')
    ahead = sorted((cell for cell in cells if cell.times < 1), key=lambda cell: cell.times)
    print(f'faster than best: {len(ahead)} of {len(cells)} cells'
          + ('; times, us, best us' if ahead else ''))
    shown = ahead if asked.classes else ahead[:10]
    for cell in shown:
        print(f'  {cell.at:50} {cell.times:5.3f} {cell.us:9.4g} {cell.best_us:9.4g}')
    if len(ahead) > len(shown):
        print(f'  … {len(ahead) - len(shown)} more (--classes lists all)')
    if lost:
        print('left out, as they have no time:', ', '.join(f'{n} of {one}' for one, n in lost))
    return 0


lib.run(main)
