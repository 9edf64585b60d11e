# SPDX-License-Identifier: MIT
"""Tests reports of two runs, of several cards, and of a hostile run."""
import os
import pathlib
import subprocess

import page as pages
from steps import choose, count, ok, quiet, report, text


def check_compare(page, scanbench, base, now):
    url = report(scanbench, 'two.html', base, now)
    page.events.clear()
    page.open(url)
    said = text(page, '#compare')
    csv = subprocess.run([scanbench, 'compare', base, now, '--format', 'csv',
                          '--fail-on', 'never'], capture_output=True,
                         text=True, check=True)
    rows = list(pages.csv.DictReader(csv.stdout.splitlines()))
    for verdict in sorted({row['verdict'] for row in rows}):
        number = sum(row['verdict'] == verdict for row in rows)
        ok(f'{verdict} is counted', f'{verdict} {number}' in said, number,
           said[:300])
    ok('the notes are there', 'processes' in said)
    ok('changes are drawn', count(page, '#compare .change .dot') == 40)
    ok('and how large they are', '+25.0 %' in said, said[:600])
    ok('winners side by side', count(page, '#compare table') == 2)
    choose(page, 'run', 1)
    ok('the other run', 'now' in text(page, '#title'))
    quiet(page, 'two runs', url)
    check_cards(page, scanbench)


def card(folder, gpu, together, gbps):
    """Writes a run of two shapes on the card with that hash."""
    os.mkdir(folder)
    for name, lines in {
            'manifest.csv': ['key,value', 'schema,4', 'complete,1', 'device_name,NVIDIA H200',
                             f'gpu_hash,{gpu}', f'together,{together}'],
            'sum.csv': ['device,op,variant,dtype,outer,axis,inner,cache,process,status,reason,'
                        'marks,median_us,ci_low_us,ci_high_us,gbps,pct_ceiling',
                        *(f'x,sum,wide_b256,f32,{outer},1000000,1,cold,0,ok,,,1,1,1,{gbps},80'
                          for outer in (1, 2))]}.items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.writelines(f'{line}\n' for line in lines)


def check_cards(page, scanbench):
    ok('runs of one card have no table of cards', 'Card by card' not in text(page, '#compare'))
    card('alone', 'aaaa111122223333', 1, 4000)
    card('second', 'bbbb111122223333', 1, 4100)
    card('both', 'bbbb111122223333', 2, 4018)
    url = report(scanbench, 'cards.html', 'alone', 'second', 'both')
    page.events.clear()
    page.open(url)
    said = text(page, '#compare')
    for told in ['Card by card', 'NVIDIA H200 aaaa to NVIDIA H200 bbbb: +2.50 % GB/s',
                 'NVIDIA H200 bbbb, together 2: −2.00 % of its GB/s alone',
                 'second (bbbb) against alone (aaaa)', 'both (bbbb, together 2)']:
        ok(f'cards: {told}', told in said, said)
    rows = page.run("""[...document.querySelectorAll('#compare table')].pop().innerText""")
    for told in ['NVIDIA H200 aaaa\t4000\t0.00 %', 'NVIDIA H200 bbbb\t4100\t+2.50 %',
                 'NVIDIA H200 bbbb, together 2\t4018\t+0.45 %\t80.0 %']:
        ok(f'in their table: {told}', told in rows, rows)
    ok('labels elsewhere', 'second (bbbb)' in text(page, '#trust'))
    for width in 360, 1600:
        page.size(width, 900)
        ok(f'cards in {width} pixels', page.run(
            'document.documentElement.scrollWidth <= innerWidth'))
    quiet(page, 'cards', url)


def without_comments(run, copy):
    """Copies a run without `<!--`, after which </script> does not end a script."""
    os.mkdir(copy)
    for name in os.listdir(run):
        with open(os.path.join(run, name), 'rb') as file:
            whole = file.read()
        with open(os.path.join(copy, name), 'wb') as file:
            file.write(whole.replace(b'<!--', b'<!-'))


def check_hostile(page, scanbench, run):
    url = report(scanbench, 'hostile.html', run, run)
    page.events.clear()
    page.open(url)
    choose(page, 'rows', 'all')
    for op in ['cumsum', 'sum', 'copy']:
        choose(page, 'operation', op)
        for button in ['#ladder .rungs button', '#compare button.name']:
            page.run(f"[...document.querySelectorAll('{button}')]"
                     ".forEach((e) => e.click())")
    ok('their words are text', '<script>alert(1)</script>' in
       text(page, '#rows'))
    ok('and no elements', count(page, 'main img, main script, main b img, '
                                      'aside img, aside script') == 0)
    ok('two scripts', count(page, 'script') == 2)
    quiet(page, 'hostile', url)


def check_policy(page, path):
    """The Content-Security-Policy stops a script that the escaping missed."""
    with open(path, encoding='utf-8') as file:
        whole = file.read()
    with open('planted.html', 'w', encoding='utf-8') as file:
        file.write(whole.replace(
            '<noscript>', '<script>window.ran = 1</script>'
            '<img src="x" onerror="window.ran = 2"><noscript>', 1))
    page.open(pathlib.Path('planted.html').resolve().as_uri())
    ok('a planted script does not run', page.run('window.ran') is None)
    ok('and is complained of', bool(page.complaints()))
