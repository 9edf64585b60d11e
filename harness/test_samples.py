# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: run --samples keeps those that every timed row was made of,
whatever happens to the run, and show, export and report have them."""
import json
import os
import resource
import shutil
import struct

import expect
from expect import SOURCE, ok, read, table, told

CELL = ('op', 'variant', 'dtype', 'outer', 'axis', 'inner', 'cache', 'process')

os.mkdir('deep')
told(r'''
0 run $sweep -q --samples -o whole
0 show whole --samples -f cumsum/serial => cumsum/serial/f32/3x2049x1.*|.*@.*|
0 report whole -o page.html
    @ page.html ^\[[0-9]*,[0-9]*,[0-9.]*,[0-9.]*,[0-9.]*,"[0-9a-z]\{24\}"\]
0 export whole --format nvbench-json -o deep/made.json
    @ deep/made.json "value": "made.json-bin/[0-9]*.bin"
0 export whole --format nvbench-json => - bin:
2 export whole --format nvbench-json -o no/such => ! no/such: No such file
''', {'sweep': '--device host --op cumsum --dtype f32 --shape 3x2049:1,2x300x5 --cache hot '
               '--budget 0 -f cumsum/serial'})
told(f'77 show {SOURCE}/results/h200/headline --samples => ! which run --samples keeps')

# ---- of each timed row a line: as many, and the row's quantiles
samples = {tuple(row[key] for key in CELL): list(map(float, row['us'].split()))
           for row in table('whole/samples.csv')}
timed = [row for name in ('cumsum', 'copy') for row in table(f'whole/{name}.csv')
         if row['status'] in ('ok', 'suspect')]
ok('some are timed', len(timed) > 1)
for row in timed:
    us = samples.get(tuple(row[key] for key in CELL), [])
    ok('its samples', us and len(us) == int(row['samples']) and all(
        abs(value - float(row[name])) <= 1e-6 * value
        for value, name in ((min(us), 'min_us'), (max(us), 'max_us'))), row, us)
expect.run('show', 'whole', '--samples', '--format', 'csv')
ok('every one of them is shown',
   len(expect.out.splitlines()) - 1 == sum(map(len, samples.values())))

# ---- cut short and not taken up: what is left can be read (test_kills.py and
# test_samples.c take such runs up)
shutil.copytree('whole', 'torn')
os.truncate('torn/samples.csv', os.path.getsize('torn/samples.csv') - 4)
expect.run('show', 'torn', '--samples', '--op', 'cumsum,copy')
ok('a torn line is reported', expect.seen('! samples.csv:[0-9]*: cut short'), expect.err)

# ---- exported over what is there: no link is followed, none is half written
def read_bytes(path):
    with open(path, 'rb') as file:
        return file.read()


def export(**how):
    return expect.run('export', 'whole', '--format', 'nvbench-json', '-o', 'deep/made.json', **how)


bins = [f'deep/made.json-bin/{name}' for name in os.listdir('deep/made.json-bin')]
for path in bins:
    shutil.copy(path, 'kept')
    os.remove(path)
    os.symlink('../../kept', path)
kept = read_bytes('kept')
os.truncate('kept', 1)
ok('exported again', export() == 0, expect.err)
ok('no link is followed', os.path.getsize('kept') == 1 and read_bytes(path) == kept)
ok('on a full disk', export(restore_signals=False, preexec_fn=lambda: resource.setrlimit(
    resource.RLIMIT_FSIZE, (3, 3))) == 2 and expect.seen('! cannot write deep/made.json-bin/.*large'))
ok('what was there stays', read_bytes(path) == kept)

# ---- exported, the same samples, in seconds and of all processes
want, found = {}, 0
for (op, variant, *key, _), us in samples.items():
    want.setdefault((f'{op}/{variant}', *key), []).extend(us)
for bench in json.loads(read('deep/made.json'))['benchmarks']:
    for state in bench['states']:
        dtype, shape, cache = (value['value'] for value in state['axis_values'])
        name, count = {s['tag']: s['data'] for s in state['summaries']}[
            'nv/json/bin:nv/cold/sample_times']
        us = want[bench['name'], dtype, *shape.split('x'), cache]
        bits = read_bytes(f'deep/{name["value"]}')
        ok(f'{bench["name"]}: the same samples', len(bits) == 4 * len(us) == 4 * int(count['value'])
           and all(abs(s * 1e6 - u) < 1e-6 * u
                   for s, u in zip(struct.unpack(f'<{len(us)}f', bits), us)), us)
        found += 1
ok('of all', found > 1)
expect.tally()
