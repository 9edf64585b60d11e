# SPDX-License-Identifier: MIT
"""Steps of the browser tests of the report."""
import csv
import json
import os
import pathlib
import re
import shutil

import expect
from expect import ok


def opened(page, path, *runs, fragment=''):
    """Opens a report of the runs; returns its address."""
    ok(f'{path} is written', expect.run('report', *runs, '-o', path) == 0, expect.err)
    url = pathlib.Path(path).resolve().as_uri()
    page.events.clear()
    page.open(url + fragment)
    return url


def printed(*command):
    """Returns the rows that a command prints as CSV."""
    expect.run(*command, '--format', 'csv')
    return list(csv.DictReader(expect.out.splitlines()))


def changed(run, copy, factor):
    """Copies a run with every time of cumsum multiplied by factor."""
    shutil.copytree(run, copy, ignore=shutil.ignore_patterns('plots'))
    path = os.path.join(copy, 'cumsum.csv')
    rows = expect.table(path)
    for row in rows:
        for name in row:
            if re.fullmatch('(min|q1|median|q3|max|ci_low|ci_high)_us', name):
                row[name] = row[name] and f'{float(row[name]) * factor:.9g}'
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, rows[0], lineterminator='\n')
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
    page.call('Input.dispatchKeyEvent', type='keyDown', key=key, text=key if len(key) == 1 else '')
    page.call('Input.dispatchKeyEvent', type='keyUp', key=key)


def text(page, selector):
    return page.run(f"(document.querySelector('{selector}') || {{textContent: ''}}).textContent")


def count(page, selector):
    return page.run(f"document.querySelectorAll('{selector}').length")


def quiet(page, what, url):
    """The page logged, threw and fetched nothing since it was opened."""
    ok(f'{what}: no complaint', not page.complaints(), str(page.complaints())[:500])
    asked = [own for own in page.requests() if own.split('#')[0] != url]
    ok(f'{what}: no request', not asked, asked)
