# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: `scanbench compare` as a user would run it, on made runs:
verdicts, formats and exit statuses."""
import re

import expect
from expect import append, edit, ok, read, tally, transcript, write
from made_runs import cell, made, manifest, untimed


def without(folder, op, *variants):
    lines = read(f'{folder}/{op}.csv').splitlines()
    write(f'{folder}/{op}.csv', *(
        line for line in lines if line.split(',')[2] not in variants))


# ---- verdicts, formats and exit statuses
transcript(r'''
0 compare base same --fail-on any => - v100 => ^8 unchanged$
0 compare base same --all => ^unchanged .*cumsum/v100/f32/64x4096x1/cold .*+0.0 %
1 compare base slow => ^4 slower, 4 unchanged$
    ^slower .*cumsum/v800/f32/64x4096x1/cold .* +10.0 %
    ^cumsum .*1.1000 .*+10.00 % => ^sum .*1.0000 .*+0.00 %
0 compare base fast => ^4 faster, 4 unchanged$
1 compare base fast --fail-on any
1 compare base slow --format markdown => ^\*\*4 slower, 4 unchanged\*\*$
    ^| slower | `cumsum/v800/f32/64x4096x1/cold` | 800.00 |
    ^| `cumsum` | 4 | 1.1000 | +10.00 % |$
1 compare base slow --top 1 => ^and 3 more
1 compare base slow --format csv => # 9 => ! cumsum: geometric mean 1.1000 (cells: 4)
    ^verdict,op,variant,dtype,outer,axis,inner,lines,cache,r
    ^slower,cumsum,v800,f32,64,4096,1,,cold,1.1,
''')

# ---- the worst comes first, and what broke before all
made('broken', 1.1)
without('broken', 'cumsum', 'v400', 'v800')
untimed('broken', 'cumsum', 'v400', 'wrong', 'element 7 is off')
untimed('broken', 'cumsum', 'v800', 'skip', 'does not fit')
transcript(r'''
1 compare base broken --format markdown => ^| broken | .* ok -&#62; wrong: element 7 is off |
1 compare base broken => ^1 broken, 2 slower, 4 unchanged, 1 timed on one side
    cumsum/v400.*ok -> wrong: element 7 is off
    cumsum/v800.*ok -> skip: does not fit
''')
ok('the worst first', re.findall('^(broken|slower|unmeasured) ', expect.out, re.M) ==
   ['broken', 'slower', 'slower', 'unmeasured'], expect.out)
made('marked', 0.9)
edit('marked/cumsum.csv', ',v400,(.*),ok,,,', r',v400,\1,suspect,why,near_empty,')
made('wrong')
without('wrong', 'cumsum', 'v400')
untimed('wrong', 'cumsum', 'v400', 'error', 'no memory')
transcript(r'''
0 compare base marked => ^1 unclear, 3 faster
    ^unclear .*/v400/.* ok -> suspect  (none -> near_empty)$
1 compare base wrong => ^1 broken, 7 unchanged$
0 compare broken base
0 compare base slow --floor-pct 12
0 compare base slow --floor-us 100
''')

# ---- few processes: one never alarms and proves nothing; too short to tell
for name, processes, times in (('single', 1, (389, 800)), ('double', 2, (100, 120)),
                               ('brief', 3, (6.0, 6.1))):
    for us in times:
        manifest(f'{name}{us}', 'device_name,NVIDIA H200', 'sm_count,132')
        cell(f'{name}{us}', 'cumsum', 'v', us, processes)
transcript(r'''
3 compare single389 single800
    ^note: cells with one process on a side: 1; their scatter is unk
    ^unclear .*+105.7 % *5.0 %  too wide
    ! ^scanbench: nothing failed, but too few cells could: .* five processes
1 compare single389 single389 --fail-on unclear => ^1 unclear$ => - geometric mean
3 compare double100 double120 => ^1 slower$
    ^note: cells with two processes on a side: 1;
1 compare double100 double120 --fail-on any
0 compare brief6.0 brief6.1 --all => ^1 too short to tell$ => ^too_short .*+1.7 %
''')

# ---- what a comparison can detect
for us in (6, 7, 8, 100):
    for side in ('mixed', 'mixed2'):
        manifest(side, 'device_name,NVIDIA H200', 'sm_count,132')
        cell(side, 'cumsum', f'v{us}', us)
cell('mixed', 'sum', 'v', 200)
cell('mixed2', 'sum', 'v', 200)
transcript(r'''
0 compare base same --detect 5 => - ^note
3 compare base same --detect 2 => ^note: this comparison would miss 2 % in most cells: of 8, 0 would show it
    ! ^scanbench: nothing failed, but too few cells could
3 compare base same --detect 1 --fail-on never
1 compare base slow --detect 1 => -! too few
3 compare brief6.0 brief6.1 --detect 5
0 compare brief6.0 brief6.1 --detect 10 => - ^note
3 compare single389 single389 --detect 5
3 compare mixed mixed2 --detect 5 => ^note: this comparison would miss 5 % in most cells: of 5, 2 would
''')

# ---- lost processes; two cards of one name: shares of each one's own ceiling
made('dropped')
edit('dropped/cumsum.csv', r'(,v400,.*,[12]),ok,,,[0-9.]*',
     r'\1,unstable,clocks fell,,1200')
made('card1')
made('card2', 1.03)
append('card1/manifest.csv', 'gpu_hash,1')
append('card2/manifest.csv', 'gpu_hash,2')
edit('card2/sum.csv', ',50$', ',52')
transcript(r'''
0 compare base dropped => ^note: cells that some processes did not time .*: 1;
    ^unclear .*v400.* ok -> unstable  3 of 3 -> 1 of 3 processes$
0 compare base dropped --format csv => ^unclear,cumsum,v400,.*,unstable,1,2,399.6,
0 compare card1 card2 --all => ^note: two cards of one name:
    ^unchanged .*cumsum/v400/.*-0.1 to +0.1 % .* times +3.0 %
    ^faster .*sum/v400/.* -3.8 % .* times +0.0 %
0 compare card1 card2 --format markdown => ^| faster | .*| -3.8 % | .* times +0.0 % |$
''')
tally()
