# SPDX-License-Identifier: MIT
"""A curve per family with its best tuning point at each place. By length: GB/s of compulsory
bytes on contiguous lines, at the power of two of elements with the most lengths. By size: per cent
of the ceiling, which itself falls with the size, at the squarest contiguous shape for each power of
two of elements."""
import collections
import math

COLOURED = 7  # curves that have a colour, as in style.gp
GAP = (math.nan, math.nan, 1, math.nan, math.nan)


def power_of(shape):
    """Returns log2 of the number of elements, rounded."""
    return math.floor(math.log2(math.prod(shape)) + 0.5)


def skew(shape):
    """Returns the log2 of the ratio of the extents."""
    return abs(math.log2(shape[0] / shape[1]))


def squares_of(shapes):
    """Returns the squares if there are at least three, else the shapes nearest to squares."""
    nearest = {power_of(shape): shape for shape in sorted(shapes[::-1], key=skew, reverse=True)}
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

    def y_of(self, cell):
        return cell.gbps if self.by_length else cell.share

    def is_odd(self, shape):
        """True for a length beside a power of two (4095, 4097), which is drawn off the curve."""
        return self.by_length and shape[1] & (shape[1] - 1) and any(
            not other & (other - 1) and abs(shape[1] / other - 1) < 0.05
            for _, other, _ in self.places)

    def find_families(self):
        """Families, first winners, then by closeness to these. CUB's best has a colour."""
        merit = dict.fromkeys(self.grid.families, 0)
        for shape in self.even:
            cells = [cell for cell in self.grid.at(shape) if not cell.calls_others]
            top = max((cell.gbps for cell in cells), default=0)
            for cell in cells:
                merit[cell.family] += ((cell.gbps / top)**6 + 1e-9 +
                                       (len(self.places) if cell.gbps == top else 0))
        families = sorted(filter(merit.get, merit), key=lambda family: -merit[family])
        for cub in [family for family in families[COLOURED:] if family.startswith('cub_')][:1]:
            families.remove(cub)
            families.insert(COLOURED - 1, cub)
        return families

    def points(self, family, shapes):
        return [(shape, self.grid.best.get((shape, family))) for shape in shapes]

    def name_of(self, family):
        """The tuning point if it is the same everywhere, else the family and their number."""
        variants = {cell.variant for _, cell in self.points(family, self.places) if cell}
        return f'{family} ({len(variants)} points)' if len(variants) > 1 else variants.pop()

    def curves(self):
        """x, y, colour, the interval's ends; NaN breaks a curve where a place is missing."""
        rows = []
        for k, family in reversed([*enumerate(self.families)]):
            rows += [(self.x_of(shape), self.y_of(cell), min(k, COLOURED) + 1,
                      *(self.y_of(cell) * end for end in cell.ends)) if cell else GAP
                     for shape, cell in self.points(family, self.even)] + [GAP]
        return rows

    def ceilings(self):
        known = [(shape, [cell.ceiling for cell in self.grid.at(shape) if cell.ceiling > 0])
                 for shape in self.even]
        return [GAP[:2], *((self.x_of(shape), max(tops)) for shape, tops in known if tops)]

    def marks(self, doubtful):
        """x, y, colour of odd lengths, or of doubtful points."""
        shapes = self.places if doubtful else [s for s in self.places if s not in self.even]
        families = self.families[:COLOURED] if doubtful else self.families
        return [GAP[:3], *((self.x_of(shape), self.y_of(cell), min(k, COLOURED) + 1)
                           for k, family in enumerate(families)
                           for shape, cell in self.points(family, shapes)
                           if cell and (cell.doubtful or not doubtful))]

    def subtitle(self):
        """`about 256Mi elements in all, 2.147 GB moved (36 × L2)`"""
        run, unit = self.grid.run, min(self.power // 10, 4)
        if not self.by_length:
            return f'{run.where()} Square tensors of contiguous lines. On top: the ceiling, GB/s.'
        longest = self.even[-1]
        moved = self.grid.at(longest)[0].bytes * 2**self.power / math.prod(longest)
        over = moved / run.l2 if run.l2 > 0 else 0
        over = f' ({over:{".2g" if over < 10 else ".0f"}} × L2)' if over else ''
        size = f'{moved / 1e6:.4g} MB' if moved < 1e9 else f'{moved / 1e9:.4g} GB'
        return (f'{run.where()} Contiguous lines, about {2**(self.power - 10 * unit)}'
                f'{("", "Ki", "Mi", "Gi", "Ti")[unit]} elements in all, {size} moved{over}. '
                'Circles: odd lengths.')


def blocks(grid, by_length):
    plot, run = Plot(grid, by_length), grid.run
    if len(plot.places) < 2 or not plot.families:
        return None
    shown = plot.families[:COLOURED]
    return [{
        'title': f'{grid.op}, {run.dtype}: ' + ('bandwidth against line length' if by_length else
                                                'share of the ceiling against size'),
        'subtitle': plot.subtitle(),
        'xlabel': 'elements per line' if by_length else 'bytes read and written',
        'by_length': int(by_length),
        'first': plot.x_of(plot.places[0]), 'final': plot.x_of(plot.places[-1]),
        'l2': round(run.l2 / (run.elem_bytes[run.dtype] if by_length else 1)),
        'names': len(shown), 'more': len(plot.families) - len(shown)},
        [(k, *run.styles[f'{grid.op}/{family}'], plot.name_of(family))
         for k, family in enumerate(shown, 1)],
        plot.curves(), plot.ceilings(), plot.marks(False), plot.marks(True)]
