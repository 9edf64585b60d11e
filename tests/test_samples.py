# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: run --samples keeps those that every timed row was made of."""
import expect
from expect import ok, table, transcript

CELL = ('op', 'variant', 'dtype', 'outer', 'axis', 'inner', 'cache', 'process')

transcript(r'''
0 run $sweep -q --samples -o whole
''', {'sweep': '--device host --op cumsum --dtype f32 --shape 3x2049:1,2x300x5 --cache hot '
               '--budget 0 -f cumsum/serial'})

# ---- of each timed row a line: as many, and the row's quantiles
samples = {tuple(row[key] for key in CELL): list(map(float, row['us'].split()))
           for row in table('whole/samples.csv')}
timed = [{'op': name, **row} for name in ('cumsum', 'copy') for row in table(f'whole/{name}.csv')
         if row['status'] in ('ok', 'suspect')]
ok('some are timed', len(timed) > 1)
for row in timed:
    us = samples.get(tuple(row[key] for key in CELL), [])
    ok('its samples', us and len(us) == int(row['samples']) and all(
        abs(value - float(row[name])) <= 1e-6 * value
        for value, name in ((min(us), 'min_us'), (max(us), 'max_us'))), row, us)
expect.tally()
