# SPDX-License-Identifier: MIT
"""Every family, the fastest first, at the largest shape that most ran (four in five)."""
import math
import textwrap

WIDTH = 101  # characters of a line of notes
NOTES = {'correct, but too slow to be timed': ('slow', 'untried'),
         'failed': ('wrong', 'error', 'timeout'), 'unsupported shape': ('skip',)}


def pick_shape(grid, strided):
    ran = {shape: sum(cell.share > 0 for cell in grid.at(shape))
           for shape in grid.shapes if (shape[2] > 1) == strided}
    return max((shape for shape in ran if ran[shape] >= 0.8 * max(ran.values())), default=None,
               key=lambda shape: (math.prod(shape), ran[shape]))


def bar(place, cell):
    """rank, per cent, the interval's ends, per cent that its passes allow, GB/s, name,
    note, 1 if firm"""
    note = (cell.status if not cell.firm else
            'above its ceiling' if 'above_ceiling' in cell.marks else
            'tied with the fastest' if cell.tied and place > 1 else '')
    return (place, cell.share, *(cell.share * end for end in cell.ends), 100 / cell.passes,
            cell.gbps, cell.variant, note, int(cell.firm))


def row_of_best(grid, shape, bars):
    """rank, per cent of `best`, at the family with the nearest time: usually what it called"""
    for cell in grid.at(shape):
        if cell.calls_others and cell.share > 0:
            apart = [abs(math.log(other.us / cell.us)) for other in bars]
            return apart.index(min(apart)) + 1, cell.share
    return math.nan, math.nan


def other_types(grid, shape, bars):
    """rank, per cent and type of the same family in other types"""
    run, ranks = grid.run, {cell.family: place for place, cell in enumerate(bars, 1)}
    return [(ranks[cell.family], cell.share, run.dtypes.index(cell.dtype))
            for cell in run.cells
            if cell.op == grid.op and cell.cache == run.cache and cell.dtype != run.dtype and
            cell.shape == shape and cell.rank > 0 and cell.share > 0 and cell.family in ranks]


def notes_of(grid, shape):
    """The families without a time, by reason, wrapped."""
    lines = []
    for reason, statuses in NOTES.items():
        families = [family for family in grid.families
                    if grid.untimed.get((shape, family)) in statuses]
        if families:
            text = f'{reason}: {" ".join(families)}'
            lines += [(line,) for line in textwrap.wrap(text, WIDTH, subsequent_indent='    ',
                                                        break_on_hyphens=False)]
    return lines


def blocks(grid, strided):
    shape = pick_shape(grid, strided)
    run, bars = grid.run, sorted((cell for cell in grid.at(shape) if cell.rank > 0 and
                                  cell.share > 0), key=lambda cell: cell.rank)
    if not bars:
        return None
    types, notes = other_types(grid, shape, bars), notes_of(grid, shape)
    used = {dtype for *_, dtype in types}
    return [{
        'title': f'{grid.op}, {run.dtype}, {"x".join(map(str, shape))}: fraction of the measured '
                 'ceiling',
        'subtitle': f'{run.where()} Blue: fastest; green: CUB. Tick: limit by passes over memory.',
        'bars': len(bars), 'notes': len(notes),
        'most': max(102., *(cell.share for cell in bars)),
        **{f'type{k}': dtype if k in used else '' for k, dtype in enumerate(run.dtypes)}},
        [bar(place, cell) for place, cell in enumerate(bars, 1)], [row_of_best(grid, shape, bars)],
        [(math.nan,) * 3, *types], notes or [('.',)]]
