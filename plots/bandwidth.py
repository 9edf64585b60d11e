# SPDX-License-Identifier: MIT
"""GB/s of compulsory bytes, a curve per family with its best tuning point at each place. By
length: contiguous lines, at the power of two of elements with the most lengths. By size: a
contiguous shape for each power of two of elements, the one nearest to a square."""
import collections
import math

COLOURED = 7  # curves that have a colour, as in style.gp
GAP = (math.nan, math.nan, 1, math.nan, math.nan)


def power_of(shape):
    """The nearest power of two of its elements."""
    return math.floor(math.log2(math.prod(shape)) + 0.5)


def skew(shape):
    """Powers of two between the extents."""
    return abs(math.log2(shape[0] / shape[1]))


def squares_of(shapes):
    """The squares if there are enough, or else the shapes nearest to one."""
    nearest = {}
    for shape in shapes:
        if power_of(shape) not in nearest or skew(shape) < skew(nearest[power_of(shape)]):
            nearest[power_of(shape)] = shape
    few = sum(skew(shape) <= 1 for shape in shapes) < 3
    return [shape for shape in nearest.values() if few or skew(shape) <= 1]


class Plot:
    def __init__(self, grid, by_length):
        self.grid, self.by_length = grid, by_length
        shapes = [shape for shape in grid.shapes
                  if shape[2] == 1 and math.prod(shape) and grid.at(shape)]
        counts = collections.Counter(map(power_of, shapes))
        self.power = max(counts, key=lambda power: (counts[power], power), default=0)
        self.places = sorted((shape for shape in shapes if power_of(shape) == self.power)
                             if by_length else squares_of(shapes), key=self.x_of)
        self.even = [shape for shape in self.places if not self.is_odd(shape)]
        self.families = self.find_families()

    def x_of(self, shape):
        return shape[1] if self.by_length else self.grid.at(shape)[0].bytes

    def is_odd(self, shape):
        """An odd length near a power of two that is drawn (4095, 4097): a circle off the curve."""
        def power(axis):
            return axis & (axis - 1) == 0
        return self.by_length and not power(shape[1]) and any(
            power(other) and abs(shape[1] / other - 1) < 0.05 for _, other, _ in self.places)

    def find_families(self):
        """Families that win anywhere come first, then those near the top at most places. CUB,
        which everybody knows, gets the last colour at least."""
        merit = dict.fromkeys(self.grid.families, 0)
        for shape in self.even:
            cells = [cell for cell in self.grid.at(shape) if not cell.calls_others]
            top = max((cell.gbps for cell in cells), default=0)
            for cell in cells:
                merit[cell.family] += ((cell.gbps / top)**6 + 1e-9 +
                                       (len(self.places) if cell.gbps == top else 0))
        families = sorted(filter(merit.get, merit), key=lambda family: -merit[family])
        for k, family in enumerate(families):
            if k >= COLOURED and family.startswith('cub_'):
                families.insert(COLOURED - 1, families.pop(k))
                break
        return families

    def points(self, family, shapes):
        return [(shape, self.grid.best.get((shape, family))) for shape in shapes]

    def name_of(self, family):
        """The tuning point if it is the same at all places, or else the family and the number of
        its points."""
        variants = {cell.variant for _, cell in self.points(family, self.places) if cell}
        return f'{family} ({len(variants)} points)' if len(variants) > 1 else variants.pop()

    def curves(self):
        """x, GB/s, colour, the interval's ends; NaN breaks a curve where a place is missing."""
        rows = []
        for k in range(len(self.families) - 1, -1, -1):
            for shape, cell in self.points(self.families[k], self.even):
                ends = cell and ((cell.us / end if end > 0 else 1) * cell.gbps
                                 for end in (cell.high, cell.low))
                rows.append((self.x_of(shape), float(cell.gbps), min(k, COLOURED) + 1, *ends)
                            if cell else GAP)
            rows.append(GAP)
        return rows

    def ceilings(self):
        tops = [(self.x_of(shape), float(max(cell.ceiling if cell.ceiling > 0 else 0
                                             for cell in self.grid.at(shape))))
                for shape in self.even]
        return [GAP[:2], *(row for row in tops if row[1] > 0)]

    def marks(self, doubtful):
        """x, GB/s, colour of odd lengths, or of points to be read with care: not firm, mostly
        launch time, served by the cache, or above the ceiling."""
        care = {'near_empty', 'cache_assisted', 'above_ceiling'}
        shapes = self.places if doubtful else [s for s in self.places if s not in self.even]
        return [GAP[:3], *((self.x_of(shape), float(cell.gbps), min(k, COLOURED) + 1)
                           for k, family in enumerate(self.families)
                           for shape, cell in self.points(family, shapes)
                           if cell and (not doubtful or
                                        k < COLOURED and (not cell.firm or care & {*cell.marks})))]

    def subtitle(self):
        """`about 256Mi elements in all, 2.147 GB moved (36 × L2)`"""
        run, unit = self.grid.run, min(self.power // 10, 4)
        if not self.by_length:
            return f'{run.where()} Square tensors of contiguous lines.'
        longest = self.even[-1]
        moved = self.grid.at(longest)[0].bytes * 2**self.power / math.prod(longest)
        l2 = float(run.facts['l2_bytes'] or 0)
        over = f' ({moved / l2:{".2g" if moved < 10 * l2 else ".0f"}} × L2)' if l2 > 0 else ''
        size = f'{moved / 1e6:.4g} MB' if moved < 1e9 else f'{moved / 1e9:.4g} GB'
        return (f'{run.where()} Contiguous lines, about {2**(self.power - 10 * unit)}'
                f'{("", "Ki", "Mi", "Gi", "Ti")[unit]} elements in all, {size} moved{over}. '
                'Circles: odd lengths.')


def blocks(grid, by_length):
    plot, run = Plot(grid, by_length), grid.run
    if len(plot.places) < 2:
        return None
    shown = plot.families[:COLOURED]
    elem = run.elem_bytes[run.dtype] if by_length else 1
    texts = {
        'title': f'{grid.op}, {run.dtype}: bandwidth against '
                 f'{"line length" if by_length else "size"}',
        'subtitle': plot.subtitle(),
        'xlabel': 'elements per line' if by_length else 'compulsory bytes (read and written)',
        'by_length': int(by_length),
        'first': plot.x_of(plot.places[0]), 'final': plot.x_of(plot.places[-1]),
        'l2': round(float(run.facts['l2_bytes'] or 0) / elem),
        'names': len(shown), 'more': len(plot.families) - len(shown)}
    return [texts, [(k, *run.look(grid.op, family), plot.name_of(family))
                    for k, family in enumerate(shown, 1)],
            plot.curves(), plot.ceilings(), plot.marks(False), plot.marks(True)]
