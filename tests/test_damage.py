# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run lacks memory or descriptors, its files are cut, damaged and
lost, and it is resumed: whole rows stay, and the rest is measured again."""
import collections
import glob
import os
import resource
import shutil

import expect
from expect import edit, ok, read, run, seen, skip, table

# Few cells: a sample flushes the host's cache, and the sweep is made ten times.
WORDS = ('--device host --op cumsum,sum --dtype f32 --shape 3x2049:1,5x300x7 --cache hot '
         '--budget 0 --processes 2 -q').split()


def sweep(*words, **how):
    return run('run', *WORDS, *words, **how)


def named_rows(folder):
    """Pairs of a file's name and a row, without headers."""
    paths = set(glob.glob(f'{folder}/*.csv')) - {
        f'{folder}/manifest.csv', f'{folder}/ceilings.csv', f'{folder}/samples.csv'}
    return [(os.path.basename(path), row) for path in sorted(paths)
            for row in read(path).split('\n')[1:] if row]


def rows(folder):
    return [row for _, row in named_rows(folder)]


def cells(folder):
    """Distinct (file, variant, dtype, outer, axis, inner, cache, process)."""
    return sorted({(name, *row.split(',')[:7]) for name, row in named_rows(folder)})


def roofs(folder):
    """(kind, twin, dtype, cache, elems, process, phase) per ceiling."""
    return sorted((*fields[:5], *fields[9:11]) for fields in (
        line.split(',') for line in read(f'{folder}/ceilings.csv').splitlines()))


def lost(before, folder):
    return list((collections.Counter(before) - collections.Counter(rows(folder))).elements())


def fact(folder, text):
    return text in read(f'{folder}/manifest.csv').splitlines()


def resumes(what, folder, before, *words):
    """Resumes the run and compares it with the whole one."""
    status = sweep(*words, '--resume', folder)
    ok(f'{what}: resumed', status == 0, status, expect.err)
    ok(f'{what}: the same cells', cells(folder) == WHOLE)
    ok(f'{what}: the same ceilings', roofs(folder) == roofs('whole'))
    ok(f'{what}: complete', fact(folder, 'complete,1'))
    ok(f'{what}: nothing was lost', not lost(before, folder), *lost(before, folder))


def write(path, text):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)


def refuses(what, status, *patterns):
    """Checks the status and messages of the last command."""
    ok(what, status == 2, f'status {status}', expect.err)
    for pattern in patterns:
        ok(f'{what}: {pattern}', seen(pattern), expect.err)


# ---- a sweep that nothing happens to
ok('nothing happens', sweep('-o', 'whole') == 0, expect.err)
WHOLE = cells('whole')
ok('its cells, each once', len(rows('whole')) == len(WHOLE))
ok('cells of both processes', len(WHOLE) >= 24)


# ---- neither memory nor descriptors
def limited(what, most):
    return lambda: resource.setrlimit(what, (most, most))


MEMORY = limited(resource.RLIMIT_AS, 60000 << 10)
if expect.run('--version', preexec_fn=MEMORY) == 0:
    refuses('a limit on memory', expect.run(
        *'run -o limited --device host --op cumsum --dtype f64 --shape 1x16777216:1 -q'.split(),
        preexec_fn=MEMORY, env={**os.environ, 'SCANBENCH_HOST_CACHE': '64M'}), '! no memory')
else:
    skip('a limit on memory: CUDA or a sanitizer does not start within it')
refuses('no descriptors', sweep('-o', 'descriptors', preexec_fn=limited(resource.RLIMIT_NOFILE, 7)),
        '! ulimit -n')
resumes('no descriptors', 'descriptors', [])


# ---- of a run that had been killed at its end
def undone(folder):
    shutil.copytree('whole', folder)
    edit(f'{folder}/manifest.csv', '^complete,1', 'complete,0')


def lines(name):
    return read(f'whole/{name}.csv').splitlines()


def but(*bad):
    return [row for row in rows('whole') if row not in bad]


undone('damaged')
write('damaged/cumsum.csv', read('whole/cumsum.csv')[:-40])
write('damaged/ceilings.csv', read('whole/ceilings.csv')[:700])
os.remove('damaged/read.csv')
resumes('damaged', 'damaged', but(lines('cumsum')[-1], *lines('read')[1:]))
ok('a torn line is reported', seen('! damaged/cumsum.csv: its last line was cut short'), expect.err)
# ---- the same of a run that says that it is complete
shutil.copytree('whole', 'losses')
write('losses/cumsum.csv', ''.join(f'{line}\n' for k, line in enumerate(lines('cumsum')) if k != 4))
write('losses/copy.csv', read('whole/copy.csv')[:-9])
resumes('complete, with losses', 'losses', but(lines('cumsum')[4], lines('copy')[-1]))
ok('counted', fact('losses', 'resumed,1'))
sweep('--resume', 'losses')
ok('then nothing is missing', seen('! nothing is missing'))
shutil.copytree('whole', 'roofless')  # whole lines, of the first launch
edit('roofless/ceilings.csv', r'^.*,0,start\n', '')
resumes('complete, without ceilings', 'roofless', rows('whole'))

# ---- another card of the same name: rows name it, and its ceilings are its own
undone('card')
write('card/cumsum.csv', ''.join(f'{line}\n' for line in lines('cumsum')[:-1]))
edit('card/manifest.csv', '^gpu_hash,.*', 'gpu_hash,0123456789abcdef')
before = rows('card')
ok('another card', sweep('--resume', 'card') == 0, expect.err)
ok('existing rows stay', not lost(before, 'card') and len(rows('card')) == len(rows('whole')))
ok('the new row names the card', [row['card'] for row in table('card/cumsum.csv')][-2:] == ['', 'unknown'])
ok('its ceilings', roofs('card').count(roofs('whole')[-1]) == 2 and len(roofs('card')) > len(roofs('whole')))

# ---- many damaged lines: a few are named
undone('flooded')
write('flooded/cumsum.csv', read('whole/cumsum.csv') + 'x\n' * 10000)
refuses('flooded', sweep('--resume', 'flooded'), '! cumsum.csv:.*: 1 fields under')
ok('a few are named', len(expect.err.splitlines()) < 100, len(expect.err.splitlines()))
ok('and how many more', seen('! flooded: and 9990 problems more$'), expect.err[:4000])
# ---- no message repeats a megabyte
undone('stretched')
for key, chars, good in ('commit', 1024, False), ('arguments', 20000, False), ('device_name', 500, True):
    shutil.copy('whole/manifest.csv', 'stretched/manifest.csv')
    edit('stretched/manifest.csv', f'^{key},.*', f'{key},{"a" * chars}')
    expect.run('show', 'stretched')
    long = bool(seen('! manifest.csv:.*: a value that no run has: too long'))
    ok(f'{key} of {chars}', long != good and
       len(expect.err + expect.out) < 20000, expect.err[:2000])
expect.tally()
