#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the model of scale_model.py to the CSVs of runs with --ranks."""
import argparse
import math
import sys

from scale_cells import alike, ideal_us, read_cells
from scale_model import EACH_RANK, Fit, LATENCY, PASSES, model_pays_from, pays_from

NAMES = ['op', 'dtype', 'outer', 'inner', 'variant']


def put(*fields):
    print(','.join((f'{field:.9g}' if math.isfinite(field) else '')
                   if isinstance(field, float) else str(field) for field in fields))


def curves(cells, most, fit_to=sys.maxsize):
    """Yields strong scaling of the largest measured problem, and weak scaling with as much per rank
    as two ranks had: a cell, the kind of scaling, ranks, time, and share of all ceilings."""
    for _, _, own, fit in fits(cells, fit_to):
        largest = max(reversed(own), key=lambda cell: cell.bytes)
        alone = ideal_us(cells, largest) * largest.ranks
        for ranks in [2**k for k in range(most.bit_length())] if fit.has_curve() else ():
            for scaling, ideal in ('strong', alone / ranks), ('weak', alone / 2):
                us = fit.us(ranks, ideal)
                yield largest, scaling, ranks, us, ideal / us


def fits(cells, fit_to=sys.maxsize):
    """Yields per operation, type, kind of shape and variant its first cell, all cells of the kind,
    its own, and the model."""
    done = set()
    for cell in cells:
        name = tuple(getattr(cell, name) for name in NAMES)
        if name not in done:
            done.add(name)
            kind = [other for other in cells if alike(other, cell)]
            own = [other for other in kind if other.variant == cell.variant]
            yield cell, kind, own, Fit(cells, [other for other in own if other.ranks <= fit_to],
                                       [other for other in own if other.ranks > fit_to])


def put_models(cells, fit_to):
    put(*NAMES, 'rows', 'latency_us', 'rank_us', 'passes', 'held_out', 'worst_pct', 'pays_from',
        'model_pays_from')
    for cell, kind, own, fit in fits(cells, fit_to):
        put(*(getattr(cell, name) for name in NAMES), fit.used,
            fit.by[LATENCY] if fit.is_known else math.nan,
            fit.by[EACH_RANK] if fit.is_known and fit.knows_each else math.nan,
            fit.by[PASSES] if fit.is_known else math.nan, fit.held_out,
            fit.worst_pct if fit.is_tried else math.nan, pays_from(cells, own),
            model_pays_from(cells, kind, fit))


def main():
    parser = argparse.ArgumentParser(
        description='Prints, as CSV, the model fitted to the CSVs of runs over ranks.',
        epilog='Exit status: 0; 2 usage or bad input, or nothing to fit.')
    parser.add_argument('--curve', type=int, metavar='MOST',
                        help="print the model's shares of all ceilings up to MOST ranks")
    parser.add_argument('--fit-to', type=int, default=sys.maxsize, metavar='N',
                        help='fit rows of at most N ranks')
    parser.add_argument('file', nargs='+')
    words = parser.parse_args()
    cells, ok = [], True
    for path in words.file:
        ok = read_cells(path, cells) and ok
    if ok and not cells:
        print('scale: no row was timed over ranks: scanbench run --ranks N', file=sys.stderr)
    if not ok or not cells:
        return 2
    if not words.curve:
        put_models(cells, words.fit_to)
        return 0
    put(*NAMES, 'scaling', 'ranks', 'us', 'share')
    for cell, *point in curves(cells, words.curve, words.fit_to):
        put(*(getattr(cell, name) for name in NAMES), *point)
    return 0


if __name__ == '__main__':
    sys.exit(main())
