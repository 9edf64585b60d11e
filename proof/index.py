#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the Markdown index of the published sets, from their manifests and the file QUESTION in the
set or a folder above it, one line with the purpose. RESULTS has a folder per device.

--check also fails for a CSV whose rows differ in length, a set without a question, and one from a
tree with uncommitted changes that is not in RESULTS/DIRTY (lines "SET: reason", where SET may be a
pattern; the index includes them). A set is a folder with a manifest that git tracks; without git,
any folder that is not named like a run. Sets of one QUESTION share a row. The question of
NAME.tar.xz is in NAME.QUESTION beside it."""
import csv
import fnmatch
import pathlib
import re
import subprocess

import lib
import markdown


def tracked(results):
    """The folders of the sets, relative to RESULTS."""
    done = subprocess.run(['git', 'ls-files', '*/manifest.csv'], cwd=results, encoding='utf-8',
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [pathlib.Path(path).parent for path in done.stdout.splitlines()] or [
        path.parent.relative_to(results) for path in results.rglob('manifest.csv')
        if not re.search('/[0-9][^/]*T[^/]*Z-[^/]*/', str(path))]


def asked_of(results, set_):
    """The nearest folder with a QUESTION, or the set's own."""
    return next((folder for folder in [set_, *set_.parents]
                 if folder.name and (results / folder / 'QUESTION').is_file()), set_)


def row(name, question, folder):
    """A row of the index, of all manifests in the folder."""
    facts = [lib.manifest(path.parent) for path in folder.rglob('manifest.csv')]
    commits, dates = ({fact[key] for fact in facts if key in fact} for key in ('commit', 'utc'))
    dates = sorted(re.sub(r'^(....)(..)(..)T.*', r'\1-\2-\3', date) for date in dates)
    words = question.read_text('latin-1').split('\n')[0] if question.is_file() else ''
    named = (markdown.code(' '.join(sorted(commits))) if len(commits) < 9
             else f'{len(commits)} commits')
    return (f'| {markdown.code(str(name))} | {markdown.text(words)} | {named} | '
            f'{markdown.text(" to ".join(sorted({*dates[:1], *dates[-1:]})))} |\n')


def refuse_dirty(results, sets):
    """Yields what is wrong unless DIRTY lists exactly the sets with uncommitted changes."""
    path = results / 'DIRTY'
    lines = path.read_text('utf-8').splitlines() if path.is_file() else []
    patterns, met = [line.split(': ')[0] for line in lines if ': ' in line], set()
    for set_, folder in sets:
        facts = lib.manifest(folder)
        if facts.get('commit', '').endswith('-dirty') or facts.get('dirty') == '1':
            known = {pattern for pattern in patterns if fnmatch.fnmatchcase(str(set_), pattern)}
            met |= known
            if not known:
                yield f'{set_}: measured from a tree with uncommitted changes: measure it again'
    for pattern in patterns:
        if pattern not in met:
            yield f'DIRTY: no set of uncommitted changes is {pattern}'


def main():
    asked = markdown.parse(__doc__)
    results = pathlib.Path(asked.results)
    here = tracked(results)
    archives = {path.relative_to(results): lib.contents(path) for path in results.rglob('*.tar.xz')}
    rows = {folder: (results / folder / 'QUESTION', results / folder)
            for folder in (asked_of(results, set_) for set_ in here)}
    rows.update((name, (results / str(name).replace('.tar.xz', '.QUESTION'), folder))
                for name, folder in archives.items())
    index = '| set | question | commit | date |\n| --- | --- | --- | --- |\n' + ''.join(
        row(name, *rows[name]) for name in sorted(rows, key=str))
    dirty = results / 'DIRTY'
    if dirty.is_file() and dirty.stat().st_size:
        index += '\nMeasured from a tree with uncommitted changes:\n\n' + re.sub(
            '^([^:]*): ', r'- `\1`: ', dirty.read_text('utf-8'), flags=re.M)
    status = markdown.publish('index', index, asked)
    if status or not asked.check:
        return status
    wrong = [f'no QUESTION for {name}' for name in sorted(rows, key=str)
             if not rows[name][0].is_file()] + [*refuse_dirty(
                 results, [*((set_, results / set_) for set_ in here),
                           *((name.parent / path.parent.relative_to(folder), path.parent)
                             for name, folder in archives.items()
                             for path in folder.rglob('manifest.csv'))])]
    for path in sorted({*results.glob('*/*.csv')} - {*results.glob('best/*')}):
        if len({len(fields) for fields in csv.reader(path.read_text('utf-8').splitlines())}) > 1:
            wrong.append(f'{path}: rows of unlike lengths')
    print(*(f'FAILED: {words}\n' for words in wrong), sep='', end='')
    return int(bool(wrong))


lib.run(main)
