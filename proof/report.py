#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the findings of the CSVs as Markdown, without a GPU; RESULTS has a folder per device."""
import collections
import pathlib
import re
import subprocess

import lib
import markdown

PROOFS = 'aa', 'sensitivity', 'agreement', 'repeat'
JUDGED = re.compile(r'[|] (met|[*]{2}missed[*]{2}) [|]$')


def proof(script, folder, facts):
    """The rows with a verdict; the facts are those of the manifest."""
    if not facts.get('timed_s'):
        return [f'| `{script}` | not measured yet | | | |']
    done = subprocess.run([lib.HERE / 'all.py', '--only', script, '--judge', folder],
                          encoding='utf-8', stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        lib.die(f'{script} ended with {done.returncode}')
    rows = [row for row in done.stdout.splitlines() if JUDGED.search(row)]
    first = f'`{script}`, {markdown.code(facts.get("commit", ""))} '
    return [f'| {"" if k else first}{row}' for k, row in enumerate(rows)]


def device(folder):
    sets = {script: next((lib.manifest(path.parent) for path in sorted(
        lib.unpacked(folder / 'proof' / script).rglob('manifest.csv'))), {}) for script in PROOFS}
    names = [facts.get('device_name') for facts in sets.values()]
    yield from ['', f'### {markdown.text(next(filter(None, names), ""))}', '',
                '| proof, commit | what | wanted | found | |', '| --- | --- | --- | --- | --- |']
    for script, facts in sets.items():
        yield from proof(script, folder / 'proof', facts)
    packed = folder / 'random.tar.xz'
    sweep = (lib.contents(packed) if packed.is_file() else folder) / 'random/held_out_cumsum'
    yield from proof('cost', sweep, lib.manifest(sweep))


def random_shapes(path):
    """The rows of a file of random_check.py."""
    rows = lib.table(path.read_text('latin-1'))
    counts, seen = collections.defaultdict(lambda: [0, 0, 0]), collections.Counter()
    for row in rows:
        grid = re.fullmatch(r'(random(?:_small|_ragged)?):[0-9]+:([0-9]+)', row['grid'])
        if grid:
            both = int(grid[2]) if seen[row['grid']] else 0
            seen[row['grid']] += 1
            counts[grid[1]] = [a + b for a, b in zip(
                counts[grid[1]], (both, int(row['passed']), int(row['failed'])))]
    commits = markdown.code(' '.join(dict.fromkeys(row['commit'] for row in rows)))
    for grid in sorted(counts):
        yield f'| {markdown.text(path.parent.name)}, {commits} | {grid} | ' + ' | '.join(
            map(str, counts[grid])) + ' |'


def main():
    asked = markdown.parse(__doc__)
    results = pathlib.Path(asked.results)
    if not results.is_dir():
        lib.die(f'no such folder: {results}')
    lines = [line for path in sorted(results.glob('*/proof')) for line in device(path.parent)]
    checks = sorted(results.glob('*/random_check*.csv'))
    if checks:
        lines += ['', '### Random shapes', '',
                  '| device, commit | grid | shapes both aligned and not | checks passed | failed |',
                  '| --- | --- | --- | --- | --- |']
        lines += [line for path in checks for line in random_shapes(path)]
    return markdown.publish('proof', '\n'.join(
        lines or ['', 'No set has been measured yet.']) + '\n\n', asked)


lib.run(main)
