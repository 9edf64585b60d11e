# SPDX-License-Identifier: MIT
"""Additions per second against additions per byte that the kernel moves by design: several passes
are further left. A point is a family's best row among the operation's largest tensors (at least
half as many elements as the largest)."""
import math

from run_data import Grid


def point(cell):
    """Additions per byte moved, and per second."""
    elems = math.prod(cell.shape)
    return elems / (cell.bytes * max(cell.passes, 1)), elems / (cell.us * 1e-6)


def best_of_families(grid):
    """Each family's best cell among the large shapes, by its share."""
    largest = max((math.prod(cell.shape) for cell in grid.best.values() if cell.rank == 1),
                  default=0)
    best = {}
    for shape in grid.shapes:
        for cell in grid.at(shape):
            if (cell.share > 0 and not cell.calls_others and 2 * math.prod(shape) >= largest and
                    (cell.family not in best or (cell.firm, cell.share) >
                     (best[cell.family].firm, best[cell.family].share))):
                best[cell.family] = cell
    return [best[family] for family in grid.families if family in best]


def slopes_of(run):
    """GB/s of each twin, at the most elements."""
    slopes = {}
    for op in run.ops:
        probes = [line for line in run.ceilings
                  if line.twin == op and line.dtype == run.dtype and line.cache == run.cache and
                  not line.at_end]
        if probes:
            slopes[op] = max(probes, key=lambda line: (line.elems, line.rate)).rate
    return slopes


def blocks(run):
    slopes, points, names = slopes_of(run), [], []
    for op in run.ops:
        if op in run.twins or op == 'flip':  # which add nothing
            continue
        cells = best_of_families(Grid(run, op))
        number = len(names) + 1
        points += [(number, *point(cell)) for cell in cells]
        if cells:
            top = max(cells, key=lambda cell: cell.share)
            names.append((number, *point(top), f'{op}: {top.variant} {top.share:.1f} %'))
    adder = 'f64' if run.dtype == 'f64' else 'f32'  # half types are added in f32
    roof = max((line.rate for line in run.ceilings
                if not line.twin and line.dtype == adder and line.cache == run.cache), default=0)
    texts = {
        'title': f'Roofline, {run.dtype}: measured slopes, measured roof',
        'subtitle': f"{run.where()} Point: a family's best at the largest tensors. Key: the best "
                    'of each operation.',
        'roof': round(1e9 * roof), 'slopes': len(slopes), 'ops': len(names)}
    return names and slopes and [
        texts, [(k, 1e9 * gbps, f'{op} {gbps:.4g} GB/s')
                for k, (op, gbps) in enumerate(slopes.items(), 1)], points, names]
