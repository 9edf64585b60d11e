# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: `scanbench compare` without verdicts, on bad input of every kind;
and the published sets."""
import glob
import os
import re

import expect
from expect import SOURCE, append, edit, ok, read, run, transcript, write
from made_runs import cell, made, manifest, untimed


def tear(path):
    with open(path, 'a', encoding='utf-8') as file:
        file.write('h200,sum,v100,f32,64,40')


# ---- no verdicts: other devices, clocks locked on one side
made('other', 1.5)
edit('other/manifest.csv', 'H200', 'A100')
edit('other/sum.csv', r'^.*,v400,.*\n', '')
untimed('other', 'sum', 'v400', 'skip', 'does not fit')
made('slice', 1.5)
edit('slice/manifest.csv', 'sm_count,132', 'sm_count,16')
made('locked', 1.5)
append('locked/manifest.csv', 'clocks_locked,1')
made('unlocked')
append('unlocked/manifest.csv', 'clocks_locked,0')
made('nameless', 1.5)
os.remove('nameless/manifest.csv')
# other differences are noted, and the cells are judged
for folder, factor, host, driver in (('here', 1, 1, 13000), ('elsewhere', 1.1, 2, 12080)):
    made(folder, factor)
    edit(f'{folder}/manifest.csv', 'complete,1', 'complete,0')
    append(f'{folder}/manifest.csv', f'host_hash,{host}', f'cuda_driver,{driver}')
for gbps in (4000, 3800):
    made(f'roof{gbps}')
    write(f'roof{gbps}/ceilings.csv',
          'kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase',
          f'traffic,copy,f32,cold,1024,8192,{gbps},,a,0,start')
transcript(r'''
1 compare base other --fail-on any => ^7 without a verdict, 1 timed on one side only$
3 compare base other => ^note: different devices, .*A100 in NEW
    ^cell  *base us  *new us  *change  *95 % interval
    ^cumsum/v800/.*+50.0 %.* 50.0 %  *50.0 %$ => - verdict  cell
    ^cumsum  *few_lines  *1  NVIDIA A100  *1000  *1.00  *50.0 %  v100 (1)$
3 compare base other --format csv => ! different devices => ^no_verdict,cumsum,v100,
3 compare base other --format markdown => ^| cumsum | few&#95;lines | 1 | NVIDIA A100 |
0 compare base other --fail-on never
3 compare base slice => different devices, .*sm_count 132 in BASE, 16 in NEW
1 compare base locked => ^note: clocks_locked is missing in one manifest
3 compare unlocked locked --fail-on any => ^note: clocks locked on one side only
2 compare base nameless => ! nameless/manifest.csv: No such file
1 compare here elsewhere => ^note: not the same machine
    ^note: BASE did not come to its end => ^note: NEW did not come to its end
    ^note: .*cuda_driver 13000 in BASE, 12080 in NEW
0 compare roof4000 roof3800 => ^note: the ceiling of copy f32 cold moved by -5.0 %
0 compare roof4000 roof4000 => - ^note
''')

# ---- damage: reported with its line, and the rest is compared
made('damaged', 1.1)
lines = read('damaged/cumsum.csv').splitlines()
lines[2] = re.sub(',ok,.*', ',ok', lines[2])
lines[3] = re.sub(',ok,,,[0-9.]*', ',ok,,,fast', lines[3])
write('damaged/cumsum.csv', *lines)
tear('damaged/sum.csv')
for folder in ('tornbase', 'tornnew'):  # alone: nothing to fail on, and no success
    made(folder)
    tear(f'{folder}/sum.csv')
made('part', 1.1)
edit('part/cumsum.csv', r'^.*,v400,.*\n', '')
cell('part', 'sum', 'v1', 10)
manifest('apart', 'device_name,NVIDIA H200', 'sm_count,132')
cell('apart', 'flip', 'v100', 100)
transcript(r'''
1 compare base damaged => ! damaged/cumsum.csv:3: 10 fields under 17 columns (
    ! damaged/cumsum.csv:4: median_us cannot be 'fast' (
    ! damaged/sum.csv:14: cut short => ^3 slower, 1 unclear, 4 unchanged$
2 compare base tornnew => ! tornnew/sum.csv:14: cut short => ^8 unchanged$
    ! 1 damaged lines or lost files were left out
2 compare tornbase base
2 compare tornnew --against v100
2 compare base tornnew --fail-on never
1 compare base part => 1 only in BASE, 1 only in NEW$
    ! base: cells only in BASE: 1, the first .*cumsum/v400/f32/
2 compare base apart => ! no cell in common
''')
made('many')
edit('many/cumsum.csv', '$', ',1')
edit('many/cumsum.csv', 'ceiling,1$', 'ceiling,novel')
append('many/sum.csv', *['bad'] * 500)
transcript('2 compare base many => ! many: and 49[0-9] problems more')
ok('many bad lines are cut short', expect.err.count('\n') < 20, expect.err)

# ---- what a user may get wrong
transcript(r'''
2 compare => ! a folder is missing: .*BASE NEW
2 compare base
2 compare base same slow
2 compare base nowhere => ! nowhere: No such file
2 compare base .
2 compare base base --format html => ! format .*here are: text, json, csv, markdown$
2 compare base base --fail-on all => ! here are: slower, unclear, any, never$
2 compare base same --against v100
0 compare --help => ^EXIT STATUS
''')
with open('/dev/full', 'w', encoding='utf-8') as full:
    ok('a full disk', run('compare', 'base', 'same', stdout=full) == 2)

# ---- what is published can be compared; not the user's own runs
for path in glob.glob(f'{SOURCE}/results/*/headline') + glob.glob(f'{SOURCE}/results/*/default'):
    wanted = '' if run('compare', path, path) == 0 else 'scanbench: nothing failed, but too few '
    ok(f'{path} with itself, undamaged', expect.err.startswith(wanted) and
       expect.err.count('\n') == bool(wanted), expect.err)
    ok('one process', not expect.grep('^[0-9]* unchanged', expect.out))
expect.tally()
