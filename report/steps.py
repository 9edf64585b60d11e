# SPDX-License-Identifier: MIT
"""Steps of the browser tests of the report."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import page as pages

PASSED, FAILED = [], []


def ok(what, is_so, *seen):
    (PASSED if is_so else FAILED).append(what)
    if not is_so:
        print(f'FAILED: {what}', *seen)


def report(scanbench, path, *runs):
    subprocess.run([scanbench, 'report', *runs, '-o', path], check=True,
                   stderr=subprocess.DEVNULL)
    return pathlib.Path(path).resolve().as_uri()


def table(scanbench, run):
    """Reads the cells by `scanbench table`."""
    path = 'table.csv'
    with open(path, 'w', encoding='utf-8') as file:
        subprocess.run([scanbench, 'table', run, '--format', 'csv'],
                       stdout=file, check=True)
    return pages.table(path)


def changed(run, copy, factor):
    """Copies a run with every time of cumsum multiplied by factor."""
    shutil.copytree(run, copy, ignore=shutil.ignore_patterns('plots'))
    path = os.path.join(copy, 'cumsum.csv')
    rows = pages.table(path)
    for row in rows:
        for name in row:
            if re.fullmatch('(min|q1|median|q3|max|ci_low|ci_high)_us', name):
                row[name] = row[name] and f'{float(row[name]) * factor:.9g}'
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = pages.csv.DictWriter(file, rows[0], lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)


def type_into(page, box, text):
    page.run(f"""(() => {{ const box = document.querySelector('{box}');
        box.focus(); box.value = {json.dumps(text)};
        box.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()""")


def choose(page, name, value):
    """Selects an option by the label of its choice; fails without one."""
    page.run(f"""(() => {{ const own = [...document.querySelectorAll('.choice')]
        .find((e) => e.firstChild.textContent === '{name}').lastChild;
        own.value = '{value}';
        own.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()""")


def press(page, key):
    for kind in ['keyDown', 'keyUp']:
        page.call('Input.dispatchKeyEvent', type=kind, key=key, text=key if
                  len(key) == 1 and kind == 'keyDown' else '')


def text(page, selector):
    return page.run(f"(document.querySelector('{selector}') || "
                    "{textContent: ''}).textContent")


def count(page, selector):
    return page.run(f"document.querySelectorAll('{selector}').length")


def quiet(page, what, url):
    """The page logged, threw and fetched nothing since it was opened."""
    ok(f'{what}: no complaint', not page.complaints(),
       str(page.complaints())[:500])
    asked = [own for own in page.requests() if own.split('#')[0] != url]
    ok(f'{what}: no request', not asked, asked)


def fastest(rows, op, dtype, shape):
    return next(row for row in rows if row['rank'] == '1' and (
        row['op'], row['dtype'], f"{row['outer']}x{row['axis']}x"
        f"{row['inner']}") == (op, dtype, shape))
