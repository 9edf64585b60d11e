# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE TEST_RULES: pages of `scanbench report` in Chromium without
a network: they open quietly, answer, filter, compare and keep their state, and
run nothing of a hostile run. 77 without Chromium."""
import json
import os
import re
import sys

import browser
import expect
import several
from expect import SOURCE, ok, table
from steps import changed, choose, count, opened, press, printed, quiet, text, type_into

SECTIONS = ['answer', 'ladder', 'map', 'curves', 'roofline', 'trade', 'trust', 'table']


def check_answer(page, rows):
    for typed, op, dtype, shape in [
            ('32768x32768:1', 'cumsum', 'f32', '32768x32768x1'),
            ('32768 x 32768 : -1', 'cumsum_reverse', 'f32', '32768x32768x1'),
            ('128x4095x512:1', 'sum', 'f32', ''),
            ('1x268435456x1', 'masked_cumsum', 'f16', '1x268435456x1')]:
        choose(page, 'operation', op)
        choose(page, 'type', dtype)
        type_into(page, '#shape', typed)
        said = text(page, '#asked')
        if shape:
            best = next(row for row in rows if row['rank'] == '1' and (
                row['op'], row['dtype'], f"{row['outer']}x{row['axis']}x{row['inner']}")
                == (op, dtype, shape))
            rate = f"{float(best['gbps']):.0f}"
            ok(f'answer to {typed}', best['variant'] in said and rate in said
               and 'this shape, ' in said, said)
        else:
            ok(f'answer to {typed}', 'the nearest' in said and
               f'scanbench which {op} 128x4095x512 --dtype f32 --gpu h200' in said, said)
    for typed in ['32768', '4x4:7', 'AxB:1', '1x2x3x4', '']:
        type_into(page, '#shape', typed)
        said = text(page, '#asked')
        ok(f'"{typed}" is refused', typed == '' or (
            'GB/s' not in said and said.endswith('.')), said)
    choose(page, 'type', 'f32')
    choose(page, 'operation', 'cumsum')
    type_into(page, '#shape', '32768x32768:1')


def check_nearness(page):
    for shape, nearest, other in (('64x1000x1', '64x2000x1', '64x250x1'),
                                  ('64x4095x1', '64x4097x1', '64x4096x1'),
                                  ('64x8x1', '1x4096x1', '64x8x8')):
        near, far = (page.run(f"distance(parseShape('{shape}').shape, parseShape('{to}').shape)")
                     for to in (nearest, other))
        ok(f'{nearest} is nearer to {shape} than {other}', near < far, near, far)
    ok('a measured ragged shape is the nearest', page.run("""(() => {
        const groups = ['ragged:9:3:zipf', 'ragged:9:3:equal'].map((shape) =>
            ({ ...makeShape(1, 9, 1), shape, best: [1] }));
        return nearestGroup(groups, parseShape(groups[1].shape, groups).shape).group.shape;
    })()""") == 'ragged:9:3:equal')
    ok('commands keep the options that cells need', page.run("""optionsOf({ facts: {
        arguments: "run --ranks 2 --op sum --plugin './p.so' --frameworks" } })""") ==
        " --ranks 2 --plugin './p.so' --frameworks")


def check_warnings(page, run, url):
    """Trust says what show says."""
    expect.run('show', run, '--format', 'json')
    said = json.loads(expect.out)['warnings']
    page.open(url)
    ok('warnings as in show', page.run("""[...document.querySelectorAll(
        '#trust .alarms li')].map((e) => e.textContent)""") == said, said)


def check_table(page, rows):
    choose(page, 'rows', 'all')
    for pattern, status in [('^sum/.*/f16/', ''), ('lookback', 'slow'),
                            ('lookback', 'timed'), ('(', '')]:
        type_into(page, '#filter', pattern)
        choose(page, 'status', status)
        wanted = [row for row in rows if re.search(
            pattern if pattern != '(' else r'\(',
            f"{row['op']}/{row['variant']}/{row['dtype']}/{row['outer']}x"
            f"{row['axis']}x{row['inner']}/{row['cache']}")
            and (not status or row['status'] == status or
                 (status == 'timed' and row['us']))]
        said = text(page, '#rows-shown')
        ok(f'filter {pattern} {status}', said.startswith(
            f'{len(wanted)} of {len(rows)} '), said, len(wanted))
        ok('and its rows', count(page, '#rows tbody tr') ==
           min(100, len(wanted)))
    type_into(page, '#filter', '^cumsum/.*/f32/')
    choose(page, 'status', 'timed')
    for way, pick in [('ascending', min), ('descending', max)]:
        page.run("""[...document.querySelectorAll('#rows th button')].find((e) =>
            e.textContent.split(' ')[0] === 'gbps').click()""")
        first = page.run("""(() => { const head = [...document
            .querySelectorAll('#rows th')].findIndex((e) => e.ariaSort);
            return [document.querySelectorAll('#rows th')[head].ariaSort,
            document.querySelectorAll('#rows tbody td')[head].textContent]
            })()""")
        wanted = pick(float(row['gbps']) for row in rows if row['gbps'] and
                      row['op'] == 'cumsum' and row['dtype'] == 'f32')
        ok(f'{way} by GB/s', first[0] == way and float(first[1]) == wanted,
           first, wanted)
    page.run("""[...document.querySelectorAll('#rows-more button')]
        .forEach((e) => e.click())""")
    ok('more rows', count(page, '#rows tbody tr') > 100)


def check_keys(page):
    page.run('document.activeElement.blur()')
    press(page, '/')
    ok('/ goes to the shape', page.run('document.activeElement.id') == 'shape')
    page.run("document.activeElement.blur()")
    page.run("document.querySelector('#ladder .rungs button').click()")
    ok('the drawer opens', page.run("!document.getElementById('kernel').hidden"
                                    " && document.activeElement.id"
                                    " === 'kernel'"))
    said = text(page, '#kernel')
    ok('with its header', all(name in said for name in
                              ['Idea', 'Against', 'Traffic', 'Needs',
                               'Source', 'Lesson']), said[:200])
    press(page, 'Escape')
    ok('Esc closes it', page.run("document.getElementById('kernel').hidden"))
    named = page.run("""[...document.querySelectorAll('button, select, input')]
        .filter((e) => !e.textContent && !e.labels?.length &&
        !e.ariaLabel).length""")
    ok('every control has a name', named == 0, named)


def check_sections(page):
    for section in SECTIONS:
        ok(f'{section} has something', len(text(page, f'#{section}')) > 60)
    ok('marks in the ladder', count(page, '#ladder .rung .dot') > 12)
    errors = page.run("""setState({ order: 'error' }), [...document.querySelectorAll(
        '#ladder .rung:not(.heading) .number.us:nth-last-child(2)')].map((e) => Number(e.textContent))""")
    ok('ranked by error', len(errors) > 12 and errors == sorted(errors), errors)
    page.run("setState({ order: 'fast' })")
    ok('squares in the map', count(page, '#map td.first') > 20)
    ok('curves', count(page, '#curves .curve.lit circle') > 20)
    ok('points', count(page, '#trade svg .point') > 5)
    ok('roofs', count(page, '#roofline path') == 2 and count(page, '#roofline .point') > 5)
    said = text(page, '#asked')
    ok('a summary', re.search(r'best within 2 % of the fastest at \d+ of \d+ shapes', said), said)
    ok('CUB is its own call', ' × as fast as cub_scan_by_key' in said, said)
    ok('of the peak', '% of the memory bus' in said, said)
    ok('ceilings', count(page, '#trust .twin .line') >= 3)
    ok('and their names', 'masked_copy, ' in text(page, '#trust'))
    colours = page.run("""(() => { const by = {}; let same = true;
        for (const chip of document.querySelectorAll('.chip')) {
            const name = chip.parentElement.textContent.trim();
            const paint = getComputedStyle(chip.parentElement)
                .getPropertyValue('--c');
            same = same && (by[name] ??= paint) === paint;
        } return [same, Object.keys(by).length]; })()""")
    ok('one colour a family', colours[0] and colours[1] > 30, colours)


def check_widths(page):
    for dark in [False, True]:
        for width in [360, 390, 900, 1400]:
            page.size(width, 900, dark)
            wide = page.run('document.documentElement.scrollWidth')
            ok(f'at home in {width}', wide <= width, wide)
            cut = page.run("""[...document.querySelectorAll('main *')].filter((e) =>
                e.clientWidth && e.scrollWidth > e.clientWidth + 1 && !e.matches('.cut') &&
                getComputedStyle(e).overflowX !== 'visible').map((e) => e.className)
                .filter((name) => !/step|class|^$/.test(name))""")
            ok(f'nothing is cut without a hint in {width}', not cut, cut)
    page.size(1600, 900)


def check_state(page, url):
    page.open('about:blank')
    page.open(f'{url}#op=sum&dtype=f64&shape=1x268435456x1&q=tree')
    ok('the address is read', page.run(
        "[...document.querySelectorAll('#controls select')].map((e) => "
        "e.value).join()") == 'sum,f64,1x268435456x1')
    ok('and the filter', page.run(
        "document.getElementById('filter').value") == 'tree')
    choose(page, 'type', 'f16')
    ok('and written', 'dtype=f16' in page.run('location.hash'))
    page.open('about:blank')
    page.open(f'{url}#op=%3Cimg%20src%3Dx%3E&shape=%22&kernel=__proto__&run=9'
              '&pin=constructor&sort=valueOf&unit=toString&with=length&places=x')
    ok('nonsense is put right', 'GB/s' in text(page, '#asked'))


def check_all(page):
    run = f'{SOURCE}/results/h200/default'
    rows = printed('table', run)
    page.size(1600, 900)
    url = opened(page, 'one.html', run)
    check_sections(page)
    check_answer(page, rows)
    check_table(page, rows)
    check_keys(page)
    check_widths(page)
    check_state(page, url)
    quiet(page, 'one run', url)
    check_nearness(page)
    check_warnings(page, run, url)
    spent = page.run("performance.getEntriesByType('navigation')[0].duration")
    print(f'opened in {spent:.0f} ms')
    ok('it opens in ten seconds on a busy machine', spent < 1e4)
    several.check_empty(page)
    changed(run, 'now', 1.25)
    several.check_compare(page, run, 'now')
    expect.hostile('hostile')
    several.check_hostile(page, 'hostile')
    several.without_comments('hostile', 'uncommented')
    several.check_hostile(page, 'uncommented')
    several.check_policy(page, 'one.html')


path = browser.find()
if not path:
    print('skipped: no Chromium (CHROMIUM names another)')
    sys.exit(77)
opened_page = browser.Page(path)
try:
    check_all(opened_page)
finally:
    opened_page.close()
expect.tally()
