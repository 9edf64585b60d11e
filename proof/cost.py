#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports the cost of the instrument: the time of a sweep outside of the timed launches, from its
manifest. RESULTS is a run, such as results/h200/default; if there is none, the default grid is
swept into it (minutes)."""
import lib


def main():
    asked = lib.parse(__doc__)
    asked.measure(asked.results, *(asked.plan or ['--grid', 'default']))
    facts = lib.manifest(asked.results)
    if not facts.get('wall_s') or not facts.get('timed_s'):
        lib.die(f'{asked.results}/manifest.csv: no wall_s or timed_s (an older scanbench?)')
    if facts.get('resumed', '0') not in ('', '0'):
        lib.die(f'{asked.results} was resumed: its times cover only the last part')
    wall, timed, verify, sample, check, changed = (
        float(facts.get(f'{key}_s') or 'nan') for key in (
            'wall', 'timed', 'verify', 'sample', 'check', 'changed_input'))

    def of_wall(seconds):
        return f'{seconds:.1f} s, {100 * seconds / (wall or 1):.1f} %'
    return lib.judged([
        ('the sweep', 'reported', f'{facts["wall_s"]} s', None),
        ('verifying', 'reported', of_wall(verify), None),
        ('sampling: flushing, waiting for the device, reading clocks', 'reported',
         of_wall(sample - timed), None),
        ('of verifying: launches on a changed input', 'reported', of_wall(changed), None),
        ('of sampling: canaries and output checks', 'at most 2 %', of_wall(check),
         check <= 0.02 * wall),
        ('processes, memory, files and all else', 'reported', of_wall(wall - verify - sample),
         None),
        ("the instrument's own share, all of these", 'below 50 %', of_wall(wall - timed),
         wall - timed < 0.5 * wall)])


lib.run(main)
