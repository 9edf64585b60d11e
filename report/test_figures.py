# SPDX-License-Identifier: MIT
"""PAGE TABLE [COMPARE]: the page is whole and safe, its figures are those of
`scanbench table --format csv` of its first run, and its verdicts those of
`scanbench compare --format csv`."""
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


def main():
    reader = page.read(sys.argv[1])
    found = page.amiss(reader)
    names = page.data(reader)
    found += figures(names, names['runs'][0], page.table(sys.argv[2]))
    if len(sys.argv) > 3:
        found += verdicts(names, page.table(sys.argv[3]))
    if os.path.getsize(sys.argv[1]) > 3e6:
        found.append('more than 3 MB')
    for problem in found[:20]:
        print(problem)
    return 1 if found else 0


sys.exit(main())
