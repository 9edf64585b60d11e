# SPDX-License-Identifier: MIT
"""Additions per second against additions per byte that the kernel moves by design: several passes
are further left. A point is a family's best row among the operation's largest tensors (at least
half as many elements as the largest)."""
import math

from run_data import Grid


def best_of_families(grid):
    """Each family's best cell among the large shapes, by its share."""
    largest = max((math.prod(cell.shape) for cell in grid.best.values() if cell.rank == 1),
                  default=0)
    cells = [cell for shape in grid.shapes if 2 * math.prod(shape) >= largest
             for cell in grid.at(shape) if cell.share > 0 and not cell.calls_others]
    best = {cell.family: cell for cell in sorted(
        reversed(cells), key=lambda cell: (cell.firm, cell.share))}  # the last, first of equals
    return [best[family] for family in grid.families if family in best]


def point(number, cell, label):
    """The operation's number, additions per byte moved, and per second, passes, label."""
    elems = math.prod(cell.shape)
    return (number, elems / (cell.bytes * max(cell.passes, 1)), elems / (cell.us * 1e-6),
            f'{cell.passes:.3g}', label)


def ceiling_of(run, twin, cache):
    """GB/s at the most elements."""
    return max(((line.elems, line.rate) for line in run.ceilings
                if line.twin == twin and line.dtype == run.dtype and line.cache == cache and
                not line.at_end), default=(0, 0))[1]


def blocks(run):
    points, twins = [], set()
    for number, op in enumerate(run.ops, 1):
        adds = op not in run.twins and op != 'flip'
        cells = best_of_families(Grid(run, op)) if adds else []
        points += [point(number, cell, '.') for cell in cells]
        for top in sorted(cells, key=lambda cell: -cell.share)[:1]:
            points.append(point(number, top, f'{op} {top.share:.1f} %'))
            twins.add(run.twin_of[op, run.dtype])
    adder = 'f64' if run.dtype == 'f64' else 'f32'  # half types are added in f32
    roof = max((line.rate for line in run.ceilings
                if not line.twin and line.dtype == adder and line.cache == run.cache), default=0)
    slopes = [(1, op, ceiling_of(run, op, run.cache)) for op in run.ops if op in twins]
    slopes.append((2, 'memory bus', float(run.facts['attribute_peak_gbps'] or 0)))
    if run.cache == 'cold':
        slopes.append((3, 'copy within the cache', ceiling_of(run, 'copy', 'hot')))
    return points and [{
        'title': f'Roofline, {run.dtype}: memory sets the limit',
        'subtitle': f"{run.where()} Solid: measured. Point: a family's best at the largest "
                    'tensors.',
        'roof': round(1e9 * roof)},  # bytes per second, style of line, name
        [(1e9 * gbps, style, f'{name}: {gbps:.0f} GB/s')
         for style, name, gbps in slopes if gbps > 0], points]
