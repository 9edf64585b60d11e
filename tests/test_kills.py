# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE [KILLS [SEED]]: a sweep is killed fifteen times, its parent,
its worker or both, at moments of it that the seed picks, and resumed each time:
no row that was whole is lost, and in the end it has all cells, each once. 77: this
machine is too slow for so many kills in eight minutes; those that were are judged."""
import os
import random
import signal
import sys
import time

import expect
from expect import ok, read, run, start, table

# A short sweep, whose time goes to what it writes rather than to samples.
os.environ.update(OMP_NUM_THREADS='1', SCANBENCH_HOST_CACHE='1M')
WORDS = ('--device host --op cumsum --dtype f32 --cache hot --budget 0 -q --shape 3x257:1 '
         '-f serial|copy --processes 3 --samples').split()
KILLS, SEED = int((sys.argv + ['15'] * 3)[3]), int((sys.argv + ['1'] * 4)[4])
ENOUGH_S = 480  # for a busy machine, or a sanitizer; an idle one needs a fraction


def cells(folder):
    """Without errors, which have another try when the run is resumed."""
    return sorted(tuple(row.split(',')[:7])
                  for row in read(f'{folder}/cumsum.csv').split('\n')[1:]
                  if row and ',error,' not in row)


def whole_rows(folder):
    """Without a line that is being written."""
    kept = set()
    for name in os.listdir(folder):
        if name in ('copy.csv', 'cumsum.csv'):
            lines = [line for line in read(f'{folder}/{name}').split('\n')[1:] if line]
            kept |= {line for line in lines[:-1] if ',error,' not in line}
    return kept


def complete(folder):
    path = f'{folder}/manifest.csv'
    return os.path.exists(path) and '\ncomplete,1' in read(path)


def kill_one(folder, moment, whom):
    """The status of the sweep's parent, and whether anything was killed: what has
    ended by itself was not."""
    taken_up = os.path.exists(f'{folder}/manifest.csv')
    parent = start('run', *WORDS, *(['--resume', folder] if taken_up else ['-o', folder]))
    time.sleep(moment)
    workers = []
    try:
        if whom != 'parent':
            workers = read(f'/proc/{parent.pid}/task/{parent.pid}/children').split()
        for pid in [parent.pid] * (whom != 'worker') + [int(worker) for worker in workers]:
            os.kill(pid, signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        workers = []  # it was quicker
    status = parent.wait()
    return status, status == -signal.SIGKILL or (whom == 'worker' and workers)


begun = time.monotonic()
ok('nothing happens', run('run', *WORDS, '-o', 'whole') == 0, expect.err)
WHOLE = cells('whole')
took_s = time.monotonic() - begun
draw = random.Random(SEED)
begun, done, number, before = time.monotonic(), 0, 0, set()
while done < KILLS and time.monotonic() - begun < ENOUGH_S:
    folder = f'run{number}'
    fresh, since = not os.path.isdir(folder), time.monotonic()
    # In the first half of what it takes: what is taken up again has less to do.
    status, killed = kill_one(folder, took_s / 2 * draw.random(),
                              draw.choice(['parent', 'worker', 'both']))
    done += bool(killed)
    if fresh and not killed:
        took_s = min(took_s, time.monotonic() - since)
    ok(f'kill {done}', status in (0, 1, 2, -signal.SIGKILL), f'status {status}')
    if not os.path.isdir(folder):
        continue
    now = whole_rows(folder)
    ok(f'kill {done} loses nothing', before <= now, *sorted(before - now))
    before = now
    if complete(folder):
        number, before = number + 1, set()
print(f'{done} kills, {number + 1} runs, {time.monotonic() - begun:.0f} s')
if os.path.exists(f'run{number}/manifest.csv'):
    ok('resumed', run('run', *WORDS, '--resume', f'run{number}') == 0, expect.err)
    ok('all cells', cells(f'run{number}') == WHOLE)
for k in range(number + 1):
    if not os.path.exists(f'run{k}/cumsum.csv'):
        continue
    found = cells(f'run{k}')
    ok(f'each once in run{k}', len(set(found)) == len(found))
    # A timed row has as many samples as it counts, from its least to its most, in the last line
    # of the cell.
    samples = {(row['variant'], row['axis'], row['process']): list(map(float, row['us'].split()))
               for row in table(f'run{k}/samples.csv')}
    for row in table(f'run{k}/cumsum.csv'):
        us = samples.get((row['variant'], row['axis'], row['process']), [])
        ok(f'samples in run{k}', row['status'] not in ('ok', 'suspect') or us and len(us) == int(row['samples']) and all(
            abs(value - float(row[name])) <= 1e-6 * value
            for value, name in ((min(us), 'min_us'), (max(us), 'max_us'))), row, us)
if done < KILLS and not expect.COUNT[False]:
    print(f'skipped: this machine is too slow for {KILLS} kills in {ENOUGH_S} s: {done}')
    sys.exit(77)
ok(f'{KILLS} kills', done == KILLS, done)
expect.tally()
