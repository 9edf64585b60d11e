#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_rates.py SET...: measures how often `scanbench compare` is wrong, by runs of one build,
with and without changes of known size added. A SET is a folder of runs of one build on one card,
such as a/ and b/ of the proof aa. Its processes are pooled, and compared by every split into two
halves (ten for six processes).

SCANBENCH names the program. Exit status: 0 all is met, 1 if not, 2 usage or bad input."""
import collections
import math
import pathlib
import shutil
import sys

import lib
import markdown
from sides import (Plant, changes, key_of, read_set, resampled, side_of, splits_of,
                   uniform_numbers, us_of)

LENGTHS = {'below 10 us': 10, '10 to 20 us': 20, '20 to 50 us': 50, '50 to 200 us': 200,
           '200 us on': math.inf}
LONG = ['50 to 200 us', '200 us on']


def compare(rates, whole, base, split, plant):
    """Compares the split's processes, already a run, with all others, which get the change,
    and counts. An alarm is slower or faster where nothing was planted, or broken."""
    changed = side_of(whole, {*range(whole.processes)} - split, plant)
    cells = {cell.key: cell for cell in whole.cells}
    alarms, seen = 0, False
    for row in lib.compared(base, changed):
        verdict = row['verdict']
        if verdict == 'unmeasured':
            continue
        rates['cells'] += 1
        if changes(plant, cells[key_of(row['op'], row)]):
            us = min(float(row[name] or 'inf') for name in ('base_us', 'new_us'))
            length = next(name for name, end in LENGTHS.items() if us < end or end == math.inf)
            rates['planted', length] += 1
            rates[verdict, length] += 1
            seen = seen or verdict == 'slower'
        else:
            alarms += verdict in ('slower', 'faster', 'broken')
    rates.update({'comparisons': 1, 'with_alarm': alarms > 0, 'alarms': alarms,
                  'seen': seen})
    shutil.rmtree(changed)


def compare_all(all_, whole, numbers):
    """Counts by what was planted. A change of one family is planted in the next of the splits."""
    splits = [(side_of(whole, half, Plant()), half) for half in splits_of(whole.processes)]
    three = Plant(1.03, one_in=20)
    for name, plant in (('same', Plant()), ('three', three), ('ten', Plant(1.1, one_in=20)),
                        ('added', Plant(add_us=3))):
        for split in splits:
            compare(all_[name], whole, *split, plant)
    families = dict.fromkeys(cell.family for cell in whole.cells if any(map(us_of, cell.rows)))
    for number, family in enumerate(families, 1):
        base, half = splits[number % len(splits)]
        compare(all_['family'], whole, base, half, Plant(add_us=3, family=family))
        alone = side_of(whole, half, Plant(family=family, alone=True))
        compare(all_['alone'], whole, alone, half, Plant(add_us=3, family=family, alone=True))
    five = resampled(whole, 10, numbers)
    for first in range(3):
        half = {*range(first, first + 5)}
        compare(all_['drawn'], five, side_of(five, half, Plant()), half, three)


def finding(what, part, of, wanted='reported', least=None, most=1):
    met = None if least is None else (of > 0 or least == 0) and least * of <= part <= most * of
    return what, wanted, markdown.share(part, of), met


def found(rates, name, lengths=LENGTHS):
    return sum(rates[name, length] for length in lengths)


def findings(all_):
    same, three, drawn, ten, added = (all_[name] for name in ('same', 'three', 'drawn', 'ten',
                                                              'added'))
    yield finding('no change: comparisons with a cell `slower`, `faster` or `broken`',
                  same['with_alarm'], same['comparisons'], 'at most 5 %', 0, 0.05)
    yield finding('no change: such cells', same['alarms'], same['cells'])
    for words, rates, least in (('3 % longer, one cell in twenty', three, 0.85),
                                ('the same, of five processes, drawn', drawn, 0.95),
                                ('10 % longer', ten, None)):
        if least:
            yield finding(f'{words}: cells from 50 us on called `slower`',
                          found(rates, 'slower', LONG), found(rates, 'planted', LONG),
                          f'at least {100 * least:.0f} %', least)
        for length in LENGTHS:
            yield finding(f'{words}, {length}', rates['slower', length], rates['planted', length])
        if rates is three:
            yield finding('of what was not slowed there, called changed', three['alarms'],
                          three['cells'])
    yield finding('10 % longer, below 10 us: called `unchanged`', ten['unchanged', 'below 10 us'],
                  ten['planted', 'below 10 us'], 'none', 0, 0)
    yield finding('3 us longer, all cells: called `slower`', found(added, 'slower'),
                  found(added, 'planted'))
    for words, name in (
            ('3 us longer, all cells of a family: families with a cell `slower`', 'family'),
            ('the same where nothing else is compared', 'alone')):
        yield finding(words, all_[name]['seen'], all_[name]['comparisons'], 'at least 95 %', 0.95)
        yield finding('their cells', found(all_[name], 'slower'), found(all_[name], 'planted'))


def judge(paths):
    """Prints the findings, and returns the exit status."""
    all_, numbers = collections.defaultdict(collections.Counter), uniform_numbers()
    for path in paths:
        compare_all(all_, read_set(path), numbers)
    return markdown.judged([*findings(all_)])


def main():
    paths = [pathlib.Path(word) for word in sys.argv[1:]]
    if not paths or sys.argv[1].startswith('-'):
        lib.die(f'usage: {__doc__}')
    return judge(paths)


if __name__ == '__main__':
    lib.run(main)
