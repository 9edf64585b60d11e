# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE [KILLS [SEED]]: a sweep is killed again and again, its parent,
its worker or both, at moments of it that the seed picks, and taken up each time:
no row that was whole is lost, and in the end it has all cells, each once. It gives
up after 40 seconds, with as many kills as there were."""
import os
import random
import signal
import sys
import time

import expect
from expect import ok, read, run, start, table

WORDS = ('--device host --op cumsum --dtype f32 --cache hot --budget 2 -q --shape 3x2049:1 '
         '-f serial|copy --processes 3 --samples').split()
KILLS, SEED = int((sys.argv + ['100'] * 3)[3]), int((sys.argv + ['1'] * 4)[4])
ENOUGH_S = 40


def cells(folder):
    return sorted(tuple(row.split(',')[1:10])
                  for row in read(f'{folder}/cumsum.csv').split('\n')[1:] if row)


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
    """The status of the sweep's parent."""
    taken_up = os.path.exists(f'{folder}/manifest.csv')
    parent = start('run', *WORDS, *(['--resume', folder] if taken_up else ['-o', folder]))
    time.sleep(moment)
    victims = [parent.pid] if whom != 'worker' else []
    try:
        if whom != 'parent':
            victims += map(int, read(f'/proc/{parent.pid}/task/{parent.pid}/children').split())
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        pass  # it was quicker
    return parent.wait()


begun = time.monotonic()
ok('nothing happens', run('run', *WORDS, '-o', 'whole') == 0, expect.err)
WHOLE = cells('whole')
took_s = time.monotonic() - begun
draw = random.Random(SEED)
begun, done, number, before = time.monotonic(), 0, 0, set()
while done < KILLS and time.monotonic() - begun < ENOUGH_S:
    folder = f'run{number}'
    status = kill_one(folder, took_s * draw.random(),
                      draw.choice(['parent', 'worker', 'both']))
    done += 1
    ok(f'kill {done}', status in (0, 1, 2, -signal.SIGKILL), f'status {status}')
    if not os.path.isdir(folder):
        continue
    now = whole_rows(folder)
    ok(f'kill {done} loses nothing', before <= now, *sorted(before - now))
    before = now
    if complete(folder):
        number, before = number + 1, set()
print(f'{done} kills, {number + 1} runs')
ok('kills', done > 0)
if os.path.exists(f'run{number}/manifest.csv'):
    ok('resumed', run('run', *WORDS, '--resume', f'run{number}') == 0, expect.err)
    ok('all cells', cells(f'run{number}') == WHOLE)
for k in range(number + 1):
    if not os.path.exists(f'run{k}/cumsum.csv'):
        continue
    found = cells(f'run{k}')
    ok(f'each once in run{k}', len(set(found)) == len(found))
    # Of every timed row as many samples as it says, in the last line of the cell.
    counts = {(row['variant'], row['axis'], row['process']): len(row['us'].split())
              for row in table(f'run{k}/samples.csv')}
    for row in table(f'run{k}/cumsum.csv'):
        ok(f'samples in run{k}', row['status'] != 'ok' or int(row['samples']) ==
           counts[row['variant'], row['axis'], row['process']], row)
expect.tally()
