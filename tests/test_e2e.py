# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: the whole pipeline on the host, as a user would run it, in
a folder of its own: sweep, CSV, charts, and what goes wrong."""
import glob
import os
import re
import shutil
import signal

import expect
from expect import SOURCE, append, grep, ok, read, run, start, table, transcript, until

os.environ['SCANBENCH'] = expect.SCANBENCH  # for draw.sh
HOST = {'host': '--device host --budget 0',
        'one': '--dtype f32 --device host --budget 0 -q',
        'six': '--shape ' + ','.join(f'3x{axis}:1' for axis in range(33, 39)),
        'bugs': 'wrong_third wrong_fifth rests remembers remembers_pointer'.replace(' ', '|')}


def draws(script):
    if shutil.which('gnuplot'):
        transcript(script, program=f'{SOURCE}/plots/draw.sh')


def nonempty(*paths):
    for path in paths:
        ok(path, os.path.getsize(path) if os.path.exists(path) else False)


# ---- a sweep, its CSV and its charts
transcript(r'''
0 run --quick --op cumsum,masked_cumsum,sum $one -o sweep => @ sweep/cumsum.csv ,ok,,
    @ sweep/manifest.csv ^complete,1
    @ sweep/cumsum.csv ^chunked_two_pass,.*,1\.5,
    @ sweep/masked_cumsum.csv ^chunked_two_pass,.*,1\.5555
''', HOST)
nonempty(*(f'sweep/{name}.csv' for name in (
    'manifest', 'ceilings', 'cumsum', 'masked_cumsum', 'sum', 'copy', 'read')))
for path in glob.glob('sweep/*sum*.csv'):
    for row in table(path):  # without a reason
        ok(f'{path}: what is above its ceiling is marked', row['status'] != 'ok' or
           (float(row['pct_ceiling'] or 0) > 120) == ('above_ceiling' in row['marks']), row)
explained = re.findall('^[a-z]\\w*', read(f'{SOURCE}/results/README.md'), re.M)
written = re.findall('^[a-z]\\w*(?=,)', read('sweep/manifest.csv'), re.M)[1:] + [
    column for name in ('sum', 'ceilings')
    for column in read(f'sweep/{name}.csv').split('\n')[0].split(',')]
ok('results/README.md, and with it the report, explains all', set(written) <= set(explained),
   set(written) - set(explained))
draws('0 sweep')
if shutil.which('gnuplot'):
    nonempty(*(glob.glob('sweep/plots/*.svg') or ['sweep/plots']))

# ---- the first launch may load code, so the second decides what is slow; a run
# detects a single wrong launch, launches that do nothing and remembered results;
# a variant that refuses is not asked for a workspace (picky would abort)
transcript(r'''
0 run -f /serial/ --op cumsum --shape 1x3:1,1x400000:1 --slow 0.02 $one -o slow
    @ slow/cumsum.csv ,400000,.*,slow,[0-9.e+-]* ms per launch: not sampled (limit 
    @ slow/cumsum.csv ,400000,.*,slow,[^,]*,,,,[0-9.]
0 run --broken -f copy/stalled/f32 --shape 1x1000:1 --slow 20 $one -o stalled
    @ stalled/copy.csv ^stalled,.*,ok,
1 run --broken --shape 3x33:1 -f 'cumsum/($bugs)/' --op cumsum $one -o bugs
    @ bugs/cumsum.csv ^wrong_third,.*,wrong,
    @ bugs/cumsum.csv ^wrong_fifth,.*,wrong,
    @ bugs/cumsum.csv ^rests,.*,wrong,
    @ bugs/cumsum.csv ^remembers,.*,wrong,
    @ bugs/cumsum.csv ^remembers_pointer,.*,wrong,
1 run --broken -f cumsum/wrong_hundredth --op cumsum $one -o hundred $six
1 run --broken -f cumsum/skips_close_behind --op cumsum --cache hot --shape 3x33:1 $one -o close
    @ close/cumsum.csv ^skips_close_behind,.*,wrong,a launch close behind another
0 check -q --broken -f picky --device host --shape 3x5:1,3x6:1 => ^1 passed, 0 failed, 1 skipped
0 run --broken -f picky --dry-run --shape 3x5:1,3x6:1 $host
''', HOST)

# ---- both cache states, two processes: charts of each state, of medians; a run that
# was killed may end in half a line
transcript('0 run --op flip --shape 16x64:1,2x512:1 --cache cold,hot --processes 2 $one -o both', HOST)
shutil.copytree('both', 'torn')
append('torn/flip.csv', 'garbage')
with open('torn/copy.csv', 'a', encoding='utf-8') as file:
    file.write('NVIDIA X,copy,driver,f32,1,2')
draws(r'''
0 torn => ! flip.csv:[0-9]*: .*left out
    @ torn/plots/flip_bandwidth_length_hot.svg Hot cache
    @ torn/plots/flip_bandwidth_length.svg Cold cache
''')

# ---- the best points
transcript(r'''
0 tune cumsum 3x1025:1 $host -q -o tuned --format csv => ^cumsum,f32,3,1025,1,,cold,\([a-z_0-9]*\),\1,1,,,1,
    @ tuned/manifest.csv ^complete,1
2 tune cumsum 3x5:1 --grid quick
''', HOST)

# ---- a crash or a hang costs one row, and the sweep goes on
transcript(r'''
1 run --broken -f '/(hang|crash|off_by_one)/' --shape 3x2049:1 $host --timeout 1 -q -o broken
    @ broken/cumsum.csv hang,.*,timeout,
    @ broken/cumsum.csv crash,.*,error,.*the worker [de]
    @ broken/cumsum.csv off_by_one,.*,wrong,
''', HOST)
# With stderr closed, messages reach no file. The run is complete, but wrong.
transcript(r'''
1 run --broken -f off_by_one --shape 3x2049:1 $host -o closed => -@ closed/ceilings.csv wrong:
''', HOST, preexec_fn=lambda: os.close(2))
transcript(r'''
1 run --broken -f off_by_one --shape 3x2049:1 $host --resume closed
1 run --resume closed
''', HOST)

# ---- --resume needs only the folder's name
whole = read('both/flip.csv').splitlines()
expect.write('both/flip.csv', *whole[:-1])
transcript(r'''
0 run --resume both => ! measured, 
2 run --resume both --op sum --dtype f32
    ! both was begun with .*, and not with 'sum'
0 run --op flip $host --resume both
''', HOST)
ok('the row is there again', len(read('both/flip.csv').splitlines()) == len(whole))
transcript(r'''
0 run -f /serial/ --op cumsum --shape 1x3:1 --in-process $one -o inside
0 run --resume inside => ! is complete
''', HOST)

# ---- the verifier's draws do not follow --seed, and can be repeated
small = ('run', '-f', '/serial/', '--op', 'cumsum', '--dtype', 'f32', '--shape', '1x3:1',
         '--device', 'host', '--seed', '7', '--slow', '0')
for folder, secret in (('drawn', ''), ('redrawn', ''), ('given', '12345')):
    run(*small, '-o', folder, env={**os.environ, 'SCANBENCH_CHECK_SEED': secret})
drawn, redrawn, given = (re.search('^check_seed,(.+)$', read(f'{folder}/manifest.csv'), re.M)[1]
                         for folder in ('drawn', 'redrawn', 'given'))
ok('secrets', len({drawn, redrawn, '0', '1', '7'}) == 5 and given == '12345', drawn, redrawn, given)
for seed in '1x', str(2 ** 64):
    transcript('2 run --quick => ! SCANBENCH_CHECK_SEED must be a number', env={**os.environ, 'SCANBENCH_CHECK_SEED': seed})
for size in '0', '32m', '32 M':
    transcript('2 run --quick --device host => ! SCANBENCH_HOST_CACHE must be a size', env={**os.environ, 'SCANBENCH_HOST_CACHE': size})

# ---- an interrupt, or a terminal that closes, leaves what was finished
def copies(folder):
    return read(f'{folder}/copy.csv').count('\n') if os.path.exists(f'{folder}/copy.csv') else 0


def begun(folder):
    child = start('run', '--grid', 'default', '--dtype', 'f32', '--device', 'host', '-q', '-o', folder)
    until(lambda: copies(folder) > 1)
    return child


for number in signal.SIGINT, signal.SIGHUP:
    child = begun(number.name)
    child.send_signal(number)
    ok(f'{number.name}: interrupted', child.wait() == 130, child.returncode)
    ok('rows are kept', grep(',ok,', read(f'{number.name}/copy.csv')))
    ok('marked incomplete', grep('^complete,0', read(f'{number.name}/manifest.csv')))
child = begun('here')  # its folder is moved and replaced
os.rename('here', 'there')
os.mkdir('here')
until(lambda: child.poll() is not None)
ok('a folder that is moved', child.poll() == 2, child.returncode)
ok('no rows in the other one', not os.listdir('here') and copies('there') > 1, os.listdir('here'))
before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # inherited by the child
child = begun('nohup')
signal.signal(signal.SIGHUP, before)
child.send_signal(signal.SIGHUP)
rows = copies('nohup')
until(lambda: copies('nohup') > rows)
ok('under nohup it goes on', child.poll() is None, child.poll())
child.terminate()
ok('until it is ended', child.wait() == 130, child.returncode)
expect.tally()
