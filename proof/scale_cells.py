# SPDX-License-Identifier: MIT
"""Timed cells of runs over several ranks."""
import math
import pathlib
import types

import lib

TWINS = {'copy', 'masked_copy', 'read', 'write'}


def cell_of(row, ranks):
    cell = types.SimpleNamespace(**row, ranks=ranks)
    for name in ['outer', 'axis', 'inner']:
        setattr(cell, name, int(row[name]))
    for name in ['us', 'gbps', 'ceiling_gbps', 'pct_ceiling']:
        setattr(cell, name, float(row[name]))
    elements = cell.outer * cell.axis * cell.inner
    cell.bytes = round(cell.us * cell.gbps * 1e3 / elements, 3) * elements  # of rounded figures
    return cell


def read_cells(runs):
    """Returns the cells of a folder of runs, each of which is over one number of ranks."""
    cells = []
    for run in sorted(path.parent for path in pathlib.Path(runs).glob('*/manifest.csv')):
        ranks = max((int(row['ranks'] or 0) for _, rows in lib.tables(run) for row in rows),
                    default=0)
        rows = lib.table(lib.printed('table', run, '--format', 'csv', stderr=None))
        cells += [cell_of(row, ranks) for row in rows
                  if row['us'] and row['ceiling_gbps'] and row['op'] not in TWINS]
    return cells


def read_rate(path):
    """Returns the time of reading f32 relative to a copy, at the largest probes of a run's
    ceilings.csv, or None."""
    best = {}
    for line in lib.table(pathlib.Path(path).read_text('latin-1')):
        if [line.get(name) for name in ('kind', 'dtype', 'cache', 'phase')] == [
                'traffic', 'f32', 'cold', 'start']:
            probe = int(line['elems']), float(line['gbps'])
            best[line['twin']] = max(probe, best.get(line['twin'], probe))
    return best['copy'][1] / (2 * best['read'][1]) if {'copy', 'read'} <= {*best} else None


def kind_of(cell):
    return f'{cell.op} {cell.dtype} {cell.outer}xNx{cell.inner}'


def alone_us(cells, of):
    """Returns the best time of the problem on one rank, infinite if not measured."""
    return min((cell.us for cell in cells
                if cell.ranks == 1 and cell.axis == of.axis and kind_of(cell) == kind_of(of)),
               default=math.inf)


def ideal_us(cells, of):
    """Returns the time at the ceilings of all ranks, taken from the largest problem over as
    many ranks, since the ceiling at its own size includes the latency of a launch."""
    largest = of
    for cell in cells:
        if (cell.op, cell.dtype, cell.ranks) == (of.op, of.dtype, of.ranks) and \
                cell.bytes > largest.bytes:
            largest = cell
    return of.bytes / (largest.ceiling_gbps * 1e3)
