# SPDX-License-Identifier: MIT
"""Every family of an operation at one shape, the fastest first: the largest of the shapes that
most families ran (at least four in five)."""
import math

WIDTH = 120  # characters of a line of notes
NOTES = {'correct, but too slow to be timed': ('slow', 'untried'),
         'failed': ('wrong', 'error', 'timeout'), 'refused': ('skip',)}


def ran_at(grid, shape):
    return sum(cell.share > 0 for cell in grid.at(shape))


def pick_shape(grid, strided):
    shapes = [shape for shape in grid.shapes if (shape[2] > 1) == strided and ran_at(grid, shape)]
    most = max((ran_at(grid, shape) for shape in shapes), default=0)
    return max((shape for shape in shapes if ran_at(grid, shape) >= 0.8 * most), default=None,
               key=lambda shape: (math.prod(shape), ran_at(grid, shape)))


def note(cell):
    """The text at its bar."""
    if not cell.firm:
        return cell.status
    if 'above_ceiling' in cell.marks:
        return 'above its ceiling'
    return 'tied with the fastest' if cell.tied and cell.rank > 1 else ''


def bar(grid, place, cell):
    """rank, per cent, the interval's ends, per cent that its passes allow, GB/s, colour, shape of
    point, name, note, 1 if firm"""
    low, high = (cell.share * cell.us / end if end > 0 else cell.share
                 for end in (cell.high, cell.low))
    return (place, float(cell.share), low, high, 100 / cell.passes, float(cell.gbps),
            *grid.run.look(grid.op, cell.family), cell.variant, note(cell), int(cell.firm))


def row_of_best(grid, shape, bars):
    """rank, per cent of `best`, at the family whose time is nearest to its own: the one that it
    called, if that was measured."""
    for cell in grid.at(shape):
        if cell.calls_others and cell.share > 0 and bars:
            apart = [abs(math.log(other.us / cell.us)) for other in bars]
            return apart.index(min(apart)) + 1, float(cell.share)
    return math.nan, math.nan


def other_types(grid, shape, bars):
    """rank, per cent and type of the same family in other types"""
    run, ranks = grid.run, {cell.family: place for place, cell in enumerate(bars, 1)}
    return [(ranks[cell.family], float(cell.share), run.dtypes.index(cell.dtype))
            for cell in run.cells
            if cell.op == grid.op and cell.cache == run.cache and cell.dtype != run.dtype and
            cell.shape == shape and cell.rank > 0 and cell.share > 0 and cell.family in ranks]


def notes_of(grid, shape):
    """The families without a time, by reason, wrapped."""
    lines = []
    for reason, statuses in NOTES.items():
        line = f'{reason}:'
        families = [family for family in grid.families
                    if grid.untimed.get((shape, family)) in statuses]
        for family in families:
            if len(line) + len(family) > WIDTH:
                lines.append((line,))
                line = '   '
            line += f' {family}'
        lines += [(line,)] * bool(families)
    return lines


def blocks(grid, strided):
    shape = pick_shape(grid, strided)
    if not shape:
        return None
    run = grid.run
    bars = sorted((cell for cell in grid.at(shape) if cell.rank > 0 and cell.share > 0),
                  key=lambda cell: cell.rank)
    types, notes = other_types(grid, shape, bars), notes_of(grid, shape)
    used = {dtype for *_, dtype in types}
    texts = {
        'title': f'{grid.op}, {run.dtype}, {"x".join(map(str, shape))}: fraction of the measured '
                 'ceiling',
        'subtitle': f'{run.where()} Best tuning point of each family. Tick: the most that its '
                    'passes over memory allow.',
        'bars': len(bars), 'notes': len(notes),
        'most': float(max([102, *(cell.share for cell in bars)])),
        **{f'type{k}': dtype if k in used else '' for k, dtype in enumerate(run.dtypes)}}
    return bars and [texts, [bar(grid, place, cell) for place, cell in enumerate(bars, 1)],
                     [row_of_best(grid, shape, bars)], [(math.nan,) * 3, *types],
                     notes or [('.',)]]
