#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ranks.py RUNS OUT: draws runs over several ranks (docs/scale.md), whose folders RUNS holds: for
each operation, type, kind of shape and number of ranks, the share of all ceilings against the size
with one curve per design.

GNUPLOT names another gnuplot than that of PATH, SCANBENCH the program. Exit status: 0 drawn; 1 a
chart failed, or there was nothing to draw; 2 usage or bad input."""
import collections
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'proof'))
import lib  # noqa: E402
from scale import kind_of, read_cells  # noqa: E402


def draw(out, name, title, points):
    """Draws curves of (x, share). Returns gnuplot's status, or None if all have the same x."""
    if len({x for own in points.values() for x, _ in own}) < 2:
        return None
    head = [('title', title),
            ('subtitle', 'One curve per design. Every rank has one contiguous part of each line.')]
    return lib.draw('ranks', out / f'{name}.svg', head, *(
        [(curve,), *((x, f'{share:.6g}') for x, share in sorted(own))]
        for curve, own in sorted(points.items())))


def charts_of(cells):
    """Name, title and curves of each chart."""
    measured = collections.defaultdict(lambda: collections.defaultdict(list))
    for cell in cells:
        # The names of charts and curves are safe.
        if cell.status == 'ok' and re.fullmatch('mgpu_[0-9a-z_]+', cell.variant):
            measured[kind_of(cell), cell.ranks][cell.variant].append(
                (cell.bytes, cell.pct_ceiling / 100))
    for (kind, ranks), points in measured.items():
        yield f'{kind} {ranks}ranks'.replace(' ', '_'), f'{kind} over {ranks} ranks', points


def main():
    if len(sys.argv) != 3:
        lib.die(f'usage: {__doc__}')
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    done = [draw(out, *chart) for chart in charts_of(read_cells(sys.argv[1]))]
    drawn = done.count(0)
    print(f'{drawn} charts in {out}' if drawn else 'ranks.py: no timed row over ranks',
          file=sys.stdout if drawn else sys.stderr)
    return int(not drawn or any(done))


lib.run(main)
