# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: files of rules, from a user's runs to a run that follows
them: made by one command, found in the order that is documented, named in the
manifest; a bad one is one message with its line, and status 2."""
import os
import re
import shutil
import subprocess

import expect
from expect import edit, ok, read, run, transcript, write
from made_runs import HEADER, manifest

for name in ('SCANBENCH_RULES', 'SCANBENCH_RESULTS'):
    os.environ.pop(name, None)


def made(folder, gpu, capability='8.9', built='-arch=native'):
    """Two variants of sum at some shapes."""
    manifest(folder, 'utc,20260131T120000Z', f'device_name,{gpu}',
             f'compute_capability,{capability}', 'sm_count,58', 'attribute_peak_gbps,300.1',
             f'architectures,{built}')
    write(f'{folder}/sum.csv', f'{HEADER},passes', *(
        f'l4,sum,{variant},f32,4,{axis},1,cold,0,ok,,,{figures},1' for axis in (64, 100000)
        for variant, figures in (('warp_per_line_b256_i16', '9,9,9,9,90'),
                                 ('split_axis_atomics_i32', '90,90,90,9,9'))))


SMALL = '--device host -f ^sum/serial/f32 --shape 3x4:1 -q --budget 0'


def follows(wanted, words='', **environment):
    """A small run follows the wanted rules; the manifest's hash of them."""
    shutil.rmtree('out', ignore_errors=True)
    run('run', *SMALL.split(), '-o', 'out', *words.split(), env={**os.environ, **environment})
    manifest = dict(re.findall('^(.*?),(.*)$', read('out/manifest.csv'), re.M))
    ok(f'{environment} {words}: follows {wanted}', manifest['rules'] == wanted, manifest['rules'])
    return manifest['rules_hash']


made('l4/one', 'NVIDIA L4')
made('t4/one', 'Tesla T4')
transcript(r'''
0 rules -o my.csv l4/one
0 rules --out of.csv l4
2 rules -o none.csv l4/one t4/one => ! a file of rules is of one GPU
''')
ok('one run or a folder of such', read('my.csv') == read('of.csv'))
for line in ('gpu,NVIDIA L4', 'bus_gbps,300.1',
             'variant,0,warp_per_line_b256_i16', 'problem,sum,f32,4,64,1,0=0'):
    ok(line, line in read('my.csv').split('\n'), read('my.csv'))

# Older code than the GPU: the rules are for its architecture.
FOR_80, FOR_90 = ('"-gencode=arch=compute_%s,code=sm_90"' % arch for arch in ('80', '90'))
made('h200/old', 'NVIDIA H200', '9.0', FOR_80)
made('h200/new', 'NVIDIA H200', '9.0', FOR_90)
made('h200/native', 'NVIDIA H200', '9.0')
made('l4/older', 'NVIDIA L4', '8.9', FOR_80)
transcript(r'''
0 rules -o old.csv h200/old => @ old.csv ^gpu,NVIDIA H200$ => @ old.csv ^compute_capability,8.0$
0 rules -o new.csv h200/new h200/native => @ new.csv ^compute_capability,9.0$
0 rules -o l4.csv l4 => @ l4.csv ^compute_capability,8.9$
2 rules -o none.csv h200 => ! one architecture's code, and h200/.* is of .* and [89].0, h200/.* name the runs
''')
# For the known GPU of an architecture whose code ran, and nothing else.
made('h200/other', 'NVIDIA H200', '9.0', FOR_80[:-1] + ' ' + FOR_90[1:])
transcript(r'''
0 rules --as sm_80 -o a100.csv h200/old => @ a100.csv ^gpu,A100 40GB$ => @ a100.csv ^bus_gbps,1555$
    @ a100.csv ^compute_capability,8.0$ => @ a100.csv ^sm_count,108$
0 rules -o /dev/stdout --as 80 h200/old => ^gpu,A100 40GB$
0 rules --held-out --as sm_80 h200/old
2 rules --as sm_80 -o none.csv h200/new => ! --as sm_80 .* code of sm_80 alone .* h200/new .*compute_90
2 rules --as sm_80 -o none.csv h200/other => ! h200/other was built with .*compute_80.*compute_90
2 rules --as sm_80 -o none.csv h200/native => ! h200/native was built with '-arch=native'$
2 rules --as sm_75 -o none.csv h200/old => ! code of sm_75 alone
2 rules --as sm_81 -o none.csv h200/old => ! architecture 'sm_81': known are sm_75 (Tesla T4), .*sm_120
''')
ok('one message of --as', expect.err.count('\n') == 1, expect.err)
ok('nothing written', not os.path.exists('none.csv'))

follows('')
follows('of.csv', SCANBENCH_RULES='of.csv')
follows('my.csv', '--rules my.csv', SCANBENCH_RULES='of.csv')
first = follows('my.csv', '--rules my.csv')
shutil.copy('my.csv', 'other.csv')
edit('other.csv', 'sm_count,58', 'sm_count,60')
ok('the manifest tells two files apart', follows('other.csv', '--rules other.csv') != first)
edit('out/manifest.csv', ' --rules other.csv', ' --rules my.csv')
edit('out/manifest.csv', '^complete,1', 'complete,0')
shutil.copy('my.csv', 'bad.csv')
edit('bad.csv', 'warp_per_line_b256_i16', 'warp_per_lime')
write('huge.csv', 'rules,2', 'model,forest',
      'problem,sum,f32,9223372036854775807,9223372036854775807,2,x=0')
transcript(r'''
2 run $small --rules my.csv --resume out => ! it began with rules_hash '
2 run --rules other.csv --resume out => ! not with 'other.csv': its arguments need not be repeated$
2 $check --rules none.csv => ! No such file
2 $check --rules l4 => ! rules l4: Is a directory
2 $check --rules huge.csv => ! line 3: outer, axis and inner are no shape
2 $check --rules bad.csv
    ! ^.*rules bad.csv: line 8: no variant of these operations is called 'warp_per_lime'
''', {'small': SMALL, 'check': 'check --device host -f ^sum/serial/ --shape 3x4:1 -q'})
ok('one message', expect.err.count('\n') == 1, expect.err)

# A name that cannot be printed is nobody's rules.
os.makedirs('results/\033[2Jx')
shutil.copy('bad.csv', 'results/\033[2Jx/rules.csv')
transcript('0 check --device host -f ^sum/serial/f32 --shape 3x4:1 -q')
shutil.rmtree('results/\033[2Jx')

# A full disk leaves the rules that were there.
before = read('my.csv')
full = subprocess.run(['sh', '-c', 'trap "" XFSZ; ulimit -f 0; "$1" rules -o my.csv l4/one 2>&1 | cat',
                       '-', str(expect.SCANBENCH)], capture_output=True, text=True, check=False).stdout
ok('a full disk', 'my.csv: File too large' in full and read('my.csv') == before, full)
os.makedirs('results/l4', exist_ok=True)
shutil.copy('bad.csv', 'results/l4/rules.csv')
transcript('2 check --device host -q => ! rules results/l4/rules.csv: line 8')
os.rename('results', 'elsewhere')
transcript('2 check --device host -q => ! rules elsewhere/l4/rules.csv: line 8',
           env={**os.environ, 'SCANBENCH_RESULTS': 'elsewhere'})
expect.tally()
