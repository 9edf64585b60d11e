#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how well the ceiling repeats: the best cold copy of 2^28 floats in ten processes.

About a minute on an H200."""
import statistics

import lib


def main():
    asked = lib.parse(__doc__)
    folder = lib.unpacked(asked.results / 'repeat')
    asked.measure(folder, '--processes', '10', '--op', 'copy', '--dtype', 'f32',
                  *(asked.plan or ['--shape', '1x268435456x1']))
    rows = lib.table((folder / 'ceilings.csv').read_text())
    rates = sorted(float(row['gbps']) for row in rows
                   if row['twin'] == 'copy' and row['phase'] == 'start')
    if not rates:
        lib.die(f'{folder}/ceilings.csv: no ceiling of copy')
    spread = 100 * (rates[-1] - rates[0]) / statistics.median(rates)
    return lib.judged([
        ('fresh processes', '10', len(rates), len(rates) >= 10),
        ('copy ceiling, lowest to highest', 'reported', f'{rates[0]:.1f} to {rates[-1]:.1f} GB/s',
         None),
        ('spread: (highest - lowest) / median', 'below 1 %', f'{spread:.3f} %', spread < 1)])


lib.run(main)
