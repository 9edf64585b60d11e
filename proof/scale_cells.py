# SPDX-License-Identifier: MIT
"""Timed cells of runs over several ranks."""
import csv
import math
import pathlib
import subprocess
import sys
import types

import lib

DTYPE_BYTES = {'f32': 4, 'f64': 8, 'f16': 2, 'bf16': 2}
TWINS = {'copy', 'masked_copy', 'read', 'write'}


def bytes_of(cell):
    """Returns the compulsory traffic of a scan or sum, like op_bytes() of src/model/op.c."""
    lines, size = cell.outer * cell.inner, DTYPE_BYTES[cell.dtype]
    out = lines if cell.op == 'sum' else lines * cell.axis
    return (lines * cell.axis + out) * size + lines * cell.axis * cell.op.startswith('masked')


def cell_of(row, ranks):
    cell = types.SimpleNamespace(**row, ranks=ranks)
    for name in ['outer', 'axis', 'inner']:
        setattr(cell, name, int(row[name]))
    for name in ['us', 'ceiling_gbps', 'pct_ceiling']:
        setattr(cell, name, float(row[name]))
    cell.bytes = bytes_of(cell)
    return cell


def table_of(run):
    """Returns the rows of `scanbench table`, whose complaints are shown."""
    done = subprocess.run([lib.SCANBENCH, 'table', run, '--format', 'csv'],
                          stdout=subprocess.PIPE, encoding='latin-1', check=False)
    if done.returncode:
        sys.exit(2)
    return lib.table(done.stdout)


def read_cells(runs):
    """Returns the cells of a folder of runs, each of which is over one number of ranks."""
    lib.need_scanbench()
    cells = []
    for run in sorted(path.parent for path in pathlib.Path(runs).glob('*/manifest.csv')):
        ranks = max((int(row['ranks'] or 0) for _, rows in lib.tables(run) for row in rows),
                    default=0)
        cells += [cell_of(row, ranks) for row in table_of(run)
                  if row['us'] and row['ceiling_gbps'] and row['op'] not in TWINS]
    return cells


def read_rate(path):
    """Returns the time of reading f32 relative to a copy, at the largest probes of a run's
    ceilings.csv, or None."""
    best = {}
    with open(path, encoding='utf-8', newline='') as file:
        for line in csv.DictReader(file):
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
