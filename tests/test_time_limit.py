# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run with a time limit measures whole problems, the same in
every process, in an order that the seed picks. It reports how many it left out,
and --resume measures those. A limit of 0 allows one problem at a time."""
import expect
from expect import ok, read, run, table, transcript, write

WORDS = ('--device host --op cumsum --dtype f32 --budget 0 --processes 2 '
         '--grid random_small:1:3 --time-limit 0')


def planned(seed):
    """Returns the shape and variant of each cell, in the plan's order."""
    run('run', *WORDS.split(), '--dry-run', '--seed', str(seed))
    ids = [line.split(',')[0].split('/') for line in expect.out.splitlines()]
    return [(words[3], words[1]) for words in ids if words[0] == 'cumsum']


def in_turn(cells):
    """Returns the problem of each group of adjacent cells."""
    shapes = [shape for shape, _ in cells]
    return [shape for shape, before in zip(shapes, [None] + shapes) if shape != before]


def measured(count, words, *lines):
    """Checks that a run prints these lines and measures the first `count` problems whole."""
    status = run('run', *WORDS.split(), '-q', *words.split())
    ok(f'{words}: ends well', status == 0, status, expect.err)
    for line in lines:
        ok(f'{words}: {line}', len(expect.grep(line, expect.err)) == 1, expect.err)
    for process in '01':
        found = [('x'.join((row['outer'], row['axis'], row['inner'])), row['variant'])
                 for row in table('run/cumsum.csv') if row['process'] == process]
        ok(f'{words}: {count} whole problems in process {process}', sorted(found) == sorted(
            cell for cell in plan if cell[0] in order[:count]), found)


plan = planned(1)
order, other = in_turn(plan), in_turn(planned(2))
ok('three problems, not mixed', len(order) == 3 == len(set(order)), order)
ok('several variants', len(plan) > 6)
ok('another seed, another order of the same', order != other and sorted(order) == sorted(other))

measured(1, '-o run', 'time limit: 1 of 3 problems measured, 2 left out; --resume run')
for fact in ('left_out,2', 'complete,1'):
    ok(fact, expect.grep(f'^{fact}$', read('run/manifest.csv')))
before = read('run/cumsum.csv')
measured(2, '--resume run', 'time limit: 2 of 3 problems measured, 1 left out; --resume run')
ok('rows are kept', read('run/cumsum.csv').startswith(before))

# Problems without all their rows come first, so that none is left half done.
kept, lost = [], []
for line in read('run/cumsum.csv').splitlines():
    fields = line.split(',')
    if fields[6] == '0' and fields[2:5] not in lost:
        lost.append(fields[2:5])
    else:
        kept.append(line)
write('run/cumsum.csv', *kept)
measured(2, '--resume run')
measured(3, '--resume run')
ok('no limit is reported', expect.seen('-! time limit: '), expect.err)
ok('nothing is left', expect.grep('^left_out,0$', read('run/manifest.csv')))
transcript(f'0 run {WORDS} -q --resume run => ! run is complete: nothing is missing')
expect.tally()
