# SPDX-License-Identifier: MIT
"""Timed cells of runs over several ranks, and a model of the time, fitted to them.

A launch over N ranks takes a + e (N - 1) + k t microseconds. Here t is the time of its bytes
at all ranks' ceilings together, as they are at the largest size; a is the latency at
any size, e the cost of each further rank, k the equivalent number of passes. Each operation, type,
variant and kind of shape is fitted by least squares of the relative error. Rows of a single number
of ranks do not separate e from a: e is then 0, and part of the latency. There is no model unless
there are more rows than parameters."""
import math
import pathlib
import types

import lib

TWINS = {'copy', 'masked_copy', 'read', 'write'}
LATENCY, EACH_RANK, PASSES = range(3)


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
    """The time of reading f32 over a copy's, at the largest probes of ceilings.csv, or None."""
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
    largest = max((cell for cell in [of, *cells] if (cell.op, cell.dtype, cell.ranks) == (
        of.op, of.dtype, of.ranks)), key=lambda cell: cell.bytes)
    return of.bytes / (largest.ceiling_gbps * 1e3)


class Fit:
    """Fits the `fitted` cells; the error is that of `held_out`, if there are any."""

    def __init__(self, cells, fitted, held_out=()):
        self.knows_each = any(cell.ranks != fitted[0].ranks for cell in fitted)
        self.is_tried = len(fitted) > (3 if self.knows_each else 2)
        matrix = [[0.0] * 4 for _ in range(3)]
        for cell in fitted:
            terms = [1, cell.ranks - 1, ideal_us(cells, cell)]
            for row in range(3):
                weight = terms[row] / cell.us / cell.us
                for column, by in enumerate([*terms, cell.us]):
                    matrix[row][column] += weight * by
        self.by = solve(matrix)
        self.worst_pct = max((100 * abs(self.us(cell.ranks, ideal_us(cells, cell)) / cell.us - 1)
                              for cell in held_out or fitted), default=0.0)

    def us(self, ranks, ideal):
        return self.by[LATENCY] + self.by[EACH_RANK] * (ranks - 1) + self.by[PASSES] * ideal


def solve(matrix):
    """Solves by Gaussian elimination; undetermined parameters are 0."""
    for at in (PASSES, LATENCY, EACH_RANK):
        if abs(matrix[at][at]) <= 1e-9:
            matrix[at] = [0.0] * 4
            continue
        for row in range(3):
            if row != at:
                times = matrix[row][at] / matrix[at][at]
                matrix[row] = [l - times * r for l, r in zip(matrix[row], matrix[at])]
    return [row[3] / row[at] if abs(row[at]) > 1e-9 else 0.0 for at, row in enumerate(matrix)]


def fits(cells, fit_to):
    """The cells and the model, fitted up to so many ranks, of each kind of shape and variant."""
    own = {}
    for cell in cells:
        own.setdefault((kind_of(cell), cell.variant), []).append(cell)
    return {name: (same, Fit(cells, [cell for cell in same if cell.ranks <= fit_to],
                             [cell for cell in same if cell.ranks > fit_to]))
            for name, same in own.items()}


def pays_from(cells, own):
    """The bytes from which every size is faster over 2 ranks than the best over 1."""
    pairs = [(cell, alone_us(cells, cell)) for cell in own if cell.ranks == 2]
    loses = max((cell.bytes for cell, alone in pairs if math.inf > alone <= cell.us), default=0)
    return min((cell.bytes for cell, alone in pairs if alone < math.inf and cell.bytes > loses),
               default='')
