# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: one variant, or a family's best, against the others of a
run; and which cells of two runs are compared."""
import os
import re
import shutil

import expect
from expect import append, edit, ok, read, transcript, write
from made_runs import HEADER, cell, manifest, rows

manifest('race', 'device_name,NVIDIA H200')
manifest('races', 'device_name,NVIDIA H200')


def slow(line):
    """Doubles the times of a."""
    head, times = line.split(',ok,,,')
    return head + ',ok,,,' + re.sub(r'\b(39|40)\d(\.\d+)?', lambda us: f'{2 * float(us[0]):.6g}', times)


for op in ('cumsum', 'sum'):
    for variant, us in (('c', 100), ('b', 200), ('a', 400)):
        cell('race', op, variant, us)
    lines = read(f'race/{op}.csv').splitlines()[1:]
    rows('races', op, *lines, *(slow(line).replace(',64,4096,', ',32,4096,') for line in lines))
cell('race', 'flip', 'c', 100)

# ---- one shape, and two; which
transcript(r'''
2 compare base --against v40 => ! unknown variant 'v40'; did you mean v400
0 compare race --against b --format csv => # 7
    ^sum,f32,64,4096,1,,cold,a,b,0.5,.*,3,[0-9.]*,[0-9.]*,50$
0 compare race --against b => ^ *speed-up  *95 % interval  *us  *of ceiling  variant
    - geometric mean => # 2 f32 64x4096x1 cold: how many times as fast as b$
    ! timed cells left out, as b has no time there: 1$ => ^ *2.000 .* 100.00  .* c$
0 compare races --against b --format markdown => ^| `sum` | 0.354 | 2 | `a` | 0.250 | `f32 32x4096x1` |$
0 compare races --against c => ^The base is the fastest at 4:$ => # 4 ^ *0.500  b  *[a-z]* f32 [0-9x]* cold$
0 compare races --against b => - is the fastest => ^cumsum  *2.000  *2  c  *2.000  f32 
''')
ok('the fastest first', re.findall('^[a-z]+ +[0-9.]+ +2  (.) ', expect.out, re.M) == list('caca'))
transcript(r'''
0 compare races --against b --op sum => - cumsum
0 compare races --against b -f /c/ => - %  a$ => as fast as b$
0 compare races --against b --top 1 => 2 of 3 (--top 0 lists all)
''')
ok('the top, and the base', set(re.findall(' %  (.)$', expect.out, re.M)) == {'b', 'c'})
cell('race', 'cumsum', 'b_i4', 50)
write('race/cumsum.csv', HEADER + ',family', *(
    line + ',' + line.split(',')[2].replace('_i4', '')
    for line in read('race/cumsum.csv').splitlines()[1:]))
os.remove('race/sum.csv')
os.remove('race/flip.csv')
transcript(r'''
0 compare race --against a => as fast as a$
0 compare race --against b => as fast as b_i4$
''')

# ---- two runs
shutil.copytree('base', 'host')
os.remove('host/sum.csv')
edit('host/cumsum.csv', ',v([0-9]*),', r',serial\1,')
append('host/manifest.csv', 'device_kind,host')
# two processes a side: an interval that says nothing is not printed
for side in ('two', 'too'):
    manifest(side, 'device_name,NVIDIA H200')
    rows(side, 'sum', *(
        f'h200,sum,v,f32,64,4096,1,cold,{us},ok,,,{us},{us},{us},1,1' for us in (1, 9)))
transcript(r'''
0 compare base same --op cumsum -f v100 --all => # 1 ^unchanged
2 compare base --against v100 --fail-on any
    ! ^scanbench: --against shows times without a verdict: not with --fail-on
2 compare base --against v100 --detect 5 => ! not with --detect
2 compare base same -f nobody => ! base has no such cell
2 compare base host => ! run the same grid
3 compare two too => \ too wide
3 compare two too --format markdown => | too wide |
''')
expect.tally()
