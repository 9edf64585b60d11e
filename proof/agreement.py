# SPDX-License-Identifier: MIT
"""The proof that compares the cold medians of cells of all operations and sizes with
gpu__time_duration of Nsight Compute (ncu): each the median of three processes. WORDS are ids of
cells here. NCU names the profiler (ncu).

About 4 minutes on an H200, nearly all of it for starting ncu."""
import collections
import csv
import os
import shutil
import statistics
import subprocess
import sys

import lib
import markdown

# One variant per operation. Each is a single kernel without a memset, since ncu flushes the caches
# between the kernels of a launch and does not count a memset.
CELLS = '''
copy copy_b256_i4 65536 16384 1
masked_copy masked_copy_b256_i8 65536 4096
read read_persistent_b256_i16 65536 16384
write write_b256_i16 65536 256
flip vectorised_b128_i4 65536 16384 16
cumsum block_per_line_b256_i16 65536 16384 256
cumsum_exclusive block_per_line_b256_i16 65536 4096
cumsum_reverse block_per_line_b256_i16 65536 16384 1
masked_cumsum block_per_line_b256_i16 65536 16
sum warp_per_line_b256_i16 65536 16384 4096
'''
PROFILES = 3  # launches per cell that ncu measures
SCALES = {'n': 1, 'u': 1e3}  # ns
NCU = os.environ.get('NCU', 'ncu')


def profile(cell, device):
    """Returns the number of kernels of a launch, and their total time in us. The last two fields of
    ncu's CSV are the unit and the value, which may contain commas."""
    said = subprocess.run(
        [NCU, '--profile-from-start', 'off', '--clock-control', 'none', '--cache-control', 'all',
         '--print-units', 'base', '--metrics', 'gpu__time_duration.sum', '--csv', lib.SCANBENCH,
         'run', '--profile', cell, '--device', device],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='latin-1', check=False).stdout
    rows = csv.reader(line for line in said.splitlines() if 'gpu__time_duration' in line)
    times = [SCALES.get(unit[:1], 0) * float(value.replace(',', '')) for *_, unit, value in rows]
    if sum(times) <= 0:
        print(said, file=sys.stderr)
        lib.die(f'{NCU} measured nothing of {cell}')
    return len(times), sum(times) / 1e3


def measure(times, cells, asked):
    """Appends to the file what it lacks."""
    if not times.is_file():
        times.write_text('cell,profile,kernels,us\n')
    for cell in cells:
        for number in range(PROFILES):
            if f'\n{cell},{number},' not in times.read_text():
                if not shutil.which(NCU):
                    lib.die(f'no {NCU} (set NCU)')
                kernels, us = profile(cell, asked.device)
                with open(times, 'a', encoding='ascii') as file:
                    file.write(f'{cell},{number},{kernels},{us:.6g}\n')


def judge(asked):
    cells = asked.plan or [f'{op}/{variant}/f32/{lines}x4096x1' for op, variant, *sizes in
                           map(str.split, CELLS.strip().splitlines()) for lines in sizes]
    folder = lib.unpacked(asked.results / 'agreement')
    parts = [cell.split('/') for cell in cells]
    dtypes, shapes = (','.join(sorted({part[k] for part in parts})) for k in (2, 3))
    lib.measure(asked, folder, '--cache', 'cold', '--processes', '3',
                '-f', f'^({"|".join(cells)})$', '--dtype', dtypes, '--shape', shapes)
    times = folder / 'ncu.times'
    if not asked.judge:
        measure(times, cells, asked)
    elif not times.is_file():
        lib.die(f'{times}: not measured')
    ours, theirs = collections.defaultdict(list), collections.defaultdict(list)
    for row in lib.table(lib.printed('table', folder, '--format', 'csv')):
        if row['us']:
            ours['{op}/{variant}/{dtype}/{outer}x{axis}x{inner}'.format(**row)] += [float(row['us'])]
    for row in lib.table(times.read_text()):
        theirs[row['cell']] += [(float(row['us']), row['kernels'])]
    both = sorted(((cell, theirs[cell][-1][1], statistics.median(ours[cell]),
                    statistics.median(us for us, _ in theirs[cell]))
                   for cell in sorted(ours) if cell in theirs), key=lambda one: -one[2])
    apart = [100 * (them / us - 1) for *_, us, them in both if us > 50]
    below = [them - us for *_, us, them in both if us <= 50]
    far = sum(abs(one) > 2 for one in apart)
    status = markdown.judged([
        ('cells', 'at least 20', len(both), len(both) >= 20),
        ('above 50 us: more than 2 % apart', 'none', markdown.share(far, len(apart)),
         bool(apart) and not far),
        ('the largest difference of these', 'within 2 %',
         f'{max(apart, key=abs, default=0):+.2f} %', None),
        ('up to 50 us: ncu less scanbench', 'reported',
         f'{min(below):+.2f} to {max(below):+.2f} us' if below else '-', None)])
    print('\n| cell | kernels | scanbench, us | ncu, us | apart |\n| --- | --- | --- | --- | --- |')
    for cell, kernels, us, them in both:
        print(f'| `{cell}` | {kernels} | {us:.2f} | {them:.2f} | {100 * (them / us - 1):+.2f} % |')
    return status
