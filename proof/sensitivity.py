#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that compare finds slowdowns of 3 %: copies that take 3 % and 1 % longer against the plain
one (variants/broken/slowed.cu), at all sizes, types and cache states, in three processes.
compare_rates.py tests other variants by the runs of aa.py.

About 2 minutes on an H200."""
import pathlib
import shutil
import statistics

import lib

SHAPES = ','.join(f'1x{1 << bits}x1' for bits in (12, 14, 16, 18, *range(20, 29)))


def point(folder, pct):
    """Makes a run of that copy alone, by the name `slowed`."""
    own = pathlib.Path(lib.SCRATCH.name, f'p{pct}')
    own.mkdir()
    for name in 'manifest', 'ceilings':
        shutil.copy(folder / f'{name}.csv', own)
    head, *rows = (folder / 'copy.csv').read_text().splitlines(True)
    (own / 'copy.csv').write_text(head + ''.join(
        row.replace(f'slowed_p{pct},', 'slowed,', 1) for row in rows if f'slowed_p{pct},' in row))
    return own


def findings(base, slowed, pct, wanted):
    cells = [(row['verdict'], float(row['base_us']) > 20, float(row['time_ratio'] or 0))
             for row in lib.compared(base, slowed)
             if float(row['base_us'] or 0) > 0]
    long = [verdict for verdict, is_long, _ in cells if is_long]
    short = [verdict for verdict, is_long, _ in cells if not is_long]
    slower, faster = long.count('slower'), [verdict for verdict, *_ in cells].count('faster')
    longer = 100 * (statistics.median(
        [ratio for _, is_long, ratio in cells if is_long and ratio] or [0]) - 1)
    return [
        (f'{pct} % longer, cells above 20 us: `slower`', wanted, lib.share(slower, len(long)),
         None if wanted == 'reported' else bool(long) and slower >= 0.95 * len(long)),
        ('how much longer they were measured to take (median)', 'reported', f'{longer:+.2f} %',
         None),
        (f'{pct} % longer, shorter cells: `slower`', 'reported',
         lib.share(short.count('slower'), len(short)), None),
        (f'{pct} % longer, all cells: `faster`', 'none', lib.share(faster, len(cells)),
         faster == 0)]


def main():
    asked = lib.parse(__doc__, [('--pct', {
        'metavar': 'P', 'default': '3',
        'help': "slowdown of the slow copy: 3 (default) or 30, the host's slowest point"})])
    folder = lib.unpacked(asked.results / 'sensitivity')
    asked.measure(folder, '--broken', '-f', '^copy/slowed', '--processes', '3',
                  *(asked.plan or ['--cache', 'cold,hot', '--shape', SHAPES]))
    base, one, most = (point(folder, pct) for pct in ('0', '1', asked.pct))
    return lib.judged(findings(base, most, asked.pct, 'at least 95 %') +
                      findings(base, one, '1', 'reported'))


lib.run(main)
