# SPDX-License-Identifier: MIT
"""Sets of processes of one build, and the sides of their comparisons, with changes of known size."""
import collections
import csv
import io
import itertools
import math
import pathlib
import re
import shutil
import statistics
import tempfile

import lib

MOST_PROCESSES = 12
Set = collections.namedtuple('Set', 'run processes cells')  # the run has the manifest
Cell = collections.namedtuple('Cell', 'number key family rows')  # a row per process
Row = collections.namedtuple('Row', 'fields line')
# A change of a family, or of all, in one of so many cells; `alone` leaves other families out.
Plant = collections.namedtuple('Plant', 'factor add_us one_in family alone',
                               defaults=[1, 0, 1, None, False])


def key_of(op, row):
    return (op, *(row[name] for name in ('variant', 'dtype', 'outer', 'axis', 'inner', 'cache')))


def row_of(fields, **others):
    fields, line = {**fields, **others}, io.StringIO()
    csv.writer(line).writerow(fields.values())
    return Row(fields, line.getvalue())


def us_of(row):
    """The row's time, or 0."""
    sound = row.fields['status'] in ('ok', 'suspect')
    return float(row.fields['median_us'] or 0) if sound else 0


def read_set(path):
    """Pools the processes of all runs. Timed cells are in the order of `scanbench table`."""
    pool, processes = collections.defaultdict(list), 0
    runs = [manifest.parent for manifest in sorted(path.rglob('manifest.csv'))]
    for run in runs:
        first = processes
        for op, rows in lib.tables(run):
            for row in rows:
                process = first + int(row['process'])
                processes = max(processes, process + 1)
                pool[key_of(op, row)].append(row_of(row, process=process))
    if processes % 2 or not 4 <= processes <= MOST_PROCESSES:
        lib.die(f'{path}: its runs do not have an even number of processes from 4 to '
                f'{MOST_PROCESSES}')
    whole = Set(runs[0], processes, [Cell(0, key, '', rows) for key, rows in pool.items()])
    cells = [(key_of(row['op'], row), row['family']) for row in lib.table(lib.printed(
        'table', side_of(whole, range(processes), Plant()), '--format', 'csv'))]
    return whole._replace(cells=[Cell(number, key, family, pool[key])
                                 for number, (key, family) in enumerate(cells)
                                 if any(row.fields['median_us'] for row in pool[key])])


def changes(plant, cell):
    """True if the plant changes the cell."""
    return (plant[:2] != (1, 0) and plant.family in (None, cell.family)
            and cell.number * 2654435761 % 65536 < 65536 // plant.one_in)


def slowed(row, factor, **others):
    return row_of(row.fields, **others, **{
        name: float(row.fields[name]) * factor
        for name in ('median_us', 'ci_low_us', 'ci_high_us') if row.fields[name]})


def side_of(whole, processes, plant):
    """Makes a run of these processes, with the change."""
    side, lines = pathlib.Path(tempfile.mkdtemp(dir=lib.SCRATCH.name)), {}
    shutil.copy(whole.run / 'ceilings.csv', side)
    manifest = (whole.run / 'manifest.csv').read_text('latin-1')
    (side / 'manifest.csv').write_text(
        re.sub('^processes,.*', f'processes,{whole.processes}', manifest, flags=re.M), 'latin-1')
    for cell in whole.cells:
        planted = changes(plant, cell)
        for row in cell.rows if not plant.alone or cell.family == plant.family else ():
            if row.fields['process'] in processes:
                us = float(row.fields['median_us'] or 0)
                if planted and us > 0:
                    row = slowed(row, plant.factor * (us + plant.add_us) / us)
                lines.setdefault(cell.key[0], [','.join(row.fields) + '\n']).append(row.line)
    for op, own in lines.items():
        (side / f'{op}.csv').write_text(''.join(own), 'latin-1')
    return side


def splits_of(processes):
    """Every way to halve them, each once, by the half with process 0."""
    halves = ({process for process in range(processes) if mask >> process & 1}
              for mask in range(1, 2**processes, 2))
    return [half for half in halves if 2 * len(half) == processes]


def uniform_numbers():
    """In (0, 1), as those of src/model/split_mix.h from the seed 0."""
    for step in itertools.count(1):
        key = step * 0x9e3779b97f4a7c15 % 2**64
        key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        key = (key ^ key >> 27) * 0x94d049bb133111eb % 2**64
        yield (((key ^ key >> 31) >> 12) + 0.5) / 2**52


def resampled(whole, processes, numbers):
    """A set of more processes than were measured. The times of a cell are drawn with replacement
    from the deviations of its n processes, at n / (n - 1) times their variance. Cells that a
    process did not time are left out."""
    cells = []
    for cell in whole.cells:
        times = [us_of(row) for row in cell.rows]
        if len(times) > 1 and min(times) > 0:
            us, wider = statistics.geometric_mean(times), math.sqrt(len(times) / (len(times) - 1))
            drawn = [int(next(numbers) * len(times)) for _ in range(processes)]
            cells.append(Cell(len(cells), cell.key, cell.family, [
                slowed(cell.rows[k], us * (times[k] / us)**wider / times[k], process=process)
                for process, k in enumerate(drawn)]))
    return Set(whole.run, processes, cells)
