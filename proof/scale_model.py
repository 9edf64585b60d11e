# SPDX-License-Identifier: MIT
"""A model of the time over several ranks, fitted to runs with --ranks.

A launch over N ranks takes a + e (N - 1) + k t microseconds. Here t is the time
that all ranks' ceilings together, as they are at the largest size, would take for
its bytes; a is the latency at any size, e the cost of each further rank, k the
equivalent number of passes. Each operation, type, variant and kind of shape is fitted
by least squares of the relative error. Rows of a single number of ranks do not
separate e from a: e is then empty, and part of the latency. The error is empty if
there are no more rows than parameters. A curve is printed only if more rows than
that separate all three, and none is negative. From pays_from bytes on, every
measured size is faster over 2 ranks than the best over 1; the two models meet at
model_pays_from.
"""
import math

from scale_cells import alone_us, ideal_us

LATENCY, EACH_RANK, PASSES = range(3)


class Fit:
    """Fits the `fitted` cells; the error is that of `held_out`, if there are any."""

    def __init__(self, cells, fitted, held_out=()):
        self.used, self.held_out = len(fitted), len(held_out)
        self.ranks = fitted[0].ranks if fitted else 0
        self.knows_each = any(cell.ranks != self.ranks for cell in fitted)
        parameters = 3 if self.knows_each else 2
        self.is_known, self.is_tried = self.used >= parameters, self.used > parameters
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

    def has_curve(self):
        return (self.is_tried and self.knows_each and self.by[LATENCY] >= 0
                and self.by[EACH_RANK] >= 0 and self.by[PASSES] > 0)


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


def pays_from(cells, own):
    """Returns the size in bytes from which two ranks beat the best of one, as measured."""
    pairs = [(cell, alone_us(cells, cell)) for cell in own if cell.ranks == 2]
    loses = max((cell.bytes for cell, alone in pairs if math.inf > alone <= cell.us), default=0)
    return min((cell.bytes for cell, alone in pairs if alone < math.inf and cell.bytes > loses),
               default='')


def model_pays_from(cells, kind, fit):
    """Returns that size by the two models; NaN if they do not meet or one is unknown."""
    alone = Fit(cells, [cell for cell in kind
                        if cell.ranks == 1 and cell.us == alone_us(cells, cell)])
    if not (fit.knows_each or fit.ranks == 2) or not fit.is_tried or not alone.is_tried:
        return math.nan
    us_per_byte = [next((ideal_us(cells, cell) / cell.bytes for cell in kind
                         if cell.ranks == ranks), math.nan) for ranks in (1, 2)]
    gain = alone.by[PASSES] * us_per_byte[0] - fit.by[PASSES] * us_per_byte[1]
    return max(fit.us(2, 0) - alone.us(1, 0), 0.0) / gain if gain > 0 else math.nan
