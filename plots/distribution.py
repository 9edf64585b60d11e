# SPDX-License-Identifier: MIT
"""Quality of `best` over many shapes: cumulative distributions of its share of the ceiling, and
of the fastest variant's, for each operation and type that has twenty shapes."""
import csv

from bandwidth import COLOURED

LEAST = 20


def blocks(run):
    if not any(cell.calls_others for cell in run.cells):
        return None
    shares = {(op, dtype): [] for op in run.ops for dtype in run.dtypes}
    cells = run.printed('regret', '--cells', '--cache', run.cache)
    for row in csv.DictReader(cells.splitlines()):
        if row['status'] != 'skip' and row['share_pct'] and row['winner_share_pct']:
            shares[row['op'], row['dtype']].append(
                (float(row['share_pct']), float(row['winner_share_pct'])))
    drawn = [of for of in shares if len(shares[of]) >= LEAST][:COLOURED]
    names = [(k, f'{" ".join(of)} ({len(shares[of])})') for k, of in enumerate(drawn, 1)]
    steps = []  # share, per cent of the shapes beyond it (at first 100), colour, 1 for the fastest
    for k, of in enumerate(drawn, 1):
        for fastest, own in enumerate(map(sorted, zip(*shares[of]))):
            steps += [(share, 100 * (len(own) - rank) / len(own), k, fastest)
                      for rank, share in enumerate([own[0], *own])]
    return names and [{
        'title': 'Share of the ceiling, over all shapes',
        'subtitle': f'{run.where()} Solid: best, which the rules choose; dashed: the fastest '
                    'kernel at each shape.',
        'xlabel': 'share of the measured ceiling, %',
        'ylabel': 'shapes at or above this share, %'}, names, steps]
