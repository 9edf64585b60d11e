# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run's disk is full, its files are cut, damaged and lost, and
it is taken up again: what was whole stays, and the rest is measured again."""
import atexit
import os
import resource
import shutil
import subprocess

import expect
from expect import edit, ok, read, seen, skip, until
from sweeps import WHOLE, WORDS, cells, fact, lost, resumes, rows, sweep


def write(path, text):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)


def mount(*words):
    return subprocess.run(['mount', *words], stderr=subprocess.DEVNULL, check=False).returncode


def told(what, status, *patterns):
    """Of the command before."""
    ok(what, status == 2, f'status {status}', expect.err)
    for pattern in patterns:
        ok(f'{what}: {pattern}', seen(pattern), expect.err)


# ---- no more space: a quota, in blocks of 512 bytes
blocks = (os.path.getsize('whole/cumsum.csv') + 511) // 512 - 2
told('a quota', sweep('-o', 'quota', preexec_fn=lambda: resource.setrlimit(
    resource.RLIMIT_FSIZE, (blocks * 512, blocks * 512))),
     '! cannot write quota/.*File too large', '! --resume')
before = rows('quota')
ok('rows are kept', before)
resumes('a quota', 'quota', before)

# ---- no more space: a small disk
os.mkdir('disk')
if shutil.which('mount') and not mount('-t', 'tmpfs', '-o', 'size=24k', 'none', 'disk'):
    atexit.register(subprocess.run, ['umount', os.path.abspath('disk')], check=False)
    told('a full disk', sweep('-o', 'disk/run'), '! No space left')
    before = rows('disk/run')
    ok('rows are kept', before)
    ok('whole ones', all(row.count(',') >= 34 for row in before))
    told('still full', sweep('--resume', 'disk/run'))
    ok('nothing was lost', not lost(before, 'disk/run'))
    mount('-o', 'remount,size=1m', 'disk')
    resumes('a full disk', 'disk/run', before)
else:
    skip('a full disk: no tmpfs can be mounted here')


# ---- a file is deleted under it
with subprocess.Popen([expect.SCANBENCH, 'run', *WORDS, '-o', 'bereft'], text=True,
                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
    until(lambda: os.path.exists('bereft/cumsum.csv') and read('bereft/cumsum.csv'))
    os.remove('bereft/cumsum.csv')
    _, expect.err = child.communicate()
told('a deleted file', child.returncode, '! bereft/cumsum.csv has vanished',
     '! scanbench run --resume bereft goes on')
ok('no other folder', not seen('! another folder'), expect.err)
resumes('a deleted file', 'bereft', rows('bereft'))


# ---- of a run that had been killed at its end
def undone(folder):
    shutil.copytree('whole', folder)
    edit(f'{folder}/manifest.csv', '^complete,1', 'complete,0')


def lines(name):
    return read(f'whole/{name}.csv').splitlines()


def damage_line(path):
    """The twelfth."""
    text = read(path).split('\n')
    text[11] = text[11].split(',ok,')[0] + ',o\0k,#@!/'
    write(path, '\n'.join(text))


def but(*bad):
    return [row for row in rows('whole') if row not in bad]


undone('damaged')
write('damaged/cumsum.csv', read('whole/cumsum.csv')[:-40])
damage_line('damaged/sum.csv')
write('damaged/ceilings.csv', read('whole/ceilings.csv')[:700])
os.remove('damaged/read.csv')
resumes('damaged', 'damaged', but(lines('cumsum')[-1], lines('sum')[11], *lines('read')[1:]))
ok('a torn line is reported', seen('! cumsum.csv'), expect.err)
ok('a damaged one', seen('! sum.csv:12'), expect.err)

# ---- the same of a run that says that it is complete
shutil.copytree('whole', 'losses')
write('losses/cumsum.csv', ''.join(f'{line}\n' for k, line in enumerate(lines('cumsum')) if k != 4))
damage_line('losses/sum.csv')
write('losses/copy.csv', read('whole/copy.csv')[:-9])
resumes('complete, with losses', 'losses',
        but(lines('cumsum')[4], lines('sum')[11], lines('copy')[-1]))
for pattern in ('! losses was complete, but has lost rows', '! sum.csv:12',
                '! copy.csv:.* cut short'):
    ok(pattern, seen(pattern), expect.err)
ok('counted', fact('losses', 'resumed,1'))
sweep('--resume', 'losses')
ok('then nothing is missing', seen('! nothing is missing'))
shutil.copytree('whole', 'roofless')  # whole lines, of the first launch
edit('roofless/ceilings.csv', r'^.*,0,start\n', '')
resumes('complete, without ceilings', 'roofless', rows('whole'))

# ---- many damaged lines: a few are named, all are taken out
undone('flooded')
write('flooded/cumsum.csv', read('whole/cumsum.csv') + 'x\n' * 10000)
resumes('flooded', 'flooded', rows('whole'))
ok('a few are named', len(expect.err.splitlines()) < 100, len(expect.err.splitlines()))
ok('and how many more', seen('! cumsum.csv: and 9990 problems more$'), expect.err[:4000])
ok('all of them kept', read('flooded/cumsum.csv.damaged') == 'x\n' * 10000)
undone('drowned')
write('drowned/manifest.csv', read('whole/manifest.csv') + 'x\n' * 10000)
for words in ('run --resume drowned', 'convert drowned -o dry'):
    told(words, expect.run(*words.split()), '! manifest.csv:.*: not a key and a value',
         '! and 9990 problems more$')
    ok(f'{words}: a few are named', len(expect.err.splitlines()) == 11, expect.err[:4000])

# ---- no message repeats a megabyte
undone('stretched')
for key, chars, good in ('commit', 1024, False), ('arguments', 20000, False), ('device_name', 500, True):
    shutil.copy('whole/manifest.csv', 'stretched/manifest.csv')
    edit('stretched/manifest.csv', f'^{key},.*', f'{key},{"a" * chars}')
    expect.run('show', 'stretched')
    long = bool(seen('! manifest.csv:.*: a value that no run has: too long'))
    ok(f'{key} of {chars}', long != good and
       len(expect.err + expect.out) < 20000, expect.err[:2000])

# ---- words that measure nothing are no run's
undone('dry_words')
for word in ('-n', '--dry-run', '-qn'):
    edit('dry_words/manifest.csv', '^(arguments,"?run )(-.*n )?(?=--device)', rf'\1{word} ')
    ok(f'{word} is in it', f'run {word} --device' in read('dry_words/manifest.csv'))
    told(f'a manifest with {word}', expect.run('run', '--resume', 'dry_words'),
         '! dry_words cannot be resumed: manifest.csv: its arguments have --dry-run')

# ---- what is not to be taken up is left as it is
undone('other')
told('other words', expect.run('run', '--device', 'host', '--op', 'flip', '--resume', 'other'),
     '! was begun with')
edit('other/manifest.csv', '^commit,.*', 'commit,0123456789ab')
told('another commit', sweep('--resume', 'other'), "! its commit is '0123456789ab'")
ok('left as it is', all(read(f'other/{name}') == read(f'whole/{name}')
                        for name in os.listdir('whole') if name != 'manifest.csv')
   and sorted(os.listdir('other')) == sorted(os.listdir('whole')))
told('a run there', sweep('-o', 'whole'))
ok('left as it is', cells('whole') == WHOLE)
expect.tally()
