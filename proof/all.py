#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The proofs of the instrument:

  repeat       how well the ceiling repeats: the best cold copy of 2^28 floats in ten processes
  sensitivity  compare finds copies that take 3 % and 1 % longer (variants/broken/slowed.cu), at all
               sizes, types and cache states, in three processes; aa tests other variants
  agreement    cold medians are those of Nsight Compute (agreement.py)
  aa           how often compare is wrong within one build: two sides of three processes each, over
               the grid aa in both cache states (six minutes), as A B B A A B, so that drift, and
               effects with a period of two processes such as placement, affect both sides
  cost         the time of a sweep outside of the timed launches, from its manifest: RESULTS is a
               run in one go; if there is none, the default grid is swept into it

About 15 minutes on an H200, without cost."""
import pathlib
import shutil
import statistics

import agreement
import compare_rates
import lib
import markdown

SHAPES = ','.join(f'1x{1 << bits}x1' for bits in (12, 14, 16, 18, *range(20, 29)))


def repeat(asked):
    folder = lib.unpacked(asked.results / 'repeat')
    lib.measure(asked, folder, '--processes', '10', '--op', 'copy', '--dtype', 'f32',
                *(asked.plan or ['--shape', '1x268435456x1']))
    rows = lib.table((folder / 'ceilings.csv').read_text())
    rates = sorted(float(row['gbps']) for row in rows
                   if row['twin'] == 'copy' and row['phase'] == 'start')
    if not rates:
        lib.die(f'{folder}/ceilings.csv: no ceiling of copy')
    spread = 100 * (rates[-1] - rates[0]) / statistics.median(rates)
    return markdown.judged([
        ('fresh processes', '10', len(rates), len(rates) >= 10),
        ('copy ceiling, lowest to highest', 'reported', f'{rates[0]:.1f} to {rates[-1]:.1f} GB/s',
         None),
        ('spread: (highest - lowest) / median', 'below 1 %', f'{spread:.3f} %', spread < 1)])


def point(folder, pct):
    """Makes a run of that copy alone, by the name `slowed`."""
    own = pathlib.Path(lib.SCRATCH.name, f'p{pct}')
    own.mkdir()
    for name in 'manifest', 'ceilings':
        shutil.copy(folder / f'{name}.csv', own)
    head, *rows = (folder / 'copy.csv').read_text().splitlines(True)
    (own / 'copy.csv').write_text(head + ''.join(
        row.replace(f'slowed_p{pct},', 'slowed,', 1) for row in rows if f'slowed_p{pct},' in row))
    return own


def seen(base, slowed, pct, wanted):
    cells = [(row['verdict'], float(row['base_us']) > 20, float(row['time_ratio'] or 0))
             for row in lib.compared(base, slowed)
             if float(row['base_us'] or 0) > 0]
    long = [verdict for verdict, is_long, _ in cells if is_long]
    short = [verdict for verdict, is_long, _ in cells if not is_long]
    slower, faster = long.count('slower'), [verdict for verdict, *_ in cells].count('faster')
    longer = 100 * (statistics.median(
        [ratio for _, is_long, ratio in cells if is_long and ratio] or [0]) - 1)
    return [
        (f'{pct} % longer, cells above 20 us: `slower`', wanted, markdown.share(slower, len(long)),
         None if wanted == 'reported' else bool(long) and slower >= 0.95 * len(long)),
        ('how much longer they were measured to take (median)', 'reported', f'{longer:+.2f} %',
         None),
        (f'{pct} % longer, shorter cells: `slower`', 'reported',
         markdown.share(short.count('slower'), len(short)), None),
        (f'{pct} % longer, all cells: `faster`', 'none', markdown.share(faster, len(cells)),
         faster == 0)]


def sensitivity(asked):
    folder = lib.unpacked(asked.results / 'sensitivity')
    lib.measure(asked, folder, '--broken', '-f', '^copy/slowed', '--processes', '3',
                *(asked.plan or ['--cache', 'cold,hot', '--shape', SHAPES]))
    base, one, most = (point(folder, pct) for pct in ('0', '1', asked.pct))
    return markdown.judged(seen(base, most, asked.pct, 'at least 95 %') +
                           seen(base, one, '1', 'reported'))


def aa(asked):
    folder = lib.unpacked(asked.results / 'aa')
    for process in range(1, asked.processes + 1):
        for side in 'ab' if process % 2 else 'ba':
            # A complete side may also have all its processes in one folder.
            if lib.manifest(folder / side).get('complete') != '1':
                lib.measure(asked, folder / side / str(process), '--seed', str(process),
                            *(asked.plan or ['--grid', 'aa', '--cache', 'cold,hot']))
    return compare_rates.judge([folder])


def cost(asked):
    lib.measure(asked, asked.results, *(asked.plan or ['--grid', 'default']))
    facts = lib.manifest(asked.results)
    if facts.get('resumed', '0') not in ('', '0'):
        lib.die(f'{asked.results} was resumed: its times cover only the last part')
    wall, timed, verify, sample, check, changed = (
        float(facts.get(f'{key}_s') or 'nan') for key in (
            'wall', 'timed', 'verify', 'sample', 'check', 'changed_input'))

    def of_wall(seconds):
        return f'{seconds:.1f} s, {100 * seconds / (wall or 1):.1f} %'
    return markdown.judged([
        ('the sweep', 'reported', f'{wall:.1f} s', None),
        ('verifying', 'reported', of_wall(verify), None),
        ('sampling: flushing, waiting for the device, reading clocks', 'reported',
         of_wall(sample - timed), None),
        ('of verifying: launches on a changed input', 'reported', of_wall(changed), None),
        ('canaries and output checks, of the sweep', 'at most 2 %', of_wall(check),
         check <= 0.02 * wall),
        ('processes, memory, files and all else', 'reported', of_wall(wall - verify - sample),
         None),
        ('all but timed launches, of the sweep', 'below 50 %', of_wall(wall - timed),
         wall - timed < 0.5 * wall)])


PROOFS = {'repeat': repeat, 'sensitivity': sensitivity, 'agreement': agreement.judge, 'aa': aa,
          'cost': cost}


def main():
    asked = lib.parse(__doc__, [
        ('--processes', {'type': int, 'metavar': 'N', 'default': 3,
                         'help': 'processes per side of aa, 2 to 6 (3)'}),
        ('--only', {'metavar': 'NAME', 'choices': PROOFS, 'help': 'one of the proofs'}),
        ('--pct', {'metavar': 'P', 'default': '3', 'help': 'slowdown of the slow copy of '
                   "sensitivity: 3 (default) or 30, the host's slowest point"})])
    worst = 0
    for name in [asked.only] if asked.only else list(PROOFS)[:-1]:
        print(f'## {name}', flush=True)
        worst = max(worst, PROOFS[name](asked))
    return worst


lib.run(main)
