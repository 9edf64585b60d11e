# SPDX-License-Identifier: MIT
"""PAGE TABLE [COMPARE [CARDS]]: the page is whole and safe, its figures are those
of `scanbench table --format csv` of its first run, its verdicts those of
`scanbench compare --format csv`, and its cards those of `scanbench compare
--cards --format csv`; without CARDS it has one."""
import math
import os
import sys

import page


def figures(names, run, theirs):
    ours = list(page.cells(run, names))
    if len(ours) != len(theirs) or not ours:
        return [f'{len(ours)} cells, not {len(theirs)}']
    return [f'{name} of {row}: {own[name]!r}'
            for own, row in zip(ours, theirs) for name in row
            if not page.same(own[name], row[name])]


def verdicts(names, theirs):
    pairs = names['comparisons'][0]
    ours = {}
    for pair in pairs['cells']:
        run = names['runs'][pairs['base']]
        cell = run['cells'][pair[0]]
        now = names['runs'][pairs['now']]
        own = now['cells'][pair[1]]
        group = run['groups'][cell[0]]
        variant = run['texts'][cell[1]]
        if variant != now['texts'][own[1]] or group[:6] != \
                now['groups'][own[0]][:6]:
            return [f'{variant} is beside another cell']
        key = (names['ops'][group[0]], variant, names['dtypes'][group[1]],
               names['caches'][group[5]], *map(str, group[2:5]))
        ours[key] = (pairs['verdicts'][pair[2]][0], pair[3])
    found = []
    for row in theirs:
        key = (row['op'], page.plain(row['variant']), row['dtype'],
               row['cache'], row['outer'], row['axis'], row['inner'])
        verdict, ratio = ours.pop(key, ('missing', None))
        if verdict != row['verdict'] or (
                row['ratio'] and abs(float(row['ratio']) / ratio - 1) > 1e-5):
            found.append(f'{key}: {verdict} {ratio}, not {row["verdict"]} '
                         f'{row["ratio"]}')
    return found + [f'{key}: not compared' for key in ours]


def cards(names, theirs):
    own = names['cards']
    ours = [dict(op=names['ops'][op], shape_class=names['classes'][kind], cells=str(cells),
                 gpu=gpu, gbps=gbps, pct_ceiling=pct, winner=winner, wins=str(wins),
                 winners_differ=str(differ))
            for op, kind, cells, differ, *figures_of in own['rows']
            for gpu, (gbps, pct, winner, wins) in zip(own['names'], figures_of)]
    if len(ours) != len(theirs) or not ours:
        return [f'{len(ours)} lines of cards, not {len(theirs)}']
    found = [f'{name} of {row}: {line[name]!r}' for line, row in zip(ours, theirs)
             for name in row if not page.same(line[name], row[name])]
    for left, right, together, ratio in own['pairs']:
        rates = [[float(row['gbps']) for row in theirs if row['gpu'] == own['names'][gpu]]
                 for gpu in (left, right)]
        apart = sum(math.log(r / l) for l, r in zip(*rates)) / len(rates[0])
        if abs(ratio / math.exp(apart) - 1) > 1e-5 or \
                together != ('together' in own['names'][right]):
            found.append(f'{own["names"][left]} to {own["names"][right]}: {ratio}')
    return found + ([] if own['pairs'] else ['no two cards are compared'])


def main():
    reader = page.read(sys.argv[1])
    found = page.amiss(reader)
    names = page.data(reader)
    found += figures(names, names['runs'][0], page.table(sys.argv[2]))
    if len(sys.argv) > 3:
        found += verdicts(names, page.table(sys.argv[3]))
    if len(sys.argv) > 4:
        found += cards(names, page.table(sys.argv[4]))
    elif names['cards']['rows']:
        found.append('cards without another')
    if os.path.getsize(sys.argv[1]) > 3e6:
        found.append('more than 3 MB')
    for problem in found[:20]:
        print(problem)
    return 1 if found else 0


sys.exit(main())
