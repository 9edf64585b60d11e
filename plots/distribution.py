# SPDX-License-Identifier: MIT
"""Quality of `best` over many shapes: cumulative distributions of its share of the ceiling, and
of the fastest variant's, for each operation and type that has twenty shapes."""
import csv

LEAST = 20
COLOURS = 7


def steps(shares, colour, fastest):
    """Share, per cent of the shapes up to it, colour, 1 for the fastest: one step per shape, the
    first from 0."""
    shares = sorted(shares)
    return [(share, 100 * k / len(shares), colour, fastest)
            for k, share in enumerate([shares[0], *shares])]


def blocks(run):
    if not any(cell.calls_others for cell in run.cells):
        return None
    shares = {}
    for row in csv.DictReader(run.printed('regret', '--cells', '--cache', run.cache)
                              .splitlines()):
        if row['status'] != 'skip' and row['share_pct'] and row['winner_share_pct']:
            shares.setdefault((row['op'], row['dtype']), []).append(
                (float(row['share_pct']), float(row['winner_share_pct'])))
    names, curves = [], []
    for op, dtype in sorted(shares, key=lambda of: (run.ops.index(of[0]),
                                                    run.dtypes.index(of[1]))):
        both = shares[op, dtype]
        if len(both) >= LEAST and len(names) < COLOURS:
            names.append((len(names) + 1, f'{op} {dtype} ({len(both)})'))
            for fastest in 0, 1:
                curves += steps([pair[fastest] for pair in both], len(names), fastest)
    return names and [{
        'title': 'Share of the ceiling, over all shapes',
        'subtitle': f'{run.where()} Solid: best; dashed: the fastest variant at each shape. In '
                    'brackets: number of shapes.',
        'xlabel': 'share of the measured ceiling, %',
        'ylabel': 'shapes at or below this share, %'}, names, curves]
