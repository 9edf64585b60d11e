# SPDX-License-Identifier: MIT
"""Analysis of the published sets, held to what it printed before the tree was made
smaller. Goes when that is done.

    golden.py SCANBENCH COMPARE_RATES SOURCE [--write | --show NAME]

Every command's output is one SHA-256 in golden.txt; --show prints the output itself,
for a diff against another build. A set that is not published any more is left out."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

SCANBENCH, RATES, SOURCE = (os.path.realpath(word) for word in sys.argv[1:4])
LIST = os.path.join(SOURCE, 'tests/golden/golden.txt')
AA = ['7d9772839455', 'f63ef230415d', '124efc192901', '8ae26f3b367a', '6cd01bbd2ead',
      'f7c1f37a2d8b']


def unpacked(work):
    """The published sets, the archives among them unpacked, under their old names."""
    for part in ('results', 'variants/best/h200.csv'):
        subprocess.run(['cp', '-r', os.path.join(SOURCE, part), work], check=True)
    for folder, _, files in list(os.walk(work)):
        for name in files:
            if name.endswith('.tar.xz'):
                subprocess.run(['tar', '-xJf', name], cwd=folder, check=True)


def commands():
    """Name -> words; the names are the commands as one would type them."""
    sets = sorted(folder for folder, _, files in os.walk('results')
                  if 'manifest.csv' in files and '/aa/' not in folder)
    fit = [one for one in sets if '/fit/' in one]
    yield 'rules', ['rules', *fit]
    yield 'rules --held-out', ['rules', '--held-out', *fit]
    yield 'rules -o', ['rules', '-o', '/dev/stdout', *fit]
    for one in sets:
        if '/fit/' in one and not one.endswith(('default', 'small')):
            continue
        yield f'show {one}', ['show', '--all', one]
        yield f'show json {one}', ['show', '--format', 'json', one]
        yield f'table {one}', ['table', one]
        yield f'regret {one}', ['regret', one]
        yield f'ladder {one}', ['ladder', one]
        yield f'report {one}', ['report', one]
    random = [one for one in sets if '/h200/random/' in one]
    yield 'regret random', ['regret', *random]
    yield 'regret random --rules', ['regret', '--rules', 'h200.csv', *random]
    yield 'ladder', ['ladder', 'results/h200/default', 'results/h200/headline', *random]
    for base, new in (('h200/fit/default', 'h200/default'), ('h200/fit/headline', 'h200/headline')):
        yield f'compare {base} {new}', ['compare', '--format', 'csv', f'results/{base}', f'results/{new}']
    for base, new in (('h200/default', 'h100/default'), ('h200/random_small', 'h100/random_small')):
        yield f'compare --gpus {base} {new}', ['compare', '--gpus', f'results/{base}', f'results/{new}']
    yield 'compare --against', ['compare', 'results/h200/default', '--against', 'best']
    for one in AA:
        yield f'compare aa {one}', ['compare', '--format', 'csv', f'results/h200/proof/aa/{one}/a',
                                    f'results/h200/proof/aa/{one}/b']
    yield 'compare_rates', [RATES, *(f'results/h200/proof/aa/{one}' for one in AA)]


def output(words):
    program = [] if words[0] == RATES else [SCANBENCH]
    done = subprocess.run(program + words, capture_output=True, check=False, env={
        'PATH': os.environ['PATH'], 'COLUMNS': '200', 'NO_COLOR': '1'})
    text = done.stdout.decode()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    if words[0] == 'report' and data:
        kept = json.loads(data[1])
        kept.pop('version')
        text = json.dumps(kept, indent=0)
    return f'{done.returncode}\n{text}'


def main():
    what = sys.argv[4:5]
    with tempfile.TemporaryDirectory() as work:
        unpacked(work)
        os.chdir(work)
        found = {}
        for name, words in commands():
            if what == ['--show'] and name != sys.argv[5]:
                continue
            text = output(words)
            if what == ['--show']:
                sys.stdout.write(text)
            found[name] = hashlib.sha256(text.encode()).hexdigest()[:16]
        os.chdir('/')
    if what == ['--show']:
        return
    if what == ['--write']:
        with open(LIST, 'w', encoding='utf-8') as file:
            file.writelines(f'{value} {name}\n' for name, value in found.items())
        return
    with open(LIST, encoding='utf-8') as file:
        wanted = dict(reversed(line.rstrip('\n').split(' ', 1)) for line in file)
    wrong = [name for name, value in found.items() if wanted.get(name) != value]
    for name in wrong:
        print('differs:', name)
    print(f'{len(found) - len(wrong)} passed, {len(wrong)} failed')
    sys.exit(bool(wrong))


main()
