# SPDX-License-Identifier: MIT
"""A model of the time over several ranks, fitted to runs with --ranks.

A launch over N ranks takes a + e (N - 1) + k t microseconds. Here t is the time
that all ranks' ceilings together, as they are at the largest size, would take for
its bytes; a is the latency at any size, e the cost of each further rank, k the
equivalent number of passes. Each operation, type, variant and kind of shape is fitted
by least squares of the relative error. Rows of a single number of ranks do not
separate e from a: e is then 0, and part of the latency. There is no model unless there
are more rows than parameters.
"""
import math

from scale_cells import alone_us, ideal_us, kind_of

LATENCY, EACH_RANK, PASSES = range(3)
MOST_RANKS = 8  # as in src/ranks.h


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
    """Returns by operation, type, kind of shape and variant the cells, and the model of those over
    at most so many ranks."""
    own = {}
    for cell in cells:
        own.setdefault((kind_of(cell), cell.variant), []).append(cell)
    return {name: (same, Fit(cells, [cell for cell in same if cell.ranks <= fit_to],
                             [cell for cell in same if cell.ranks > fit_to]))
            for name, same in own.items()}


def pays_from(cells, own):
    """Returns the size in bytes from which every measured one is faster over 2 ranks than the best
    over 1."""
    pairs = [(cell, alone_us(cells, cell)) for cell in own if cell.ranks == 2]
    loses = max((cell.bytes for cell, alone in pairs if math.inf > alone <= cell.us), default=0)
    return min((cell.bytes for cell, alone in pairs if alone < math.inf and cell.bytes > loses),
               default='')
