# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE FAILING: calls of the C library fail (FAILING is failing.c,
for LD_PRELOAD), files cannot be read, vanish, or are written by two at a time,
memory and descriptors run out: a command then does all that it was to do, or says
why not and ends with status 2; and --resume makes a run whole."""
import os
import resource
import shutil
import subprocess

import expect
from expect import ok, read, run, seen, until

FAILING = expect.ARGUMENTS[2]
WORDS = ('--device host --op cumsum --dtype f32 --shape 3x5:1 -f serial --cache hot '
         '--budget 0 -q --samples').split()


def failing(plan, *words):
    """Its status, and whether a call did fail: CALL:NUMBER[:NAME]."""
    status = run(*words, env={**os.environ, 'SCANBENCH_FAILING': plan, 'SCANBENCH_FAILED': 'mark',
                              'LD_PRELOAD': FAILING})
    failed = os.path.exists('mark')
    if failed:
        os.remove('mark')
    return status, failed


def says_why(status):
    return status == 2 and seen('! ^scanbench: ')


def limited(what, most):
    return lambda: resource.setrlimit(what, (most, most))


def cells(folder):
    return sorted(row.split(',')[1:10] for row in read(f'{folder}/cumsum.csv').splitlines())


def whole_again(what, folder):
    ok(f'{what}: can be resumed', run('run', *WORDS, '--resume', folder) == 0, expect.err)
    ok(f'{what}: is whole', cells(folder) == WHOLE and '\ncomplete,1' in read(
        f'{folder}/manifest.csv'))


ok('nothing fails', run('run', *WORDS, '-o', 'whole') == 0, expect.err)
WHOLE = cells('whole')
shutil.copytree('whole', 'other')

# ---- no memory, at any one place. What cannot be opened is named and left out.
for command in ('table whole', 'compare whole other', 'ladder whole', 'rules whole',
                'table --charts charts whole', 'list --device host',
                'run -n --device host --quick'):
    usual = run(*command.split())
    want, number, failed = expect.out, 0, True
    while failed:
        number += 1
        status, failed = failing(f'memory:{number}', *command.split())
        fine = says_why(status) or (status == usual and expect.out == want) or (
            status == usual and 'is left out' in expect.err)
        if failed and not fine:
            ok(f'{command}: memory {number}', False, f'status {status}', expect.err)
    ok(f'{command}: no memory, {number} times', number > 20)
status = run('run', '-o', 'limited', '--device', 'host', '--op', 'cumsum', '--dtype', 'f64',
             '--shape', '1x16777216:1', '-q', preexec_fn=limited(resource.RLIMIT_AS, 60000 << 10),
             env={**os.environ, 'SCANBENCH_HOST_CACHE': '64M'})
ok('a limit on memory', status == 2 and seen('! no memory'), status, expect.err)

def limited_twice():
    limited(resource.RLIMIT_CPU, 10)()
    limited(resource.RLIMIT_AS, 1 << 30)()


# ---- what is there in place of a file: every command ends, and soon
BRIEF = {'preexec_fn': limited(resource.RLIMIT_CPU, 10), 'timeout': 20}
ENDLESS = {'preexec_fn': limited_twice, 'timeout': 20}
READERS = ('table', 'table --charts charts', 'report', 'show --samples', 'table --format google-benchmark',
           'compare whole', 'regret', 'convert -o new')
for what, make in (('memory', lambda path: os.symlink('/proc/self/mem', path)),
                   ('a pipe', os.mkfifo), ('a folder', os.mkdir),
                   ('zeros', lambda path: os.symlink('/dev/zero', path))):
    for name in ('cumsum.csv', 'ceilings.csv', 'samples.csv', 'manifest.csv'):
        shutil.rmtree('odd', ignore_errors=True)
        shutil.copytree('whole', 'odd')
        os.remove(f'odd/{name}')
        make(f'odd/{name}')
        for command in READERS:
            ok(f'{what}: {command} ends', run(*command.split(), 'odd', **BRIEF) in (0, 1, 2, 77)
               and len(expect.err) < 4000, expect.err[:4000])
        run('show', '--samples', 'odd')
        ok(f'{what}: why {name} is left out', seen(f'! ^scanbench: odd/{name}.*: .*('), expect.err)
        status = run('run', '--resume', 'odd', env={**os.environ, 'SCANBENCH_RESULTS': '.'}, **BRIEF)
        ok(f'{what}: {name}: so does --resume', says_why(status), status, expect.err[:4000])

# ---- a line without end: what was before it counts, and the rest is not read
def with_hole(path, start):
    with open(path, 'r+b') as file:
        file.truncate(start)
        file.truncate(1 << 40)


for name in ('cumsum.csv', 'ceilings.csv', 'samples.csv', 'manifest.csv'):
    for start in (0, os.path.getsize(f'whole/{name}')):
        what = f'{name}, a hole from {start} on'
        shutil.rmtree('odd', ignore_errors=True)
        shutil.copytree('whole', 'odd')
        with_hole(f'odd/{name}', start)
        for command in READERS:
            ok(f'{what}: {command} ends', run(*command.split(), 'odd', **ENDLESS) in (0, 1, 2, 77)
               and len(expect.err) < 4000, expect.err[:4000])
        line = read(f'whole/{name}').count('\n') + 1 if start else 1
        why = f'! ^scanbench: .*{name}:{line}: a line of more than 1 MiB'
        run('show', '--samples', 'odd', **ENDLESS)
        ok(f'{what}: said so', seen(why), expect.err[:4000])
        status = run('run', '--resume', 'odd', env={**os.environ, 'SCANBENCH_RESULTS': '.'},
                     **ENDLESS)
        ok(f'{what}: so does --resume', says_why(status) and seen(why), status, expect.err[:4000])
        ok(f'{what}: it stays', os.path.getsize(f'odd/{name}') == 1 << 40)

# ---- a disk that is bad from half of a file on: this is not the file's end
for name in ('cumsum.csv', 'ceilings.csv', 'samples.csv', 'manifest.csv'):
    before = read(f'whole/{name}')
    _, failed = failing(f'read:0:{name}', 'show', '--samples', 'whole')
    ok(f'{name} is bad: said so', failed and seen(f'! {name}.*the file cannot be read'), expect.err)
    status, failed = failing(f'read:0:{name}', 'run', '--resume', 'whole')
    ok(f'{name} is bad: so does --resume', failed and says_why(status), status, expect.err)
    ok(f'{name} is bad: it stays', read(f'whole/{name}') == before)

# ---- a sweep whose writes and processes fail
for plan in ('write:1:cumsum.csv', 'fsync:1:ceilings.csv', 'open:1:cumsum.csv'):
    folder = 'run-' + plan.replace(':', '-')
    status, failed = failing(plan, 'run', *WORDS, '-o', folder)
    ok(f'{plan}: failed', failed)
    ok(f'{plan}: said so', says_why(status), status, expect.err)
    whole_again(plan, folder)
for plan in ('fork:1', 'pipe:1', 'pipe:2'):
    status, _ = failing(plan, 'run', *WORDS, '-o', 'never')
    ok(f'{plan}: said so', says_why(status), status, expect.err)
status = run('run', *WORDS, '-o', 'descriptors', preexec_fn=limited(resource.RLIMIT_NOFILE, 7))
ok('no descriptors', says_why(status) and seen('! ulimit -n'), status, expect.err)
whole_again('then it', 'descriptors')

# ---- a second one at the same time, a file that vanishes under it
with subprocess.Popen([expect.SCANBENCH, 'run', *WORDS, '-o', 'shared'], text=True,
                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as first:
    until(lambda: os.path.exists('shared/ceilings.csv') and read('shared/ceilings.csv'))
    ok('a second one', says_why(run('run', *WORDS, '--resume', 'shared')), expect.err)
    ok('said so', seen('! another scanbench is writing'), expect.err)
    ok('a new one there', says_why(run('run', *WORDS, '-o', 'shared')), expect.err)
    until(lambda: os.path.exists('shared/copy.csv') and read('shared/copy.csv'))
    os.rename('shared', 'gone')
    _, expect.err = first.communicate()
ok('a folder that vanished', says_why(first.returncode), first.returncode, expect.err)
whole_again('it', 'gone')
expect.tally()
