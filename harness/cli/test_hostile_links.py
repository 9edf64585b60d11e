# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: links in a stranger's folder, at names that are ours: nothing
outside is written."""
import os
import shutil

import expect
from expect import SOURCE, edit, ok, read, run, skip, write

shutil.copytree(f'{SOURCE}/tests/hostile/run', 'run')

# ---- links at names that are ours, where charts and samples go
ok('tables of charts', run('table', '--charts', 'ours', 'run') == 0, expect.err)
write('mine', 'mine')
ours = [f'ours/{name}' for name in os.listdir('ours')]
for path in ours:
    os.remove(path)
    os.symlink('../mine', path)
run('table', '--charts', 'ours', 'run')
ok('charts follow no link', ours and read('mine') == 'mine\n' and
   not any(map(os.path.islink, ours)))

# ---- a run with links out of it that is taken up: what they lead to stays
WORDS = ('run --device host --op cumsum --dtype f32 --shape 3x5:1 -f serial --cache hot '
         '--budget 0 -q --samples').split()
ok('a run', run(*WORDS, '-o', 'whole') == 0, expect.err)


def undone(folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree('whole', folder)
    edit(f'{folder}/manifest.csv', '^complete,1', 'complete,0')
    edit(f'{folder}/cumsum.csv', ',serial,', ',ser\x07al,')  # so that it is mended


def resumes(what, status, said):
    got = run(*WORDS, '--resume', 'linked')
    ok(f'{what}: resumed', got == status and expect.seen(said), got, expect.err)


for make in (os.symlink, os.link):
    for name, status in (('manifest.csv', 2), ('ceilings.csv', 2), ('copy.csv', 2),
                         ('cumsum.csv', 2), ('samples.csv', 2), ('cumsum.csv.damaged', 2),
                         ('cumsum.csv.new', 0), ('manifest.csv.new', 0)):
        undone('linked')
        mine = read(f'linked/{name}') if os.path.exists(f'linked/{name}') else 'mine\n'
        write('mine', *mine.splitlines()[:-1])  # without what would be written again
        if os.path.exists(f'linked/{name}'):
            os.remove(f'linked/{name}')
        make(os.path.abspath('mine'), f'linked/{name}')
        before = read('mine')
        resumes(f'{make.__name__} {name}', status,
                f'! {name}: it is a link' if status else '! cumsum.csv:2: .*moved')
        ok(f'{make.__name__} {name}: mine stays', read('mine') == before)
        ok(f'{make.__name__} {name}: status 0 makes it whole',
           status or expect.grep('^complete,1', read('linked/manifest.csv')))
undone('linked')
if expect.grep('^host_hash,.', read('linked/manifest.csv')):
    edit('linked/manifest.csv', '^host_hash,.*', 'host_hash,')
    resumes('another host', 2, "! its host_hash is '', and here")
else:
    skip('another host: this one has no id')
expect.tally()
