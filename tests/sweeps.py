# SPDX-License-Identifier: MIT
"""For tests of faults: a sweep on the host that nothing happens to, in whole, and
what another has kept of it."""
import collections
import glob
import os

import expect
from expect import ok, read, run, start, until

# Few cells: a sample flushes the host's cache, and the sweep is made ten times.
WORDS = ('--device host --op cumsum,sum --dtype f32 --shape 3x2049:1,5x300x7 --cache hot '
         '--budget 0 --processes 2 -q').split()


def sweep(*words, **how):
    return run('run', *WORDS, *words, **how)


def named_rows(folder):
    """All with the names of their files, without the header lines."""
    paths = set(glob.glob(f'{folder}/*.csv')) - {
        f'{folder}/manifest.csv', f'{folder}/ceilings.csv', f'{folder}/samples.csv'}
    return [(os.path.basename(path), row) for path in sorted(paths)
            for row in read(path).split('\n')[1:] if row]


def rows(folder):
    return [row for _, row in named_rows(folder)]


def cells(folder):
    """File, variant, dtype, outer, axis, inner, cache and process of each, once."""
    return sorted({(name, *row.split(',')[:7]) for name, row in named_rows(folder)})


def roofs(folder):
    """kind, twin, dtype, cache, elems, process and phase of each ceiling."""
    return sorted((*fields[:5], *fields[9:11]) for fields in (
        line.split(',') for line in read(f'{folder}/ceilings.csv').splitlines()))


def lost(before, folder):
    return list((collections.Counter(before) - collections.Counter(rows(folder))).elements())


def fact(folder, text):
    return text in read(f'{folder}/manifest.csv').splitlines()


def resumes(what, folder, before, *words):
    """Takes it up again, and looks at what it has then."""
    status = sweep(*words, '--resume', folder)
    ok(f'{what}: resumed', status == 0, status, expect.err)
    ok(f'{what}: the same cells', cells(folder) == WHOLE)
    ok(f'{what}: the same ceilings', roofs(folder) == roofs('whole'))
    ok(f'{what}: complete', fact(folder, 'complete,1'))
    ok(f'{what}: nothing was lost', not lost(before, folder), *lost(before, folder))


def begun(folder, count, *words):
    """Runs in the background and has `count` rows."""
    child = start('run', *WORDS, *words, '-o', folder)
    until(lambda: os.path.isdir(folder) and len(rows(folder)) >= count)
    return child


ok('nothing happens', sweep('-o', 'whole') == 0, expect.err)
WHOLE = cells('whole')
ok('its cells, each once', len(rows('whole')) == len(WHOLE))
ok('of both processes', len(WHOLE) >= 24)
