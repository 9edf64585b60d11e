# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE FAKE OPERATORS: a sound plugin runs like a built-in family, a
bad one has one message, and none ends scanbench. FAKE is fake_plugin.c, OPERATORS
is operators/planted.c."""
import glob
import os
import shutil
import subprocess
import time

import expect
from expect import SCANBENCH, edit, ok, run, seen, transcript, write

FAKE, OPERATORS = expect.ARGUMENTS[2:4]
os.environ['OMP_NUM_THREADS'] = '1'
# A crash ends with its signal under AddressSanitizer, too.
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':handle_segv=0:handle_sigbus=0'
shutil.copy(FAKE, 'fake.so')
shutil.copy(FAKE, 'more.so')
with open('more.so', 'ab') as file:
    file.write(b'more\n')
WORDS = {'check': 'check --device host -q --op cumsum --dtype f32',
         'run': 'run --device host --shape 3x500x2 --op cumsum --dtype f32 --budget 0 -q',
         'two': '--shape 3x5x2,1x7x1', 'one': '--shape 3x5x2 --plugin fake.so',
         'work': expect.WORK,
         'digest': '[0-9a-f]*'}


def given(fault, script):
    transcript(script, WORDS, env={**os.environ, 'FAKE': fault})


# ---- sound plugins
transcript(r'''
0 $check $two --plugin fake.so --family scan/fake => ^1 passed, 0 failed, 1 skipped
0 $check $two --plugin fake.so --family scan/fake --in-process
0 list --plugin fake.so --device host --grid quick -f fake => ^cumsum/fake/f32/1x4096x1$
2 list --plugin fake.so --family scan/fkae => ! 'scan/fkae'; did you mean scan/fake
0 list --families --plugin fake.so => ^scan/fake  *plugin fake  *deterministic  *one loop => ^host/serial 
0 $run -f 'fake|serial' --plugin $work/fake.so -o one
    @ one/cumsum.csv ^fake,f32,.*,ok,[^,]*,[^,]*deterministic,
    @ one/manifest.csv ^plugins,fake:$digest$
    -@ one/manifest.csv $work
    -@ one/manifest.csv plugin=
    -@ one/manifest.csv --plugin
0 tune cumsum 3x500x2 --budget 0 --plugin fake.so --device host -q -o tuned --format csv => ^cumsum,f32,3,500,2,,cold,fake
0 show one -f fake --contract deterministic --format csv => ,fake,fake,.*,ok,[^,]*,[^,]*deterministic,
0 run --resume one --plugin fake.so => ! is complete
2 run --resume one => ! it began with plugins 'fake:.*', not '': give each again by --plugin FILE$
2 run --resume one --plugin more.so => ! it began with plugins 'fake:
''', WORDS)
shutil.copytree('one', 'two')
edit('two/manifest.csv', '^plugins,fake:.', 'plugins,fake:x')
run('compare', 'one', 'two')
ok('another run', 'not the same: plugins fake:' in expect.out + expect.err)

# ---- a run names the operations of its plugins
OPERATIONS = {'operators': OPERATORS,
              'exact': 'run --device host --shape 3x500x2 --dtype f32 --op cumxor,affine '
                       f'--budget 0 -q --plugin {OPERATORS}'}
transcript(r'''
0 $exact -f serial -o xor
    @ xor/manifest.csv ^operations,.*cumxor=
0 show xor --all => ^cumxor f32 => ^  3x500x2 .*serial
0 table xor --format csv => ^cumxor,serial,serial,f32
0 run --resume xor --plugin $operators => ! is complete
''', OPERATIONS)
transcript('''
1 check --device host -q --shape 3x500x2 --op affine --dtype f32 --plugin $operators
    ! ^wrong: affine/op_swapped/ => ^[1-9][0-9]* passed, 1 failed
''', OPERATIONS, env={**os.environ, 'OPERATORS_SWAPPED': '1'})
shutil.copytree('xor', 'bad')
edit('bad/manifest.csv', 'cumxor=', 'cumxor=1')
transcript('2 show bad => ! operations that another plugin has')

given('cuda', r'''
77 $check $one => ! plugin fake.so: none of its variants runs on the host, and => -! matches
77 $run --plugin fake.so -o cuda => ! none of its variants runs on the host
''')
given('old', '0 $check $two --plugin fake.so --family scan/fake')

# ---- harm in a cell costs that cell alone
given('wrong', '1 $check $one => ! ^wrong: cumsum/fake/f32/3x5x2 => ! again: .* --plugin fake.so')
given('rounds', '0 $check $one => ^[1-9][0-9]* passed, 0 failed')
given('kills', '1 $check $one => ! ^error: cumsum/fake.*died of signal 9'
      ' => ^[1-9][0-9]* passed, 1 failed')
given('dribbles', '1 $check $one -f fake --timeout 2 => ! not done after 2 s')
given('floods', '1 $check $one -f fake => ! answer makes no sense')
for harm, words in (('forks', '0 $check $one -f fake'), ('leaves', '0 $check $one -f fake'),
                    ('forks_and_dies', '1 $check $one -f fake => ! died of signal 9')):
    since = time.monotonic()  # run() waits until nobody holds the pipes
    given(harm, words)
    ok(f'{harm}: all ends', time.monotonic() - since < 30)
given('forges', r'''
1 $run -f 'fake|copy/loop/' --shape 3x5x2 --op cumsum,copy --plugin fake.so -o forged
    @ forged/cumsum.csv ^fake,.*,error,.*answer makes no sense
''')
if subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', './de_DE.UTF-8'],
                  capture_output=True, check=False).returncode == 0:
    os.environ['LOCPATH'] = expect.WORK
    for harm in 'commas', 'own_commas':
        given(harm, rf'''
0 $run -f 'fake|copy/loop/' --op cumsum,copy --plugin fake.so --in-process -o {harm}
''')
        for row in expect.table(f'{harm}/cumsum.csv'):
            ok(f'{harm}: a number', row['status'] != 'ok' or float(row['median_us']) > 0, row)
else:
    expect.skip('there is no locale with commas')
os.makedirs("x';touch PWNED;'", exist_ok=True)
shutil.copy('fake.so', "x';touch PWNED;'/fake.so")
run(*WORDS['check'].split(), '--shape', '3x5x2', '-f', 'fake', '--plugin', "x';touch PWNED;'/fake.so",
    env={**os.environ, 'FAKE': 'wrong'})
again = expect.err.split('again: scanbench', 1)[1].split('\n')[0]
subprocess.run(['sh', '-c', 'true' + again], check=True)
ok('again runs nothing', not os.path.exists('PWNED'), again)
shutil.copy('fake.so', 'changed.so')
run(*WORDS['check'].split(), '--shape', '3x5x2', '--plugin', 'changed.so',
    env={**os.environ, 'FAKE': 'changed', 'FAKE_FILE': 'changed.so'})
ok('another file', seen('! changed.so: the file is another one now'), expect.err)
given('elsewhere', r'''
0 $check $one -f fake --repeat 5
0 $run -f 'fake|copy/loop/' --shape 3x5x2 --op cumsum,copy --plugin fake.so --cache hot -o elsewhere
''')
for field, status in ('loads', 'ok'), ('dawdles', 'slow'), ('lazy', 'slow'), ('compiles', 'ok'):
    given(field, rf'''
0 $run -f 'fake|copy/loop/' --shape 3x5x2 --op cumsum,copy --slow 50 --plugin fake.so -o {field}
    @ {field}/cumsum.csv ^fake,.*,{status},
''')
given('depth', r'''
1 run --device host --shape 3x500x2 --dtype f32 -q -f 'fake|copy/loop/' --op cumsum,copy --plugin fake.so -o depth
    @ depth/cumsum.csv ^fake,.*,wrong,
''')
given('stale', '1 $check $one -f fake => ! ^wrong: cumsum/fake')
given('hurried', r'''
1 $run -f 'fake|copy/loop/' --op cumsum,copy --cache hot --plugin fake.so -o hurried
    @ hurried/cumsum.csv ^fake,.*,wrong,.*close behind another
1 $check --shape 3x500x2 --plugin fake.so -f fake => ! ^wrong: .*close behind another
''')
given('written', r'''
1 check --device host -q --op write --dtype f32 --shape 3x500x2 --plugin fake.so -f fake
    ! ^wrong: write/fake.*close behind another
1 run --device host -q --op write --dtype f32 --shape 1x4096x1 --plugin fake.so -f fake --budget 0 --cache hot,cold -o written
    @ written/write.csv ,hot,.*wrong,.*other bits than the verified
    @ written/write.csv ,cold,.*wrong,.*did not write
''')
given('nowhere', '1 $check $one -f fake => ! not name the place of its output')


# ---- bad files: status 2, one message, no data
def refused(text, *plugins, **how):
    status = run('list', '--device', 'host', '--grid', 'quick',
                 *(word for plugin in plugins for word in ('--plugin', plugin)), timeout=60, **how)
    ok(f'{plugins}: {text}', status == 2 and len(expect.err.splitlines()) == 1 and not expect.out
       and seen(f'! ^scanbench: plugin .*{text}'), status, expect.out, expect.err)


write('text.so', 'int x;')
write('empty.so')
with open('fake.so', 'rb') as file:
    BYTES = file.read()
with open('torn.so', 'wb') as file:
    file.write(BYTES[:3000])
for text, *plugins in (('No such file', 'none.so'), ('Is a directory', '.'),
                       ('file too short', 'empty.so'),
                       ('cannot be loaded: .*shared object', 'text.so'), ('.', 'torn.so'),
                       ('cannot be loaded', SCANBENCH),
                       ('another plugin has its name', 'fake.so', 'more.so')):
    refused(text, *plugins)
for library in (glob.glob('/lib*/*/libm.so.6') + glob.glob('/lib*/libm.so.6'))[:1]:
    refused('exports no scanbench_plugin', library)
transcript(r'''
2 list --plugin ''
2 check --broken --plugin fake.so
''')

# ---- bad tables
FAULTS = {'FAKE': r'''
crashes it crashed .* signal 11
exits it ended the process .* status 0
nothing returned NULL
version built for version 7 .* has version 3: rebuild
newer struct variant has .*: rebuild
older_reducer struct reducer has .*: rebuild
newer_reducer struct reducer has .*: rebuild
garbage built for version 1515870810
garbage_behind it crashed
no_name its name is ''
no_families no family
no_variants variants is NULL
empty has no variant
twice a variant fake already
endless more than 4096 variants
no_launch variant fake of scan/fake: launch is NULL
no_idea idea is no line
control idea is no line
device runs_on
no_ops ops has no operation
dtypes ops has no operation
passes passes are none
growth error_growth
tile error_tile
''', 'FAKE_ID': r'''
scan/Fake 'scan/Fake'
host/serial a family host/serial already
scan/block_per_line a family scan/block_per_line already
best/best a family best/best already
''', 'FAKE_NAME': r'''
../x '../x'
serial a variant serial already
thread_per_line_b256 already
best a variant best already
'''}
for variable, faults in FAULTS.items():
    for fault in faults.split('\n')[1:-1]:
        value, text = fault.split(' ', 1)
        refused(text, 'fake.so', env={**os.environ, variable: value})
given('hangs', '2 check --timeout 0.3 --device host --plugin fake.so => ! not loaded after 0.3 s')
given('prints', '0 list --plugin fake.so --device host -f fake => ! not data => - not data')
expect.tally()
