# SPDX-License-Identifier: MIT
"""Tests reports of two runs, of several cards, and of a hostile run."""
import os
import pathlib

from expect import SOURCE, ok
from made_runs import card
from steps import choose, count, opened, printed, quiet, text


def check_compare(page, base, now):
    url = opened(page, 'two.html', base, now)
    said = text(page, '#compare')
    verdicts = [row['verdict'] for row in
                printed('compare', base, now, '--fail-on', 'never')]
    for verdict in sorted(set(verdicts)):
        number = verdicts.count(verdict)
        ok(f'{verdict} is counted', f'{verdict} {number}' in said, number, said[:300])
    ok('the notes are there', 'processes' in said)
    ok('changes are drawn', count(page, '#compare .change .dot') == 40)
    ok('and how large they are', '+25.0 %' in said, said[:600])
    ok('winners side by side', count(page, '#compare table') == 2)
    choose(page, 'run', 1)
    ok('the other run', 'now' in text(page, '#title'))
    quiet(page, 'two runs', url)
    check_cards(page)
    check_gpus(page)


def check_cards(page):
    ok('runs of one card have no table of cards', 'Card by card' not in text(page, '#compare'))
    card('alone', 'aaaa111122223333', 1, 4000)
    card('second', 'bbbb111122223333', 1, 4100)
    card('both', 'bbbb111122223333', 2, 4018)
    url = opened(page, 'cards.html', 'alone', 'second', 'both')
    said = text(page, '#compare')
    for words in ['Card by card', 'NVIDIA H200 aaaa to NVIDIA H200 bbbb: +2.50 % GB/s',
                 'NVIDIA H200 bbbb, together 2: −2.00 % of its GB/s alone',
                 'second (bbbb) against alone (aaaa)', 'both (bbbb, together 2)']:
        ok(f'cards: {words}', words in said, said)
    rows = page.run("""[...document.querySelectorAll('#compare table')].pop().innerText.replace(/\\s*\\n\\s*/g, ' ')""")
    for words in ['H200 aaaa\tmost wins\tH200 bbbb\tratio\tmost wins\tH200 bbbb, together 2\tratio',
                  'sum few_lines\t2\t4000 80.0 % wide 2\t4100 80.0 %\t1.02 × wide 2\t'
                  '4018 80.0 %\t1.00 × wide 2']:
        ok(f'in their table: {words}', words in rows, rows)
    ok('labels elsewhere', 'second (bbbb)' in text(page, '#trust'))
    for width in 360, 1600:
        page.size(width, 900)
        ok(f'cards in {width} pixels', page.run(
            'document.documentElement.scrollWidth <= innerWidth'))
    quiet(page, 'cards', url)


def check_gpus(page):
    """Runs of several GPUs: their names as labels, classes first, no verdicts."""
    for name, gpu, gbps in ('one', 'NVIDIA H200', 4000), ('two', 'NVIDIA H100 80GB HBM3', 3000):
        card(f'{name}/run', name * 4, 1, gbps, gpu)
    url = opened(page, 'gpus.html', 'one/run', 'two/run')
    heads = page.run("[...document.querySelectorAll('#compare h3')].map((e) => e.textContent)")
    ok('classes first', heads[0] == 'By class of shape', heads)
    said = text(page, '#compare')
    for words in 'H100 80GB HBM3 against H200. Different GPUs', 'sum few_lines', '0.750 ×':
        ok(f'GPUs: {words}', words in said, said)
    ok('no hash in a name that is alone', 'onet' not in said and 'run (' not in said, said)
    ok('and no verdict', 'no_verdict' not in said and count(page, '#compare .verdict') == 0)
    quiet(page, 'GPUs', url)


def without_comments(run, copy):
    """Copies a run without `<!--`, after which </script> does not end a script."""
    os.mkdir(copy)
    for path in pathlib.Path(run).iterdir():
        pathlib.Path(copy, path.name).write_bytes(path.read_bytes().replace(b'<!--', b'<!-'))


def check_hostile(page, run):
    url = opened(page, 'hostile.html', run, run)
    choose(page, 'rows', 'all')
    for op in ['cumsum', 'sum', 'copy']:
        choose(page, 'operation', op)
        for button in ['#ladder .rungs button', '#compare button.name']:
            page.run(f"[...document.querySelectorAll('{button}')].forEach((e) => e.click())")
    ok('their words are text', '<script>alert(1)</script>' in text(page, '#rows'))
    ok('and no elements', count(
        page, 'main img, main script, main b img, aside img, aside script') == 0)
    ok('two scripts', count(page, 'script') == 2)
    quiet(page, 'hostile', url)


def check_policy(page, path):
    """The Content-Security-Policy stops a script that the escaping missed."""
    whole = pathlib.Path(path).read_text(encoding='utf-8')
    planted = pathlib.Path('planted.html')
    planted.write_text(whole.replace(
        '<noscript>', '<script>window.ran = 1</script>'
        '<img src="x" onerror="window.ran = 2"><noscript>', 1), encoding='utf-8')
    page.open(planted.resolve().as_uri())
    ok('a planted script does not run', page.run('window.ran') is None)
    ok('and is complained of', bool(page.complaints()))
