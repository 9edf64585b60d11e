#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks all variants at random shapes, in all operations and types, with aligned and unaligned
pointers.

A chunk is a grid of one seed at one offset, 0 or 1 elements. FILE.csv gets one line per chunk with
the counts of passed, failed and skipped checks; failures are listed on stderr. An interrupted check
continues when called again with the same words.

Exit status: 0 all passed; 1 something failed, now or earlier in FILE.csv; 2 usage, or a check that
did not run; 77 no usable GPU, or nothing passed; 130 interrupted."""
import csv
import re
import subprocess
import time

import lib

HEADS = 'commit,device,words,grid,offset,passed,failed,skipped,seconds'.split(',')


def check(chunk, device, words):
    """Returns the counts of a chunk, as texts."""
    done = subprocess.run([lib.SCANBENCH, 'check', '-q', '--device', device, '--grid', chunk[0],
                           '--offset', chunk[1], *words],
                          stdout=subprocess.PIPE, encoding='utf-8', check=False)
    counts = re.search(r'^(\d+) passed, (\d+) failed, (\d+) skipped$', done.stdout, re.M)
    if done.returncode not in (0, 1, 77) or not counts:
        ends = done.returncode in (77, 130)
        lib.die(f'the check of {",".join(chunk)} ended with {done.returncode}',
                done.returncode if ends else 2)
    print(f'{",".join(chunk)}: {done.stdout.rstrip()}', flush=True)
    return counts.groups()


def main():
    asked = lib.parse(__doc__, [
        ('--grid', {'metavar': 'G,G', 'default': 'random,random_small', 'help':
                    'random (2^24 to 2^30 elements), random_small (2^18 to 2^24), random_ragged'}),
        *((f'--{name}', {'metavar': 'N', 'type': int, 'default': most, 'help': f'{what} ({most})'})
          for name, most, what in (('seed', 1, 'of the first grid; the next has one more'),
                                   ('seeds', 21, 'number of seeds'),
                                   ('shapes', 4, 'shapes per grid')))], 'FILE.csv', False)
    grids, out, words = asked.grid.split(','), asked.results, asked.plan
    if not {*grids} <= {'random', 'random_small', 'random_ragged'}:
        lib.die(f"--grid takes random, random_small and random_ragged, not '{asked.grid}'")
    commit = re.search('commit ([^,]*),', lib.printed('--version', none=1))
    own = [commit[1] if commit else 'none', asked.device, ' '.join(words)]
    with open(out, 'a+', newline='', encoding='utf-8') as file:
        file.seek(0)
        rows = [*csv.reader(file)] or [HEADS]
        if rows[0] != HEADS:
            lib.die(f'{out} is no file of this script: name another')
        if any(row[:3] != own for row in rows[1:]):
            lib.die(f'{out} is of another commit, device or words: name another')
        lines = csv.writer(file, lineterminator='\n')
        if not file.tell():
            lines.writerow(HEADS)
        file.flush()
        for seed in range(asked.seed, asked.seed + asked.seeds):
            for chunk in [[f'{grid}:{seed}:{asked.shapes}', offset]
                          for grid in grids for offset in '01']:
                if not any(row[3:5] == chunk for row in rows):
                    start = time.time()
                    counts = check(chunk, asked.device, words)
                    rows.append([*own, *chunk, *counts, int(time.time() - start)])
                    lines.writerow(rows[-1])
                    file.flush()
    passed, failed, skipped = (sum(int(row[k]) for row in rows[1:]) for k in (5, 6, 7))
    print(f'{len(rows) - 1} chunks in {out}: {passed} passed, {failed} failed, '
          f'{skipped} skipped')
    return 1 if failed else 0 if passed else 77


lib.run(main)
