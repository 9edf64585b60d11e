#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ranks.py RUNS OUT: draws runs over several ranks (docs/scale.md), whose folders RUNS holds: for
each operation, type, kind of shape and number of ranks, the share of all ceilings against the size
with one curve per design, and the curve of the model up to 1024 ranks.

GNUPLOT names another gnuplot than that of PATH. Exit status: 0 drawn; 1 a chart failed, or there
was nothing to draw; 2 usage."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / 'proof'))
from scale import curves  # noqa: E402
from scale_cells import read_cells  # noqa: E402


def draw(out, name, words, points):
    """Draws lists of (x, share), one per curve, unless all have the same x. Returns 1 if it did,
    and None if gnuplot failed."""
    if len({x for own in points.values() for x, _ in own}) < 2:
        return 0
    blocks = (f'{curve}\n' + ''.join(f'{x} {share:.6g}\n' for x, share in sorted(own))
              for curve, own in sorted(points.items()))
    with tempfile.NamedTemporaryFile('w', suffix='.blocks') as file:
        file.write('\n\n'.join(blocks))
        file.flush()
        done = subprocess.run(
            [os.environ.get('GNUPLOT', 'gnuplot'), '-c', HERE / 'ranks.gp',
             (out / f'{name}.svg').absolute(), file.name, *words],
            env={**os.environ, 'LC_ALL': 'C.UTF-8'}, check=False)
    return None if done.returncode else 1


def charts_of(cells):
    """Name, title, label and subtitle, and the curves of each chart."""
    measured, predicted = (collections.defaultdict(lambda: collections.defaultdict(list))
                           for _ in range(2))
    for cell in cells:
        # The names of charts and curves are safe.
        if cell.status == 'ok' and re.fullmatch('mgpu_[0-9a-z_]+', cell.variant):
            measured[cell.op, cell.dtype, cell.outer, cell.inner, cell.ranks][
                cell.variant].append((cell.bytes, cell.pct_ceiling / 100))
    for (op, dtype, outer, inner, ranks), points in measured.items():
        yield f'{op}_{dtype}_{outer}xNx{inner}_{ranks}ranks', [
            f'{op} {dtype} {outer}xNx{inner} over {ranks} ranks', 'compulsory bytes',
            'One curve per design. Every rank has one contiguous part of each line.'], points
    for cell, scaling, ranks, _, share in curves(cells, 1024):
        curve = f'{cell.variant},{cell.dtype},{cell.outer}xNx{cell.inner}'
        predicted[cell.op, scaling][curve].append((ranks, share))
    for (op, scaling), points in predicted.items():
        yield f'{op}_model_{scaling}', [f'{op}, {scaling} scaling', 'ranks',
                                        'Predicted by the fitted model, not measured.'], points


def main():
    if len(sys.argv) != 3:
        print('usage: ranks.py RUNS OUT', file=sys.stderr)
        return 2
    runs, out, cells = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), []
    whole = all([read_cells(path, cells) for path in sorted(runs.glob('*/*.csv'))])
    out.mkdir(parents=True, exist_ok=True)
    done = [draw(out, *chart) for chart in charts_of(cells)]
    drawn = done.count(1)
    print(f'{drawn} charts in {out}' if drawn else 'ranks.py: no timed row over ranks',
          file=sys.stdout if drawn else sys.stderr)
    return int(not drawn or None in done or not whole)


sys.exit(main())
